"""The gate: bars, the states of judges, and what a run does with them."""

import json
from pathlib import Path

import pytest

from localeval.checking.checking import check_judges
from localeval.checking.gate import judge_states, require_passed, weigh
from localeval.checking.registry import judges_cache, register
from localeval.checking.states import JudgeState, state_from_json, state_to_json
from localeval.errors import JudgesRefused, StoreError
from localeval.evaluation import load_scores, rescore, run
from localeval.planting.settings import Bars
from localeval.reading import read_evaluation
from localeval.stats.estimate import Estimate, Undefined
from localeval.store.files import RunFiles
from tests.checking.registered import GOOD, POOR, check_of, estimate, register_judges
from tests.report.judged import make_judged
from tests.systems_project import make_selection


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Checks of this test alone."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def project(folder: Path, methods: tuple[str, ...] = ("audit", "panel", "quiz")) -> Path:
    """The config of an evaluation with two judges."""
    folder.mkdir()
    return make_judged(folder, methods)


def test_a_judge_that_reaches_every_bar_passes() -> None:
    """No reason, also exactly at the bars of detection, false alarm and missing."""
    assert weigh(Bars(), *map(estimate, GOOD), missing=0.02) == []
    at_the_bars = Estimate(0.5, 0.4, 0.6, 60), Estimate(0.2, 0.1, 0.3, 60), Estimate(0.65, 0.51, 0.7, 60)
    assert weigh(Bars(), *at_the_bars, missing=0.1) == []


def test_each_bar_gives_its_reason() -> None:
    """In the words of a person, per cent against the bar."""
    assert weigh(Bars(), *map(estimate, POOR), missing=0.25) == [
        "detection 12 % is below the bar of 50 %",
        "false alarm 30 % is above the bar of 20 %",
        "balanced accuracy 31 % at the lower end of its interval is not above 50 %",
        "share without a verdict 25 % is above the bar of 10 %",
    ]


def test_a_balanced_accuracy_that_could_be_chance_is_refused() -> None:
    """Its interval must begin above the bar: at it is not enough."""
    chance = Estimate(0.7, 0.5, 0.9, 60)
    told = "balanced accuracy 50 % at the lower end of its interval is not above 50 %"
    assert weigh(Bars(), estimate(0.9), estimate(0.05), chance, 0.0) == [told]


def test_a_reason_shows_that_the_two_numbers_differ() -> None:
    """Decimals are given where whole per cents would be the same."""
    assert weigh(Bars(), Estimate(0.496, 0.4, 0.6, 60), estimate(0.1), estimate(0.9), 0.0) == [
        "detection 49.6 % is below the bar of 50.0 %"
    ]


def test_a_score_that_is_not_there_never_passes() -> None:
    """Not even bars that ask for nothing let it pass."""
    nothing_asked = Bars(detection=0.0, false_alarm=1.0, above=0.0, missing=1.0)
    none = Undefined("no text could be judged")
    for scores in ((none, estimate(0.1), estimate(0.9)), (estimate(0.9), none, none)):
        assert all("cannot be told: no text could be judged" in reason for reason in weigh(nothing_asked, *scores, 0.0))
        assert weigh(nothing_asked, *scores, 0.0)


def test_states_travel_through_json() -> None:
    """A judge with a check and one without come back as they were."""
    checked = JudgeState(
        "m", "audit", "k", "refused", True, ("why",), "2026-11-30", estimate(0.1), estimate(0.2), Undefined("none"), {}
    )
    for state in (checked, JudgeState("m", "quiz", "k")):
        assert state_from_json(json.loads(json.dumps(state_to_json(state)))) == state


def test_a_damaged_state_is_refused() -> None:
    """A method that there is not, or a state that there is not."""
    body = state_to_json(JudgeState("m", "quiz", "k"))
    for change in ({"method": "guess"}, {"state": "good"}):
        with pytest.raises(ValueError, match="no state of a judge"):
            state_from_json(body | change)


def test_states_are_those_of_the_last_checks(tmp_path: Path) -> None:
    """Passed, refused with its reasons, and unchecked where there was no check."""
    config = project(tmp_path / "p")
    register_judges(config, {"audit": POOR, "panel": GOOD})
    states = judge_states(*read_evaluation(config))
    assert [(state.method, state.model, state.state) for state in states] == [
        ("quiz", "small", "unchecked"),
        ("panel", "big", "passed"),
        ("panel", "small", "passed"),
        ("audit", "big", "refused"),
        ("audit", "small", "refused"),
    ]
    assert states[3].reasons[0] == "detection 12 % is below the bar of 50 %"
    assert not any(state.forced for state in states)


def test_a_check_is_weighed_by_the_bars_of_this_config(tmp_path: Path) -> None:
    """Lower bars let a judge pass that was refused, higher ones refuse one that passed, without another check."""
    config = project(tmp_path / "p", ("audit", "panel"))
    register_judges(config, {"audit": POOR, "panel": GOOD})
    low = "{detection: 0.1, false_alarm: 0.3, above: 0.3}"
    bars = f"check: {{bars: {{audit: {low}, panel: {{detection: 0.95}}}}}}\n"
    config.write_text(config.read_text() + bars)
    states = judge_states(*read_evaluation(config), force=True)
    assert [(state.method, state.state, state.forced) for state in states] == [
        ("panel", "refused", True),
        ("panel", "refused", True),
        ("audit", "passed", False),
        ("audit", "passed", False),
    ]


def test_a_check_counts_for_its_languages(tmp_path: Path) -> None:
    """What was found in Chinese says that a judge fails, not that it passes in English."""
    config = project(tmp_path / "p", ("audit", "panel"))
    register_judges(config, {"audit": POOR, "panel": GOOD}, languages=("zh",))
    states = judge_states(*read_evaluation(config))
    assert [state.state for state in states] == ["unchecked", "unchecked", "refused", "refused"]
    assert states[0].reasons == ("checked in zh, not in en",)


def test_a_refused_judge_ends_a_run_before_it_begins(tmp_path: Path) -> None:
    """With a line for each judge that says which, why and what can be done; no folder is made."""
    config = project(tmp_path / "p")
    register_judges(config, {"audit": POOR})
    with pytest.raises(JudgesRefused) as caught:
        run(config, tmp_path / "run")
    assert not (tmp_path / "run").exists()
    assert len(caught.value.lines) == 2
    line = caught.value.lines[0]
    assert line.startswith("methods.audit: the judge 'big' is refused by its check of 2026-11-30: detection 12 % is")
    assert line.endswith(
        "name another model, lower the bars under `check: bars: audit:`, or go on with --force, marked"
    )


def test_a_passed_or_unchecked_judge_changes_nothing(tmp_path: Path) -> None:
    """Scores are the same but for what they say of the judges; nothing is called forced."""
    config = project(tmp_path / "p")
    before = run(config, tmp_path / "a").scores
    assert {state["state"] for state in before["judges"]} == {"unchecked"}
    register_judges(config, {"audit": GOOD, "panel": GOOD, "quiz": GOOD})
    after = run(config, tmp_path / "b").scores
    assert {state["state"] for state in after["judges"]} == {"passed"}
    assert {name: part for name, part in before.items() if name != "judges"} == {
        name: part for name, part in after.items() if name != "judges"
    }
    assert not any("forced" in row for row in after["leaderboard"]["systems"].values())


def test_with_force_a_run_says_who_was_refused(tmp_path: Path) -> None:
    """In its manifest, its scores and each row of its leaderboard; the other methods are not touched."""
    config = project(tmp_path / "p")
    register_judges(config, {"audit": POOR, "panel": GOOD})
    scores = run(config, tmp_path / "run", force=True).scores
    states = [(state["method"], state["state"], state["forced"]) for state in scores["judges"]]
    assert states[0] == ("quiz", "unchecked", False)
    assert states[-1] == ("audit", "refused", True)
    assert scores["judges"][-1]["reasons"][0] == "detection 12 % is below the bar of 50 %"
    assert scores["judges"][-1]["detection"]["value"] == 0.12
    assert {row["forced"][0] for row in scores["leaderboard"]["systems"].values()} == {"audit"}
    assert RunFiles(tmp_path / "run").manifest()["judges"] == scores["judges"]


def test_scores_are_made_anew_without_the_registry(tmp_path: Path) -> None:
    """On a machine where nobody was checked, or where the check says something else by now, the bytes are the same."""
    config = project(tmp_path / "p")
    register_judges(config, {"audit": POOR})
    run(config, tmp_path / "run", force=True)
    scores = (tmp_path / "run" / "scores.json").read_bytes()
    for path in judges_cache().iterdir():
        path.unlink()
    rescore(tmp_path / "run")
    assert (tmp_path / "run" / "scores.json").read_bytes() == scores


def test_a_refusal_stays_with_its_run_where_the_check_is_gone(tmp_path: Path) -> None:
    """A forced run that goes on where the cache was emptied, or on another machine, is not cleared by that."""
    config = project(tmp_path / "p", ("audit",))
    register_judges(config, {"audit": POOR})
    scores = run(config, tmp_path / "run", force=True).scores
    for path in judges_cache().iterdir():
        path.unlink()
    with pytest.raises(JudgesRefused, match="detection 12 % is below"):
        run(config, tmp_path / "run")
    assert run(config, tmp_path / "run", force=True).scores == scores
    register_judges(config, {"audit": GOOD})
    assert {state["state"] for state in run(config, tmp_path / "run").scores["judges"]} == {"passed"}


def test_a_check_does_not_write_over_a_run(tmp_path: Path) -> None:
    """The run would lose its marks: a check knows nothing of its judges beforehand."""
    config = project(tmp_path / "p", ("audit",))
    register_judges(config, {"audit": POOR})
    run(config, tmp_path / "run", force=True)
    before = (tmp_path / "run" / "run.json").read_bytes()
    with pytest.raises(StoreError, match="holds a run"):
        check_judges(config, tmp_path / "run")
    assert (tmp_path / "run" / "run.json").read_bytes() == before


def test_a_run_from_before_there_were_checks_is_read(tmp_path: Path) -> None:
    """Its manifest says nothing of judges; its scores then name none, and are the same for the rest."""
    config = project(tmp_path / "p", ("panel",))
    scores = run(config, tmp_path / "run").scores
    path = tmp_path / "run" / "run.json"
    manifest = json.loads(path.read_text())
    del manifest["judges"]
    path.write_text(json.dumps(manifest))
    assert rescore(tmp_path / "run") == scores | {"judges": []}
    assert run(config, tmp_path / "run").scores == scores


def test_a_damaged_state_in_a_run_is_told(tmp_path: Path) -> None:
    """As damage of the manifest, both where the run is read and where it goes on."""
    config = project(tmp_path / "p", ("panel",))
    run(config, tmp_path / "run")
    path = tmp_path / "run" / "run.json"
    manifest = json.loads(path.read_text())
    for damaged in ([{"model": "big"}], [5], 7):
        path.write_text(json.dumps(manifest | {"judges": damaged}))
        for act in (lambda: rescore(tmp_path / "run"), lambda: run(config, tmp_path / "run")):
            with pytest.raises(Exception, match=r"run\.json is damaged"):
                act()


def test_scores_leave_a_folder_as_soon_as_other_is_known_of_its_judges(tmp_path: Path) -> None:
    """A run that is forced after a check does not keep scores that call its judge unchecked, even if it is stopped."""
    config = project(tmp_path / "p", ("panel",))
    run(config, tmp_path / "run")
    register_judges(config, {"panel": POOR})
    with pytest.raises(JudgesRefused):
        run(config, tmp_path / "run")
    assert {state["state"] for state in load_scores(tmp_path / "run")["judges"]} == {"unchecked"}
    assert {state["state"] for state in run(config, tmp_path / "run", force=True).scores["judges"]} == {"refused"}
    assert {state["state"] for state in load_scores(tmp_path / "run")["judges"]} == {"refused"}


def test_systems_may_write_while_a_judge_is_refused(tmp_path: Path) -> None:
    """`--only generate` asks no judge; `--only judge` is refused like a whole run."""
    config = make_selection(tmp_path, {"long": "a", "short": "b"}, ["b"])
    register_judges(config, {"panel": POOR})
    assert run(config, tmp_path / "run", part="generate").is_judged is False
    with pytest.raises(JudgesRefused):
        run(config, tmp_path / "run", part="judge")
    assert run(config, tmp_path / "run", part="judge", force=True).scores["judges"][0]["state"] == "refused"


def test_only_what_is_refused_and_not_forced_ends_a_run() -> None:
    """A state that is forced, passed or unchecked lets the run go on."""
    require_passed([JudgeState("m", "quiz", "k", state) for state in ("passed", "unchecked")])
    require_passed([JudgeState("m", "quiz", "k", "refused", forced=True)])
    with pytest.raises(JudgesRefused):
        require_passed([JudgeState("m", "quiz", "k", "refused")])


def test_a_check_of_the_same_judge_under_another_name_counts(tmp_path: Path) -> None:
    """A key does not hold what a config calls its model, its run or its sources."""
    first = project(tmp_path / "p", ("panel",))
    found = register_judges(first, {"panel": POOR})
    second = project(tmp_path / "q", ("panel",))
    second.write_text(second.read_text().replace("name: judged", "name: other").replace("big", "one"))
    (tmp_path / "q" / "one.jsonl").write_bytes((tmp_path / "p" / "big.jsonl").read_bytes())
    register(check_of({found[1]: GOOD}))
    assert [(state.model, state.state) for state in judge_states(*read_evaluation(second))] == [
        ("one", "refused"),
        ("small", "passed"),
    ]
