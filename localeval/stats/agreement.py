"""How far raters agree beyond chance, each coefficient with its interval.

All take counts [items, categories]: how many raters put the item there. A rating that was not given is just not
counted, so nothing stands for "missing". Items with fewer than two ratings say nothing about agreement.
"""

from collections.abc import Callable, Hashable, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from localeval.stats.clustered import cluster_sums, numbered, without_each
from localeval.stats.estimate import Score, Undefined
from localeval.stats.intervals import Floats, Interval
from localeval.stats.jackknife import SIGNED, jackknifed

Level = Literal["nominal", "ordinal", "interval"]

_NONE = "no item has two ratings"


def count_ratings(ratings: Sequence[Sequence[Hashable]], categories: Sequence[Hashable]) -> Floats:
    """Counts [items, categories] from the ratings that each item got; raises ValueError on one outside `categories`."""
    place = {category: number for number, category in enumerate(categories)}
    counts = np.zeros((len(ratings), len(categories)))
    for item, given in enumerate(ratings):
        for rating in given:
            if rating not in place:
                raise ValueError(f"item {item}: {rating!r} is not one of {', '.join(map(repr, categories))}")
            counts[item, place[rating]] += 1
    return counts


def raw_agreement(counts: Floats, sources: Sequence[int] | None = None, confidence: float = 0.95) -> Score:
    """Share of agreeing pairs of raters, averaged over items, in [0, 1]. `sources` as in `krippendorff_alpha`."""
    usable = _usable(counts)

    def value(sums: Floats) -> Floats:
        return np.asarray(sums[..., 0] / sums[..., 1])

    columns = np.stack([_pair_agreement(counts), usable], axis=-1)
    return _with_interval(value, columns, usable, sources, confidence, Interval(0.0, 1.0))


def gwet_ac1(counts: Floats, sources: Sequence[int] | None = None, confidence: float = 0.95) -> Score:
    """Gwet's AC1 for two or more raters, nominal categories; 1 is full agreement, 0 is chance, may be below.

    Every category that could have been chosen needs a column, chosen or not: chance depends on how many there are.
    Unlike alpha it does not fall when nearly all items belong to one category. Gwet 2008.
    `sources` as in `krippendorff_alpha`. Undefined for one category, or no item with two ratings.
    """
    usable = _usable(counts)
    categories = counts.shape[1]
    if categories < 2:
        return Undefined("one category only", n=int(usable.sum()), missing=int((~usable).sum()))
    raters = counts.sum(1)
    # an item with one rating tells how common a category is, though not whether raters agree
    shares = counts / np.maximum(raters, 1)[:, None]
    columns = np.concatenate([np.stack([_pair_agreement(counts), usable, raters > 0], axis=-1), shares], axis=-1)

    def value(sums: Floats) -> Floats:
        agreeing, n, rated, of_category = sums[..., 0], sums[..., 1], sums[..., 2], sums[..., 3:]
        prevalence = of_category / rated[..., None]
        chance = (prevalence * (1 - prevalence)).sum(-1) / (categories - 1)
        return np.asarray((agreeing / n - chance) / (1 - chance))

    return _with_interval(value, columns, usable, sources, confidence)


def krippendorff_alpha(
    counts: Floats,
    level: Level,
    values: Sequence[float] = (),
    sources: Sequence[int] | None = None,
    confidence: float = 0.95,
) -> Score:
    """Krippendorff's alpha for any number of raters, ratings missing or not; 1 is full agreement, 0 is chance.

    `level` says how far apart two categories are: "nominal" all alike, "ordinal" by the ratings that lie between
    (categories in ascending order), "interval" by the squared distance of `values`, one for each category.
    Krippendorff 2011, "Computing Krippendorff's alpha-reliability".

    `sources` numbers the source of each item, and the interval then is over sources; without it, items count as
    independent. The interval is that of `localeval.stats.jackknife.jackknifed` instead of Krippendorff's bootstrap,
    which draws pairs as if they were independent. Undefined where all ratings are the same, or no item has
    two.
    Raises ValueError where `level` is "interval" and there is not one value for each category.
    """
    categories = counts.shape[1]
    if level == "interval" and len(values) != categories:
        raise ValueError(f"{categories} categories and {len(values)} values")
    usable = _usable(counts)
    given = counts * usable[:, None]
    total = given.sum(0)
    if not usable.any():
        return Undefined(_NONE, 0, len(usable))
    if np.count_nonzero(total) < 2:
        return Undefined("all ratings are the same", n=int(usable.sum()), missing=int((~usable).sum()))
    weighed = given / np.maximum(given.sum(1) - 1, 1)[:, None]
    rows = [weighed[:, [c]] * given - np.eye(categories)[c] * weighed for c in range(categories)]

    def value(sums: Floats) -> Floats:
        coincidences = sums.reshape(*sums.shape[:-1], categories, categories)
        margins = coincidences.sum(-1)
        distance = _distance(level, margins, np.asarray(values, float))
        n = margins.sum(-1)
        observed = (coincidences * distance).sum((-1, -2))
        expected = (margins[..., :, None] * margins[..., None, :] * distance).sum((-1, -2)) / (n - 1)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(1 - observed / expected)

    return _with_interval(value, np.concatenate(rows, axis=-1), usable, sources, confidence)


def interval_alpha(
    values: Floats, is_given: NDArray[np.bool_], sources: Sequence[int] | None = None, confidence: float = 0.95
) -> Score:
    """`krippendorff_alpha` at level "interval" of values [items, raters] on any scale, where `is_given`.

    The same number as from counts by value, in the time that the values take, however many differ.
    """
    usable = is_given.sum(1) >= 2
    kept = np.where(is_given & usable[:, None], values, 0.0)
    n = np.asarray((is_given & usable[:, None]).sum(1), float)
    kept -= np.where(n[:, None] > 0, kept.sum() / max(n.sum(), 1.0), 0.0) * is_given  # large values lose no digits
    first, second = kept.sum(1), (kept**2).sum(1)
    within = (n * second - first**2) / np.maximum(n - 1, 1)
    if usable.any() and n.sum() * second.sum() - first.sum() ** 2 <= 1e-12:
        return Undefined("all ratings are the same", n=int(usable.sum()), missing=int((~usable).sum()))

    def value(sums: Floats) -> Floats:
        inside, total, ones, squares = np.moveaxis(sums, -1, 0)
        among = (total * squares - ones**2) / (total - 1)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(1 - inside / np.where(among > 1e-12, among, 0.0))

    return _with_interval(value, np.stack([within, n, first, second], axis=-1), usable, sources, confidence)


def cohen_kappa(table: Floats) -> float | Undefined:
    """Cohen's kappa of two raters from their table [categories, categories] of counts. Cohen 1960, eq. 1.

    Undefined for an empty table, or where both put everything into one category. Prefer AC1 and alpha where one
    category is rare: kappa then is low whatever the raters do (Feinstein and Cicchetti 1990).
    """
    shares = table / table.sum() if table.sum() > 0 else table
    chance = float(shares.sum(1) @ shares.sum(0))
    if table.sum() <= 0 or chance >= 1.0:
        return Undefined("both raters use one category", n=int(table.sum()))
    return (float(np.trace(shares)) - chance) / (1 - chance)


def _usable(counts: Floats) -> NDArray[np.bool_]:
    return np.asarray(counts.sum(1) >= 2)


def _pair_agreement(counts: Floats) -> Floats:
    raters = counts.sum(1)
    return np.asarray((counts * (counts - 1)).sum(1) / np.maximum(raters * (raters - 1), 1))


def _distance(level: Level, margins: Floats, values: Floats) -> Floats:
    """Squared distances [..., categories, categories]; ordinal ones depend on how often each category was used."""
    if level == "interval":
        return np.asarray((values[:, None] - values[None, :]) ** 2)
    if level == "nominal":
        return 1 - np.eye(margins.shape[-1])
    middle = np.cumsum(margins, -1) - margins / 2
    return np.asarray((middle[..., :, None] - middle[..., None, :]) ** 2)


def _with_interval(
    value: Callable[[Floats], Floats],
    columns: Floats,
    usable: NDArray[np.bool_],
    sources: Sequence[int] | None,
    confidence: float,
    bounds: Interval = SIGNED,
) -> Score:
    """`value` of sums [..., columns] over items, with `jackknifed` over sources, or over items without them."""
    n, missing = int(usable.sum()), int((~usable).sum())
    if not n:
        return Undefined(_NONE, 0, missing)
    groups = numbered(sources, len(usable))
    parts = cluster_sums(columns, groups)
    counted = np.bincount(groups.place, weights=usable, minlength=groups.n) > 0
    if counted.sum() < 2:
        return Undefined("an interval needs two sources", n, missing, int(counted.sum()))
    return jackknifed(float(value(parts.sum(0))), value(without_each(parts)[counted]), n, missing, bounds, confidence)
