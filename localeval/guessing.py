"""How many tokens a text and an answer will be, before an engine has counted them."""

from collections.abc import Sequence

from localeval.values import Reply

_PRIOR = (0.3, 0.3, 0.5)
_PRIOR_BYTES = 2000
_OVERHEAD = 16  # a call's chat template, and the block of the cache that it does not fill
_FIRST = 256
_EVERY = 16
_ENOUGH = 8
_MARGIN = 1.5


def measure(text: str) -> tuple[int, int]:
    """(UTF-8 bytes, script): scripts are told by bytes a character, 0 for Latin, 1 for Cyrillic, 2 for Chinese."""
    if text.isascii():
        return len(text), 0
    size = len(text.encode("utf-8", "surrogatepass"))
    return size, min(round(size / len(text)), 3) - 1


class TokenGuess:
    """Tokens a byte by script, and answer tokens by the most that were allowed: learnt from replies.

    A tokenizer that writes English in a quarter of a token a byte may need one for a byte of Chinese, and another one
    a third of that. A mixed prompt's error is shared by its scripts as its guessed tokens are. Until replies have come
    the guess is rather too high: a call that waits costs less than a prefix that is lost.
    """

    def __init__(self) -> None:
        self.rates = list(_PRIOR)
        self._bytes = [float(_PRIOR_BYTES)] * len(_PRIOR)
        self._tokens = [rate * _PRIOR_BYTES for rate in _PRIOR]
        self._answers: dict[int, tuple[int, int]] = {}  # by the most tokens allowed: how many, their tokens
        self._seen = 0

    def tokens(self, sizes: Sequence[int]) -> int:
        """The tokens of so many bytes of each script."""
        rates = self.rates
        return int(sizes[0] * rates[0] + sizes[1] * rates[1] + sizes[2] * rates[2])

    def own(self, size: int, script: int, most: int) -> int:
        """The tokens that one call takes beside its prefix: its own bytes, its answer of at most `most`, its share of
        what is left empty."""
        number, total = self._answers.get(most, (0, 0))
        answer = min(most, int(_MARGIN * total / number) + 1) if number >= _ENOUGH else most
        return int(size * self.rates[script]) + answer + _OVERHEAD

    def wants_more(self) -> bool:
        """Whether the next reply is learnt from: the first ones all, then one of sixteen."""
        self._seen += 1
        return self._seen <= _FIRST or self._seen % _EVERY == 0

    def learn(self, sizes: Sequence[int], most: int, reply: Reply) -> None:
        """Takes in a reply to a prompt of so many bytes of each script, whose answer had `most` tokens at most."""
        guessed = self.tokens(sizes)
        if reply.prompt_tokens and guessed:
            for script, size in enumerate(sizes):
                self._bytes[script] += size
                self._tokens[script] += reply.prompt_tokens * size * self.rates[script] / guessed
            self.rates = [tokens / seen for tokens, seen in zip(self._tokens, self._bytes, strict=True)]
        if reply.missing is None:
            number, total = self._answers.get(most, (0, 0))
            self._answers[most] = number + 1, total + reply.output_tokens
