"""The rows of the table judge x set: a measure with its interval, and the published yardstick beside it."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from localeval.public_sets.published import YARDSTICKS, SetName, Yardstick
from localeval.stats.estimate import Score, score_to_json
from localeval.values import Missing

SCHEMA = "localeval.bench.judges/1"

Unit = Literal["share", "coefficient", "points"]
"""share: in [0, 1], read per cent. coefficient: r, alpha, reliability. points: of the set's own scale."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """One figure of one judge on one part of one set.

    `judge` may be people, or the set itself where it is a base rate. `clusters` says what `score.sources` counts.
    A headline is the set's own measure; the others say how it comes about. `reasons` count why verdicts are missing.
    """

    set: SetName
    part: str
    judge: str
    measure: str
    unit: Unit
    score: Score
    clusters: str
    is_headline: bool = False
    is_local: bool = False
    reasons: Mapping[str, int] = field(default_factory=dict)

    @property
    def yardstick(self) -> Yardstick | None:
        """What is published of the same judge, part and measure."""
        place = (self.set, self.part, self.judge, self.measure)
        return next((each for each in YARDSTICKS if each.place == place), None)

    def as_json(self) -> dict[str, object]:
        """For --json."""
        yardstick = self.yardstick
        return {
            "set": self.set,
            "part": self.part,
            "judge": self.judge,
            "measure": self.measure,
            "unit": self.unit,
            "headline": self.is_headline,
            "local": self.is_local,
            "score": score_to_json(self.score),
            "clusters": self.clusters,
            "missing_by_reason": dict(self.reasons),
            "published": yardstick.value if yardstick is not None else None,
        }


@dataclass(frozen=True, slots=True)
class SetContents:
    """What lies in a folder of one set, in words, and what can be asked about it."""

    set: SetName
    holds: str
    use: str

    def as_json(self) -> dict[str, object]:
        """For --json."""
        return {"set": self.set, "holds": self.holds, "use": self.use}


def unmatched(rows: Sequence[TableRow]) -> list[Yardstick]:
    """What papers report of judges whose verdicts the sets in `rows` do not hold: shares, all of them."""
    sets = {row.set for row in rows}
    matched = {row.yardstick for row in rows}
    return [each for each in YARDSTICKS if each.origin == "paper" and each.set in sets and each not in matched]


def reasons_of(verdicts: Iterable[object]) -> dict[str, int]:
    """How many of the verdicts are missing, by reason."""
    return dict(Counter(each.reason for each in verdicts if isinstance(each, Missing)))


def table_json(contents: Sequence[SetContents], rows: Sequence[TableRow]) -> dict[str, object]:
    """The table as one JSON object."""
    return {
        "schema": SCHEMA,
        "sets": [each.as_json() for each in contents],
        "rows": [row.as_json() for row in rows],
        "published": [each.as_json() for each in unmatched(rows)],
    }
