"""Probabilities of a judge set right by labels, and how far they are wrong.

Everything takes probabilities [items] in [0, 1] that an item is what the label says, and labels [items] of 0 and 1 (a
share between them where several people labelled). `sources` number the source of each item: intervals are over sources.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, special

from localeval.stats.estimate import Estimate, Score, Undefined
from localeval.stats.intervals import Floats, Interval, Ratio, clustered_ratio
from localeval.stats.means import clustered_effect, clustered_mean

Kind = Literal["isotonic", "platt"]

FOLDS = 5
"""Parts of the sources; each is calibrated by the labels of all others."""

_ALMOST = 1e-6
"""What certainty is drawn to before its log-odds are taken."""
_UNIT = Interval(0.0, 1.0)
_SHARE = Ratio((1.0, 0.0), (1.0, 1.0))
_SQUARES = Interval(-1.0, 1.0)
_FEWEST = 3


@dataclass(frozen=True, slots=True)
class Isotonic:
    """A rising curve through points; between them a straight line, beyond them level.

    `at` and `to` are in [0, 1], of one length, `at` rising.
    """

    at: tuple[float, ...]
    to: tuple[float, ...]

    def apply(self, chances: Floats) -> Floats:
        """The calibrated probabilities [items]."""
        return np.asarray(np.interp(chances, self.at, self.to), float)


@dataclass(frozen=True, slots=True)
class Platt:
    """A logistic curve of the log-odds: calibrated log-odds are `slope` times them plus `offset`."""

    slope: float
    offset: float

    def apply(self, chances: Floats) -> Floats:
        """The calibrated probabilities [items]."""
        return np.asarray(special.expit(self.slope * _log_odds(chances) + self.offset), float)


Curve = Isotonic | Platt


def isotonic(chances: Floats, labels: Floats) -> Isotonic:
    """The rising step function of least squares, from labels of items; raises ValueError without any.

    Zadrozny and Elkan 2002. Deviation: what lies between two steps is joined by a straight line.
    """
    if not len(chances):
        raise ValueError("an isotonic curve needs an item")
    at, place = np.unique(chances, return_inverse=True)
    n = np.bincount(place).astype(float)
    means = np.bincount(place, weights=labels) / n
    to = np.asarray(optimize.isotonic_regression(means, weights=n).x, float)
    # of a step its two ends are enough
    kept = np.r_[True, np.diff(to) > 0] | np.r_[np.diff(to) > 0, True]
    return Isotonic(tuple(at[kept].tolist()), tuple(np.clip(to[kept], 0.0, 1.0).tolist()))


def platt(chances: Floats, labels: Floats) -> Platt:
    """The logistic curve of greatest likelihood; raises ValueError without any item.

    Platt 1999, with its targets (n1 + 1) / (n1 + 2) and 1 / (n0 + 2) in place of 1 and 0, by which few labels that are
    all alike give no certainty. Deviation: of log-odds instead of a margin, and a slope below 0 is set to 0.
    """
    if not len(chances):
        raise ValueError("a logistic curve needs an item")
    ones = float(labels.sum())
    zeros = len(labels) - ones
    targets = labels * (ones + 1) / (ones + 2) + (1 - labels) / (zeros + 2)
    odds = _log_odds(chances)

    def loss(curve: Floats) -> tuple[float, Floats]:
        drawn = curve[0] * odds + curve[1]
        gap = special.expit(drawn) - targets
        value = float((np.logaddexp(0.0, drawn) - targets * drawn).mean())
        return value, np.array([(gap * odds).mean(), gap.mean()])

    found = optimize.minimize(
        loss, np.array([1.0, 0.0]), jac=True, method="L-BFGS-B", bounds=[(0.0, None), (None, None)]
    )
    return Platt(float(found.x[0]), float(found.x[1]))


FITS: Mapping[Kind, Callable[[Floats, Floats], Curve]] = {"isotonic": isotonic, "platt": platt}


def curve_to_json(curve: Curve) -> dict[str, object]:
    """The curve as a JSON object with its `kind`."""
    if isinstance(curve, Platt):
        return {"kind": "platt", "slope": curve.slope, "offset": curve.offset}
    return {"kind": "isotonic", "at": list(curve.at), "to": list(curve.to)}


def curve_from_json(body: Mapping[str, object]) -> Curve:
    """What `curve_to_json` wrote; raises KeyError, TypeError or ValueError on another object."""
    if body["kind"] == "platt":
        return Platt(_number(body["slope"]), _number(body["offset"]))
    if body["kind"] != "isotonic":
        raise ValueError(f"no curve of kind {body['kind']!r}")
    at, to = (_numbers(body[name]) for name in ("at", "to"))
    if not at or len(at) != len(to) or any(b <= a for a, b in pairwise(at)):
        raise ValueError("`at` and `to` must be of one length, and `at` must rise")
    return Isotonic(at, to)


def cross_fitted(chances: Floats, labels: Floats, sources: Sequence[int], kind: Kind) -> Floats | Undefined:
    """Each item's calibrated probability [items] by a curve that saw no label of its source.

    Sources are dealt to `FOLDS` parts in the order of their numbers, which a caller may shuffle. So what is measured of
    it, is measured on labels that it was not fitted to. Undefined below two sources.
    """
    numbers, place = np.unique(np.asarray(sources, int), return_inverse=True)
    if len(numbers) < 2:
        return Undefined("a calibration needs two sources", len(labels), 0, len(numbers))
    part = place % min(FOLDS, len(numbers))
    found = np.zeros(len(labels))
    for each in range(int(part.max()) + 1):
        here = part == each
        found[here] = FITS[kind](chances[~here], labels[~here]).apply(chances[here])
    return found


class Bin(NamedTuple):
    """Items of about the same probability, from `low` to `high`: its mean, and the share that the labels say."""

    low: float
    high: float
    chance: float
    share: Score


def reliability(chances: Floats, labels: Floats, sources: Sequence[int], bins: int = 10) -> tuple[Bin, ...]:
    """The reliability table: bins of about equally many items by rising probability, equal ones in one bin.

    A bin's share has the interval of a pooled ratio (`localeval.stats.intervals`), so it has a width also where all
    labels of a bin are the same. Never empty where there are items.
    """
    place, groups = equal_mass(chances, bins), np.asarray(sources, int)
    found = []
    for each in np.unique(place):
        here = place == each
        _, at = np.unique(groups[here], return_inverse=True)
        counts = np.zeros((len(np.unique(at)), 2))
        np.add.at(counts, at, np.stack([labels[here], 1 - labels[here]], axis=1))
        share = clustered_ratio(counts, _SHARE)
        found.append(Bin(float(chances[here].min()), float(chances[here].max()), float(chances[here].mean()), share))
    return tuple(found)


def equal_mass(chances: Floats, bins: int) -> NDArray[np.int_]:
    """Which bin each item falls in [items], from 0, by rank of the probability; equal ones into the bin of their
    middle."""
    _, place, n = np.unique(chances, return_inverse=True, return_counts=True)
    middle = (np.cumsum(n) - n / 2) / max(len(chances), 1)
    return np.asarray(np.minimum((middle * bins).astype(int), bins - 1)[place])


class CalibrationError(NamedTuple):
    """The expected calibration error as it is found, and without what chance adds to it."""

    plain: float
    debiased: Score


def calibration_error(chances: Floats, labels: Floats, sources: Sequence[int], bins: int = 10) -> CalibrationError:
    """How far shares of labels lie from probabilities, over equal-mass bins, in [0, 1].

    `plain` is the mean of absolute gaps (Naeini, Cooper and Hauskrecht 2015): above 0 for a perfect judge too,
    the more the fewer the labels. `debiased` is the root of the mean squared gap, less its sampling variance over
    sources (Kumar, Liang and Ma 2019, section 5), and 0 where nothing is left; interval from the jackknife over
    sources, made for the square. Bins of one source enter `plain` alone.
    """
    place = equal_mass(chances, bins)
    total = np.bincount(place, weights=labels - chances, minlength=bins)
    plain = float(np.abs(total).sum() / max(len(labels), 1))
    numbers, at = np.unique(np.asarray(sources, int), return_inverse=True)
    k = len(numbers)
    if k < _FEWEST:
        return CalibrationError(plain, Undefined(f"it needs {_FEWEST} sources", len(labels), 0, k))
    parts = np.zeros((k, bins, 2))
    np.add.at(parts, (at, place), np.stack([labels - chances, np.ones(len(labels))], axis=1))
    gap, n = parts[..., 0], parts[..., 1]
    sums = np.stack([gap, n, gap * gap, gap * n, n * n, (n > 0).astype(float)], axis=-1)
    whole, left_out = _square_gap(sums.sum(0)), _square_gap(sums.sum(0) - sums)
    square = clustered_effect(float(whole), (k - 1) / k * (left_out.mean() - left_out), range(k), _SQUARES)
    if isinstance(square, Undefined):
        return CalibrationError(plain, square)
    low, value, high = (float(np.sqrt(max(each, 0.0))) for each in (square.low, square.value, square.high))
    return CalibrationError(plain, Estimate(value, low, high, len(labels), 0, k))


def _square_gap(sums: Floats) -> Floats:
    """Mean squared gap less its variance [...], from sums over sources [..., bins, 6]: gaps, items, the squares and the
    product of both, and sources."""
    gap, n, gap_gap, gap_n, n_n, k = np.moveaxis(sums, -1, 0)
    held = np.where(k > 1, n, 0.0)
    mean = gap / np.maximum(n, 1.0)
    spread = gap_gap - 2 * mean * gap_n + mean**2 * n_n
    variance = k / np.maximum(k - 1, 1.0) * spread / np.maximum(n, 1.0) ** 2
    return np.asarray((held * (mean**2 - variance)).sum(-1) / np.maximum(held.sum(-1), 1.0))


class Brier(NamedTuple):
    """The mean squared error of probabilities, and what it is made of (Murphy 1973).

    `score` = `reliability` - `resolution` + `uncertainty` + `within`: how wrong the bins are, how far apart their
    shares lie, what a constant guess has, and what stays within bins (Stephenson, Coelho and Jolliffe 2008).
    """

    score: Score
    reliability: float
    resolution: float
    uncertainty: float
    within: float


def brier(chances: Floats, labels: Floats, sources: Sequence[int], bins: int = 10) -> Brier:
    """The Brier score in [0, 1], less is better, with its parts over equal-mass bins; raises ValueError without an
    item."""
    if not len(labels):
        raise ValueError("a Brier score needs an item")
    place = equal_mass(chances, bins)
    n = np.maximum(np.bincount(place, minlength=bins).astype(float), 1.0)
    share, chance = (np.bincount(place, weights=each, minlength=bins) / n for each in (labels, chances))
    squares = (chances - labels) ** 2
    mean = float(labels.mean())
    wrong = float(((chance - share)[place] ** 2).mean())
    apart = float(((share[place] - mean) ** 2).mean())
    # labels between 0 and 1 vary less than yes and no
    guess = float(((labels - mean) ** 2).mean())
    score = clustered_mean(squares, sources, _UNIT)
    return Brier(score, wrong, apart, guess, float(squares.mean()) - wrong + apart - guess)


def _log_odds(chances: Floats) -> Floats:
    return np.asarray(special.logit(np.clip(chances, _ALMOST, 1 - _ALMOST)), float)


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"{value!r} is no number")
    return float(value)


def _numbers(values: object) -> tuple[float, ...]:
    if not isinstance(values, list):
        raise TypeError(f"{values!r} is no list")
    return tuple(_number(each) for each in values)
