"""`localeval.methods.audit.compare`: how often two equal systems are called different, and two different ones are."""

from collections.abc import Mapping

import numpy as np
import pytest

from localeval.methods.audit.compare import compare_systems
from localeval.methods.audit.tally import CandidateTally, Counts
from localeval.stats.intervals import Floats

N = 200
"""Simulated evaluations of each kind."""


def text(fabrications: int, n: int) -> CandidateTally:
    return CandidateTally((), (), (), Counts(supported=n - fabrications, not_found=fabrications))


def called_different(first: Floats, second: Floats, seed: int) -> Mapping[str, float]:
    """Of evaluations with true shares of fabrications [evaluations, sources], the share with p < .05, by measure."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(8, 25, (2, *first.shape))
    counts = rng.binomial(sizes, [first, second])
    found: dict[str, list[float]] = {"fabrications": [], "fabrication_rate": []}
    for one, other in zip(zip(counts[0], sizes[0], strict=True), zip(counts[1], sizes[1], strict=True), strict=True):
        systems = {
            name: {str(place): text(int(k), int(n)) for place, (k, n) in enumerate(zip(*rows, strict=True))}
            for name, rows in (("a", one), ("b", other))
        }
        [pair], _ = compare_systems(systems)
        for name, values in found.items():
            values.append(pair[name]["p_value"])
    return {name: float(np.mean(np.array(values) < 0.05)) for name, values in found.items()}


def shares(sources: int, mean: float, spread: float, seed: int) -> Floats:
    """True shares [N, sources] of texts, hard and easy sources among them."""
    logits = np.log(mean / (1 - mean)) + np.random.default_rng(seed).normal(0, spread, (N, sources))
    return np.asarray(1 / (1 + np.exp(-logits)))


@pytest.mark.parametrize(("sources", "mean"), [(3, 0.05), (3, 0.3), (10, 0.05), (10, 0.3)])
def test_equal_systems_are_seldom_called_different(sources: int, mean: float) -> None:
    """At most 5 % at p < .05, up to the noise of 200 evaluations, however much the sources differ."""
    truth = shares(sources, mean, 1.0, seed=sources)
    for name, share in called_different(truth, truth, seed=7).items():
        assert share <= 0.05 + 2 * (0.05 * 0.95 / N) ** 0.5, name


def test_a_system_that_fabricates_thrice_as_much_is_found_by_ten_sources() -> None:
    """.1 and .3 of the claims, on sources that differ."""
    truth = shares(10, 0.1, 0.5, seed=1)
    for name, share in called_different(truth, np.minimum(3 * truth, 0.9), seed=8).items():
        assert share > 0.8, name


def test_the_rates_of_one_source_are_compared_as_two_independent_shares() -> None:
    """3 of 20 against 9 of 20: the textbook error of a difference, and one claim of each text more each way."""
    [pair], _ = compare_systems({"a": {"s": text(3, 20)}, "b": {"s": text(9, 20)}})
    found = pair["fabrication_rate"]
    variance = 0.15 * 0.85 / 20 + 0.45 * 0.55 / 20 + (0.85 + 0.45) ** 2 / 400 + (0.15 + 0.55) ** 2 / 400
    assert found["value"] == pytest.approx(-0.3)
    assert found["high"] - found["value"] == pytest.approx(1.959964 * variance**0.5, rel=0.02)
    assert (found["n"], found["note"]) == (40, "one source")
    assert pair["fabrications"]["reason"] == "a paired test needs two sources"
