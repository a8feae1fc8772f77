"""How often 95 % intervals over few sources hold the truth: the table of docs/statistics.md.

Run as `python benchmarks/interval_coverage.py` (some minutes on one core). Each setting draws SAMPLES evaluations of
6 to 20 yes-or-no questions a source, the sources' shares being beta draws with the stated correlation.
"""

from collections.abc import Callable

import numpy as np
from scipy import stats

from localeval.stats.intervals import Floats, Ratio, ratio_intervals

SOURCES = (2, 3, 5, 10, 30)
SHARES = (0.2, 0.5, 0.7, 0.9)
CORRELATIONS = (0.0, 0.05, 0.1, 0.2)
SAMPLES = 1000
RESAMPLES = 499

Method = Callable[[Floats, Floats, np.random.Generator], tuple[Floats, Floats]]


def draw(share: float, correlation: float, sources: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Right answers and questions, both [samples, sources]."""
    n = rng.integers(6, 21, (SAMPLES, sources))
    spread = (1 - correlation) / correlation if correlation else None
    shares = rng.beta(share * spread, (1 - share) * spread, n.shape) if spread else np.full(n.shape, share)
    return rng.binomial(n, shares).astype(float), n.astype(float)


def resampled(right: Floats, n: Floats, rng: np.random.Generator) -> Floats:
    """Pooled shares [resamples, samples] over sources drawn with replacement."""
    k = right.shape[1]
    weights = rng.multinomial(k, np.full(k, 1 / k), RESAMPLES)
    return np.asarray((weights @ right.T) / (weights @ n.T))


def percentile(right: Floats, n: Floats, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Percentile bootstrap over sources."""
    low, high = np.quantile(resampled(right, n, rng), [0.025, 0.975], axis=0)
    return low, high


def widened_percentile(right: Floats, n: Floats, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """The same with Hesterberg's percentiles for few sources."""
    k = right.shape[1]
    tail = stats.norm.cdf(-stats.t.ppf(0.975, k - 1) * np.sqrt(k / (k - 1)))
    low, high = np.quantile(resampled(right, n, rng), [tail, 1 - tail], axis=0)
    return low, high


def bca(right: Floats, n: Floats, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Bias-corrected and accelerated bootstrap over sources."""
    values = resampled(right, n, rng)
    whole = right.sum(1) / n.sum(1)
    below = (values < whole).mean(0) + (values == whole).mean(0) / 2
    bias = stats.norm.ppf(np.clip(below, 1 / RESAMPLES, 1 - 1 / RESAMPLES))
    left_out = (right.sum(1, keepdims=True) - right) / (n.sum(1, keepdims=True) - n)
    gaps = left_out.mean(1, keepdims=True) - left_out
    skew = (gaps**3).sum(1) / np.maximum(6 * (gaps**2).sum(1) ** 1.5, 1e-12)
    ordered = np.sort(values, axis=0)
    ends = []
    for z in (-1.96, 1.96):
        level = stats.norm.cdf(bias + (bias + z) / (1 - skew * (bias + z)))
        place = np.clip((level * RESAMPLES).astype(int), 0, RESAMPLES - 1)
        ends.append(ordered[place, np.arange(len(place))])
    return ends[0], ends[1]


def two_stage(right: Floats, n: Floats, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Percentile bootstrap over sources, then over the questions of each."""
    k = right.shape[1]
    values = []
    for _ in range(RESAMPLES):
        chosen = rng.integers(0, k, right.shape)
        size = np.take_along_axis(n, chosen, 1)
        again = rng.binomial(size.astype(int), np.take_along_axis(right / n, chosen, 1))
        values.append(again.sum(1) / size.sum(1))
    low, high = np.quantile(values, [0.025, 0.975], axis=0)
    return low, high


def linearised(right: Floats, n: Floats, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Cluster-robust standard error of the pooled share, t with one degree of freedom less than sources."""
    value, error, quantile = _linear(right, n)
    return value - quantile * error, value + quantile * error


def wilson_with_effect(right: Floats, n: Floats, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Wilson's interval with the measured design effect alone."""
    value, error, quantile = _linear(right, n)
    trials = np.maximum(value * (1 - value), 1e-9) / np.maximum(error**2, 1e-9)
    trials = np.where(error > 0, trials, np.where(value * (1 - value) > 0, 1e9, n.sum(1)))
    return _wilson(value, trials, quantile)


def wilson_alone(right: Floats, n: Floats, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Wilson's interval as if all questions were independent."""
    return _wilson(right.sum(1) / n.sum(1), n.sum(1), 1.96)


def shipped(right: Floats, n: Floats, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """What localeval uses: the design effect drawn to an assumed correlation."""
    table = ratio_intervals(np.stack([right, n - right], axis=-1), Ratio((1, 0), (1, 1)))
    return table.low, table.high


def _linear(right: Floats, n: Floats) -> tuple[Floats, Floats, float]:
    k = right.shape[1]
    value = right.sum(1) / n.sum(1)
    error = np.sqrt(k / (k - 1) * ((right - value[:, None] * n) ** 2).sum(1)) / n.sum(1)
    return value, error, float(stats.t.ppf(0.975, k - 1))


def _wilson(value: Floats, trials: Floats, quantile: float) -> tuple[Floats, Floats]:
    centre = (value + quantile**2 / (2 * trials)) / (1 + quantile**2 / trials)
    half = quantile * np.sqrt(value * (1 - value) / trials + quantile**2 / (4 * trials**2)) / (1 + quantile**2 / trials)
    return centre - half, centre + half


METHODS: dict[str, Method] = {
    "percentile bootstrap": percentile,
    "widened percentile bootstrap": widened_percentile,
    "BCa bootstrap": bca,
    "two-stage bootstrap": two_stage,
    "linearised error, t": linearised,
    "Wilson, independent questions": wilson_alone,
    "Wilson, measured design effect": wilson_with_effect,
    "**shipped: drawn design effect**": shipped,
}


def main() -> None:
    """Prints one row a method: lowest, mean and highest coverage, and mean width, for each number of sources."""
    print("| method | " + " | ".join(f"{k} sources" for k in SOURCES) + " |")
    print("| --- |" + " --- |" * len(SOURCES))
    for name, method in METHODS.items():
        cells = []
        for k in SOURCES:
            rng = np.random.default_rng(k)
            covered, widths = [], []
            for share in SHARES:
                for correlation in CORRELATIONS:
                    low, high = method(*draw(share, correlation, k, rng), rng)
                    covered.append(100 * np.mean((low <= share) & (share <= high)))
                    widths.append(np.mean(np.clip(high, 0, 1) - np.clip(low, 0, 1)))
            cells.append(f"{min(covered):.0f} {np.mean(covered):.0f} {max(covered):.0f}; {np.mean(widths):.2f}")
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
