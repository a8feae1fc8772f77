"""All probes together: what they cost, of how many sources, and that nothing is asked anew."""

import json
from dataclasses import replace
from pathlib import Path

from localeval.checking.probes.context import MOST_SOURCES
from localeval.checking.probes.probing import probe_flows, score_probes
from localeval.driver import drive
from localeval.planting.settings import PROBES
from tests.audit_rules import SUPPORTED
from tests.checking.probes.probe_project import AFFECT, cloze, grade, make_context, run, trusted
from tests.helpers import ScriptedEngines, scripted_model

METHODS = "panel: {judges: [m, k]}, audit: {auditors: [m]}, quiz: {answerer: m, items: none.jsonl}, " + AFFECT % "m"
RULES = [
    {"match": "(?:Check this claim|a second time):", "reply": SUPPORTED},
    {"contains": "Reply with one letter", "reply": "A"},
    {"match": "pleasant|unpleasant", "reply": "neutral", "logprobs": {"neutral": -0.0001}},
    {"contains": "anew in other words", "reply": "Something else."},
    grade(2),
]


def test_probes_are_cheap_and_scored_for_the_methods_they_fit(tmp_path: Path) -> None:
    """Two sources cost a judge about 12 calls a probe; each method's judges have the probes that fit, in order."""
    context = make_context(", ".join(PROBES), METHODS, models=("m", "k"), n_sources=2)
    results, store = run(tmp_path, context, m=RULES, k=RULES)
    scored = score_probes(context, results)
    assert {judge: list(found) for judge, found in scored.items()} == {
        ("quiz", "m"): ["option order", "injection"],
        ("panel", "m"): ["line-up order", "verbosity", "own family", "system name", "injection", "language"],
        ("panel", "k"): ["line-up order", "verbosity", "own family", "system name", "injection", "language"],
        ("affect", "m"): ["verbosity", "system name"],
        ("audit", "m"): ["system name", "injection", "language"],
    }
    judges_and_probes = sum(len(found) for found in scored.values())
    assert len(store.appended) <= 16 * judges_and_probes
    for found in scored.values():
        json.dumps(found, allow_nan=False)


def test_a_second_drive_sends_no_call(tmp_path: Path) -> None:
    """The same context asks the same: everything comes from the store, and the scores are equal."""
    context = make_context(", ".join(PROBES), METHODS, models=("m", "k"), n_sources=2)
    results, store = run(tmp_path, context, m=RULES, k=RULES)
    before = len(store.appended)
    engines = ScriptedEngines(scripted_model(tmp_path, RULES, "m"), scripted_model(tmp_path, RULES, "k"))
    again = dict(drive(probe_flows(context), store, engines))
    assert len(store.appended) == before
    assert not engines.opened
    assert score_probes(context, again) == score_probes(context, results)


def test_many_sources_cost_no_more_than_twenty(tmp_path: Path) -> None:
    """Of 25 sources so many are drawn, by the seed and in their own order."""
    context = make_context("verbosity", "panel: {judges: [m]}")
    texts = []
    for number in range(25):
        whole = trusted(number % 4)
        source = replace(whole.source, id=f"x{number:02}")
        texts.append(replace(whole, source=source, candidate=replace(whole.candidate, source_id=source.id)))
    many = replace(context, trusted=texts, clozes=[cloze(each, n % 4) for n, each in enumerate(texts)])
    assert len(many.sources) == MOST_SOURCES
    assert [each.id for each in many.sources] == sorted(each.id for each in many.sources)
    assert len(many.samples) == 2 * MOST_SOURCES


def test_a_method_that_is_not_checked_is_not_probed() -> None:
    """`check: methods` leaves out the others."""
    context = make_context(", ".join(PROBES), METHODS, models=("m", "k"))
    quiz_alone = replace(context, settings=context.settings.model_copy(update={"methods": ("quiz",)}))
    assert {place.method for place, _ in probe_flows(quiz_alone)} == {"quiz"}
