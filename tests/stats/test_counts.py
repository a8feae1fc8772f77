"""`localeval.stats.counts`: the mean of counted events and its interval."""

import numpy as np
import pytest

from localeval.stats.counts import mean_count
from localeval.stats.estimate import Estimate, Score


def mean(*events: int, trials: int = 15, missing: int = 0) -> Score:
    return mean_count(np.array(events, float), np.full(len(events), float(trials)), missing)


@pytest.mark.parametrize(
    ("events", "low", "high"),
    [(0, 0.0, 3.689), (1, 0.0253, 5.572), (2, 0.2422, 7.225), (5, 1.623, 11.668), (10, 4.795, 18.390)],
)
def test_one_source_has_the_exact_poisson_interval(events: int, low: float, high: float) -> None:
    """Garwood's table (1936), to the printed digits."""
    found = mean(events)
    assert isinstance(found, Estimate)
    assert (found.value, found.note) == (events, "one source")
    assert (found.low, found.high) == (pytest.approx(low, abs=6e-4), pytest.approx(high, abs=6e-4))


def test_sources_count_the_same_and_are_told() -> None:
    """The plain mean, with how many texts it is of and how many are missing."""
    found = mean(0, 3, 0, missing=2)
    assert isinstance(found, Estimate)
    assert (found.value, found.n, found.missing, found.sources) == (1.0, 3, 2, 3)
    assert mean_count(np.array([]), np.array([]), 4).missing == 4


def test_what_comes_in_heaps_is_less_sure() -> None:
    """Twelve events in one text of six say less than two in each."""
    even, heap = mean(2, 2, 2, 2, 2, 2), mean(12, 0, 0, 0, 0, 0)
    assert isinstance(even, Estimate)
    assert isinstance(heap, Estimate)
    assert heap.low < even.low < 2 < even.high < heap.high


def test_few_sources_widen_the_interval_by_an_assumed_spread_and_a_t_quantile() -> None:
    """No event in two texts of 15 claims: 3.689 / 2, times 1 + 14 * .1, times the square of 2.5706 / 1.9600."""
    found = mean(0, 0)
    assert isinstance(found, Estimate)
    assert found.high == pytest.approx(3.6889 / 2 * 2.4 * (2.5706 / 1.9600) ** 2, rel=1e-3)


def test_texts_without_trials_are_texts() -> None:
    """A text that states nothing has no events; alone or beside others it gives a finite interval."""
    alone = mean_count(np.zeros(2), np.zeros(2))
    beside = mean_count(np.array([0.0, 2.0]), np.array([0.0, 8.0]))
    assert isinstance(alone, Estimate)
    assert isinstance(beside, Estimate)
    assert (alone.low, alone.value) == (0.0, 0.0)
    assert alone.high > 1
    assert beside.value == 1.0


@pytest.mark.parametrize("sources", [2, 5, 30])
@pytest.mark.parametrize("share", [0.01, 0.1, 0.3])
@pytest.mark.parametrize("correlation", [0.0, 0.1])
def test_the_interval_holds_what_it_claims(sources: int, share: float, correlation: float) -> None:
    """Of 200 simulated evaluations, 6 to 30 claims a text, at least 90 % cover the true mean (95 % is claimed)."""
    rng = np.random.default_rng(sources)
    trials = rng.integers(6, 31, (200, sources))
    shares = np.full(trials.shape, share)
    if correlation:
        scale = (1 - correlation) / correlation
        shares = rng.beta(share * scale, (1 - share) * scale, trials.shape)
    events = rng.binomial(trials, shares)
    found = [mean_count(row.astype(float), of.astype(float)) for row, of in zip(events, trials, strict=True)]
    covered = [isinstance(each, Estimate) and each.low <= 18 * share <= each.high for each in found]
    assert np.mean(covered) >= 0.90
