"""`localeval.gathering`: systems write, judges read, all in one drive that loads as rarely as can be."""

import itertools
import json
from pathlib import Path

import pytest

from localeval.errors import CallMissing, ConfigError
from localeval.evaluation import load_run, n_missing, run
from localeval.gathering import jobs_of
from localeval.loading import load_order
from localeval.reading import read_evaluation
from localeval.store.reader import StoreReader
from tests.projects import make_project
from tests.systems_project import make_selection, rules_of, served, write_rules

THREE = {"short": "a", "long": "a", "other": "b"}
"""Three systems of two models."""


def loads_of(outcome_accounts: dict[str, int]) -> int:
    return sum(outcome_accounts.values())


def fewest_loads(steps: list[tuple[str, ...]], gate: int) -> int:
    """By trying every sequence: the fewest loads for jobs of which those from `gate` on wait for all before."""
    models = sorted({model for step in steps for model in step})
    for length in itertools.count(1):
        for sequence in itertools.product(models, repeat=length):
            done = [0] * len(steps)
            for model in sequence:
                moved = True
                while moved:
                    moved = False
                    for place, step in enumerate(steps):
                        is_open = place < gate or all(done[i] == len(steps[i]) for i in range(gate))
                        if is_open and done[place] < len(step) and step[done[place]] == model:
                            done[place] += 1
                            moved = True
            if all(done[place] == len(step) for place, step in enumerate(steps)):
                return length
    raise AssertionError


@pytest.mark.parametrize(
    ("systems", "judges", "expected"),
    [
        (THREE, ("a", "b"), 3),  # one of them writes, the other writes and judges, the first judges
        (THREE, ("a",), 2),  # the one that does not judge is loaded first
        ({"short": "a", "long": "a"}, ("a",), 1),
        ({"x": "a", "y": "b", "z": "c"}, ("a", "b", "c"), 5),
    ],
)
def test_models_are_loaded_as_rarely_as_can_be(
    systems: dict[str, str], judges: tuple[str, ...], expected: int, tmp_path: Path
) -> None:
    """As often as the best of all sequences of loads, and in the order that was planned."""
    config = make_selection(tmp_path, systems, judges, models=sorted(set(systems.values())), n_sources=4)
    outcome = run(config, tmp_path / "run")
    loads = {name: account.loads for name, account in outcome.ledger.accounts.items()}
    steps = [(model,) for model in systems.values()] + [(judge,) for judge in judges]
    assert loads_of(loads) == fewest_loads(steps, len(systems)) == expected
    planned = load_order(jobs_of(read_evaluation(config)[0]))
    assert len(planned) == expected


def test_what_systems_wrote_is_judged_like_any_candidate(tmp_path: Path) -> None:
    """The texts are in the scores, blind; the better ones lead; the run folder alone gives them again."""
    outcome = run(make_selection(tmp_path, THREE, ("a", "b")), tmp_path / "run")
    assert n_missing(outcome.scores) == 0
    panel = outcome.scores["methods"]["panel"]["systems"]
    assert list(panel) == ["long", "other", "short"]
    assert panel["long"]["consensus"]["value"] == 1.0
    assert outcome.scores["methods"]["generate"]["systems"]["other"]["texts"] == 2
    assert not outcome.scores["leaderboard"]["systems"]["long"]["incumbent"]
    evaluation, results = load_run(tmp_path / "run")
    assert {(each.source_id, each.system) for each in evaluation.material.candidates} == set(results.texts)
    assert results.texts["s0", "long"].text == "Summary by long of a. It says that item 2 costs 14 euros."


def test_a_cut_text_is_missing_and_judged_by_nobody(tmp_path: Path) -> None:
    """It is counted, named with its reason, and costs its system that source, not a low score there."""
    config = make_selection(tmp_path, THREE, ("a",))
    cut = {"match": r"^WRITE long about[^§]*source 1", "reply": "Summary by", "fail": "truncated"}
    write_rules(tmp_path / "a.jsonl", [cut, *rules_of("a")])
    outcome = run(config, tmp_path / "run")
    generated = outcome.scores["methods"]["generate"]
    assert generated["missing_by_reason"] == {"truncated": 1}
    assert [each["source"] for each in generated["systems"]["long"]["missing_texts"]] == ["s1"]
    assert list(outcome.scores["methods"]["panel"]["systems"]["long"]["by_source"]) == ["s0"]
    assert n_missing(outcome.scores) == 1


def test_each_part_runs_by_itself_and_the_whole_asks_nothing_again(tmp_path: Path) -> None:
    """generate, then judge, then all: the same bytes as all at once, and no call twice."""
    config = make_selection(tmp_path, THREE, ("a", "b"))
    whole = run(config, tmp_path / "whole")
    for name in ("a", "b"):
        (tmp_path / f"{name}.log").unlink()
    written = run(config, tmp_path / "parts", part="generate")
    assert written.ledger.sent == 6
    assert not (tmp_path / "parts" / "scores.json").exists()
    assert [text.text for text in load_run(tmp_path / "parts", "generate")[1].texts.values() if text.asked != 1] == []
    judged = run(config, tmp_path / "parts", part="judge")
    assert judged.scores == whole.scores
    assert written.ledger.sent + judged.ledger.sent == whole.ledger.sent
    assert run(config, tmp_path / "parts").ledger.sent == 0
    keys = served(tmp_path, "a") + served(tmp_path, "b")
    assert len(keys) == len(set(keys)) == whole.ledger.sent
    scores = [(tmp_path / each / "scores.json").read_bytes() for each in ("whole", "parts")]
    assert scores[0] == scores[1]


def test_nothing_is_judged_that_was_not_written(tmp_path: Path) -> None:
    """The judging part opens no model to write, and says what to do."""
    config = make_selection(tmp_path, THREE, ("a", "b"))
    with pytest.raises(CallMissing, match="--only generate"):
        run(config, tmp_path / "run", part="judge")
    assert served(tmp_path, "a") == served(tmp_path, "b") == []


def test_a_text_that_failed_does_not_keep_the_others_from_being_judged(tmp_path: Path) -> None:
    """The judging part takes it for missing; only writing asks for it again."""
    config = make_selection(tmp_path, THREE, ("b",))
    write_rules(tmp_path / "a.jsonl", [{"match": "^WRITE short", "fail": "error"}, *rules_of("a")])
    run(config, tmp_path / "run", part="generate")
    n_asked = len(served(tmp_path, "a"))
    scores = run(config, tmp_path / "run", part="judge").scores
    assert len(served(tmp_path, "a")) == n_asked
    assert scores["methods"]["generate"]["missing_by_reason"] == {"engine error": 2}
    assert set(scores["methods"]["panel"]["systems"]) == {"long", "other"}


def test_a_run_without_systems_has_no_part_that_writes(tmp_path: Path) -> None:
    """It is told so, instead of judging what was not asked for; no folder is left behind."""
    config = make_project(tmp_path)
    with pytest.raises(ConfigError, match=r"^--only generate: the config has no `systems` that write"):
        run(config, tmp_path / "run", part="generate")
    assert not (tmp_path / "run").exists()


def test_a_stopped_run_goes_on_in_every_part(tmp_path: Path) -> None:
    """A model that dies while it writes or judges costs nothing that was answered."""
    config = make_selection(tmp_path, THREE, ("a", "b"))
    crash = {"contains": "Summary by other", "fail": "crash"}
    write_rules(tmp_path / "b.jsonl", [crash, *rules_of("b")])
    with pytest.raises(Exception, match="crash"):
        run(config, tmp_path / "run")
    before = set(served(tmp_path, "a") + served(tmp_path, "b"))
    write_rules(tmp_path / "b.jsonl", rules_of("b"))
    again = make_selection(tmp_path, THREE, ("a", "b"))
    assert again == config
    outcome = run(config, tmp_path / "run")
    assert n_missing(outcome.scores) == 0
    after = served(tmp_path, "a")
    assert len(after) == len(set(after))
    assert set(after) & before == before & set(after)


@pytest.mark.parametrize("method", ["", "  quiz: {writer: a, answerer: b, questions: 2}", "  audit: {auditors: [b]}"])
def test_a_further_system_sends_calls_for_itself_alone(method: str, tmp_path: Path) -> None:
    """Of a finished run nothing is asked again; what is asked is about the new system."""
    config = make_selection(tmp_path, {"short": "a", "long": "a"}, ("a", "b"), methods=method)
    first = run(config, tmp_path / "run")
    known = set(served(tmp_path, "a") + served(tmp_path, "b"))
    make_selection(tmp_path, THREE, ("a", "b"), methods=method)
    second = run(config, tmp_path / "run")
    assert second.ledger.stored >= first.ledger.sent
    keys = served(tmp_path, "a") + served(tmp_path, "b")
    assert len(keys) == len(set(keys)) == first.ledger.sent + second.ledger.sent
    with StoreReader.at_rest(tmp_path / "run" / "store.sqlite") as store:
        new = [store.prompt(key) for key in store if key not in known]
    assert new
    for messages in new:
        assert messages is not None
        assert "other" in "".join(message.text for message in messages)


def test_an_incumbent_that_wrote_nothing_does_not_end_the_run(tmp_path: Path) -> None:
    """It is a finalist all the same, of which there is nothing to audit; the others are judged and audited."""
    audit = "  audit: {auditors: [b], of: finalists, finalists: 1, hardest: 1}"
    config = make_selection(tmp_path, THREE, ("a", "b"), methods=audit, more="incumbent: short")
    write_rules(tmp_path / "a.jsonl", [{"match": "^WRITE short", "reply": "Cut", "fail": "truncated"}, *rules_of("a")])
    scores = run(config, tmp_path / "run").scores
    assert scores["methods"]["generate"]["systems"]["short"]["missing"] == 2
    assert list(scores["methods"]["audit"]["finalists"]["systems"]) == ["long", "short"]
    assert list(scores["methods"]["audit"]["systems"]) == ["long"]


def test_finalists_are_audited_in_the_same_drive(tmp_path: Path) -> None:
    """The auditor that judged last goes on to audit without a further load."""
    audit = "  audit: {auditors: [b], of: finalists, finalists: 1, hardest: 1}"
    outcome = run(make_selection(tmp_path, {"short": "a", "long": "a"}, ("b",), methods=audit), tmp_path / "run")
    assert list(outcome.scores["methods"]["audit"]["finalists"]["systems"]) == ["long"]
    assert {name: account.loads for name, account in outcome.ledger.accounts.items()} == {"a": 1, "b": 1}


def test_the_incumbent_is_marked_wherever_systems_stand(tmp_path: Path) -> None:
    """However the config names it: in the leaderboard, in what was generated, and among the finalists."""
    audit = "  audit: {auditors: [b], of: finalists, finalists: 1, hardest: 1}"
    config = make_selection(tmp_path, THREE, ("b",), methods=audit, more="incumbent: short")
    scores = run(config, tmp_path / "run").scores
    marked = [name for name, row in scores["leaderboard"]["systems"].items() if row["incumbent"]]
    assert marked == ["short"]
    assert scores["methods"]["generate"]["systems"]["short"]["incumbent"]
    assert "short" in scores["methods"]["audit"]["finalists"]["systems"]
    assert json.loads((tmp_path / "run" / "decision.json").read_text())["systems"]["short"]["incumbent"]


def test_a_system_is_of_the_family_of_its_model(tmp_path: Path) -> None:
    """So that a judge's leaning to its own is measured without the user writing families down."""
    config = make_selection(tmp_path, THREE, ("a", "b"))
    text = config.read_text().replace("script: a.jsonl", "script: a.jsonl, family: alpha")
    config.write_text(text.replace("script: b.jsonl", "script: b.jsonl, family: beta"))
    panel = run(config, tmp_path / "run").scores["methods"]["panel"]
    assert panel["settings"]["families"] == {"short": "alpha", "long": "alpha", "other": "beta"}
