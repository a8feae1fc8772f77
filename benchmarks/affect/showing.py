"""How figures are printed."""

from localeval.stats.estimate import Score, Undefined
from localeval.stats.paired import Difference


def shown(score: Score) -> str:
    """A score on one line, or why there is none."""
    if isinstance(score, Undefined):
        return f"- ({score.reason})"
    missing = f", {score.missing} missing" if score.missing else ""
    return f"{score.value:.3f} [{score.low:.3f} to {score.high:.3f}], n {score.n}{missing}"


def shown_difference(difference: Difference | Undefined) -> str:
    """A difference with its p-value."""
    if isinstance(difference, Undefined):
        return f"- ({difference.reason})"
    e = difference.estimate
    return f"{e.value:+.3f} [{e.low:+.3f} to {e.high:+.3f}], p {difference.p_value:.2g}, n {e.n}"


def line(name: str, text: str) -> None:
    """Prints a name and its figure in columns."""
    print(f"  {name:<44} {text}")


def expect(what: str, holds: bool, measured: str) -> bool:
    """Prints whether an expectation holds; returns it."""
    print(f"{'holds' if holds else 'FAILS'}: {what} ({measured})")
    return holds
