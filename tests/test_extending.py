"""What is added to an evaluation later computes only what is new: no call about anything else changes its key.

The demo's own texts, through the methods' flows, answered by the dry run's rules.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from localeval.driver import Silent, drive
from localeval.flow import Flow
from localeval.inputs import CandidateSpec, SourceSpec, read_candidates, read_sources
from localeval.inputs.axis_files import axes_for
from localeval.inputs.rubric_files import rubric_for
from localeval.methods.affect.method import LONG, affect_flows, layout_of
from localeval.methods.affect.readings import AffectMaterial
from localeval.methods.affect.schemas import AffectSettings
from localeval.methods.audit.method import audit_flows
from localeval.methods.audit.schemas import AuditSettings
from localeval.methods.material import Material
from localeval.methods.panel.method import panel_flows
from localeval.methods.panel.rubrics import Criterion, Rubric
from localeval.methods.panel.schemas import Mode, PanelSettings
from localeval.methods.quiz.method import quiz_flows
from localeval.methods.quiz.schemas import QuizSettings
from localeval.models import Card, Model
from localeval.values import Call, Reply
from tests.helpers import MemoryStore, ScriptedEngines
from tests.methods.quiz.helpers import prompts

DEMO = Path(__file__).resolve().parent.parent / "demo"
NEW_SYSTEM = "omitting"
NEW_SOURCE = "ferry"

Flows = Iterator[tuple[Any, Flow[Any]]]
Keys = Mapping[str, Call]


@cache
def everything() -> Material:
    """Two English meetings, three systems."""
    sources = read_sources((SourceSpec(path="transcripts/*", category="meeting"),), DEMO)
    candidates = read_candidates((CandidateSpec(path="summaries/{source}/{system}.md"),), DEMO, sources)
    assert {each.id for each in sources} == {"clinic", NEW_SOURCE}
    assert len({each.system for each in candidates}) == 3
    return Material(sources, candidates, prompts(), 1)


def without_system() -> Material:
    one = everything()
    return replace(one, candidates=[each for each in one.candidates if each.system != NEW_SYSTEM])


def without_source() -> Material:
    one = everything()
    return replace(
        one,
        sources=[each for each in one.sources if each.id != NEW_SOURCE],
        candidates=[each for each in one.candidates if each.source_id != NEW_SOURCE],
    )


class Noting(Silent):
    """Keeps every call by the key under which it was answered."""

    def __init__(self) -> None:
        self.calls: dict[str, Call] = {}

    def answered(self, call: Call, reply: Reply, is_stored: bool) -> None:
        self.calls[reply.key] = call


def asked(flows: Flows) -> Keys:
    """Every call of the flows, by key; models are scripted."""
    noting = Noting()
    models = [
        Model(name=name, card=Card(name=name, family=name), engine="scripted", folder=str(DEMO / "dry-run.jsonl"),
              revision=name, context=0, options={})
        for name in ("one", "two")
    ]  # fmt: skip
    results = list(drive(flows, MemoryStore(), ScriptedEngines(*models), noting))
    assert results
    assert noting.calls
    return noting.calls


def rubric(*further: Criterion) -> Rubric:
    shipped = rubric_for("meeting", "meeting", "en", DEMO)
    return shipped.model_copy(update={"criteria": (*shipped.criteria, *further)})


def by_panel(
    material: Material, judges: Sequence[str] = ("one",), by: Rubric | None = None, mode: Mode = "pointwise"
) -> Flows:
    settings = PanelSettings(judges=tuple(judges), mode=mode)
    return panel_flows(material, settings, {each.id: by or rubric() for each in material.sources})


def by_quiz(material: Material, judges: Sequence[str] = ("one",)) -> Flows:
    return quiz_flows(material, QuizSettings(writer="one", answerer="one", questions=4))


def by_audit(material: Material, judges: Sequence[str] = ("one",)) -> Flows:
    return audit_flows(material, AuditSettings(auditors=tuple(judges)))


def by_affect(material: Material, judges: Sequence[str] = ("one",)) -> Flows:
    settings = AffectSettings.model_validate({"judges": judges, "targets": ["Marcus"], "propose": 1, "scale": 9})
    own = AffectMaterial({"en": axes_for("vad", "en", DEMO)}, {}, ())
    return affect_flows(material, settings, own)


METHODS: dict[str, Callable[..., Flows]] = {"quiz": by_quiz, "panel": by_panel, "audit": by_audit, "affect": by_affect}


@dataclass(frozen=True)
class Growth:
    """What an addition does to the calls."""

    lost: Keys
    new: Keys


def growth(before: Flows, after: Flows) -> Growth:
    first, then = asked(before), asked(after)
    return Growth(
        {key: call for key, call in first.items() if key not in then},
        {key: call for key, call in then.items() if key not in first},
    )


@pytest.mark.parametrize("method", METHODS)
def test_a_system_that_is_added_asks_about_itself_alone(method: str) -> None:
    """No call about the others, about the quiz or about its controls has another key; the new ones name the system."""
    found = growth(METHODS[method](without_system()), METHODS[method](everything()))
    assert not found.lost
    assert {call.subject for call in found.new.values()} == {f"clinic/{NEW_SYSTEM}", f"ferry/{NEW_SYSTEM}"}


@pytest.mark.parametrize("method", METHODS)
def test_a_source_that_is_added_asks_about_itself_alone(method: str) -> None:
    """No call about another source has another key."""
    found = growth(METHODS[method](without_source()), METHODS[method](everything()))
    assert not found.lost
    assert found.new
    assert {call.subject.partition("/")[0] for call in found.new.values()} == {NEW_SOURCE}


@pytest.mark.parametrize("method", ["panel", "audit", "affect"])
def test_a_judge_that_is_added_is_asked_alone(method: str) -> None:
    """No call of the first judge has another key; claims and targets, which the first one names, are not asked anew."""
    found = growth(METHODS[method](everything()), METHODS[method](everything(), ("one", "two")))
    assert not found.lost
    assert {call.model for call in found.new.values()} == {"two"}


def test_a_criterion_that_is_added_is_asked_alone() -> None:
    """One by one, no verdict on another criterion has another key."""
    levels = {0: "It rambles.", 1: "Some of it does.", 2: "None of it does."}
    further = Criterion.model_validate({"id": "brevity", "statement": "It is brief.", "levels": levels})
    found = growth(by_panel(everything()), by_panel(everything(), by=rubric(further)))
    assert not found.lost
    assert {call.item for call in found.new.values()} == {"brevity"}
    assert len(found.new) == 6


@pytest.mark.parametrize(("mode", "n_new"), [("lineup", 6 * 7), ("batch", 2)])
def test_who_stands_together_is_asked_anew_together(mode: Mode, n_new: int) -> None:
    """A line-up shows its candidates to each other: a further one changes all calls about its sources, in a batch as
    one by one. A further source or judge changes none."""
    found = growth(by_panel(without_system(), mode=mode), by_panel(everything(), mode=mode))
    assert len(found.new) == n_new
    assert {call.subject.partition("/")[0] for call in found.lost.values()} == {"clinic", "ferry"}
    found = growth(by_panel(without_source(), mode=mode), by_panel(everything(), mode=mode))
    assert not found.lost
    assert {call.subject.partition("/")[0] for call in found.new.values()} == {NEW_SOURCE}
    found = growth(by_panel(everything(), mode=mode), by_panel(everything(), ("one", "two"), mode=mode))
    assert not found.lost
    assert {call.model for call in found.new.values()} == {"two"}


def test_how_affect_lays_out_its_prompts_is_not_for_candidates_to_say() -> None:
    """However long their texts are; it is by the longest source, and what the config says."""
    settings = AffectSettings.model_validate({"judges": ["one"], "targets": ["Marcus"]})
    one = everything()
    assert all(len(each.text) > LONG for each in one.sources)
    short = replace(one, sources=[replace(each, text=each.text[:LONG], segments=()) for each in one.sources])
    for length in (10, 10 * LONG):
        candidates = [replace(each, text="a" * length, segments=()) for each in one.candidates]
        assert layout_of(settings, replace(one, candidates=candidates)) == "text first"
        assert layout_of(settings, replace(short, candidates=candidates)) == "task first"
    said = settings.model_copy(update={"layout": "task first"})
    assert layout_of(said, one) == "task first"
