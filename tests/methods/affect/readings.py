"""Studies made by hand: what judges read, as the flows would bring it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from localeval.methods.affect.axes import Axis, AxisSet, Contract, Meaning
from localeval.methods.affect.readings import (
    AffectStudy,
    AffectText,
    Evidence,
    Flags,
    Item,
    Portrait,
    Reading,
    TextAffect,
)
from localeval.methods.affect.schemas import AffectSettings, Target
from localeval.values import Missing

Values = Mapping[str, float | Missing | tuple[float, ...]]
"""By axis: a value, or one for each repeat, or why there is none."""

VAD = ("valence", "arousal", "dominance")
GOOD = Flags(coverage=1.0)
UNNAMED = Missing("not covered", "the text does not name the target")
UNREADABLE = Missing("invalid", "not valid JSON")


def meaning(word: str) -> Meaning:
    """What an axis means, in few words."""
    return Meaning(question=f"how much {word}.", anchors={0.0: "none", 0.5: "some", 1.0: "all"})


def vad(*, more: Sequence[str] = (), language: str = "en") -> AxisSet:
    """Valence, arousal, dominance of targets and texts; favourability alone; and axes of one's own, of targets."""
    axes = [Axis(id=name, label=name.title(), target=meaning(name), whole=meaning(name)) for name in VAD]
    axes.append(Axis(id="favourability", label="Favourability", favourability=meaning("favour")))
    axes += [Axis(id=name, label=name.title(), target=meaning(name)) for name in more]
    return AxisSet(name="vad", language=language, axes=tuple(axes))  # type: ignore[arg-type]


def settings(**given: Any) -> AffectSettings:
    """Settings with one judge, "judge", and the target Ada, unless others are given."""
    return AffectSettings.model_validate({"judges": ["judge"], "targets": ["Ada"], **given})


def reading(value: float | Missing, spread: float = 0.1) -> Reading:
    """A reading from probabilities (of no scale in particular)."""
    return Reading(value, spread, shares=(1.0,)) if not isinstance(value, Missing) else Reading(value)


def items(contract: Contract, values: Values, evidence: Evidence | None = None) -> tuple[Item, ...]:
    """One item for each axis."""
    return tuple(
        Item(
            contract, axis, tuple(reading(each) for each in (value if isinstance(value, tuple) else (value,))), evidence
        )
        for axis, value in values.items()
    )


def portrait(
    target: str | Target,
    values: Values,
    flags: Flags | Missing | None = GOOD,
    favourability: float | None = None,
) -> Portrait:
    """A target in a text; without values nothing was asked."""
    found = items("target", values)
    if favourability is not None:
        found += items("favourability", {"favourability": favourability})
    return Portrait(target if isinstance(target, Target) else Target(name=target), flags, found)


def text(name: str, group: str | None = None, **given: Any) -> AffectText:
    """A text of which nothing but its place matters; its group is itself where none is given."""
    return AffectText(name, group if group is not None else name, "Words.", given.pop("language", "en"), **given)


def read(where: AffectText, whole: Values, portraits: Sequence[Portrait] = (), judge: str = "judge") -> TextAffect:
    """What a judge reads in a text."""
    return TextAffect(where, judge, items("whole", whole), tuple(portraits))


def study(read_texts: Sequence[TextAffect], wordings: Sequence[str] = (), axes: AxisSet | None = None) -> AffectStudy:
    """A study in English."""
    return AffectStudy({"en": axes or vad()}, tuple(read_texts), wordings=tuple(wordings))


Score = Callable[[int, int, int, int, int], float | Missing]
"""The value for target, system, wording, sample and repeat, all by number."""


@dataclass(frozen=True)
class Design:
    """How many of everything are elicited."""

    targets: int = 6
    systems: int = 3
    wordings: int = 2
    samples: int = 3
    repeats: int = 1

    def settings(self, **given: Any) -> AffectSettings:
        """The settings of the design; those of `elicit` may be added to."""
        layer = {
            "systems": [f"system{n}" for n in range(self.systems)],
            "wordings": self.names,
            "samples": max(self.samples, 3),
            **given.pop("elicit", {}),
        }
        targets = [f"target{n}" for n in range(self.targets)]
        return settings(targets=targets, repeats=self.repeats, elicit=layer, **given)

    @property
    def names(self) -> list[str]:
        """The wordings."""
        return [f"wording{n}" for n in range(self.wordings)]

    def study(self, target: Score, whole: Score | None = None, judge: str = "judge") -> AffectStudy:
        """Every text with one value on all axes: of its target, and of its mood (the same where none is given).

        A target's portrait is refused its flags where its value is missing.
        """
        rows = []
        for t in range(self.targets):
            for s in range(self.systems):
                for w in range(self.wordings):
                    for n in range(self.samples):
                        where = text(
                            f"target{t}/system{s}/{self.names[w]}/{n}",
                            f"target{t}",
                            system=f"system{s}",
                            wording=self.names[w],
                            sample=n,
                        )
                        own = self._values(target, (t, s, w, n))
                        mood = self._values(whole or target, (t, s, w, n))
                        rows.append(read(where, mood, [portrait(f"target{t}", own)], judge))
        return study(rows, self.names)

    def _values(self, score: Score, cell: tuple[int, int, int, int]) -> dict[str, float | Missing | tuple[float, ...]]:
        given = [score(*cell, repeat) for repeat in range(self.repeats)]
        lost = next((each for each in given if isinstance(each, Missing)), None)
        value = lost if lost is not None else tuple(each for each in given if not isinstance(each, Missing))
        return dict.fromkeys(VAD, value)


def by_judge(first: AffectStudy, second: AffectStudy) -> AffectStudy:
    """Two studies of the same texts by two judges as one."""
    return replace(first, read=first.read + second.read)
