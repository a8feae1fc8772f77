"""`localeval.decision.recommend`: who is recommended, on what grounds, and how that is said."""

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as limits
from hypothesis import strategies as st

from localeval.decision.recommend import decide
from localeval.decision.schemas import SelectSettings
from localeval.errors import ConfigError
from localeval.methods.audit.score import score_audit
from localeval.methods.leaderboard import Measure, default_rank_by, leaderboard
from localeval.methods.panel.schemas import PanelSettings
from localeval.methods.panel.score import score_panel
from localeval.stats.power import sources_for
from tests.decision.made_scores import Values, made_audit, made_ledger, made_panel, made_scores, wrote
from tests.methods.audit.findings import by_source, settings
from tests.methods.panel.made_panels import draw_panels

Decision = dict[str, Any]
LEADER_AND_CLEAN: Values = {"leader": [80.1, 70.2, 90.2, 85.0], "clean": [80.0, 70.0, 90.1, 85.0]}
"""The leader is 0.1 points ahead in the mean."""


def chosen(
    scores: dict[str, Any], *rules: str, ledger: dict[str, Any] | None = None, best: Measure | None = None
) -> Decision:
    return decide(scores, ledger, SelectSettings(require=rules, best=best))


def said(decision: Decision, *words: str) -> bool:
    """Whether one sentence holds all the words."""
    return any(all(word in sentence for word in words) for sentence in decision["text"])


def test_the_leader_by_consensus_loses_to_one_a_tenth_behind_without_fabrications() -> None:
    """By the rule, and without it, too: the tenth is no difference, and two fabrications are."""
    scores = made_scores(made_panel(LEADER_AND_CLEAN), made_audit({"leader": [1, 0, 0, 1], "clean": [0, 0, 0, 0]}))
    values = {name: each["consensus"]["value"] for name, each in scores["methods"]["panel"]["systems"].items()}
    assert values["leader"] - values["clean"] == pytest.approx(0.001)
    strict = chosen(scores, "fabrications <= 0", "disagreement <= 5")
    assert (strict["best"], strict["recommended"], strict["runner_up"]) == ("consensus", "clean", "leader")
    assert strict["systems"]["leader"]["fails"] == ["fabrications 0.5 > 0"]
    assert strict["systems"]["clean"]["passes"]
    assert said(strict, "leader fails: fabrications 0.5 > 0")
    assert said(strict, "No other system fulfils the rules", "leader", "-0.10 [", "not told apart")
    for lenient in (chosen(scores, best="consensus"), chosen(scores)):
        assert (lenient["recommended"], lenient["runner_up"], lenient["tied_with"]) == ("clean", "leader", ["leader"])
        assert said(lenient, "fewer fabrications (0 against 0.5)")


def test_a_better_consensus_that_is_told_apart_wins_without_rules() -> None:
    """Where it is looked for: one fabrication more does not outweigh twenty points that the test confirms."""
    scores = made_scores(
        made_panel({"good": [80, 70, 90, 85, 78], "poor": [61, 50, 69, 66, 57]}),
        made_audit({"good": [0, 1, 0, 0, 0], "poor": [0] * 5}),
    )
    found = chosen(scores, best="consensus")
    assert (found["recommended"], found["tied_with"]) == ("good", [])
    assert said(found, "By consensus the paired test puts it before the others")
    assert said(found, "Runner-up: poor", "80.6 against 60.6", "+20.0 [", ": told apart")
    assert said(found, "are told apart by the 5 sources there are")
    assert chosen(scores, "fabrications <= 0")["recommended"] == "poor"


def test_a_system_of_which_a_rule_asks_what_nobody_knows_does_not_pass() -> None:
    """No price and no audit are told as not known; neither is called a failure."""
    scores = made_scores(made_panel({"a": [80, 70], "b": [60, 50]}), made_audit({"b": [0, 0]}))
    bills = made_ledger({"a": None, "b": 3.0})
    found = chosen(scores, "cost_per_1000 <= 4", "fabrications <= 0", ledger=bills)
    a = found["systems"]["a"]
    assert (a["passes"], a["fails"]) == (False, [])
    assert a["unknown"] == ["cost_per_1000: not known (no price)", "fabrications: not known (not audited)"]
    assert found["recommended"] == "b"
    assert said(found, "a cannot be held to the rules: cost_per_1000: not known (no price); fabrications: not known")
    assert not any("a fails" in sentence for sentence in found["text"])
    without = chosen(scores, "cost_per_1000 <= 4", "seconds <= 20")
    assert without["recommended"] is None
    assert without["systems"]["b"]["unknown"] == [
        "cost_per_1000: not known (no ledger)",
        "seconds: not known (no ledger)",
    ]


def test_where_nobody_passes_the_nearest_is_named() -> None:
    """Fewest rules missed first, then by how much of the bound."""
    scores = made_scores(
        made_panel({"far": [90, 90], "near": [66, 66], "two": [60, 60]}),
        made_audit({"far": [4, 4], "near": [0, 0], "two": [1, 1]}),
    )
    found = chosen(scores, "fabrications <= 0", "consensus >= 70")
    assert (found["recommended"], found["runner_up"], found["nearest"]) == (None, None, "near")
    assert found["text"][0] == "Nothing is recommended: no system fulfils every rule."
    assert said(found, "Nearest to the rules is near: consensus 66 < 70.")
    assert said(found, "two fails: fabrications 1 > 0; consensus 60 < 70")
    assert said(found, "If fabrications <= 4 were allowed, far would be recommended")
    assert said(found, "If consensus >= 66 were allowed, near would be recommended")
    assert (found["difference"], found["power"]) == (None, None)


def test_a_tie_goes_to_the_incumbent() -> None:
    """Equal in fabrications, one point apart in consensus: a change costs something."""
    panel = made_panel({"new": [80, 71, 66, 75], "old": [79, 72, 63, 74]})
    tied = chosen(made_scores(panel, incumbent="old"), ledger=made_ledger({"new": 1.0, "old": 9.0}))
    assert (tied["recommended"], tied["tied_with"]) == ("old", ["new"])
    assert tied["text"][0] == "Recommended: old, the incumbent: nothing speaks for a change."
    assert said(tied, "it is the incumbent and a change costs something")
    assert tied["systems"]["old"]["dominated_by"] == ["new"]
    assert said(tied, "By value alone new is no worse than it in consensus and cost")
    assert chosen(made_scores(panel))["recommended"] == "new"


def test_without_an_incumbent_a_tie_goes_to_the_cheaper_and_then_to_the_faster() -> None:
    """What is not known does not win it."""
    scores = made_scores(made_panel({"a": [80, 71, 66], "b": [79, 72, 63], "c": [79, 71, 64]}))
    cheap = chosen(scores, ledger=made_ledger({"a": 2.0, "b": 1.0, "c": None}, {"a": 1.0, "b": 9.0, "c": 1.0}))
    assert cheap["recommended"] == "b"
    assert said(cheap, "it is cheaper (1 against 2)")
    fast = chosen(scores, ledger=made_ledger({"a": 2.0, "b": 2.0, "c": 2.0}, {"a": 9.0, "b": 9.0, "c": 3.0}))
    assert fast["recommended"] == "c"
    assert said(fast, "it is faster (3 against 9)")
    by_value = chosen(scores)
    assert by_value["recommended"] == "a"
    assert said(by_value, "its consensus is better by value")


def test_the_incumbent_is_named_wherever_it_stands() -> None:
    """Beaten with interval and p-value, not shown to be beaten, out by the rules, or without a number."""
    panel = made_panel({"new": [80, 70, 90, 85, 78], "old": [61, 50, 69, 66, 57], "mid": [79, 72, 88, 86, 77]})
    beaten = chosen(made_scores(panel, incumbent="old"))
    assert said(beaten, "It beats the incumbent, old, in consensus: consensus 80.6 against 60.6, +20.0 [", "p < 0.001")
    close = chosen(made_scores(panel, incumbent="mid"), "consensus >= 80.5")
    assert close["recommended"] == "new"
    assert said(close, "mid (the incumbent) fails: consensus 80.4 < 80.5")
    assert said(close, "That it beats the incumbent, mid, in consensus is not shown")
    assert said(close, "What speaks for a change is that mid does not pass the rules")
    unknown = made_scores(made_panel({"new": [80, 70], "old": [None, None]}), incumbent="old")
    assert said(chosen(unknown), "The incumbent, old, has no number for consensus: whether new beats it is not known")


def test_rules_are_relaxed_one_by_one_to_see_who_would_win() -> None:
    """The least bound with another winner, by what it has; where no single rule matters, that is said."""
    scores = made_scores(
        made_panel({"a": [70, 71, 69, 70], "b": [80, 81, 79, 80.5], "c": [90, 91, 89, 90.5]}),
        made_audit({"a": [0] * 4, "b": [1, 0, 0, 0], "c": [3, 2, 3, 1]}),
    )
    found = chosen(scores, "fabrications <= 0", "disagreement <= 9")
    assert found["recommended"] == "a"
    assert found["would_change"][0] == (
        "If fabrications <= 0.25 were allowed, b would be recommended (consensus 80.1 against 70)."
    )
    assert (
        "Without the rule fabrications <= 0, c would be recommended (consensus 90.1 against 70)."
        in found["would_change"]
    )
    assert not any("disagreement" in line for line in found["would_change"])
    free = chosen(scores, "consensus >= 60", "disagreement <= 9")
    assert "No single rule decides: without any one of them it would still be b." in free["would_change"]


def test_one_source_that_carries_the_choice_is_named() -> None:
    """b leads by the first source alone."""
    scores = made_scores(made_panel({"a": [10, 71, 72, 73, 74], "b": [90, 70, 71, 72, 73]}))
    found = chosen(scores)
    assert found["recommended"] == "b"
    assert "Without the source s0, a would be recommended." in found["would_change"]
    steady = chosen(made_scores(made_panel({"a": [60, 61, 62, 63], "b": [90, 70, 71, 72]})))
    assert "Whichever of the 4 sources is left out, it would still be b." in steady["would_change"]


def test_a_toss_up_is_no_change() -> None:
    """Without the one source in which they differ the name alone would decide: no reason to doubt."""
    scores = made_scores(made_panel({"a": [70, 70, 60, 70], "b": [70, 70, 61, 70]}))
    found = chosen(scores)
    assert found["recommended"] == "b"
    assert "Whichever of the 4 sources is left out, it would still be b." in found["would_change"]


def test_another_measure_that_would_choose_another_is_named() -> None:
    """The fewest fabrications are another's."""
    scores = made_scores(
        made_panel({"a": [80, 81, 79, 80, 80], "b": [50, 51, 49, 50.5, 50]}),
        made_audit({"a": [8, 9, 8, 9, 8], "b": [0, 0, 1, 0, 0]}),
    )
    found = chosen(scores, best="consensus")
    assert found["recommended"] == "a"
    assert "By fabrications in place of consensus, b would be recommended (0.2 against 8.4)." in found["would_change"]


def test_the_sources_that_it_takes_are_those_of_the_power_of_the_paired_test() -> None:
    """From the spread of the differences by source, for the difference found or the one that would matter."""
    a, b = np.array([80.0, 71.0, 66.0, 75.0]), np.array([77.0, 72.0, 60.0, 75.0])
    scores = made_scores(made_panel({"a": [*a], "b": [*b]}))
    power = chosen(scores)["power"]
    sd = float(np.std(a - b, ddof=1))
    assert power["sources_needed"] == sources_for(float((a - b).mean()), sd)
    assert (power["sources_now"], power["level"], power["power"]) == (4, 0.05, 0.8)
    assert power["difference"] == pytest.approx((a - b).mean() / 100)
    five = decide(scores, None, SelectSettings(smallest_difference=5))
    assert five["power"]["sources_needed"] == sources_for(5.0, sd)
    n = five["power"]["sources_needed"]
    assert said(five, "if they differ by 5 in consensus", f"about {n} sources", f"{n - 4} more than now")


def test_with_more_systems_the_level_of_each_comparison_is_lower() -> None:
    """As in the leaderboard: .05 divided by the comparisons of those that could win."""
    scores = made_scores(made_panel({"a": [80, 71, 66], "b": [77, 72, 60], "c": [70, 69, 60]}))
    assert chosen(scores)["power"]["level"] == pytest.approx(0.025)
    assert chosen(scores, "consensus >= 69")["power"]["level"] == pytest.approx(0.05)


def test_no_number_of_sources_is_made_up() -> None:
    """Two sources have no spread to speak of, and equal ones no difference to find."""
    two = chosen(made_scores(made_panel({"a": [80, 71], "b": [77, 72]})))
    assert two["power"]["sources_needed"] is None
    assert said(two, "How many sources would tell a and b apart cannot be said", "3 common sources")
    equal = chosen(made_scores(made_panel({"a": [80, 71, 60], "b": [71, 80, 60]})))
    assert equal["power"]["note"] == "they do not differ on these sources"


def test_what_one_must_know_is_warned_of() -> None:
    """Few sources, one category, generic prompts, judges of their own or their family's texts, missing texts, bars that
    chance may have cleared, rehearsals."""
    scores = made_scores(
        made_panel({"a": [80, 71, 66], "b": [77, 72, 60], "c": [70, 69, None]}, families={"b": "qwen", "c": "llama"}),
        made_audit({"a": [0, 0, 0], "b": [0, 1, 0]}),
        generate={"a": wrote("j", generic=True), "b": wrote("x"), "c": wrote("y", ["s2"])},
    )
    scores["sources"] = {"chosen": ["s0", "s1", "s2"], "left_out": [], "note": "one category only: meeting"}
    bills = made_ledger({"a": 1.0, "b": 1.0, "c": 1.0})
    bills["models"].append({"model": "dry", "kind": "scripted", "roles": ["judge"]})
    found = chosen(scores, "consensus >= 60", ledger=bills)["warnings"]
    for line in (
        "scripted, so a rehearsal and no measurement: dry",
        "3 sources only: what is found here may be otherwise on others",
        "one category only: meeting",
        "a uses the generic prompt, which is nobody's production",
        "j judges its own texts (a); it may favour them",
        "j is of the family of b (qwen); it may favour them",
        "c: no text about 1 of 3 sources (s2); its numbers are of the others",
        "fabrications of c are not known: not known is not none",
    ):
        assert line in found
    assert any(line.startswith("b fulfils the rules by value alone: consensus could be below 60 (") for line in found)


def test_claims_that_nobody_judged_are_warned_of() -> None:
    """No fabrication among the claims that were judged is not none in the text."""
    audit = made_audit({"a": [0, 0], "b": [0, 0]})
    audit["systems"]["a"]["by_source"]["s0"] |= {"claims": 6, "missing": 4}
    audit["systems"]["a"]["by_source"]["s1"] |= {"claims": 0, "unreadable": True}
    found = chosen(made_scores(made_panel({"a": [80, 71], "b": [77, 72]}), audit), "fabrications <= 0")
    unsaid = "4 of 10 claims without a verdict and 1 text whose claims could not be read"
    assert [line for line in found["warnings"] if "claims" in line] == [f"a: {unsaid}; fabrications may be among them"]


def test_an_audit_of_some_sources_is_warned_of() -> None:
    """What finalists made up about the hardest sources says nothing of the others."""
    audit = made_audit({"a": [0, None, None], "b": [0, None, None]}) | {"finalists": {"sources": ["s0"]}}
    found = chosen(made_scores(made_panel({"a": [80, 71, 66], "b": [77, 72, 60]}), audit), "fabrications <= 0")
    assert "audited on 1 of 3 sources alone: fabrications about the others are not known" in found["warnings"]


def test_a_run_about_which_there_is_nothing_to_warn_has_no_warnings() -> None:
    """Eight sources, all texts, no rules."""
    values: Values = {"a": [80, 71, 66, 70, 75, 73, 72, 71], "b": [77, 72, 60, 69, 74, 70, 71, 72]}
    assert chosen(made_scores(made_panel(values)))["warnings"] == []


def test_best_is_the_first_of_rank_by_that_no_rule_speaks_of() -> None:
    """And the first of all where rules speak of every one."""
    scores = made_scores(made_panel(LEADER_AND_CLEAN), made_audit({"leader": [1, 0, 0, 1], "clean": [0, 0, 0, 0]}))
    assert chosen(scores)["best"] == "fabrications"
    assert chosen(scores, "fabrications <= 0")["best"] == "consensus"
    assert chosen(scores, "fabrications <= 0", "consensus >= 1")["best"] == "fabrications"


def test_a_best_without_its_method_is_refused_in_one_line() -> None:
    """It names the method that is lacking."""
    with pytest.raises(ConfigError, match="best: 'cap_f1' needs the method quiz") as caught:
        chosen(made_scores(made_panel(LEADER_AND_CLEAN)), best="cap_f1")
    assert "\n" not in str(caught.value)


def test_a_run_that_ranks_nobody_recommends_nobody() -> None:
    """Texts alone are no grounds."""
    scores = {"leaderboard": {"rank_by": [], "systems": {}}, "methods": {"generate": {"systems": {"a": wrote()}}}}
    found = decide(scores, made_ledger({"a": 1.0}, {"a": 2.0}), SelectSettings())
    assert (found["recommended"], found["best"], found["front"]["systems"]) == (None, None, [])
    assert found["text"] == [
        "Nothing is recommended: the run has no method that ranks systems; add panel, audit or quiz."
    ]
    assert found["systems"]["a"]["measures"]["seconds"] == {"value": 2.0, "n": 4}


def real_scores(seed: int, n_sources: int) -> dict[str, Any]:
    """Scores of the real scorers: a drawn panel and a drawn audit."""
    rng = np.random.default_rng(seed)
    better = {"a": 0.0, "b": 0.2, "c": 0.25, "d": -0.4}
    panels = draw_panels(rng, n_sources, list(better), ["j", "k"], lambda s, system, *_: better[system])
    lengths = {(source, system): 100 for source in panels for system in better}
    table = {source: {name: list(rng.choice(["ok", "ok", "absent", "cut"], 6)) for name in better} for source in panels}
    methods = {
        "panel": score_panel(panels, PanelSettings(judges=("j", "k")), {}, lengths, dict.fromkeys(panels), ()),
        "audit": score_audit(by_source(table), settings("j")),
    }
    return {"name": "drawn", "leaderboard": leaderboard(methods, default_rank_by(methods)), "methods": methods}


@pytest.mark.parametrize("seed", range(6))
def test_without_rules_the_recommended_one_is_first_in_the_leaderboard(seed: int) -> None:
    """On scores of the real scorers; all of it is JSON, and the same again."""
    scores = real_scores(seed, 2 + 2 * seed)
    found = chosen(scores)
    assert scores["leaderboard"]["systems"][found["recommended"]]["rank"] == 1
    assert found["recommended"] != found["runner_up"]
    assert json.loads(json.dumps(found, allow_nan=False)) == found == chosen(scores)


@limits(max_examples=25, deadline=None)
@given(
    st.dictionaries(
        st.sampled_from("abcd"), st.lists(st.none() | st.integers(0, 100), min_size=4, max_size=4), min_size=1
    ),
    st.lists(st.sampled_from(["consensus >= 50", "disagreement <= 4", "missing <= 0", "seconds <= 3"]), max_size=2),
)
def test_whatever_the_values_the_recommended_one_passes(
    consensus: Mapping[str, list[float | None]], rules: list[str]
) -> None:
    """It fulfils every rule and has the number that is looked for; nobody is only where nobody does."""
    found = chosen(made_scores(made_panel(consensus)), *rules)
    able = [n for n, s in found["systems"].items() if s["passes"] and s["measures"]["consensus"]["value"] is not None]
    assert (found["recommended"] in able) if able else found["recommended"] is None
    assert found["text"][0].startswith("Recommended: " if able else "Nothing is recommended: ")
    json.dumps(found, allow_nan=False)
