"""How judges are checked, as it stands under `check:` in a config."""

from typing import Annotated, Literal

from pydantic import Field, field_validator

from localeval.methods.settings import Frozen, require_each_once
from localeval.planting.schemas import ERROR_KINDS, ErrorKind

CheckedMethod = Literal["quiz", "panel", "audit", "affect"]

Probe = Literal["option order", "line-up order", "verbosity", "own family", "system name", "injection", "language"]
PROBES: tuple[Probe, ...] = (
    "option order",
    "line-up order",
    "verbosity",
    "own family",
    "system name",
    "injection",
    "language",
)

Share = Annotated[float, Field(ge=0.0, le=1.0)]


class Bars(Frozen):
    """What a judge must reach in one method before its scores are taken. Shares of 1."""

    detection: Share = 0.5
    """Least share of the planted errors that it finds."""
    false_alarm: Share = 0.2
    """Largest share of the controls, in which nothing is wrong, that it blames."""
    above: Share = 0.5
    """The lower end of the interval of its balanced accuracy, (detection + 1 - false alarm) / 2, must be above this:
    0.5 is chance."""
    missing: Share = 0.1
    """Largest share of texts without a verdict."""


class MethodBars(Frozen):
    """The bars of each method."""

    quiz: Bars = Bars()
    panel: Bars = Bars()
    audit: Bars = Bars()
    affect: Bars = Bars()


class CheckSettings(Frozen):
    """The levers of `localeval judges check`."""

    trusted: tuple[str, ...] = ()
    """Systems among the candidates whose texts somebody has read and found right: errors are planted into them, and as
    they are they are controls. Default: none, only excerpts of the sources."""
    excerpts: int = Field(default=8, ge=0, le=40)
    """Sentences of a trusted text that is put together from each source's own words, spread over its whole length; 0:
    none is."""
    kinds: tuple[ErrorKind, ...] = Field(default=ERROR_KINDS, min_length=1)
    planted: int = Field(default=60, ge=1, le=5000)
    """Texts with one planted error each, shared out over kinds, sources and places in them as evenly as can be."""
    controls: int = Field(default=24, ge=1, le=5000)
    """Texts without an error: trusted texts as they are and, a third or more of them, in other words."""
    paraphraser: str | None = None
    """Model that rewords trusted texts, too; what a program finds changed in names, numbers or denials is dropped."""
    methods: tuple[CheckedMethod, ...] = ()
    """Methods whose judges are checked. Default: all that the config names."""
    shortened: float | None = Field(default=0.5, gt=0.0, lt=1.0)
    """The same texts are also judged against the first part of each source, this share of it: what a judge that sees a
    part would say. Never enters a bar. null: not done."""
    lengths: tuple[Annotated[int, Field(ge=500)], ...] = ()
    """Sources are cut to so many characters as well, so that it is seen at what length a judge loses sight. Default:
    their own length alone."""
    probes: tuple[Probe, ...] = ("option order", "verbosity", "system name", "injection")
    """Leanings that are measured besides; see docs/judges.md."""
    bars: MethodBars = MethodBars()

    @field_validator("trusted", "kinds", "methods", "lengths", "probes")
    @classmethod
    def _each_once(cls, given: tuple[str, ...]) -> tuple[str, ...]:
        require_each_once([str(each) for each in given], "name each once")
        return given

    @property
    def models(self) -> tuple[str, ...]:
        """The models that a check needs besides the judges."""
        return () if self.paraphraser is None else (self.paraphraser,)

    def bars_of(self, method: CheckedMethod) -> Bars:
        """The bars of one method."""
        found: Bars = getattr(self.bars, method)
        return found
