"""What a place in a line-up is worth: the same candidates in an order and in its reverse."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from localeval.checking.probes.context import Found, Json, Place, ProbeContext, Sample
from localeval.checking.probes.measures import Drawn, not_measured, share, shift, told
from localeval.checking.probes.reading import Read, faithfulness_alone, read_verdict
from localeval.flow import Flow
from localeval.keys import derive_seed
from localeval.methods.panel.calls import line_up
from localeval.methods.panel.flow import judge
from localeval.methods.panel.rubrics import FAITHFULNESS
from localeval.methods.panel.schemas import PanelSettings
from localeval.planting.settings import CheckedMethod, Probe
from localeval.texts import Candidate, Source
from localeval.values import Missing

PROBE: Probe = "line-up order"
METHODS: tuple[CheckedMethod, ...] = ("panel",)
MOST_CANDIDATES = 3
"""In a line-up: in both orders, with one criterion, a call each."""

_WHAT = "a candidate's score one place further down the line-up"
_ORDERS = ("one order", "its reverse")
_MOST_TRIED = 5000


@dataclass(frozen=True, slots=True)
class _Stood:
    """Where a candidate stood from 0, and what it was given there."""

    place: int
    read: Read | Missing


Stood = Mapping[str, _Stood]
"""By the candidate's name within the probe."""


def flows(context: ProbeContext) -> Iterator[tuple[Place, Flow[Stood]]]:
    """Two line-ups a source and judge; none of a source with one text."""
    line_ups = [_candidates(context, source) for source in context.sources]
    for place in context.places(PROBE, "panel", _ORDERS, len(line_ups)):
        candidates = line_ups[place.text]
        if len(candidates) > 1:
            yield place, _judge(context, context.sources[place.text], candidates, place)


def score(context: ProbeContext, found: Found, method: CheckedMethod, model: str) -> Json:
    """How far scores and orders of candidates owe to their places."""
    moved: list[Drawn] = []
    turned: list[Drawn] = []
    for text, source in enumerate(context.sources):
        one = found.get(Place(PROBE, "panel", model, text, _ORDERS[0]))
        other = found.get(Place(PROBE, "panel", model, text, _ORDERS[1]))
        if one is not None and other is not None:
            moved += [Drawn(source.id, _by_place(one[name], other[name])) for name in one if _moves(one, other, name)]
            turned += [Drawn(source.id, _turns(one, other, pair)) for pair in combinations(one, 2)]
    if not moved:
        return not_measured(_WHAT, "no source has two texts to stand in a line-up")
    settings = context.evaluation.config.methods.panel
    is_other = settings is not None and settings.mode == "pointwise" and not settings.has_batches(model)
    note = "this panel judges each candidate alone: so it would be in a line-up" if is_other else ""
    return told(_WHAT, shift(moved), [("pairs that change sides with the order", share(turned))], note)


def _candidates(context: ProbeContext, source: Source) -> list[Candidate]:
    """Different texts about a source: trusted, with an error, of the user's systems."""
    texts = [each.candidate.text for each in context.trusted if each.source.id == source.id][:1]
    texts += [sample.text for sample, _ in context.faulty if sample.source.id == source.id]
    texts += [each.text for each in context.evaluation.material.by_source.get(source.id, ())]
    texts += [each.candidate.text for each in context.trusted if each.source.id == source.id]
    chosen = list(dict.fromkeys(texts))[:MOST_CANDIDATES]
    cut = [Sample(source, text, "").copy(text) for text in chosen]
    return [Candidate(each.source_id, f"{n}", each.text, segments=each.segments) for n, each in enumerate(cut, 1)]


def _judge(context: ProbeContext, source: Source, candidates: Sequence[Candidate], place: Place) -> Flow[Stood]:
    evaluation = context.evaluation
    seed = _seeds(source, candidates, context.seed)[_ORDERS.index(place.case)]
    rubric = faithfulness_alone(evaluation.rubrics[source.id])
    settings = _in_line_ups(context)
    sheets = yield from judge(source, candidates, place.model, rubric, settings, evaluation.material.prompts, seed)
    return {
        name: _Stood(sheet[FAITHFULNESS][0].position, read_verdict(sheet[FAITHFULNESS][0]))
        for name, sheet in sheets.items()
    }


def _in_line_ups(context: ProbeContext) -> PanelSettings:
    """The panel as it is, but with line-ups where it judges each candidate alone, and all candidates in one."""
    settings = context.evaluation.config.methods.panel
    assert settings is not None
    mode = "lineup" if settings.mode == "pointwise" else settings.mode
    return settings.model_copy(update={"mode": mode, "repeats": 1, "batch_candidates": MOST_CANDIDATES})


def _seeds(source: Source, candidates: Sequence[Candidate], seed: int) -> tuple[int, int]:
    """Two seeds that shuffle the candidates into an order and into its reverse."""
    first = derive_seed(seed, "line-up probe", source.id)
    wanted = line_up(source, candidates, 0, first)[::-1]
    for attempt in range(_MOST_TRIED):
        second = derive_seed(first, attempt)
        if line_up(source, candidates, 0, second) == wanted:
            return first, second
    raise AssertionError(f"no seed of {_MOST_TRIED} reverses {len(candidates)} candidates")


def _moves(one: Stood, other: Stood, name: str) -> bool:
    return one[name].place != other[name].place


def _by_place(one: _Stood, other: _Stood) -> float | None:
    """What a place further down adds to a score."""
    if isinstance(one.read, Missing) or isinstance(other.read, Missing):
        return None
    return (other.read.value - one.read.value) / (other.place - one.place)


def _turns(one: Stood, other: Stood, pair: tuple[str, str]) -> float | None:
    """1 where the better of two is the worse in the other order; None where a score is missing."""
    gaps = []
    for stood in (one, other):
        first, second = (stood[name].read for name in pair)
        if isinstance(first, Missing) or isinstance(second, Missing):
            return None
        gaps.append(first.value - second.value)
    return float(gaps[0] * gaps[1] < 0)
