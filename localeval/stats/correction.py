"""The mean that people would have found, from many items that a judge judged and a few that people labelled."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from localeval.stats.estimate import Estimate, Score, Undefined
from localeval.stats.intervals import Floats, Interval
from localeval.stats.paired import Difference

FEWEST_LABELS = 6
"""With labels of fewer sources than this neither a judge's errors nor their spread can be told from chance."""

_NOTHING = 1e-18


@dataclass(frozen=True, slots=True, eq=False)
class JudgedItems:
    """Items that one judge judged, some of which people labelled, on the same scale.

    `values` [items] are the judge's, `sources` [items] number the source of each. `labelled` [labels] are the places of
    the items with a label, each once, `labels` [labels] what people said. `chances` [labels] in (0, 1] are the
    probabilities with which these items were drawn to be labelled; None where every item had the same.

    Labels must have been drawn at random, or with `chances` that are known: those that people picked because something
    seemed wrong say nothing of the rest.
    """

    values: Floats
    sources: Sequence[int]
    labelled: Sequence[int]
    labels: Floats
    chances: Floats | None = None

    def __post_init__(self) -> None:
        n, places = len(self.labels), np.asarray(self.labelled, int)
        chances = np.ones(n) if self.chances is None else self.chances
        if len(self.sources) != len(self.values) or not len(places) == n == len(chances):
            raise ValueError("values and sources, and labelled, labels and chances, must be of one length")
        if n and (len(set(places.tolist())) < n or places.min() < 0 or places.max() >= len(self.values)):
            raise ValueError("`labelled` must hold places of items, each once")
        if n and not (chances.min() > 0 and chances.max() <= 1):
            raise ValueError(f"chances must be in (0, 1], got {chances.min()} to {chances.max()}")


@dataclass(frozen=True, slots=True)
class Corrected:
    """A mean of judged items, corrected by labels.

    `estimate` counts the judged items as `n`. `weight` in [0, 1] is how much of the judge's say entered: 0 is labels
    alone, 1 the judge's mean less its mean error on the labelled. `judged` is the judge's own mean over all items,
    uncorrected, `labels_alone` what the `n_labels` labels say without a judge. `worth` is how many labels would have
    told as much without the judge. `is_cut`: the value lay outside the bounds and was put on the nearer one.
    """

    estimate: Estimate
    weight: float
    judged: Score
    labels_alone: Estimate
    n_labels: int
    worth: float
    is_cut: bool = False


class _Sums(NamedTuple):
    """A stratum as sums over sources [sources]: how far each moves the labels' mean, and what the judge adds to it.

    `label` is of the mean of labels, `judge` of the judge's mean over all items less that over the labelled, `shown` of
    the judge's mean over all items; `labelled` is the weight of each source's labels.
    """

    mean: float
    gain: float
    judged: float
    label: Floats
    judge: Floats
    shown: Floats
    labelled: Floats

    @property
    def freedom(self) -> float:
        """Sources with labels, as many as equally weighed ones would tell as much (Kish 1965), less 1."""
        return float(self.labelled.sum() ** 2 / np.square(self.labelled).sum()) - 1


def ppi_mean(items: JudgedItems, bounds: Interval | None = None, confidence: float = 0.95) -> Corrected | Undefined:
    """The mean that labels of all items would have, by prediction-powered inference with a tuned weight (PPI++).

    The mean of the labels plus `weight` times (judge's mean over all items less its mean over the labelled): right on
    average whatever the judge is worth, and never much less sure than labels alone. Angelopoulos, Duchi and Zrnic
    2023, section 6, with three deviations: the variance of the judge's values is taken from the labelled items as well
    (the regression slope), which in simulation errs less with few labels; all variances are of sums over sources, so
    that items of a source may be alike, and the labelled among the judged; t quantile. With `bounds` the interval
    is Wilson's on that scale, with as many trials as would have this variance. Undefined with labels of fewer than
    `FEWEST_LABELS` sources.
    """
    return ppi_stratified([items], bounds, confidence)


def ppi_stratified(
    strata: Sequence[JudgedItems], bounds: Interval | None = None, confidence: float = 0.95
) -> Corrected | Undefined:
    """As `ppi_mean` over several strata (systems), each corrected by its own labels with its own weight.

    Strata count by their items. Their `sources` share one numbering, so that what a source does to all of them is
    allowed for. `weight` is the mean over strata. Undefined where one stratum is.
    """
    counts = _Counts(strata)
    if counts.lacking:
        return Undefined(counts.lacking, counts.items, 0, len(counts.sources))
    shares = [len(each.values) / counts.items for each in strata]
    sums = [_sums(each, counts.sources) for each in strata]
    weights = [_tuned(each) for each in sums]
    total = _blend(shares, sums)
    value, corrected = _combined(shares, sums, weights)
    steps = [share * _step(each, bounds) / len(each.labels) for share, each in zip(shares, strata, strict=True)]
    floor = float(np.square(steps).sum())
    corrected, alone = max(corrected, floor), max(float(np.square(total.label).sum()), floor)
    every = (counts.items, 0, len(counts.sources))
    make = _Intervals(bounds, confidence)
    return Corrected(
        # a weight that was tuned on the labels has cost one of them
        estimate=make(value, corrected, total.freedom - float(any(weights)), every),
        weight=float(np.average(weights, weights=shares)),
        judged=make(total.judged, float(np.square(total.shown).sum()), len(counts.sources) - 1.0, every),
        labels_alone=make(total.mean, alone, total.freedom, (counts.labels, 0, int((total.labelled > 0).sum()))),
        n_labels=counts.labels,
        worth=counts.labels * alone / corrected if corrected > 0 else float(counts.labels),
        is_cut=bounds is not None and not bounds.low <= value <= bounds.high,
    )


def ppi_difference(first: JudgedItems, second: JudgedItems, confidence: float = 0.95) -> Difference | Undefined:
    """How much higher the corrected mean of the first is than that of the second, and its two-sided t test.

    Each is corrected by its own labels; `sources` share one numbering, so that what makes a source hard for both
    cancels out. Differences that are the same throughout leave the error of one step of the scale on one label of each.
    Undefined where one of the means is; p-value 1 where all values are the same.
    """
    counts = _Counts([first, second])
    if counts.lacking:
        return Undefined(counts.lacking, counts.items, 0, len(counts.sources))
    sums = [_sums(each, counts.sources) for each in (first, second)]
    weights = [_tuned(each) for each in sums]
    value, variance = _combined((1.0, -1.0), sums, weights)
    step = _least_gap(np.concatenate([_seen(each) for each in (first, second)]))
    variance = max(variance, sum((step / len(each.labels)) ** 2 for each in (first, second)))
    freedom = max(_blend((0.5, 0.5), sums).freedom - float(any(weights)), 1.0)
    estimate = _Intervals(None, confidence)(value, variance, freedom, (counts.items, 0, len(counts.sources)))
    if variance <= _NOTHING:
        return Difference(estimate, float(abs(value) < np.sqrt(_NOTHING)))
    return Difference(estimate, 2 * float(special.stdtr(freedom, -abs(value) / np.sqrt(variance))))


class _Counts:
    """What strata hold together; `lacking` says why they cannot be corrected, "" where they can."""

    def __init__(self, strata: Sequence[JudgedItems]) -> None:
        numbered = [np.asarray(each.sources, int) for each in strata]
        self.items = sum(len(each.values) for each in strata)
        self.labels = sum(len(each.labels) for each in strata)
        self.sources = np.unique(np.concatenate([np.zeros(0, int), *numbered]))
        labelled = [
            len(np.unique(sources[np.asarray(each.labelled, int)]))
            for sources, each in zip(numbered, strata, strict=True)
        ]
        fewest = min(labelled, default=0)
        is_enough = fewest >= FEWEST_LABELS
        self.lacking = (
            "" if is_enough else f"a correction needs labels from {FEWEST_LABELS} sources, there are {fewest}"
        )


def _combined(shares: Sequence[float], sums: Sequence[_Sums], weights: Sequence[float]) -> tuple[float, float]:
    """The corrected means by their shares, and the variance of that."""
    parts = list(zip(shares, sums, weights, strict=True))
    moved = sum((share * _moved(each, weight) for share, each, weight in parts), np.zeros(len(sums[0].label)))
    return sum(share * (each.mean + weight * each.gain) for share, each, weight in parts), float(moved @ moved)


def _sums(items: JudgedItems, numbers: NDArray[np.int_]) -> _Sums:
    at = np.asarray(items.labelled, int)
    place = np.searchsorted(numbers, np.asarray(items.sources, int))
    k = len(numbers)
    raw = np.ones(len(at)) if items.chances is None else 1 / items.chances
    weight = raw / raw.sum()
    judged = items.values[at]
    mean, own, whole = (float(each) for each in (weight @ items.labels, weight @ judged, items.values.mean()))

    def by_source(influence: Floats, where: NDArray[np.int_]) -> Floats:
        return np.asarray(np.bincount(where, weights=influence, minlength=k), float)

    labelled = by_source(weight, place[at])
    effective = float(1 / (labelled**2).sum())
    few, many = (np.sqrt(each / (each - 1)) if each > 1 else 1.0 for each in (effective, len(np.unique(place))))
    label = few * by_source(weight * (items.labels - mean), place[at])
    shown = many * by_source((items.values - whole) / len(place), place)
    judge = shown - few * by_source(weight * (judged - own), place[at])
    return _Sums(mean, whole - own, whole, label, judge, shown, labelled)


def _tuned(sums: _Sums) -> float:
    """The weight of least variance, in [0, 1]; 0 where the judge adds nothing."""
    square = float(sums.judge @ sums.judge)
    return float(np.clip(-(sums.label @ sums.judge) / square, 0.0, 1.0)) if square > _NOTHING else 0.0


def _moved(sums: _Sums, weight: float) -> Floats:
    """How far each source moves the corrected mean [sources]; residuals of a fitted slope are a little too small."""
    k = sums.freedom + 1
    fitted = np.sqrt((k - 1) / (k - 2)) if weight > 0 and k > 2 else 1.0
    return np.asarray(fitted * (sums.label + weight * (sums.judge - sums.shown)) + weight * sums.shown)


def _blend(shares: Sequence[float], strata: Sequence[_Sums]) -> _Sums:
    """The strata as one, by their shares."""
    columns = zip(*strata, strict=True)
    return _Sums(*(sum(share * part for share, part in zip(shares, column, strict=True)) for column in columns))


def _step(items: JudgedItems, bounds: Interval | None) -> float:
    """The least by which two labels, or a label and the judge's value, differ where they do."""
    whole = bounds.high - bounds.low if bounds is not None else 0.0
    return _least_gap(_seen(items)) or whole


def _seen(items: JudgedItems) -> Floats:
    """Labels, and what the judge says of the same items."""
    return np.concatenate([items.labels, items.values[np.asarray(items.labelled, int)]])


def _least_gap(values: Floats) -> float:
    """The least distance of two values that differ, 0 where none do."""
    gaps = np.diff(np.unique(values))
    return float(gaps.min()) if len(gaps) else 0.0


class _Intervals(NamedTuple):
    """Makes an estimate of a value and its variance."""

    bounds: Interval | None
    confidence: float

    def __call__(self, value: float, variance: float, freedom: float, counts: tuple[int, int, int]) -> Estimate:
        """`counts` are n, missing and sources."""
        quantile = float(special.stdtrit(max(freedom, 1.0), (1 + self.confidence) / 2))
        if self.bounds is None:
            half = quantile * float(np.sqrt(variance))
            return Estimate(value, value - half, value + half, *counts)
        bottom, width = self.bounds.low, self.bounds.high - self.bounds.low
        share = float(np.clip((value - bottom) / width, 0.0, 1.0))
        spread = share * (1 - share)
        trials = spread * width**2 / variance if variance > 0 and spread > 0 else freedom + 1
        low, high = (bottom + width * end for end in _wilson(share, trials, quantile))
        held = bottom + width * share
        return Estimate(held, min(low, held), max(high, held), *counts)


def _wilson(share: float, trials: float, quantile: float) -> Interval:
    """Wilson's interval with a quantile of its own."""
    square = quantile**2
    centre = (share + square / (2 * trials)) / (1 + square / trials)
    half = quantile * float(np.sqrt(share * (1 - share) / trials + square / (4 * trials**2))) / (1 + square / trials)
    return Interval(max(0.0, centre - half), min(1.0, centre + half))
