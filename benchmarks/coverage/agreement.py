"""Agreement of raters, and how far columns rise and fall together."""

from collections.abc import Callable
from functools import cache, partial

import numpy as np

from benchmarks.coverage.measuring import Found, Row
from benchmarks.coverage.worlds import Items, Rng, items, pair, rating_counts, ratings
from localeval.stats.agreement import gwet_ac1, interval_alpha, krippendorff_alpha, raw_agreement
from localeval.stats.correlation import (
    effective_raters,
    kendall,
    mean_correlation,
    mean_spearman,
    pearson,
    spearman,
    spearman_within,
)
from localeval.stats.estimate import Estimate, Score
from localeval.stats.intervals import Floats
from localeval.stats.jackknife import jackknifed, mean_of_groups, over_sources
from localeval.stats.two_raters import pearson_of_two

MANY = 4000
RATED = "grades of three raters, one in ten missing; sources of unequal noise"
NORMAL = "6 to 20 items a source, .4 of both columns' variance shared"
FLOOR = "never narrower than independent items, Fisher's scale: wide with few sources"

_TRUE = 0.5
_SPEARMAN, _KENDALL = (6 / np.pi * np.arcsin(_TRUE / 2), 2 / np.pi * np.arcsin(_TRUE))


def _of_counts(name: str, function: Callable[[Floats, list[int]], Score]) -> Row:
    def draw(rng: Rng, k: int) -> Found:
        drawn = items(rng, k)
        return function(rating_counts(rng, drawn), drawn.sources)

    return Row(name, RATED, draw, partial(_limit, function))


def _raw(given: Floats, sources: list[int]) -> Score:
    return raw_agreement(given, sources)


def _ac1(given: Floats, sources: list[int]) -> Score:
    return gwet_ac1(given, sources)


def _nominal(given: Floats, sources: list[int]) -> Score:
    return krippendorff_alpha(given, "nominal", sources=sources)


def _ordinal(given: Floats, sources: list[int]) -> Score:
    return krippendorff_alpha(given, "ordinal", sources=sources)


def _interval(given: Floats, sources: list[int]) -> Score:
    return krippendorff_alpha(given, "interval", (0.0, 1.0, 2.0), sources)


@cache
def _of_many() -> tuple[Floats, list[int]]:
    rng = np.random.default_rng(99)
    drawn = items(rng, MANY)
    return rating_counts(rng, drawn), drawn.sources


def _limit(function: Callable[[Floats, list[int]], Score]) -> float:
    """The coefficient of thousands of sources."""
    found = function(*_of_many())
    assert isinstance(found, Estimate)
    return found.value


def _alpha_of_values(rng: Rng, k: int) -> Found:
    drawn = items(rng, k)
    return interval_alpha(*ratings(rng, drawn, 3), drawn.sources)


def _of_pair(name: str, function: Callable[[Floats, Floats, list[int]], Score], truth: float) -> Row:
    def draw(rng: Rng, k: int) -> Found:
        drawn = items(rng, k)
        return function(*pair(rng, drawn, _TRUE), drawn.sources)

    return Row(name, NORMAL, draw, float(truth), FLOOR)


def _raters(rng: Rng, drawn: Items, n: int = 4) -> Floats:
    """Columns [items, raters] of which every two correlate by .5, of 12 independent levels a source and one shared."""
    common = pair(rng, drawn, 0.0)[0]
    own = np.stack([pair(rng, drawn, 0.0)[0] for _ in range(n)], axis=-1)
    return np.asarray(np.sqrt(_TRUE) * common[:, None] + np.sqrt(1 - _TRUE) * own)


def _of_raters(rng: Rng, k: int, function: Callable[..., Score]) -> Score:
    drawn = items(rng, k)
    values = _raters(rng, drawn)
    return function(values, np.ones(values.shape, bool), drawn.sources)


def _within(rng: Rng, k: int) -> Found:
    drawn = items(rng, k)
    return spearman_within(*pair(rng, drawn, _TRUE), drawn.sources)


@cache
def _within_limit() -> float:
    rng = np.random.default_rng(98)
    drawn = items(rng, MANY)
    found = spearman_within(*pair(rng, drawn, _TRUE), drawn.sources)
    assert isinstance(found, Estimate)
    return found.value


def _over_sources(rng: Rng, k: int) -> Found:
    drawn = items(rng, k)
    return over_sources(pearson_of_two, *pair(rng, drawn, _TRUE), drawn.sources)


def _of_groups(rng: Rng, k: int) -> Found:
    """Within two systems, each with items about every source."""
    drawn = items(rng, k)
    first, second = pair(rng, drawn, _TRUE)
    system = rng.integers(0, 2, len(drawn))
    return mean_of_groups(lambda here: pearson_of_two(first[here], second[here]), system.tolist(), drawn.sources)


def _plain(rng: Rng, k: int) -> Found:
    """Of the mean of a value a source."""
    values = rng.uniform(-0.5, 0.7, k)
    return jackknifed(float(values.mean()), (values.sum() - values) / (k - 1), k)


ROWS = (
    _of_counts("raw_agreement", _raw),
    _of_counts("gwet_ac1", _ac1),
    _of_counts("krippendorff_alpha: nominal", _nominal),
    _of_counts("krippendorff_alpha: ordinal", _ordinal),
    _of_counts("krippendorff_alpha: interval", _interval),
    Row("interval_alpha", RATED, _alpha_of_values, partial(_limit, _interval)),
    _of_pair("pearson", lambda x, y, s: pearson(x, y, s), _TRUE),
    _of_pair("spearman", lambda x, y, s: spearman(x, y, s), _SPEARMAN),
    _of_pair("kendall", lambda x, y, s: kendall(x, y, s), _KENDALL),
    Row("spearman_within", NORMAL, _within, _within_limit, FLOOR),
    Row("mean_correlation", "four raters", lambda rng, k: _of_raters(rng, k, mean_correlation), _TRUE, FLOOR),
    Row(
        "mean_spearman",
        "four raters",
        lambda rng, k: _of_raters(rng, k, mean_spearman),
        float(_SPEARMAN),
        FLOOR,
        share=0.3,
    ),
    Row(
        "effective_raters",
        "four raters",
        lambda rng, k: effective_raters(4, _of_raters(rng, k, mean_correlation)),
        4 / (1 + 3 * _TRUE),
        FLOOR,
    ),
    Row("jackknifed", "a value each", _plain, 0.1),
    Row("over_sources: Pearson", NORMAL, _over_sources, _TRUE),
    Row("mean_of_groups: Pearson", "as above, within two systems", _of_groups, _TRUE, share=0.3),
)
