"""Means, differences and slopes of values, over one and two kinds of cluster."""

import numpy as np

from benchmarks.coverage.measuring import Found, Row
from benchmarks.coverage.worlds import Items, Rng, items, levels, ratings
from localeval.stats.clustered import of_difference, two_way_effect, two_way_mean
from localeval.stats.intervals import Floats, Interval
from localeval.stats.means import adjusted_slope, clustered_effect, clustered_mean
from localeval.stats.raters import mean_contrast, mean_gap, severity
from localeval.stats.resampling import bootstrap_mean, paired_bootstrap
from localeval.stats.shifts import mean_shift, profile_shift, repeat_noise
from localeval.stats.variance import variance_split

WIDE = Interval(-9.0, 9.0)
VALUES = "6 to 20 values a source, .3 of their variance shared"


def _values(rng: Rng, k: int) -> tuple[Floats, Items]:
    drawn = items(rng, k)
    return levels(rng, drawn, 0.3), drawn


def _mean(rng: Rng, k: int) -> Found:
    values, drawn = _values(rng, k)
    return clustered_mean(values, drawn.sources, WIDE)


def _groups(rng: Rng, k: int) -> tuple[Floats, np.ndarray, Items]:
    """Values whose first group lies .2 higher, more so in some sources."""
    values, drawn = _values(rng, k)
    is_first = rng.random(len(drawn)) < 0.4
    return values + is_first * (0.2 + drawn.of_source(rng.normal(0, 0.4, k))), is_first, drawn


def _effect(rng: Rng, k: int) -> Found:
    values, is_first, drawn = _groups(rng, k)
    value = float(values[is_first].mean() - values[~is_first].mean())
    return clustered_effect(value, of_difference(values, is_first), drawn.sources, WIDE)


def _contrast(rng: Rng, k: int) -> Found:
    values, is_first, drawn = _groups(rng, k)
    return mean_contrast(values, is_first, ~is_first, drawn.sources)


def _slope(rng: Rng, k: int) -> Found:
    """Six systems a source, each at a place; a source may lean to places."""
    source, system = np.repeat(np.arange(k), 6), np.tile(np.arange(6), k)
    cause = np.concatenate([rng.permutation([-0.5, -0.5, -0.5, 0.5, 0.5, 0.5]) for _ in range(k)])
    lean = 0.1 + rng.normal(0, 0.1, k)[source]
    values = lean * cause + rng.normal(0, 0.3, k)[source] + rng.normal(0, 0.2, 6)[system] + rng.normal(0, 0.2, 6 * k)
    return adjusted_slope(values, cause, [system.tolist(), source.tolist()], source.tolist())


def _bootstrap(rng: Rng, k: int) -> Found:
    values, drawn = _values(rng, k)
    return bootstrap_mean(values, rng, drawn.source)


def _paired_bootstrap(rng: Rng, k: int) -> Found:
    values, drawn = _values(rng, k)
    return paired_bootstrap(values + 0.2, rng.normal(0, 0.5, len(drawn)), rng, drawn.source)


def _crossed(rng: Rng, k: int, systems: int) -> tuple[Floats, np.ndarray, np.ndarray]:
    """One item by each of the systems about each source, a third of them missing."""
    source, system = np.repeat(np.arange(k), systems), np.tile(np.arange(systems), k)
    level = rng.normal(0, 0.6, k)[source] + rng.normal(0, 0.6, systems)[system]
    values = level + rng.normal(0, 1, len(source))
    kept = rng.random(len(source)) < 0.67
    return values[kept], source[kept], system[kept]


def _two_way(rng: Rng, k: int) -> Found:
    values, source, system = _crossed(rng, k, 20 if k > 10 else 5)
    return two_way_mean(values, source, system)


def _two_way_difference(rng: Rng, k: int) -> Found:
    """Of the first half of the systems less the other."""
    systems = 20 if k > 10 else 6
    values, source, system = _crossed(rng, k, systems)
    is_first = 2 * system < systems
    value = float(values[is_first].mean() - values[~is_first].mean())
    return two_way_effect(value, of_difference(values, is_first), source, system)


def _severity(rng: Rng, k: int) -> Found:
    drawn = items(rng, k)
    grades, given = ratings(rng, drawn, 4)
    return severity(grades, given, 0, range(4), drawn.sources)


def _gap(rng: Rng, k: int) -> Found:
    drawn = items(rng, k)
    grades, _ = ratings(rng, drawn, 2)
    return mean_gap(grades[:, 0], grades[:, 1], drawn.sources)


def _profiles(rng: Rng, n: int) -> tuple[Floats, Floats]:
    common = rng.normal(size=(n, 1))
    first, second = (0.5 + 0.1 * (common + rng.normal(size=(n, 3))) for _ in range(2))
    return first, second + np.array([0.06, 0.0, -0.03])


def _profile(rng: Rng, k: int) -> Found:
    found = profile_shift(*_profiles(rng, k))
    interval = getattr(found, "interval", None)
    return interval if interval is not None else _no_test(k)


def _no_test(k: int) -> Found:
    raise AssertionError(f"{k} targets leave no test")


def _repeat_noise(rng: Rng, k: int) -> Found:
    level = rng.normal(size=8 * k)
    found = repeat_noise(level + rng.normal(0, 0.1, 8 * k), level + rng.normal(0, 0.1, 8 * k))
    return getattr(found, "interval", found)


def _target_share(rng: Rng, k: int) -> Found:
    """Targets, 6 systems, 3 wordings, 2 samples."""
    shape = (k, 6, 3, 2, 1)
    spread = {0: 0.35, 1: 0.15, 2: 0.1}
    values = rng.normal(0, np.sqrt(0.4), shape)
    for axis, part in spread.items():
        values = values + rng.normal(0, np.sqrt(part), [n if a == axis else 1 for a, n in enumerate(shape)])
    found = variance_split(values)
    return found if not hasattr(found, "components") else found.components["target"].share


ROWS = (
    Row("clustered_mean", VALUES, _mean, 0.0),
    Row("clustered_effect", "difference of two groups of such values", _effect, 0.2),
    Row("raters.mean_contrast", "as above", _contrast, 0.2),
    Row("adjusted_slope", "six systems a source, each at a place", _slope, 0.1),
    Row("bootstrap_mean", VALUES, _bootstrap, 0.0, "a bootstrap over few sources undercovers: from ten on", share=0.2),
    Row("paired_bootstrap", VALUES, _paired_bootstrap, 0.2, "as above", share=0.2),
    Row("two_way_mean", "20 systems (5 with 5 sources), a third missing", _two_way, 0.0),
    Row("two_way_effect", "difference of two groups of systems", _two_way_difference, 0.0),
    Row("raters.severity", "grades of four raters", _severity, 0.0),
    Row("raters.mean_gap", "grades of two raters", _gap, 0.0),
    Row("mean_shift", "a target each", lambda rng, k: mean_shift(*(each[:, 0] for each in _profiles(rng, k))), 0.06),
    Row(
        "profile_shift",
        "three axes, a target each",
        _profile,
        float(np.hypot(0.06, 0.03)),
        note="from the ellipsoid of the test: never less than it says, and more",
    ),
    Row("repeat_noise", "8 pairs of readings a source, normal", _repeat_noise, 0.1),
    Row(
        "variance_split: share of targets",
        "6 systems, 3 wordings, 2 samples; `variance_coverage` has more",
        _target_share,
        0.35,
        note="generalized interval: wide by design",
        share=0.5,
    ),
)
