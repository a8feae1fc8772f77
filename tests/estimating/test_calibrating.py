"""`localeval.estimating.calibrating`: a pilot in the run's own folder, and what it corrects. Scripted models."""

import json
from pathlib import Path

import pytest

from localeval.errors import ConfigError, StoreError
from localeval.estimating import calibrate, estimated_against_actual, estimated_plan
from localeval.estimating.calibrating import middling, pilot_evaluation
from localeval.evaluation import load_scores, run
from localeval.reading import read_evaluation
from localeval.texts import Source
from tests.projects import make_project
from tests.systems_project import make_selection

PRICED = ", price_in: 2.0, price_out: 10.0"


def source(name: str, length: int) -> Source:
    """A source of so many characters."""
    return Source(name, "x" * length, (), "en")


def test_the_sources_in_the_middle_are_taken() -> None:
    """By length, those of one length by name; all where more are asked for than there are."""
    sources = [source("a", 10), source("b", 500), source("c", 30), source("d", 20), source("e", 900)]
    assert middling(sources, 1) == {"c"}
    assert middling(sources, 3) == {"d", "c", "b"}
    assert middling(sources, 9) == {"a", "b", "c", "d", "e"}
    assert middling(sources[:2], 1) == {"a"}


def test_a_pilot_is_of_its_sources_alone(tmp_path: Path) -> None:
    """Sources, candidates and given questions of the others are left out."""
    evaluation, _ = read_evaluation(make_project(tmp_path, n_sources=3))
    pilot = pilot_evaluation(evaluation, 1)
    assert [each.id for each in pilot.material.sources] == ["s1"]
    assert {each.source_id for each in pilot.material.candidates} == {"s1"}


def test_nothing_of_a_pilot_is_wasted(tmp_path: Path) -> None:
    """The run sends what the pilot did not, and comes to the same scores as a run without a pilot."""
    config = make_project(tmp_path, n_sources=3)
    found = calibrate(config, tmp_path / "run")
    assert found["pilot"]["sources"] == ["s1"]
    sent = sum(each["calls"] for each in found["pilot"]["measured"])
    again = run(config, tmp_path / "run")
    plain = run(config, tmp_path / "plain")
    assert again.ledger.stored == sent
    assert again.ledger.sent + sent == plain.ledger.sent
    assert again.scores == plain.scores
    assert json.loads((tmp_path / "run" / "plan.json").read_text()) == found, "a run leaves the plan as it was"


def test_the_rest_is_planned_and_the_total_is_of_all(tmp_path: Path) -> None:
    """Stage by stage what the pilot answered counts as stored; the total has its calls, too."""
    config = make_project(tmp_path, n_sources=3)
    whole = {each["stage"]: each["calls"] for each in estimated_plan(config, tmp_path / "run")["stages"]}
    found = calibrate(config, tmp_path / "run", n_sources=2)
    for stage in found["stages"]:
        assert stage["stored"] == 2 * stage["calls"]
        assert stage["stored"] + stage["calls"] == whole[stage["stage"]]
    assert found["total"]["calls"] == sum(whole.values())
    assert found["order"] == ["m"]


def test_a_second_calibration_asks_nothing_and_says_the_same(tmp_path: Path) -> None:
    """Every reply is stored, and stored replies tell what they took; a plain plan then knows the pilot, too."""
    config = make_project(tmp_path, n_sources=3)
    first = calibrate(config, tmp_path / "run")
    assert calibrate(config, tmp_path / "run") == first
    assert estimated_plan(config, tmp_path / "run") == first


def test_expected_lengths_are_the_pilots(tmp_path: Path) -> None:
    """Without a pilot half of the longest is taken, and said; with one its mean, and nothing is said of lengths."""
    config = make_project(tmp_path, n_sources=3)
    before = estimated_plan(config, tmp_path / "run")
    after = calibrate(config, tmp_path / "run")
    (write,) = (each for each in before["stages"] if each["stage"] == "quiz/write")
    assert write["expected_output_tokens"] == write["output_tokens"] / 2
    assert any("half as long as they may be at: m quiz/write" in note for note in before["notes"])
    (write,) = (each for each in after["stages"] if each["stage"] == "quiz/write")
    (took,) = (each for each in after["pilot"]["measured"] if each["stage"] == "quiz/write")
    assert write["expected_output_tokens"] == pytest.approx(write["calls"] * took["output_tokens"] / took["calls"])
    assert not any("half as long" in note for note in after["notes"])


def test_money_by_tokens_is_what_the_run_then_costs(tmp_path: Path) -> None:
    """Within a tenth for a model with prices of tokens, whose rules answer alike about every source."""
    config = make_project(tmp_path, n_sources=3, model=PRICED)
    found = calibrate(config, tmp_path / "run")
    outcome = run(config, tmp_path / "run")
    spent = sum(row["money"] for row in outcome.costs["rows"])
    assert found["total"]["money"] == pytest.approx(spent, rel=0.1)


def test_an_estimate_is_set_against_the_ledger(tmp_path: Path) -> None:
    """Every stage of the plan has its row; rules take no device's time, so no total is made up."""
    config = make_project(tmp_path, n_sources=3)
    found = calibrate(config, tmp_path / "run")
    outcome = run(config, tmp_path / "run")
    rows = estimated_against_actual(found, outcome.costs)
    assert {row.stage for row in rows if row.what == "work"} == {each["stage"] for each in found["stages"]}


def test_planning_writes_nothing(tmp_path: Path) -> None:
    """Neither where there is a run folder nor where there is none."""
    config = make_project(tmp_path, n_sources=2)
    estimated_plan(config, tmp_path / "none")
    assert not (tmp_path / "none").exists()
    calibrate(config, tmp_path / "run")
    before = {path.name: path.stat().st_mtime_ns for path in (tmp_path / "run").iterdir()}
    estimated_plan(config, tmp_path / "run")
    assert {path.name: path.stat().st_mtime_ns for path in (tmp_path / "run").iterdir()} == before


def test_a_pilot_is_no_finished_run(tmp_path: Path) -> None:
    """It has no scores, and says what to do."""
    config = make_project(tmp_path, n_sources=2)
    calibrate(config, tmp_path / "run")
    with pytest.raises(StoreError, match="the run is not finished"):
        load_scores(tmp_path / "run")


def test_without_sources_there_is_no_pilot(tmp_path: Path) -> None:
    """One line that says so, and no run folder."""
    (tmp_path / "rules.jsonl").write_text('{"reply": "A"}\n')
    config = tmp_path / "eval.yaml"
    config.write_text(
        "name: told\nmodels: {m: {script: rules.jsonl}, n: {script: rules.jsonl}}\n"
        "methods: {affect: {judges: [m], targets: [Lisbon], elicit: {systems: [n]}}}\n"
    )
    with pytest.raises(ConfigError, match="has no sources to take a pilot from"):
        calibrate(config, tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_damaged_plan_is_named(tmp_path: Path) -> None:
    """The file and why, not a traceback; a run does not read it."""
    config = make_project(tmp_path, n_sources=2)
    calibrate(config, tmp_path / "run")
    (tmp_path / "run" / "plan.json").write_text('{"pilot": {"sources": 3}}')
    with pytest.raises(StoreError, match=r"plan\.json is damaged"):
        estimated_plan(config, tmp_path / "run")
    run(config, tmp_path / "run")


def test_a_pilot_of_other_models_corrects_nothing(tmp_path: Path) -> None:
    """A config that no longer has the pilot's model is planned without it."""
    config = make_project(tmp_path, n_sources=2)
    calibrate(config, tmp_path / "run")
    config.write_text(config.read_text().replace("  m: {engine", "  k: {engine").replace(": m,", ": k,"))
    assert not estimated_plan(config, tmp_path / "run")["calibrated"]


def test_prices_that_lack_are_named_and_a_budget_is_held_against_the_plan(tmp_path: Path) -> None:
    """A served model is planned by words and signs without a connection: nothing listens at its address."""
    served = "{engine: openai, base_url: 'http://127.0.0.1:9/v1', served: big"
    config = make_project(tmp_path, n_sources=2)
    text = config.read_text()
    start = text.index("  m: {engine")
    line = text[start : text.index("\n", start)]
    config.write_text(text.replace(line, f"  m: {served}}}"))
    notes = " ".join(estimated_plan(config, tmp_path / "run")["notes"])
    assert "tokens of m are words and signs" in notes
    assert "money of m is not known" in notes
    config.write_text(text.replace(line, f"  m: {served}{PRICED}}}") + "prices: {budget: 0.001, currency: EUR}\n")
    found = estimated_plan(config, tmp_path / "run")
    assert found["total"]["money"] > 0.001
    assert "EUR, more than prices: budget 0.001" in " ".join(found["notes"])


def test_templates_that_the_run_will_not_use_are_named(tmp_path: Path) -> None:
    """Production may have more categories than the run has sources of: those prompts are not put to the test."""
    config = make_selection(tmp_path, {"short": "a", "long": "a"}, ("b",))
    (tmp_path / "prompts" / "short" / "user.interview.jinja").write_text("Ask about {{ text }}", "utf-8")
    notes = estimated_plan(config, tmp_path / "run")["notes"]
    told = "short: no source of the run has the category of user.interview.jinja"
    assert [note for note in notes if "jinja" in note] == [told]
