"""The engine `verdicts`: a judge whose verdicts stand in a file, beside judges that are asked."""

from collections import deque
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from localeval.flow import EngineInfo
from localeval.inputs.verdict_files import GivenVerdict, read_verdicts
from localeval.keys import call_key
from localeval.models.cards import Model
from localeval.values import Call, Missing, Reply

PANEL = "panel/judge"
"""The stage whose calls are answered by source, system and criterion."""


def lasting_identity(model: Model) -> str:
    """What stands for a file of verdicts in the keys of its rows: the same however the file is filled in.

    The key of a call in the store holds the file's content as well, so that a verdict that is changed is read anew; a
    row of the file cannot hold that.
    """
    return model.model_copy(update={"revision": ""}).identity


class VerdictsEngine:
    """An Engine (`localeval.flow`) that looks calls up: by key, and calls of a panel by source, system and criterion.

    What the file does not say is missing, "absent". Nothing is made of a verdict but the reply: no log-probabilities,
    no tokens, no time.
    """

    capacity = 1024

    def __init__(self, model: Model) -> None:
        self._file = Path(model.folder)
        self._identity = lasting_identity(model)
        self._by_key: dict[str, GivenVerdict] = {}
        self._by_matter: dict[tuple[str, str], GivenVerdict] = {}
        self._found: deque[Reply] = deque()
        self.info = EngineInfo(f"verdicts {self._file.name}")

    def __enter__(self) -> Self:
        """Reads the file; raises InputError where it has a mistake."""
        answered = [row for row in read_verdicts(self._file) if row.text]
        self._by_key = {row.key: row for row in answered if row.key}
        self._by_matter = {(row.subject, row.item): row for row in answered if not row.key}
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._found.clear()

    def submit(self, calls: Mapping[str, Call]) -> None:
        """Takes calls by key, at any time."""
        for key, call in calls.items():
            row = self._by_key.get(call_key(call, self._identity))
            if row is None and call.stage == PANEL:
                row = self._by_matter.get((call.subject, call.item))
            if row is not None:
                self._found.append(Reply(key, row.reply_to(call.output), engine=self.info.description))
                continue
            missing = Missing("absent", f"no verdict in {self._file.name} for {_told(call)}")
            self._found.append(Reply(key, finish="error", engine=self.info.description, missing=missing))

    def replies(self) -> Iterator[Reply]:
        """Each reply, in the order of the calls."""
        while self._found:
            yield self._found.popleft()


def _told(call: Call) -> str:
    """What a call asks, in words."""
    if call.stage == PANEL and call.item:
        return f"{call.subject}, {call.item}"
    return f"{call.stage} about {call.subject}" + (f", {call.item}" if call.item else "")
