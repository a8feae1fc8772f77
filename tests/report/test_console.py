"""`localeval.report.console`: how numbers, names and long lines are written."""

from typing import Any

import pytest

from localeval.report.console import score_text


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
