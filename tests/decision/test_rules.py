"""`localeval.decision.rules`: a small exact grammar, and bars that hold for values."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from localeval.decision.measures import KINDS, MeasureName, System, Value
from localeval.decision.rules import Rule, Sign, interval_text, judge, number_text, parse_rule
from localeval.decision.schemas import SelectSettings


def system(**values: float | None) -> System:
    """One with these values and no others."""
    known = {name: Value(values.get(name), reason="no audit in this run") for name in KINDS}
    return System("a", 1, False, False, known)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("fabrications <= 0", Rule("fabrications", "<=", 0.0)),
        ("  disagreement<5 ", Rule("disagreement", "<", 5.0)),
        ("cost_per_1000 <= 3.50", Rule("cost_per_1000", "<=", 3.5)),
        ("consensus>=70.25", Rule("consensus", ">=", 70.25)),
        ("missing == 0", Rule("missing", "==", 0.0)),
        ("tokens > -1", Rule("tokens", ">", -1.0)),
    ],
)
def test_a_rule_is_a_measure_a_sign_and_a_number(text: str, rule: Rule) -> None:
    """Spaces do not matter."""
    assert parse_rule(text) == rule


@given(
    st.sampled_from(list(KINDS)), st.sampled_from(["<=", "<", ">=", ">", "=="]), st.decimals(-(10**6), 10**6, places=4)
)
def test_what_a_rule_says_of_itself_is_the_same_rule(measure: MeasureName, sign: Sign, bound: object) -> None:
    """So that decision.json and a second reading hold exactly what was written."""
    rule = Rule(measure, sign, float(str(bound)))
    assert parse_rule(str(rule)) == rule


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("fabrication <= 0", "did you mean 'fabrications'?"),
        ("Consensus >= 70", "did you mean 'consensus'?"),
        ("price <= 3", "known: consensus, disagreement, fabrications"),
        ("fabrications = 0", "is no rule"),
        ("fabrications <= none", "is no rule"),
        ("fabrications <= 1e3", "is no rule"),
        ("0 >= fabrications", "is no rule"),
        ("fabrications <= 0 and disagreement <= 5", "is no rule"),
        ("fabrications <= ١", "is no rule"),
        ("", "is no rule"),
        ("seconds <= " + "9" * 400, "too large a number"),
    ],
)
def test_what_is_no_rule_is_told_in_one_line(text: str, told: str) -> None:
    """With what a rule looks like, or the measure that was meant."""
    with pytest.raises(ValueError, match=r"no rule|no measure|too large") as caught:
        parse_rule(text)
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_rules_are_read_with_the_settings() -> None:
    """A wrong one is refused when the config is read, and the others stand in one form."""
    assert SelectSettings(require=("fabrications<=0", "seconds < 20.50")).require == (
        "fabrications <= 0",
        "seconds < 20.5",
    )
    with pytest.raises(ValidationError, match="no measure 'fabs'"):
        SelectSettings(require=("fabs <= 0",))


def test_shares_are_held_to_rules_in_points() -> None:
    """Floating-point dust decides nothing: 0.07 is 7 points, 0.29 is 29."""
    for share, points in ((0.07, 7), (0.29, 29), (0.57, 57)):
        assert parse_rule(f"disagreement <= {points}").holds(share)
        assert parse_rule(f"consensus >= {points}").holds(share)
        assert parse_rule(f"consensus == {points}").holds(share)
        assert not parse_rule(f"consensus > {points}").holds(share)
        assert not parse_rule(f"consensus < {points}").holds(share)
    assert not parse_rule("disagreement <= 5").holds(0.0500001)


def test_a_system_passes_where_it_fails_nothing_and_nothing_is_unknown() -> None:
    """What is not known is told as that, never as a failure, and never passes."""
    rules = [parse_rule(rule) for rule in ("fabrications <= 0", "disagreement <= 5", "consensus >= 60")]
    good = judge(system(fabrications=0.0, disagreement=0.05, consensus=0.6), rules)
    assert (good.passes, good.fails, good.unknown) == (True, (), ())
    bad = judge(system(fabrications=2.0, disagreement=0.1, consensus=0.7), rules)
    assert (bad.passes, bad.fails) == (False, ("fabrications 2 > 0", "disagreement 10 > 5"))
    assert bad.excess == pytest.approx(2 / 1 + 5 / 5)
    unknown = judge(system(fabrications=None, disagreement=0.0, consensus=0.7), rules)
    assert (unknown.passes, unknown.fails) == (False, ())
    assert unknown.unknown == ("fabrications: not known (no audit in this run)",)
    assert judge(system(), []).passes


def test_a_failure_is_told_with_digits_enough_to_see_it() -> None:
    """5.0001 is more than 5, and the line shows that it is."""
    assert parse_rule("disagreement <= 5").failure(0.0500012) == "disagreement 5.0001 > 5"
    assert parse_rule("consensus >= 70").failure(0.61234) == "consensus 61.2 < 70"
    assert parse_rule("seconds < 20").failure(20.0) == "seconds 20 >= 20"
    assert parse_rule("missing == 0").failure(3.0) == "missing 3 is not 0"


def test_an_interval_across_the_bar_is_told() -> None:
    """Only towards the side on which the rule would fail, and only where there is an interval."""
    at_most, at_least = parse_rule("fabrications <= 0"), parse_rule("consensus >= 70")
    assert at_most.straddle(Value(0.0, 0.0, 0.9)) == "fabrications could be above 0 (0 to 0.9)"
    assert at_most.straddle(Value(0.0, 0.0, 0.0)) == ""
    assert at_most.straddle(Value(0.0)) == ""
    assert at_least.straddle(Value(0.8, 0.654, 0.9)) == "consensus could be below 70 (65.4 to 90)"
    assert at_least.straddle(Value(0.8, 0.7, 0.9)) == ""


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0"),
        (0.0, "0"),
        (12345.6, "12346"),
        (7.15, "7.15"),
        (0.25, "0.25"),
        (-0.0004, "-0.0004"),
        (80.0, "80"),
        (1e6, "1000000"),
        (9.999, "10"),
    ],
)
def test_numbers_are_written_without_an_exponent(number: float, text: str) -> None:
    """To three digits that count, whole ones in full."""
    assert number_text(number) == text


def test_the_ends_of_an_interval_are_told_apart() -> None:
    """With more digits where three are not enough."""
    assert interval_text(80.01, 80.04) == "80.01 to 80.04"
    assert interval_text(70.0, 90.25) == "70 to 90.2"
