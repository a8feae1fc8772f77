"""The panel's own state: agreement, leanings, and cells to read."""

from typing import Any

import numpy as np
import pytest

from localeval.methods.panel.leanings import own_family
from localeval.methods.panel.schemas import Label, PanelSettings, with_families
from localeval.methods.panel.score import score_panel
from localeval.methods.panel.tally import tabulate
from localeval.stats.estimate import Estimate
from tests.methods.panel.made_panels import draw_panels, panel, sheet

SYSTEMS = ("m", "n", "o", "p")
JUDGES = ("a", "b", "c")
FAMILIES = {"m": "A", "n": "B", "o": "X", "p": "Y"}
JUDGE_FAMILIES = {"a": "A", "b": "B", "c": "C"}


def health(panels: Any, judges: tuple[str, ...] = JUDGES, **given: Any) -> dict[str, Any]:
    """The panel's health; `levers` are settings."""
    settings = PanelSettings(judges=judges, **given.get("levers", {}))
    families, lengths = given.get("judge_families", {}), given.get("lengths", {})
    found = score_panel(panels, settings, families, lengths, {}, given.get("labels", ()))["health"]
    assert isinstance(found, dict)
    return found


def test_agreement_on_grades_is_by_hand() -> None:
    """Two judges on four grades, three of them equal; NA is a score for AC1 and raw agreement, and none for alpha."""
    panels = {
        "s": panel("s", {"m": {"a": sheet(2, 1), "b": sheet(2, 1)}}),
        "t": panel("t", {"m": {"a": sheet(0, "NA"), "b": sheet(1, "NA")}}),
    }
    found = health(panels, ("a", "b"))["grades"]
    assert found["raw"]["value"] == pytest.approx(3 / 4)
    # prevalence of 0, 1, 2, NA is 1, 3, 2, 2 of 8: chance = (7 + 15 + 12 + 12) / 64 / 3
    chance = 46 / 64 / 3
    assert found["ac1"]["value"] == pytest.approx((3 / 4 - chance) / (1 - chance))
    assert (found["alpha"]["n"], found["alpha"]["missing"]) == (3, 1)
    # grades 0, 1, 2 were given 1, 3, 2 times, so their ordinal distances squared are 4, 6.25 and 20.25
    assert found["alpha"]["value"] == pytest.approx(1 - 5 * 4 / (1 * 3 * 4 + 3 * 2 * 6.25 + 1 * 2 * 20.25))


def test_judges_of_one_mind_agree_fully() -> None:
    """Alpha and Spearman are 1, and three judges are worth one."""
    drawn = draw_panels(np.random.default_rng(1), 8, SYSTEMS, ["a"])
    panels = {
        name: panel(name, {s: dict.fromkeys(JUDGES, by["a"]) for s, by in each.sheets.items()})
        for name, each in drawn.items()
    }
    found = health(panels)
    for path in (("grades", "alpha"), ("grades", "raw"), ("cells", "alpha"), ("cells", "spearman")):
        assert found[path[0]][path[1]]["value"] == pytest.approx(1.0)
    assert found["n_eff"]["from_scores"]["value"] == pytest.approx(1.0)
    assert found["n_eff"]["judges"] == 3
    assert [(pair["first"], pair["second"]) for pair in found["cells"]["pairs"]] == [("a", "b"), ("a", "c"), ("b", "c")]


def test_within_systems_alpha_falls_where_only_the_contrast_is_easy() -> None:
    """One system far above the others makes pooled alpha high; within systems the judges hardly agree."""
    rng = np.random.default_rng(2)
    panels = {}
    for s in range(20):
        texts = {
            system: {judge: sheet(*rng.integers(low, low + 2, 6).tolist()) for judge in JUDGES}
            for system, low in (("m", 1), ("n", 0))
        }
        panels[f"s{s}"] = panel(f"s{s}", texts)
    found = health(panels)["cells"]
    assert found["alpha"]["low"] > 0.7
    assert found["alpha_within_systems"]["high"] < 0.3


def test_one_judge_has_no_agreement() -> None:
    """Nothing to agree with is no number."""
    found = health(draw_panels(np.random.default_rng(3), 5, SYSTEMS, ["a"]), ("a",))
    assert found["grades"]["alpha"]["value"] is found["cells"]["alpha"]["value"] is None
    assert found["n_eff"]["from_scores"]["reason"] == "one judge alone"
    assert found["judges"]["a"]["severity"]["reason"] == "no cell with another judge"


def test_severity_is_the_offset_from_the_panel() -> None:
    """1 against 1/2 is a quarter above and below the mean of the two."""
    panels = {name: panel(name, {"m": {"a": sheet(2, 2), "b": sheet(1, 1)}}) for name in "stu"}
    found = health(panels, ("a", "b"))["judges"]
    assert found["a"]["severity"]["value"] == pytest.approx(0.25)
    assert found["b"]["severity"]["value"] == pytest.approx(-0.25)


def test_judges_are_worth_more_by_their_errors_than_by_their_scores() -> None:
    """Scores share the texts' quality, so the number from them is a lower bound; labels tell the errors apart."""
    panels = draw_panels(np.random.default_rng(4), 40, SYSTEMS, JUDGES)
    truth = draw_truth(panels)
    found = health(panels, labels=truth)["n_eff"]
    assert found["from_scores"]["value"] < 1.5
    assert found["from_labels"]["value"] > found["from_scores"]["high"]
    assert health(panels)["n_eff"]["from_labels"]["reason"] == "no labels"


def draw_truth(panels: Any) -> tuple[Label, ...]:
    """Labels that are the rounded mean grade of all judges, some of them one off."""
    rng = np.random.default_rng(0)
    return tuple(
        Label(source, system, criterion, int(np.clip(round(mean) + rng.choice([0, 0, 0, 1, -1]), 0, 2)))  # type: ignore[arg-type]
        for source, each in panels.items()
        for system, by in each.sheets.items()
        for criterion in by["a"]
        for mean in [np.mean([by[judge][criterion][0].score for judge in JUDGES])]
    )


def test_a_judge_that_loves_its_own_family_is_measured() -> None:
    """It lifts its family's texts by about half a grade: the interval holds the true lift, and the others' hold 0."""
    panels = draw_panels(np.random.default_rng(5), 30, SYSTEMS, JUDGES, loves_own)
    truth = true_preference()
    found = health(panels, levers={"families": FAMILIES}, judge_families=JUDGE_FAMILIES)["judges"]
    own = {judge: each["own_family"] for judge, each in found.items()}
    assert own["a"]["low"] > 0
    assert own["a"]["low"] < truth < own["a"]["high"]
    assert own["b"]["low"] < 0 < own["b"]["high"]
    assert own["c"]["reason"] == "no system is known to be of this judge's family"


def loves_own(source: int, system: str, judge: str, place: int) -> float:
    """Judge a marks system m, of its family, half a grade up."""
    return 0.5 if (system, judge) == ("m", "a") else 0.0


def true_preference() -> float:
    """The lift of the score, on so many sources that chance is gone."""
    panels = draw_panels(np.random.default_rng(6), 400, SYSTEMS, JUDGES, loves_own)
    found = own_family(tabulate(panels, JUDGES), 0, ["A", "B", "C"], FAMILIES)
    assert isinstance(found, Estimate)
    assert found.value == pytest.approx(0.2, abs=0.05)
    return found.value


def test_what_others_love_is_not_held_against_a_fair_judge() -> None:
    """Judge a lifts its family, b marks everything down: neither makes b seem to prefer its own."""

    def shift(source: int, system: str, judge: str, place: int) -> float:
        return loves_own(source, system, judge, place) * 2 - 0.5 * (judge == "b")

    held = 0
    for seed in range(25):
        panels = draw_panels(np.random.default_rng(seed), 12, SYSTEMS, JUDGES, shift)
        found = own_family(tabulate(panels, JUDGES), 1, ["A", "B", "C"], FAMILIES)
        assert isinstance(found, Estimate)
        held += found.low <= 0 <= found.high
    # marking down cuts grades at 0, which moves the truth a little from 0
    assert held >= 22


@pytest.mark.parametrize(
    ("judge_families", "families", "reason"),
    [
        ({}, FAMILIES, "no system is known to be of this judge's family"),
        (JUDGE_FAMILIES, {}, "no system is known to be of this judge's family"),
        ({"a": "unknown", "b": "B"}, {"m": "unknown"}, "no system is known to be of this judge's family"),
        ({"a": "A", "b": "unknown"}, FAMILIES, "no judge is known to be of another family"),
        ({"a": "A", "b": "A", "c": ""}, FAMILIES, "no judge is known to be of another family"),
        (
            {"a": "A", "b": "B"},
            {"m": "A", "n": "B"},
            "no text of a third family was judged by this judge and one of another family",
        ),
    ],
)
def test_preference_needs_known_families(judge_families: dict[str, str], families: dict[str, str], reason: str) -> None:
    """Without families, another judge, or texts of a third family, each liking its own and disliking the other's look
    the same."""
    panels = draw_panels(np.random.default_rng(7), 4, SYSTEMS, JUDGES)
    found = health(panels, levers={"families": families}, judge_families=judge_families)
    assert found["judges"]["a"]["own_family"]["reason"] == reason


def test_families_of_systems_that_the_run_wrote_are_those_of_their_models() -> None:
    """So self-preference is measured without a word in the config; what stands there goes first, and a model of unknown
    family is of none."""
    given = PanelSettings(judges=JUDGES, families={"m": "A", "n": "B"})
    found = with_families(given, {"n": "wrong", "o": "X", "p": "unknown", "q": ""})
    assert found.families == {"m": "A", "n": "B", "o": "X"}
    assert found.model_copy(update={"families": given.families}) == given
    assert given.families == {"m": "A", "n": "B"}
    panels = draw_panels(np.random.default_rng(5), 30, SYSTEMS, JUDGES, loves_own)
    own = score_panel(panels, with_families(PanelSettings(judges=JUDGES), FAMILIES), JUDGE_FAMILIES, {}, {}, ())
    assert own["settings"]["families"] == FAMILIES
    assert own["health"] == health(panels, levers={"families": FAMILIES}, judge_families=JUDGE_FAMILIES)


def test_a_position_bias_is_measured() -> None:
    """A judge that marks the first half up by half a grade is found, and one that looks at no place is not."""

    def shift(source: int, system: str, judge: str, place: int) -> float:
        return 0.5 if judge == "a" and place < 2 else 0.0

    panels = draw_panels(np.random.default_rng(8), 40, SYSTEMS, JUDGES, shift, line_up=True)
    found = {judge: each["position"] for judge, each in health(panels)["judges"].items()}
    assert found["a"]["first_half"]["low"] > 0.1
    assert found["a"]["first_half"]["value"] == pytest.approx(0.2, abs=0.06)
    assert found["a"]["place"]["high"] < 0
    assert found["b"]["first_half"]["low"] < 0 < found["b"]["first_half"]["high"]
    assert found["b"]["place"]["low"] < 0 < found["b"]["place"]["high"]


def test_without_a_line_up_there_is_no_position() -> None:
    """Judged alone, a text has no place."""
    found = health(draw_panels(np.random.default_rng(9), 5, SYSTEMS, JUDGES))["judges"]["a"]["position"]
    assert {name: each["reason"] for name, each in found.items()} == {"first_half": "no line-up", "place": "no line-up"}


def test_a_length_bias_is_measured() -> None:
    """A judge that follows length is found beside those that do not; lengths of other sources do not matter."""
    rng = np.random.default_rng(10)
    lengths = {(f"s{s:02}", system): int(rng.integers(300, 900)) * (s + 1) for s in range(30) for system in SYSTEMS}

    def shift(source: int, system: str, judge: str, place: int) -> float:
        return (lengths[f"s{source:02}", system] / (source + 1) - 600) / 300 if judge == "a" else 0.0

    panels = draw_panels(rng, 30, SYSTEMS, JUDGES, shift)
    found = {judge: each["length"] for judge, each in health(panels, lengths=lengths)["judges"].items()}
    assert found["a"]["score"]["low"] > 0.2
    assert found["a"]["offset"]["low"] > 0.4
    assert found["b"]["score"]["low"] < 0 < found["b"]["score"]["high"]
    assert found["b"]["offset"]["high"] < 0


def test_unknown_lengths_do_not_enter() -> None:
    """Texts whose length is not given are left out; without any there is no number."""
    panels = draw_panels(np.random.default_rng(11), 5, SYSTEMS, JUDGES)
    assert health(panels)["judges"]["a"]["length"]["score"]["value"] is None
    some = {(f"s{s:02}", system): 100 + i for s in range(4) for i, system in enumerate(SYSTEMS)}
    assert health(panels, lengths=some)["judges"]["a"]["length"]["score"]["n"] == 16


def test_large_disagreements_are_listed_largest_first() -> None:
    """From the bar on, the bar itself included, with what each judge gave; cells below the quorum too."""
    panels = {
        "s": panel("s", {"m": {"a": sheet(2, 2), "b": sheet(2, 0)}, "n": {"a": sheet(2, 2), "b": sheet(0, 0)}}),
        "t": panel("t", {"m": {"a": sheet(2, 2), "b": sheet(2, 1)}, "n": {"a": sheet(0, 0), "b": sheet(1, 1)}}),
    }
    found = health(panels, ("a", "b"), levers={"large_disagreement": 50})["large_disagreements"]
    assert [(row["source"], row["system"], row["disagreement"]) for row in found] == [
        ("s", "n", 1.0),
        ("s", "m", 0.5),
        ("t", "n", 0.5),
    ]
    assert found[0]["judges"] == {"a": 1.0, "b": 0.0}
