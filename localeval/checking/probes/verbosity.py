"""Whether length is liked for its own sake: a text against the same padded with what says nothing new."""

import math
from collections.abc import Iterator, Sequence
from itertools import cycle

from localeval.checking.probes.context import Found, Json, Place, ProbeContext, Sample
from localeval.checking.probes.measures import Drawn, not_measured, read_at, shift, told
from localeval.checking.probes.reading import Read, by_affect, by_panel
from localeval.flow import Flow
from localeval.keys import derive_seed
from localeval.planting.settings import CheckedMethod, Probe
from localeval.prompts import one_line
from localeval.texts import Source
from localeval.values import Missing

PROBE: Probe = "verbosity"
METHODS: tuple[CheckedMethod, ...] = ("panel", "affect")
PLAIN, FILLED, RESTATED = "plain", "with empty sentences", "with its own sentences once more"

_WHAT = "a text twice as long that says no more, against the text itself"
_CASES = (PLAIN, FILLED, RESTATED)


def flows(context: ProbeContext) -> Iterator[tuple[Place, Flow[Read | Missing]]]:
    """Each sample plain and padded in two ways."""
    for method in METHODS:
        for place in context.places(PROBE, method, _CASES, len(context.samples)):
            sample = context.samples[place.text]
            text = padded(context, sample, place.case)
            by = by_panel if method == "panel" else by_affect
            yield place, by(context, place.model, sample, text)


def score(context: ProbeContext, found: Found, method: CheckedMethod, model: str) -> Json:
    """The shift for each doubling of the length."""
    if not context.samples:
        return not_measured(_WHAT, "there is no trusted text")
    drawn = {
        case: [_by_doubling(context, found, Place(PROBE, method, model, text, case)) for text in _texts(context)]
        for case in (FILLED, RESTATED)
    }
    both = [each for case in drawn.values() for each in case]
    return told(_WHAT, shift(both), [(case, shift(each)) for case, each in drawn.items()])


def _texts(context: ProbeContext) -> range:
    return range(len(context.samples))


def _by_doubling(context: ProbeContext, found: Found, place: Place) -> Drawn:
    sample = context.samples[place.text]
    one, plain = read_at(found, place), read_at(found, place._replace(case=PLAIN))
    if one is None or plain is None:
        return Drawn(sample.source.id, None)
    doublings = math.log2(len(padded(context, sample, place.case)) / len(sample.text))
    return Drawn(sample.source.id, (one.value - plain.value) / doublings)


def padded(context: ProbeContext, sample: Sample, case: str) -> str:
    """The sample, or about twice as much: each of its paragraphs' ends is left alone, what is added follows."""
    if case == PLAIN:
        return sample.text
    source = sample.source
    if case == FILLED:
        lines = context.lines("check/fillers", source)
        start = derive_seed(context.seed, "fillers", source.id) % len(lines)
        added = _up_to(len(sample.text), [*lines[start:], *lines[:start]], source)
    else:
        added = _up_to(len(sample.text), _restated(context, sample), source)
    return f"{sample.text.rstrip()}\n\n{added}"


def _restated(context: ProbeContext, sample: Sample) -> list[str]:
    """The text's own sentences, each said to be said once more."""
    whole, language = sample.copy(sample.text), sample.source.language
    prompts = context.evaluation.material.prompts
    sentences = [one_line(whole.words_of(segment)) for segment in whole.segments]
    return [prompts.render("check/restated", language, sentence=each).strip() for each in sentences]


def _up_to(characters: int, lines: Sequence[str], source: Source) -> str:
    """Lines, again from the first where they end, until there are so many characters."""
    gap = "" if source.language == "zh" else " "
    taken: list[str] = []
    for line in cycle(lines):
        taken.append(line)
        if sum(map(len, taken)) >= characters:
            return gap.join(taken)
    return ""
