"""Whether a name in the text itself moves a score: bylines of a known model, of a script, and of nobody."""

from collections.abc import Iterator

from localeval.checking.probes.context import Found, Json, Place, ProbeContext, Sample
from localeval.checking.probes.measures import gaps, not_measured, shift, told
from localeval.checking.probes.reading import Read, by_affect, by_audit, by_panel
from localeval.flow import Flow
from localeval.planting.settings import CheckedMethod, Probe
from localeval.values import Missing

PROBE: Probe = "system name"
METHODS: tuple[CheckedMethod, ...] = ("panel", "audit", "affect")
NEUTRAL, KNOWN, LOWLY = "nobody named", "a known model", "an intern's script"
CASES = (NEUTRAL, KNOWN, LOWLY)
"""In the order of the lines in the prompts check/bylines."""

_WHAT = "a text said to be a known model's against the same said to be an intern's script's"


def flows(context: ProbeContext) -> Iterator[tuple[Place, Flow[Read | Missing]]]:
    """Each sample under each byline."""
    for method in METHODS:
        for place in context.places(PROBE, method, CASES, len(samples(context, method))):
            sample = samples(context, method)[place.text]
            byline = context.lines("check/bylines", sample.source)[CASES.index(place.case)]
            if method == "audit":
                yield place, by_audit(context, place.model, sample, byline)
            else:
                by = by_panel if method == "panel" else by_affect
                yield place, by(context, place.model, sample, f"{byline}\n\n{sample.text}")


def score(context: ProbeContext, found: Found, method: CheckedMethod, model: str) -> Json:
    """The shift from one name to the other, and of each against the line that names nobody."""
    chosen = samples(context, method)
    if not chosen:
        return not_measured(_WHAT, "there is no trusted text")
    of_case = {
        case: [(each.source.id, Place(PROBE, method, model, text, case)) for text, each in enumerate(chosen)]
        for case in CASES
    }
    step = 1.0 if method == "audit" else 0.5
    rows = [(f"{case} against {NEUTRAL}", shift(gaps(found, of_case[case], NEUTRAL), step)) for case in (KNOWN, LOWLY)]
    return told(_WHAT, shift(gaps(found, of_case[KNOWN], LOWLY), step), rows)


def samples(context: ProbeContext, method: CheckedMethod) -> tuple[Sample, ...]:
    """All samples; for the audit, which looks at a sentence in several calls, one a source: with an error if it can
    be, since a judge that spares a name spares it there."""
    if method != "audit":
        return context.samples
    faulty = {sample.source.id: sample for sample, _ in context.faulty}
    return tuple(faulty.get(each.source.id, each) for each in context.trusted_samples)
