"""From the chunks of a stream to the one chat completion that they make."""

from collections.abc import Mapping

from localeval.engines.served_replies import Rubbish

_TEXTS = ("content", "reasoning_content", "reasoning", "refusal")


class Assembly:
    """Collects the chunks of one answer.

    `first_at` is the time of the first chunk that held text, None before that. `is_whole`: the answer's end has come.
    """

    def __init__(self) -> None:
        self.first_at: float | None = None
        self.is_whole = False
        self._message: dict[str, str] = {}
        self._logprobs: list[object] = []
        self._reason: object = None
        self._rest: dict[str, object] = {}

    def add(self, chunk: object, now: float) -> None:
        """Takes the next chunk, which arrived at `now`. Raises Rubbish where it is none."""
        if not isinstance(chunk, Mapping):
            raise Rubbish("a chunk is not an object")
        for name in ("model", "usage", "error"):
            if chunk.get(name):
                self._rest[name] = chunk[name]
        choices = chunk.get("choices")
        for choice in choices[:1] if isinstance(choices, list) else ():
            if not isinstance(choice, Mapping):
                raise Rubbish("a chunk's choice is not an object")
            self._add_choice(choice, now)

    def completion(self) -> dict[str, object]:
        """The completion as a server sends it in one piece. Raises Rubbish where the stream ended before the answer."""
        if "error" in self._rest:
            return {"error": self._rest["error"]}
        if not self.is_whole:
            raise Rubbish("the stream ended before the answer")
        choice = {"message": self._message, "finish_reason": self._reason, "logprobs": {"content": self._logprobs}}
        return {**self._rest, "choices": [choice]}

    def _add_choice(self, choice: Mapping[str, object], now: float) -> None:
        delta = choice.get("delta")
        for name in _TEXTS:
            piece = delta.get(name) if isinstance(delta, Mapping) else None
            if isinstance(piece, str) and piece:
                self._message[name] = self._message.get(name, "") + piece
                self.first_at = now if self.first_at is None else self.first_at
        logprobs = choice.get("logprobs")
        tokens = logprobs.get("content") if isinstance(logprobs, Mapping) else None
        self._logprobs.extend(tokens if isinstance(tokens, list) else ())
        if choice.get("finish_reason"):
            self._reason = choice["finish_reason"]
            self.is_whole = True
