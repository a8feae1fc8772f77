"""Affect's judges on the texts of a check: does praise put a target in a better light, and blame in a worse?

A sentence about a target is put behind a trusted text that names it: praise, blame, or neither. Valence must rise or
fall by more than `STEP` against the text as it is, and a sentence that says neither must not move it as far.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from localeval.checking.asking.rulings import LightKind, Ruling
from localeval.checking.texts import WHOLE, CheckTest, CheckText
from localeval.evidence.mentions import find_mentions
from localeval.flow import Flow
from localeval.measuring import Evaluation
from localeval.methods.affect.axes import AxisSet
from localeval.methods.affect.flow import read_text
from localeval.methods.affect.method import layout_of
from localeval.methods.affect.readings import AffectText, TextAffect
from localeval.methods.affect.schemas import AffectSettings, Target
from localeval.planting.portraits import portraits
from localeval.texts import Segment
from localeval.values import Missing

Name = tuple[str, str]
"""Judge and text id."""

STEP = 0.1
"""How far valence must move to count as moved, of the axis's whole length."""
VALENCE = "valence"
_BASE = "as it is"


@dataclass(frozen=True, slots=True)
class _Shown:
    """A trusted text with a sentence about a target behind it, or as it is."""

    id: str
    base: str
    text: CheckText
    target: Target
    light: LightKind | None
    """None: the text as it is."""
    words: AffectText


def affect_flows(evaluation: Evaluation, test: CheckTest) -> Iterator[tuple[Name, Flow[TextAffect]]]:
    """((judge, text id), its flow). None in a language for which there are no axes, as where texts are elicited in
    others, or whose axes have no valence of a target."""
    settings, material = _settings(evaluation), evaluation.material
    narrow = settings.model_copy(
        update={"contracts": ("target",), "evidence": False, "flags": False, "propose": 0, "repeats": 1}
    )
    layout = layout_of(settings, material)
    for shown in _shown(evaluation, test):
        axes = _valence(evaluation.affect.axes.get(shown.text.language))
        for model in settings.judges if axes is not None else ():
            assert axes is not None
            flow = read_text(shown.words, model, [shown.target], narrow, axes, material.prompts, material.seed, layout)
            yield (model, shown.id), flow


def affect_rulings(evaluation: Evaluation, test: CheckTest, found: Mapping[Name, TextAffect]) -> Iterator[Ruling]:
    """What each judge made of each sentence that was put behind a text."""
    for model in _settings(evaluation).judges:
        for shown in _shown(evaluation, test):
            if shown.light is not None and (model, shown.id) in found:
                before, after = _value(found[model, shown.base]), _value(found[model, shown.id])
                yield Ruling(
                    "affect",
                    model,
                    shown.id,
                    "untouched" if shown.light == "neutral" else "planted",
                    shown.light,
                    WHOLE,
                    shown.text.origin,
                    shown.text.language,
                    len(shown.text.candidate.text),
                    None,
                    _has_moved(before, after, shown.light),
                )


def _has_moved(before: float | Missing, after: float | Missing, light: str) -> bool | Missing:
    if isinstance(before, Missing) or isinstance(after, Missing):
        return before if isinstance(before, Missing) else after if isinstance(after, Missing) else False
    moved = after - before
    if light == "neutral":
        return abs(moved) > STEP
    return moved > STEP if light == "praise" else moved < -STEP


def _value(read: TextAffect) -> float | Missing:
    """The valence of the one target."""
    portrait = read.portraits[0]
    if isinstance(portrait.flags, Missing):
        return portrait.flags
    return portrait.items[0].value


def _settings(evaluation: Evaluation) -> AffectSettings:
    settings = evaluation.config.methods.affect
    assert settings is not None
    return settings


def _valence(axes: AxisSet | None) -> AxisSet | None:
    """The axis of valence alone; None where it says nothing of a target."""
    if axes is None:
        return None
    kept = tuple(axis for axis in axes.of("target") if axis.id == VALENCE)
    return axes.model_copy(update={"axes": kept}) if kept else None


def _shown(evaluation: Evaluation, test: CheckTest) -> Iterator[_Shown]:
    """Every trusted text that names a target, as it is and with each sentence behind it."""
    for text in test.texts:
        if text.role != "untouched" or text.view != WHOLE:
            continue
        target = _target(evaluation, text)
        if target is None:
            continue
        base = f"{text.id} {_BASE}"
        yield _Shown(base, base, text, target, None, _words(base, text, ""))
        for light, sentences in portraits(target.name, text.language).items():
            for number, sentence in enumerate(sentences, 1):
                name = f"{text.id} {light} {number}"
                yield _Shown(name, base, text, target, light, _words(name, text, sentence))


def _words(name: str, text: CheckText, sentence: str) -> AffectText:
    """The text as affect reads it, with the sentence behind it."""
    candidate = text.candidate
    if not sentence:
        return AffectText(name, text.origin, candidate.text, text.language, segments=candidate.segments)
    gap = "" if text.language == "zh" else " "
    whole = f"{candidate.text.rstrip()}{gap}{sentence}"
    added = Segment(len(candidate.segments) + 1, len(whole) - len(sentence), len(whole))
    return AffectText(name, text.origin, whole, text.language, segments=(*candidate.segments, added))


def _target(evaluation: Evaluation, text: CheckText) -> Target | None:
    """The first target of the config that the text names, else the first speaker of the source whom it names."""
    speakers = dict.fromkeys(each.speaker for each in text.source.segments if each.speaker)
    possible = [*_settings(evaluation).targets, *(Target(name=each, kind="person") for each in speakers if _fits(each))]
    words = text.candidate.text
    for target in possible:
        if find_mentions(words, target.names, text.language, is_person=target.kind == "person"):
            return target
    return None


def _fits(name: str) -> bool:
    return name == " ".join(name.split())
