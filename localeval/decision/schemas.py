"""What a config says of how a system is chosen."""

from pydantic import Field, field_validator

from localeval.decision.measures import KINDS, Needs
from localeval.decision.rules import parse_rule
from localeval.methods.leaderboard import Measure
from localeval.methods.settings import Frozen


class SelectSettings(Frozen):
    """`select` in a config: what a system must fulfil, and by what the best of those that do is told."""

    require: tuple[str, ...] = ()
    """Rules such as "fabrications <= 0", "disagreement <= 5", "cost_per_1000 <= 3.50", "seconds <= 20"."""
    best: Measure | None = None
    """Default: the first measure of `rank_by` that no rule speaks of."""
    smallest_difference: float | None = Field(default=None, gt=0)
    """The difference in `best` that would matter, for the number of sources needed, in the unit of rules (points,
    fabrications a text). Default: the one found."""

    @field_validator("require")
    @classmethod
    def _are_rules(cls, require: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(str(parse_rule(rule)) for rule in require)

    @property
    def needs(self) -> tuple[tuple[str, Needs], ...]:
        """(what is said, what it takes) of `best` and of each rule that takes a method, or `systems` that write."""
        best = [(f"best: {self.best}", KINDS[self.best].needs)] if self.best is not None else []
        rules = [(f"require: {rule}", KINDS[parse_rule(rule).measure].needs) for rule in self.require]
        return tuple((said, needs) for said, needs in [*best, *rules] if needs)
