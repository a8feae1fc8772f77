"""The true share of faulty items, from what a yes-or-no judge with known errors says of many."""

from dataclasses import dataclass
from typing import NamedTuple

from scipy import stats

from localeval.stats.estimate import Estimate, Score, Undefined
from localeval.stats.intervals import Interval, wilson


class Known(NamedTuple):
    """Of `n` labelled items of one kind, faulty or sound, the judge called `right` what they are.

    Fractions may be given: items that are alike count for less than their number.
    """

    right: float
    n: float


@dataclass(frozen=True, slots=True)
class Unmasked:
    """The share of faulty items as the judge's known errors let one see it.

    `score` is Undefined where the judge hardly tells faulty from sound: where `youden`, the interval of sensitivity +
    specificity - 1, reaches 0; and where the whole interval of the share lies outside [0, 1]. `is_cut`: the value lay
    outside [0, 1] and was put on the nearer end.
    """

    score: Score
    youden: Interval
    is_cut: bool = False


def rogan_gladen(
    positives: float,
    n: float,
    sensitivity: Known,
    specificity: Known,
    sources: int = 1,
    missing: int = 0,
    confidence: float = 0.95,
) -> Unmasked:
    """The true share of faulty items, in [0, 1], where the judge called `positives` of `n` items faulty.

    (p + specificity - 1) / (sensitivity + specificity - 1): Rogan and Gladen 1978. The interval is Lang and Reiczigel's
    (2014), which allows for the noise of the labelled items as well as of the judged: for 30 to 400 judged and 15 to
    100 labelled items of each kind it covered 92 to 100 %, the delta method 53 to 98 % (docs/statistics.md). The
    labelled items must be others than, or few of, the judged, and the judge must err on both alike: where a system
    writes so that its faults are harder to see, this is wrong, and `ppi_mean` is not. Raises ValueError unless
    0 <= positives <= n, 0 <= right <= n, and every n is above 0.
    """
    shares = [wilson(known.right, known.n, confidence) for known in (sensitivity, specificity)]
    wilson(positives, n)
    known = [sensitivity.right / sensitivity.n, specificity.right / specificity.n]
    youden = _youden(known, shares)
    if youden.low <= 0:
        reason = (
            f"the judge hardly tells faulty from sound: sensitivity + specificity - 1 is {sum(known) - 1:.2f} "
            f"[{youden.low:.2f}, {youden.high:.2f}], which reaches 0"
        )
        return Unmasked(Undefined(reason, round(n), missing, sources), youden)
    value = (positives / n + known[1] - 1) / (sum(known) - 1)
    held = min(max(value, 0.0), 1.0)
    low, high = _interval(positives, n, (sensitivity, specificity), confidence)
    if low == high:
        called = (
            f"the judge called {positives / n:.0%} of the items faulty, which its errors on the labelled cannot give"
        )
        return Unmasked(Undefined(f"{called}: it errs otherwise on these", round(n), missing, sources), youden)
    score = Estimate(held, min(low, held), max(high, held), round(n), missing, sources)
    return Unmasked(score, youden, held != value)


def _youden(known: list[float], ends: list[Interval]) -> Interval:
    """Interval of sensitivity + specificity - 1 from Wilson's of both (Newcombe 1998, method 10)."""
    value = sum(known) - 1
    below = sum((each - end.low) ** 2 for each, end in zip(known, ends, strict=True)) ** 0.5
    above = sum((end.high - each) ** 2 for each, end in zip(known, ends, strict=True)) ** 0.5
    return Interval(value - below, min(1.0, value + above))


def _interval(positives: float, n: float, known: tuple[Known, Known], confidence: float) -> Interval:
    """Lang and Reiczigel 2014: Wald's, with pseudo items added to all three shares, and its centre moved."""
    square = float(stats.norm.ppf((1 + confidence) / 2)) ** 2
    size = n + square
    apparent = (positives + square / 2) / size
    (sensitivity, of_faulty), (specificity, of_sound) = (
        ((right + 1) / (items + 2), (right + 1) / (items + 2) * (items - right + 1) / (items + 2) / (items + 2))
        for right, items in known
    )
    tells = sensitivity + specificity - 1
    value = (apparent + specificity - 1) / tells
    moved = 2 * square * (value * of_faulty - (1 - value) * of_sound)
    variance = apparent * (1 - apparent) / size + value**2 * of_faulty + (1 - value) ** 2 * of_sound
    half = (square * variance) ** 0.5 / tells
    low, high = (min(max(end, 0.0), 1.0) for end in (value + moved - half, value + moved + half))
    return Interval(low, high)
