"""Comparisons of systems on the same questions."""

import time

import numpy as np
import pytest

from localeval.stats.estimate import Undefined
from localeval.stats.intervals import Floats, Ratio, ratio_intervals
from localeval.stats.paired import (
    Difference,
    joint_counts,
    mcnemar,
    paired_clustered,
    rank_groups,
    ratio_differences,
)

CAP_R = Ratio((1, 0, 0), (1, 1, 1))
CAP_P = Ratio((1, 0, 0), (1, 1, 0))
CAP_F1 = Ratio((2, 0, 0), (2, 2, 1))


@pytest.mark.parametrize(
    ("first", "second", "p_value"),
    [(0, 0, 1.0), (5, 5, 1.0), (0, 5, 2 / 2**5), (1, 9, 22 / 2**10), (9, 1, 22 / 2**10), (2, 6, 2 * 37 / 2**8)],
)
def test_mcnemar_is_the_exact_sign_test(first: int, second: int, p_value: float) -> None:
    """Twice the binomial tail of the discordant questions, at most 1, counted by hand."""
    assert mcnemar(first, second) == pytest.approx(p_value)


def test_joint_counts_are_counted_by_source() -> None:
    """Each question falls into its source's cell of what the one and the other did."""
    counts = joint_counts([0, 0, 2, 0], [0, 1, 1, 0], [0, 0, 1, 0], sources=2, outcomes=3)
    assert counts.sum() == 4
    assert (counts[0, 0, 0], counts[0, 0, 1], counts[1, 2, 1]) == (2, 1, 1)


def draw_pairs(
    rng: np.random.Generator, shifts: tuple[float, float], interaction: float, sources: int, samples: int
) -> Floats:
    """Joint counts [samples, sources, 3, 3] where hard questions and hard sources are hard for both systems.

    `interaction` is how much a source favours one system over the other, on the scale of the noise.
    """
    questions = 20
    shared = rng.normal(0, 1, (samples, sources, questions)) + rng.normal(0, 0.5, (samples, sources, 1))
    outcomes = []
    for shift in shifts:
        own = rng.normal(0, interaction, (samples, sources, 1)) + rng.normal(0, 1, (samples, sources, questions))
        latent = shift + shared + own
        outcomes.append(np.where(latent > 0, 0, np.where(latent > -0.5, 1, 2)))
    asked = np.arange(questions) < rng.integers(6, 21, (samples, sources))[..., None]
    joint = np.zeros((samples, sources, 3, 3))
    sample, source, _ = np.nonzero(asked)
    np.add.at(joint, (sample, source, outcomes[0][asked], outcomes[1][asked]), 1.0)
    return joint


def test_the_difference_is_the_difference_of_the_ratios() -> None:
    """Value, counts and sign: swapping the systems turns the interval round and keeps the p-value."""
    joint = draw_pairs(np.random.default_rng(1), (1.0, 0.0), 0.3, sources=6, samples=1)[0]
    first, second = joint.sum((0, 2)), joint.sum((0, 1))
    for ratio in (CAP_R, CAP_P, CAP_F1):
        difference = paired_clustered(joint, ratio, missing=2)
        swapped = paired_clustered(joint.swapaxes(1, 2), ratio)
        assert isinstance(difference, Difference)
        assert isinstance(swapped, Difference)
        expected = [np.dot(counts, ratio.numerator) / np.dot(counts, ratio.denominator) for counts in (first, second)]
        assert difference.estimate.value == pytest.approx(expected[0] - expected[1])
        assert swapped.estimate.low == pytest.approx(-difference.estimate.high)
        assert swapped.p_value == pytest.approx(difference.p_value)
        assert (difference.estimate.n, difference.estimate.missing, difference.estimate.sources) == (joint.sum(), 2, 6)


def test_pairing_beats_comparing_two_intervals() -> None:
    """Where the same questions are hard for both, the paired interval is narrower than unpaired ones would be."""
    rng = np.random.default_rng(3)
    joint = draw_pairs(rng, (1.0, 0.7), 0.0, sources=30, samples=200)
    table = ratio_differences(joint, CAP_R)
    alone = [ratio_intervals(counts, CAP_R) for counts in (joint.sum(3), joint.sum(2))]
    unpaired = np.hypot(*(one.high - one.low for one in alone))
    assert np.mean(table.high - table.low) < 0.75 * np.mean(unpaired)


def test_the_p_value_agrees_with_the_interval() -> None:
    """p is below 0.05 exactly where the 95 % interval leaves out 0."""
    table = ratio_differences(draw_pairs(np.random.default_rng(4), (0.8, 0.3), 0.3, 8, 500), CAP_F1)
    assert (((table.low > 0) | (table.high < 0)) == (table.p_value < 0.05)).all()
    assert 0.05 < np.mean(table.p_value < 0.05) < 0.95


def test_systems_that_never_differ_are_not_told_apart() -> None:
    """Identical answers: difference 0, p 1, and still an interval with width."""
    joint = joint_counts([0] * 20, [0] * 20, [0, 1] * 10, sources=2, outcomes=3)
    difference = paired_clustered(joint, CAP_R)
    assert isinstance(difference, Difference)
    assert (difference.estimate.value, difference.p_value) == (0.0, 1.0)
    assert difference.estimate.high > 0.05


def test_a_difference_without_answers_is_undefined() -> None:
    """CapP of a system that answered nothing has no difference to another's."""
    joint = joint_counts([2, 2], [0, 1], [0, 1], sources=2, outcomes=3)
    assert paired_clustered(joint, CAP_P) == Undefined("nothing to divide by", 2, 0, 2)


@pytest.mark.parametrize("sources", [2, 3, 5, 10, 30])
def test_equal_systems_are_rarely_told_apart(sources: int) -> None:
    """At p < 0.05 equal systems are called different in at most about 5 % of simulated evaluations, on average."""
    rng = np.random.default_rng(sources)
    rates: list[float] = []
    for interaction in (0.0, 0.3, 0.5):
        for shift in (0.2, 0.7, 1.5):
            joint = draw_pairs(rng, (shift, shift), interaction, sources, 700)
            rates.extend(float(np.mean(ratio_differences(joint, ratio).p_value < 0.05)) for ratio in (CAP_R, CAP_F1))
    assert np.mean(rates) < 0.055
    assert max(rates) < 0.10


def test_a_real_difference_is_found() -> None:
    """A gap of 30 points in CapR over 10 sources is found nearly always."""
    table = ratio_differences(draw_pairs(np.random.default_rng(6), (1.5, 0.0), 0.3, 10, 300), CAP_R)
    assert np.mean(table.value) == pytest.approx(0.3, abs=0.06)
    assert np.mean(table.p_value < 0.05) > 0.95


def test_a_thousand_systems_are_fast() -> None:
    """Comparing 1,000 systems with one other over 30 sources takes less than five seconds."""
    joint = draw_pairs(np.random.default_rng(7), (0.5, 0.3), 0.3, 30, 1000)
    start = time.perf_counter()
    assert ratio_differences(joint, CAP_F1).value.shape == (1000,)
    assert time.perf_counter() - start < 5.0


def test_ranks_follow_the_written_rule() -> None:
    """A system shares the rank of its group's first unless it is clearly worse than that one."""
    values = {"a": 0.9, "b": 0.85, "c": 0.7, "d": 0.7, "e": 0.2}
    clear = {("a", "c"), ("a", "d"), ("a", "e"), ("c", "e")}
    asked = []

    def p_value(better: str, worse: str) -> float:
        asked.append((better, worse))
        return 0.001 if (better, worse) in clear else 0.4

    assert rank_groups(values, p_value) == {"a": 1, "b": 1, "c": 3, "d": 3, "e": 5}
    assert asked == [("a", "b"), ("a", "c"), ("c", "d"), ("c", "e")]
    assert rank_groups({"only": 0.5}, p_value) == {"only": 1}
    assert rank_groups({}, p_value) == {}


def test_ranking_pays_for_the_number_of_comparisons() -> None:
    """p = 0.02 separates two systems but not three, where two comparisons share the 5 %: 0.025 each would, 0.03 not."""
    assert rank_groups({"a": 0.9, "b": 0.1}, lambda better, worse: 0.03) == {"a": 1, "b": 2}
    assert rank_groups({"a": 0.9, "b": 0.1, "c": 0.1}, lambda better, worse: 0.03) == {"a": 1, "b": 1, "c": 1}


def test_equal_systems_share_the_first_rank() -> None:
    """Of eight equal systems on ten sources, all share rank 1 in at least nine evaluations of ten."""
    rng = np.random.default_rng(8)
    together = 0
    for _ in range(60):
        questions = rng.normal(0, 1, (10, 12)) + rng.normal(0, 0.5, (10, 1))
        outcomes = [np.where(questions + rng.normal(0, 1, (10, 12)) > -0.5, 0, 2).ravel().tolist() for _ in range(8)]
        source = np.repeat(np.arange(10), 12).tolist()

        def p_value(better: str, worse: str, outcomes: list[list[int]] = outcomes, source: list[int] = source) -> float:
            joint = joint_counts(outcomes[int(better)], outcomes[int(worse)], source, 10, 3)
            return float(ratio_differences(joint, CAP_R).p_value)

        ranks = rank_groups({str(n): float(o.count(0)) for n, o in enumerate(outcomes)}, p_value)
        together += set(ranks.values()) == {1}
    assert together >= 54
