"""Whether the language of the instructions moves a score: English ones against those in the source's own language."""

from collections.abc import Iterator
from pathlib import Path

from localeval.checking.probes.context import Found, Json, Place, ProbeContext, Sample
from localeval.checking.probes.measures import Drawn, gaps, not_measured, read_at, share, shift, told
from localeval.checking.probes.reading import Read, by_audit, by_panel, in_language
from localeval.flow import Flow
from localeval.inputs.named_files import is_path
from localeval.inputs.rubric_files import rubric_for
from localeval.methods.panel.rubrics import Rubric
from localeval.planting.settings import CheckedMethod, Probe
from localeval.texts import Source
from localeval.values import Missing

PROBE: Probe = "language"
METHODS: tuple[CheckedMethod, ...] = ("panel", "audit")
OWN, ENGLISH = "own language", "English"

_WHAT = "instructions in English against those in the source's own language"
_CASES = (OWN, ENGLISH)


def flows(context: ProbeContext) -> Iterator[tuple[Place, Flow[Read | Missing]]]:
    """Each sample of a source that is not English, once with each."""
    for method in METHODS:
        for place in context.places(PROBE, method, _CASES, len(_samples(context))):
            sample = _samples(context)[place.text]
            other = in_language(sample.source) if place.case == ENGLISH else None
            if method == "audit":
                yield place, by_audit(context, place.model, sample, source=other)
            else:
                rubric = _english(context, sample.source) if other is not None else None
                yield place, by_panel(context, place.model, sample, sample.text, other, rubric)


def score(context: ProbeContext, found: Found, method: CheckedMethod, model: str) -> Json:
    """The shift, and how often both say the same."""
    chosen = _samples(context)
    if not chosen:
        return not_measured(_WHAT, "all sources are in English")
    places = [(each.source.id, Place(PROBE, method, model, text, ENGLISH)) for text, each in enumerate(chosen)]
    same = [Drawn(source, _agrees(found, place)) for source, place in places]
    step = 1.0 if method == "audit" else 0.5
    return told(_WHAT, shift(gaps(found, places, OWN), step), [("texts of which both find the same", share(same))])


def _samples(context: ProbeContext) -> list[Sample]:
    return [each for each in context.samples if each.source.language != "en"]


def _english(context: ProbeContext, source: Source) -> Rubric | None:
    """The shipped rubric in English; None where it is the user's own, which stays as it is."""
    settings = context.evaluation.config.methods.panel
    assert settings is not None
    if settings.rubric is not None and is_path(settings.rubric):
        return None
    return rubric_for(settings.rubric, source.category, "en", Path())


def _agrees(found: Found, place: Place) -> float | None:
    one, other = read_at(found, place), read_at(found, place._replace(case=OWN))
    return float(one.found == other.found) if one is not None and other is not None else None
