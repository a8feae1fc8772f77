"""Whether judges like what they wrote: each rewords the same texts, and all of them judge all rewordings."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from localeval.checking.probes.context import CALLS_A_SOURCE, Found, Json, Place, ProbeContext, Sample
from localeval.checking.probes.measures import Drawn, not_measured, shift, told
from localeval.checking.probes.reading import Read, by_panel
from localeval.checking.rewording import reword
from localeval.flow import Flow
from localeval.methods.panel.schemas import is_known_family
from localeval.planting.settings import CheckedMethod, Probe
from localeval.values import Missing

PROBE: Probe = "own family"
METHODS: tuple[CheckedMethod, ...] = ("panel",)

_WHAT = "a judge's own rewording against another's, less how the other judges mark the two"
Marks = Mapping[str, Read | Missing]
"""What one judge says of each writer's rewording of a text."""


def flows(context: ProbeContext) -> Iterator[tuple[Place, Flow[Marks]]]:
    """A flow a text and judge: the rewordings, which the store answers every judge but the first, and their marks."""
    if len(context.judges("panel")) < 2:
        return
    for place in context.places(PROBE, "panel", ("rewordings",), len(_samples(context))):
        yield place, _judge(context, place.model, _samples(context)[place.text])


def score(context: ProbeContext, found: Found, method: CheckedMethod, model: str) -> Json:
    """How much higher the judge marks its own, over texts and over other writers and judges."""
    judges = context.judges("panel")
    if len(judges) < 2:
        return not_measured(_WHAT, "one judge alone: whether it likes its own can only be seen beside another")
    others = [each for each in judges if _are_apart(context, model, each)]
    if not others:
        return not_measured(_WHAT, "no other judge is of another family of models")
    samples = _samples(context)
    tables = [
        {each: found[Place(PROBE, "panel", each, text, "rewordings")] for each in judges}
        for text in range(len(samples))
    ]
    leanings = [
        Drawn(sample.source.id, _leaning(table, model, others)) for sample, table in zip(samples, tables, strict=True)
    ]
    kept = [mark for table in tables for mark in table[model].values()]
    lost = [mark for mark in kept if isinstance(mark, Missing) and mark.reason == "mismatch"]
    rows = [(f"own against {each}'s, by this judge", shift(_gaps(samples, tables, model, each))) for each in others]
    return told(_WHAT, shift(leanings), rows, "; ".join(_notes(len(others), len(lost), len(kept))))


def _notes(n_others: int, n_lost: int, n_kept: int) -> Iterator[str]:
    if n_others == 1:
        yield "with two judges the value holds what both like of their own; a third judge parts the two"
    if n_lost:
        yield f"{n_lost} of {n_kept} rewordings changed names, numbers or meaning and were not judged"


def _samples(context: ProbeContext) -> tuple[Sample, ...]:
    """One trusted text a source, or where judges are few both samples."""
    cost = len(context.judges("panel")) + 1
    return context.samples if 2 * cost <= CALLS_A_SOURCE else context.trusted_samples


def _are_apart(context: ProbeContext, judge: str, other: str) -> bool:
    """Whether two judges are different models, of different families where both are known."""
    families = [context.evaluation.families.get(name, "") for name in (judge, other)]
    return judge != other and not (families[0] == families[1] and is_known_family(families[0]))


def _leaning(table: Mapping[str, Marks], judge: str, others: Sequence[str]) -> float | None:
    """Mean over another writer and another judge, who with three judges or more are not the same; None where no
    comparison is whole."""
    found = []
    for writer in others:
        for peer in [each for each in others if each != writer] or [writer]:
            own, fair = _gap(table[judge], judge, writer), _gap(table[peer], judge, writer)
            if own is not None and fair is not None:
                found.append(own - fair)
    return float(np.clip(np.mean(found), -1.0, 1.0)) if found else None


def _gaps(samples: Sequence[Sample], tables: Sequence[Mapping[str, Marks]], judge: str, writer: str) -> list[Drawn]:
    return [
        Drawn(sample.source.id, _gap(table[judge], judge, writer))
        for sample, table in zip(samples, tables, strict=True)
    ]


def _gap(marks: Marks, first: str, second: str) -> float | None:
    one, other = marks[first], marks[second]
    return one.value - other.value if isinstance(one, Read) and isinstance(other, Read) else None


def _judge(context: ProbeContext, model: str, sample: Sample) -> Flow[Marks]:
    writers, prompts = context.judges("panel"), context.evaluation.material.prompts
    written = yield from reword(sample.text, sample.source, writers, prompts, context.seed, context.panel.retries)
    marks: dict[str, Read | Missing] = {}
    for writer, text in zip(writers, written, strict=True):
        marks[writer] = text if isinstance(text, Missing) else (yield from by_panel(context, model, sample, text))
    return marks
