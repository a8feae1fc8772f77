"""Functions of localeval.stats, each on 1,000,000 values: for `scripts/bench statistics_scale`."""

import resource
import time
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from localeval.stats.agreement import gwet_ac1, interval_alpha, krippendorff_alpha, raw_agreement
from localeval.stats.clustered import clustered_error, of_mean, two_way_mean
from localeval.stats.correlation import kendall, pearson, spearman, spearman_within
from localeval.stats.detection import balanced_accuracy
from localeval.stats.intervals import Floats
from localeval.stats.means import adjusted_slope, clustered_mean
from localeval.stats.paired import joint_counts
from localeval.stats.resampling import bootstrap_mean, paired_bootstrap, paired_signs

N, N_SOURCES, N_SYSTEMS = 1_000_000, 500, 20


class Values(NamedTuple):
    """A million values: two columns of grades 0 to 2 and two without equal values, each item's source and system."""

    grades: Floats
    others: Floats
    first: Floats
    second: Floats
    source: NDArray[np.int_]
    system: NDArray[np.int_]


FUNCTIONS: Mapping[str, Callable[[Values, np.random.Generator], object]] = {
    "clustered mean": lambda v, rng: clustered_mean(v.first, v.source.tolist()),
    "error over sources": lambda v, rng: clustered_error(of_mean(v.first), v.source),
    "two-way mean, 500 sources x 20 systems": lambda v, rng: two_way_mean(v.first, v.source, v.system),
    "two-way mean, 1,000 x 1,000 in part": lambda v, rng: two_way_mean(v.first, *rng.integers(0, 1000, (2, N))),
    "BCa of a mean over sources": lambda v, rng: bootstrap_mean(v.first, rng, v.source),
    "BCa of a mean of items, grades": lambda v, rng: bootstrap_mean(v.grades, rng),
    "BCa of a mean of items, no two equal": lambda v, rng: bootstrap_mean(v.first, rng),
    "paired bootstrap over sources": lambda v, rng: paired_bootstrap(v.first, v.second, rng, v.source),
    "paired bootstrap of items, grades": lambda v, rng: paired_bootstrap(v.grades, v.others, rng),
    "sign test over sources": lambda v, rng: paired_signs(v.first, v.second, rng, v.source),
    "sign test of items, grades": lambda v, rng: paired_signs(v.grades, v.others, rng),
    "Kendall, grades": lambda v, rng: kendall(v.grades, v.others, v.source.tolist()),
    "Kendall, no two equal": lambda v, rng: kendall(v.first, v.second, v.source.tolist()),
    "Spearman, grades": lambda v, rng: spearman(v.grades, v.others, v.source.tolist()),
    "Spearman within sources": lambda v, rng: spearman_within(v.first, v.second, v.source.tolist()),
    "Pearson": lambda v, rng: pearson(v.first, v.second, v.source.tolist()),
    "raw agreement of two raters": lambda v, rng: raw_agreement(_counts(v), v.source.tolist()),
    "AC1": lambda v, rng: gwet_ac1(_counts(v), v.source.tolist()),
    "alpha, nominal": lambda v, rng: krippendorff_alpha(_counts(v), "nominal", sources=v.source.tolist()),
    "alpha, ordinal": lambda v, rng: krippendorff_alpha(_counts(v), "ordinal", sources=v.source.tolist()),
    "alpha, interval": lambda v, rng: interval_alpha(
        np.stack([v.first, v.second], axis=-1), np.ones((N, 2), bool), v.source.tolist()
    ),
    "balanced accuracy": lambda v, rng: balanced_accuracy(_detection(v)),
    "adjusted slope": lambda v, rng: adjusted_slope(
        v.grades, v.second, [v.system.tolist(), v.source.tolist()], v.source.tolist()
    ),
}


def _counts(values: Values) -> Floats:
    """How many of two raters gave each item each grade [items, 3]."""
    return np.stack([(values.grades == g).astype(float) + (values.others == g) for g in range(3)], axis=-1)


def _detection(values: Values) -> Floats:
    """Counts [sources, truth, verdict] of grades below 2."""
    truth, verdict = (np.where(column < 2, 0, 1) for column in (values.grades, values.others))
    return joint_counts(truth, verdict, values.source, N_SOURCES, 2)


def draw(rng: np.random.Generator) -> Values:
    """Values that rise and fall with their source and their system."""
    source = np.repeat(np.arange(N_SOURCES), N // N_SOURCES)
    system = np.tile(np.arange(N_SYSTEMS), N // N_SYSTEMS)
    level = rng.normal(0, 0.3, N_SOURCES)[source] + rng.normal(0, 0.2, N_SYSTEMS)[system]
    first, second = level + rng.normal(0, 0.5, N), level + rng.normal(0, 0.5, N)
    grades, others = (np.clip(np.round(1 + column), 0, 2) for column in (first, second))
    return Values(grades, others, first, second, source, system)


def functions(rng: np.random.Generator) -> Iterator[dict[str, object]]:
    """A row of figures for each function; the peak is that of all so far."""
    start = time.perf_counter()
    values = draw(rng)
    drawn = time.perf_counter() - start
    for what, function in FUNCTIONS.items():
        start, processor = time.perf_counter(), time.process_time()
        function(values, rng)
        seconds, processor = time.perf_counter() - start, time.process_time() - processor
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2
        yield {"what": what, "drawn": drawn, "seconds": seconds, "processor": processor, "gb": peak, "note": ""}
