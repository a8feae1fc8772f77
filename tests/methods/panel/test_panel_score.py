"""From verdicts to scores: cells, consensus, disagreement, ranks."""

import json
import time
from typing import Any

import numpy as np
import pytest

from localeval.methods.panel.schemas import Label, PanelSettings, SourcePanel, Verdict
from localeval.methods.panel.score import score_panel
from localeval.methods.panel.tally import cells_of, expectation, pooled, settle, single, tabulate
from localeval.values import Missing
from tests.methods.panel.made_panels import LOST, draw_panels, panel, rubric, sheet, verdict


def settings(*judges: str, **changes: Any) -> PanelSettings:
    """Settings of a panel of these judges."""
    return PanelSettings(judges=judges, **changes)


def scored(panels: dict[str, SourcePanel], levers: PanelSettings, **given: Any) -> dict[str, Any]:
    """The panel's part of scores.json, proved to be plain JSON without NaN."""
    found = score_panel(
        panels,
        levers,
        given.get("judge_families", {}),
        given.get("lengths", {}),
        given.get("categories", {}),
        given.get("labels", ()),
    )
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    return found


def one(sheets: dict[str, dict[str, Any]], **changes: Any) -> dict[str, SourcePanel]:
    """The panel of one source."""
    return {"s": panel("s", sheets, **changes)}


@pytest.mark.parametrize(
    ("repeats", "reading"),
    [
        ((2,), 2.0),
        (("NA",), "NA"),
        ((2, 1, 1), 4 / 3),
        (("NA", 2, 1), 1.5),
        (("NA", "NA", 1), "NA"),
        (("NA", 1), 1.0),
        ((LOST, 0, 1), 0.5),
        ((LOST, "NA", LOST), "NA"),
        ((LOST, LOST), LOST),
        ((), Missing("invalid", "not judged")),
    ],
)
def test_repeats_settle_to_one_reading(repeats: tuple[Any, ...], reading: object) -> None:
    """NA by more than half of the readable, else the mean of the grades, missing where nothing could be read."""
    assert settle([verdict(each) for each in repeats]) == (
        pytest.approx(reading) if isinstance(reading, float) else reading
    )


def test_a_score_is_earned_over_possible() -> None:
    """2, 1 and NA earn 3 of 4; the NA leaves the denominator and does not count as 0."""
    found = scored(one({"m": {"a": sheet(2, 1, "NA")}}), settings("a"))
    system = found["systems"]["m"]
    assert system["consensus"]["value"] == pytest.approx(0.75)
    assert system["consensus"]["n"] == 2
    assert system["consensus"]["note"] == "one source"
    assert system["consensus"]["low"] < 0.75 < system["consensus"]["high"]


def test_consensus_and_disagreement_are_by_hand() -> None:
    """Judges at 1, 3/4 and 1/4: mean 2/3, from highest to lowest 3/4, however many criteria each found NA."""
    sheets = {"m": {"a": sheet(2, 2, 2), "b": sheet(2, 1, "NA"), "c": sheet(1, 0, "NA")}}
    found = scored(one(sheets), settings("a", "b", "c"))["systems"]["m"]
    assert found["by_source"]["s"]["judges"] == pytest.approx({"a": 1.0, "b": 0.75, "c": 0.25})
    assert found["consensus"]["value"] == pytest.approx(2 / 3)
    assert found["by_source"]["s"]["disagreement"] == pytest.approx(0.75)
    assert {judge: each["value"] for judge, each in found["by_judge"].items()} == pytest.approx(
        {"a": 1.0, "b": 0.75, "c": 0.25}
    )


def test_one_judge_has_no_disagreement() -> None:
    """With one judge it is not 0 but unknown."""
    found = scored(one({"m": {"a": sheet(2, 1)}}), settings("a"))["systems"]["m"]
    assert found["by_source"]["s"]["disagreement"] is None
    assert found["disagreement"]["value"] is None


def test_the_consensus_is_exactly_the_mean_of_its_cells() -> None:
    """Whatever rubrics, NA and repeats the sources have, each source counts the same."""
    panels = {
        "s": panel("s", {"m": {"a": sheet(2, 1, "NA", 0), "b": sheet(2, 2, 1, 0)}}),
        "t": panel("t", {"m": {"a": sheet(0, 2), "b": sheet(1, "NA")}}),
        "u": panel("u", {"m": {"a": sheet((2, 1, 1), (1, 2, 0)), "b": sheet((0, 0, 1), ("NA", "NA", 1))}}),
    }
    cells = [(1 / 2 + 5 / 8) / 2, (1 / 2 + 1 / 2) / 2, ((4 / 3 + 1) / 4 + (1 / 3) / 2) / 2]
    found = scored(panels, settings("a", "b", repeats=3))["systems"]["m"]
    assert [found["by_source"][source]["consensus"]["value"] for source in "stu"] == pytest.approx(cells)
    assert found["consensus"]["value"] == pytest.approx(np.mean(cells))
    assert found["consensus"]["sources"] == 3


def test_cells_that_are_scored_together_have_the_scores_that_each_has_alone() -> None:
    """To the last digit; a cell that is not there has none."""
    panels = draw_panels(np.random.default_rng(5), 4, ["x", "y"], ["a", "b"])
    panels["s01"] = panel("s01", {"x": {"a": sheet(2, 1), "b": sheet(LOST, 1)}})
    cells = cells_of(tabulate(panels, ["a", "b"]), np.ones(2), 2)
    found = single(cells, np.full(cells.score.shape, 3.0))
    assert found.keys() == {(s, m) for s, m in np.argwhere(cells.is_there).tolist()}
    assert (1, 0) not in found
    for place, score in found.items():
        chosen = np.zeros(cells.is_there.shape, bool)
        chosen[place] = True
        assert score == pooled(cells, chosen, 3.0)


def test_a_judge_that_lacks_a_criterion_is_dropped_from_the_cell() -> None:
    """A mean over its other criteria would be a guess: its lone 0 does not lower the consensus, and it is counted."""
    sheets = {"m": {"a": sheet(2, 2), "b": sheet(2, 1), "c": sheet(0, LOST)}}
    found = scored(one(sheets), settings("a", "b", "c"))
    system = found["systems"]["m"]
    assert system["consensus"]["value"] == pytest.approx(7 / 8)
    assert system["by_source"]["s"]["judges"]["c"] is None
    assert system["by_judge"]["c"] == {
        "value": None, "reason": "no cell has a score", "n": 0, "missing": 2, "sources": 0,
    }  # fmt: skip
    assert found["missing"] == 1
    assert found["judges"]["c"]["missing_reasons"] == {"truncated": 1}
    assert (found["judges"]["c"]["cells"], found["judges"]["c"]["dropped_cells"]) == (0, 1)


def test_a_cell_below_the_quorum_is_missing() -> None:
    """One of three judges is not a panel: no score, no guess, and its criteria count as missing."""
    rubbish = sheet(LOST, LOST)
    panels = {
        "s": panel("s", {"m": {"a": sheet(2, 2), "b": rubbish, "c": rubbish}}),
        "t": panel("t", {"m": {"a": sheet(1, 1), "b": sheet(1, 1), "c": rubbish}}),
    }
    found = scored(panels, settings("a", "b", "c"))
    system = found["systems"]["m"]
    assert system["missing_cells"] == [{"source": "s", "judges": 1, "needed": 2}]
    assert system["by_source"]["s"]["consensus"]["value"] is None
    assert (system["consensus"]["value"], system["consensus"]["missing"]) == (pytest.approx(0.5), 2)
    assert found["missing"] == 6
    lax = scored(panels, settings("a", "b", "c", quorum=1))["systems"]["m"]
    assert lax["consensus"]["value"] == pytest.approx(0.75)
    assert lax["missing_cells"] == []


def test_a_judge_whose_every_reply_is_missing_leaves_the_others() -> None:
    """It is in no cell, and the panel's numbers are those of the rest."""
    panels = draw_panels(np.random.default_rng(1), 4, ["m", "n"], ["a", "b"])
    with_it = {
        name: panel(name, {s: {**by, "c": sheet(*[LOST] * 6)} for s, by in each.sheets.items()})
        for name, each in panels.items()
    }
    found = scored(with_it, settings("a", "b", "c"))
    alone = scored(panels, settings("a", "b"))
    assert found["missing"] == found["judges"]["c"]["missing"] == 4 * 2 * 6
    for system in ("m", "n"):
        assert found["systems"][system]["consensus"] == pytest.approx(alone["systems"][system]["consensus"])


def test_without_any_verdict_there_is_no_number() -> None:
    """No consensus, no rank, no health, and nothing fails."""
    found = scored(one({"m": {"a": sheet(LOST, LOST)}, "n": {"a": sheet(LOST, LOST)}}), settings("a"))
    assert [system["rank"] for system in found["systems"].values()] == [None, None]
    assert found["pairs"][0]["consensus"]["value"] is None
    assert found["health"]["grades"]["alpha"]["value"] is None
    assert scored({}, settings("a"))["systems"] == {}


def test_a_judge_that_gives_no_sheet_is_missing() -> None:
    """A sheet that is not there counts as verdicts that are not."""
    found = scored(one({"m": {"a": sheet(2, 2)}}), settings("a", "b", quorum=1))
    assert found["judges"]["b"]["missing_reasons"] == {"not judged": 2}
    assert found["missing"] == 2


def test_a_judge_that_marks_everything_down_is_seen() -> None:
    """One that finds fault with everything lowers the consensus by its share, and its severity says by how much."""
    panels = draw_panels(
        np.random.default_rng(2), 8, ["m", "n"], ["a", "b", "c"], lambda s, m, judge, p: -9.0 if judge == "c" else 0.0
    )
    found = scored(panels, settings("a", "b", "c"))
    severity = {judge: each["severity"] for judge, each in found["health"]["judges"].items()}
    assert severity["c"]["high"] < -0.2
    assert severity["a"]["value"] + severity["b"]["value"] + severity["c"]["value"] == pytest.approx(0.0)
    for system in found["systems"].values():
        assert system["by_judge"]["c"]["value"] == 0.0


def test_systems_are_ranked_by_a_paired_test() -> None:
    """The better system comes first with a rank of its own; one that cannot be told apart shares the rank."""
    better = {"best": 0.7, "good": 0.0, "like": 0.02}
    panels = draw_panels(np.random.default_rng(3), 25, list(better), ["a", "b"], lambda s, m, j, p: better[m])
    found = scored(panels, settings("a", "b"))
    assert next(iter(found["systems"])) == "best"
    assert {name: system["rank"] for name, system in found["systems"].items()} == {"best": 1, "good": 2, "like": 2}
    pair = next(each for each in found["pairs"] if (each["first"], each["second"]) == ("best", "good"))
    means = {name: system["consensus"]["value"] for name, system in found["systems"].items()}
    assert pair["consensus"]["value"] == pytest.approx(means["best"] - means["good"])
    assert pair["consensus"]["p_value"] < 0.01
    assert pair["consensus"]["n"] == 25


def test_pairs_are_of_common_sources() -> None:
    """A system that wrote about easy sources only gains nothing from that in a comparison."""
    panels = {
        name: panel(name, {system: {"a": sheet(*grades)} for system, grades in texts.items()})
        for name, texts in {
            "easy": {"m": (2, 2), "n": (2, 2)},
            "plain": {"m": (2, 1), "n": (2, 1)},
            "hard": {"n": (0, 0)},
        }.items()
    }
    found = scored(panels, settings("a"))
    assert found["systems"]["m"]["consensus"]["value"] > found["systems"]["n"]["consensus"]["value"]
    assert found["pairs"][0]["consensus"]["value"] == 0.0
    assert found["pairs"][0]["consensus"]["missing"] == 1
    assert found["systems"]["m"]["rank"] == found["systems"]["n"]["rank"] == 1


def test_criteria_and_categories_have_their_own_numbers() -> None:
    """By criterion each source counts once and NA is told apart; by category its sources only."""
    panels = {
        "s": panel("s", {"m": {"a": sheet(2, 0), "b": sheet(1, "NA")}}),
        "t": panel("t", {"m": {"a": sheet(0, "NA"), "b": sheet(0, "NA")}}),
    }
    found = scored(panels, settings("a", "b"), categories={"s": "meeting", "t": None})["systems"]["m"]
    criteria = found["by_criterion"]
    assert criteria["faithfulness"]["score"]["value"] == pytest.approx((0.75 + 0) / 2)
    assert criteria["faithfulness"]["na"] == 0.0
    assert (criteria["c1"]["score"]["value"], criteria["c1"]["score"]["n"]) == (0.0, 1)
    assert criteria["c1"]["na"] == pytest.approx(3 / 4)
    assert list(found["by_category"]) == ["meeting"]
    assert found["by_category"]["meeting"]["consensus"]["value"] == found["by_source"]["s"]["consensus"]["value"]


def test_the_na_rate_is_of_criteria_that_allow_it() -> None:
    """Faithfulness, which is never NA, does not dilute it."""
    panels = {name: panel(name, {"m": {"a": sheet(2, "NA", 1)}}) for name in "st"}
    assert scored(panels, settings("a"))["judges"]["a"]["na_rate"]["value"] == pytest.approx(0.5)


def test_probabilities_expect_finer_grades() -> None:
    """The mean grade under them, NA left out: .2 at 1 and .6 at 2 of .8 is 1.75."""
    sure = Verdict(2, probabilities=(0.0, 0.2, 0.6, 0.2))
    assert expectation([sure]) == pytest.approx(1.75)
    assert expectation([sure, Verdict("NA"), Verdict(LOST)]) == pytest.approx(1.75)
    assert expectation([sure, Verdict(1)]) is None
    assert expectation([Verdict("NA")]) is None


def test_expected_scores_stand_beside_plain_ones() -> None:
    """Judges without probabilities are not in them, and where nobody has any there is no number."""
    soft = Verdict(2, probabilities=(0.0, 0.5, 0.5))
    found = scored(one({"m": {"a": sheet(soft, soft), "b": sheet(2, 2)}}), settings("a", "b", quorum=1))
    system = found["systems"]["m"]
    assert (system["consensus"]["value"], system["expected"]["value"]) == (1.0, pytest.approx(0.75))
    plain = scored(one({"m": {"b": sheet(2, 2)}}), settings("b"))["systems"]["m"]
    assert plain["expected"]["reason"] == "no verdict came with probabilities"


def test_the_order_of_judges_changes_nothing() -> None:
    """Every number of a system, pair and judge is the same for any order in the config."""
    panels = draw_panels(np.random.default_rng(4), 6, ["m", "n", "o"], ["a", "b", "c"], line_up=True)
    families = {"families": {"m": "A", "n": "B", "o": "C"}}
    known = {"judge_families": {"a": "A", "b": "B", "c": "D"}}
    first = scored(panels, settings("a", "b", "c", **families), **known)
    second = scored(panels, settings("c", "a", "b", **families), **known)
    assert list(first["systems"]) == list(second["systems"])
    flat_first, flat_second = (flat({k: each[k] for k in ("systems", "judges", "weights")}) for each in (first, second))
    assert flat_first == pytest.approx(flat_second)
    first_health, second_health = (
        flat({k: each["health"][k] for k in ("grades", "n_eff", "judges")}) for each in (first, second)
    )
    assert first_health == pytest.approx(second_health)


def flat(tree: Any, path: str = "") -> dict[str, Any]:
    """Every leaf of a JSON tree by its path."""
    if isinstance(tree, dict | list):
        items = tree.items() if isinstance(tree, dict) else enumerate(tree)
        return {key: leaf for name, each in items for key, leaf in flat(each, f"{path}/{name}").items()}
    return {path: tree}


def test_rubrics_are_named_with_their_hash() -> None:
    """So that only numbers of the same rubric are compared."""
    found = scored(one({"m": {"a": sheet(2, 1, 0)}}), settings("a"))
    assert found["rubrics"] == {"s": {"category": "meeting", "language": "en", "hash": rubric(3).hash}}


def test_weights_of_the_judges_there_are_renormalised() -> None:
    """With weights .75 and .25 the mean is theirs; where one judge is absent the other counts in full."""
    table = tabulate(one({"m": {"a": sheet(2, 2), "b": sheet(0, 0)}, "n": {"a": sheet(LOST, 2), "b": sheet(1, 1)}}),
                     ["a", "b"])  # fmt: skip
    cells = cells_of(table, np.array([0.75, 0.25]), 1)
    assert cells.score[0].tolist() == pytest.approx([0.75, 0.5])
    without = cells_of(table, np.array([1.0, 0.0]), 1)
    assert without.is_there.tolist() == [[True, False]]


def test_scoring_is_fast() -> None:
    """Ten systems, thirty sources, four judges and six criteria in a line-up with labels: under 3 s of one core."""
    systems, judges = [f"m{i}" for i in range(10)], ["a", "b", "c", "d"]
    panels = draw_panels(np.random.default_rng(5), 30, systems, judges, line_up=True)
    labels = tuple(Label(source, "m1", "faithfulness", 1 if i % 2 else 2) for i, source in enumerate(panels))
    labels += tuple(Label(source, "m2", "c1", i % 3) for i, source in enumerate(panels))  # type: ignore[arg-type]
    lengths = {(source, system): 100 + 7 * i for source in panels for i, system in enumerate(systems)}
    before = time.process_time()
    scored(panels, settings(*judges, quorum=1), lengths=lengths, labels=labels)
    assert time.process_time() - before < 3.0


@pytest.mark.parametrize("seed", range(40))
def test_every_small_panel_has_plain_numbers(seed: int) -> None:
    """Any few sources, systems, judges, repeats, NA, missing verdicts and absent texts: no NaN, no warning."""
    rng = np.random.default_rng(seed)
    n_sources, n_systems, n_judges, n_repeats = rng.integers(1, 5, 4).tolist()
    judges = [f"j{i}" for i in range(n_judges)]
    panels = {}
    for s in range(n_sources):
        n_criteria = int(rng.integers(1, 4))
        present = [f"m{i}" for i in range(n_systems) if rng.random() < 0.8]
        sheets = {
            system: {judge: drawn_sheet(rng, n_criteria, n_repeats, place, len(present)) for judge in judges}
            for place, system in enumerate(present)
        }
        panels[f"s{s}"] = SourcePanel(f"s{s}", rubric(n_criteria), sheets)
    families = {f"m{i}": "XYZW"[i] for i in range(n_systems)}
    lengths = {(source, f"m{i}"): int(rng.integers(1, 4)) for source in panels for i in range(n_systems)}
    found = scored(
        panels,
        settings(*judges, repeats=n_repeats, families=families),
        judge_families=dict(zip(judges, "XYXV", strict=False)),
        lengths=lengths,
        categories=dict.fromkeys(panels, "meeting"),
    )
    for path, leaf in flat(found["systems"]).items():
        if path.endswith(("/value", "/low", "/high")) and leaf is not None:
            assert 0.0 <= leaf <= 1.0, path


def drawn_sheet(rng: np.random.Generator, n_criteria: int, n_repeats: int, place: int, line_up: int) -> Any:
    """A sheet of anything that a judge may have said."""
    scores: list[Any] = [0, 1, 2, 2, "NA", LOST]
    chances = [(), (0.25, 0.25, 0.5), (0.0, 0.0, 1.0, 0.0)]
    return sheet(
        *(
            tuple(
                Verdict(
                    scores[int(rng.integers(len(scores)))],
                    probabilities=chances[int(rng.integers(3))],
                    position=place,
                    line_up=line_up,
                )
                for _ in range(n_repeats)
            )
            for _ in range(n_criteria)
        )
    )
