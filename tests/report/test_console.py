"""`localeval.report.console`: how numbers, names and long lines are written."""

from typing import Any

import pytest

from localeval.report.console import (
    axis_text,
    console,
    counted,
    decimal_text,
    is_beyond_zero,
    listed,
    literal,
    p_text,
    points_text,
    print_hanging,
    score_text,
    shift_text,
    some,
)
from tests.report.printing import printed


@pytest.mark.parametrize(
    ("score", "text"),
    [
        ({"value": 0.756, "low": 0.6, "high": 0.9}, "76 [60-90]"),
        ({"value": 0.0, "low": 0.0, "high": 0.049}, "0 [0-5]"),
        ({"value": None, "reason": "nothing to divide by"}, "-"),
    ],
)
def test_scores_are_percent_with_their_interval(score: dict[str, Any], text: str) -> None:
    """Rule 7: never the number alone; "-" where there is none, not 0."""
    assert score_text(score) == text


@pytest.mark.parametrize(
    ("score", "decimals", "points"),
    [
        ({"value": 0.456, "low": -0.1, "high": 0.899}, "0.46 [-0.10 to 0.90]", "+46 [-10 to +90]"),
        ({"value": -0.001, "low": -0.2, "high": 0.0}, "-0.00 [-0.20 to 0.00]", "+0 [-20 to +0]"),
        ({"value": None, "reason": "one judge"}, "-", "-"),
    ],
)
def test_coefficients_and_differences_have_their_interval(score: dict[str, Any], decimals: str, points: str) -> None:
    """To two decimals, and in points with a sign."""
    assert decimal_text(score) == decimals
    assert points_text(score) == points


@pytest.mark.parametrize(
    ("score", "place", "shift"),
    [
        ({"value": 0.456, "low": 0.1, "high": 1.0}, "0.46 [0.10-1.00]", "+0.46 [+0.10 to +1.00]"),
        ({"value": None, "reason": "no text"}, "-", "-"),
        (None, "-", "-"),
    ],
)
def test_places_on_an_axis_and_their_differences(score: dict[str, Any] | None, place: str, shift: str) -> None:
    """A difference has its sign, and none where it rounds to nothing."""
    assert (axis_text(score), shift_text(score)) == (place, shift)
    assert shift_text({"value": -0.001, "low": -0.01, "high": 0.002}) == "+0.00 [-0.01 to +0.00]"


@pytest.mark.parametrize(("p_value", "text"), [(0.0123, "0.012"), (0.00099, "<0.001"), (1.0, "1.000"), (None, "-")])
def test_p_values(p_value: float | None, text: str) -> None:
    """Never as zero."""
    assert p_text(p_value) == text


@pytest.mark.parametrize(
    ("low", "high", "is_beyond"), [(0.1, 0.2, True), (-0.2, -0.1, True), (0.0, 0.2, False), (-0.1, 0.1, False)]
)
def test_beyond_zero_is_an_interval_without_it(low: float, high: float, is_beyond: bool) -> None:
    """On either side; touching it is not beyond."""
    assert is_beyond_zero({"value": (low + high) / 2, "low": low, "high": high}) is is_beyond
    assert not is_beyond_zero({"value": None, "reason": "no line-up"})


def test_long_lines_go_on_beneath_their_first_word() -> None:
    """Every word is kept; a line that fits, or is not indented, is left to the terminal."""
    long = "   > " + " ".join(f"word{i}" for i in range(20))
    lines = printed(lambda: print_hanging(console(), literal(long)), columns=40).splitlines()
    assert lines[0].startswith("   > word0")
    assert all(line.startswith("   word") and len(line) <= 40 for line in lines[1:])
    assert " ".join(lines).split() == long.split()
    assert printed(lambda: print_hanging(console(), literal("  short ")), columns=40) == "  short \n"


def test_a_few_and_how_many_more() -> None:
    """Lists in a line stay short, and say what they leave out."""
    assert some(["a", "b", "c"]) == "a; b; c"
    assert some(["a", "b", "c", "d", "e"]) == "a; b; c; and 2 more"
    assert listed({"this": 2, "that": 0, "those": 1}) == "2 this, 1 those"
    assert listed({}) == "none"
    assert (counted(1, "text"), counted(0, "text"), counted(2, "text")) == ("1 text", "0 texts", "2 texts")
