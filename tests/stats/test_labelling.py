"""Which texts to label next: those of most doubt, and a random sample that a correction can stand on."""

from collections import Counter

import numpy as np
import pytest

from localeval.stats.correction import Corrected, JudgedItems, ppi_mean
from localeval.stats.intervals import Floats, Interval
from localeval.stats.labelling import Pick, choose_labels

SYSTEMS = [m for m in range(3) for _ in range(20)]
SOURCES = [s for _ in range(3) for s in range(20)]


def choose(doubt: Floats, budget: int, seed: int = 1, share: float = 0.5) -> tuple[Pick, ...]:
    """Picks of three systems' texts about twenty sources."""
    return choose_labels(doubt, SYSTEMS, SOURCES, budget, np.random.default_rng(seed), share)


def test_half_for_doubt_half_at_random() -> None:
    """Twelve of sixty: six of most doubt with probability 1, six drawn, two a system, with the probability of that."""
    doubt = np.linspace(0.01, 1, 60)
    picks = choose(doubt, 12)
    assert len({pick.index for pick in picks}) == 12
    assert Counter(pick.why for pick in picks) == {"doubt": 6, "random": 6}
    assert Counter(SYSTEMS[pick.index] for pick in picks if pick.why == "random") == {0: 2, 1: 2, 2: 2}
    for pick in picks:
        rest = 20 - sum(other.why == "doubt" and SYSTEMS[other.index] == SYSTEMS[pick.index] for other in picks)
        assert pick.chance == (1.0 if pick.why == "doubt" else pytest.approx(2 / rest))


def test_doubt_is_spread_over_systems_and_sources() -> None:
    """All doubt in one system and one source: the others still get their share of those that have any."""
    doubt = np.where(np.array(SYSTEMS) == 0, 1.0, 0.1)
    picked = [pick.index for pick in choose(doubt, 12) if pick.why == "doubt"]
    assert Counter(SYSTEMS[each] for each in picked) == {0: 2, 1: 2, 2: 2}
    assert max(Counter(SOURCES[each] for each in picked).values()) == 1
    alone = np.where(np.array(SYSTEMS) == 0, 1.0, 0.0)
    assert {SYSTEMS[pick.index] for pick in choose(alone, 12) if pick.why == "doubt"} == {0}


def test_without_doubt_all_is_drawn() -> None:
    """Judges that agree on everything leave a random sample."""
    assert {pick.why for pick in choose(np.zeros(60), 12)} == {"random"}
    assert sum(1 / pick.chance for pick in choose(np.zeros(60), 12)) == pytest.approx(60)


def test_the_random_part_spreads_over_sources() -> None:
    """Nine drawn of sixty are of nine sources, not three times the same three."""
    picks = choose(np.zeros(60), 9)
    assert len({SOURCES[pick.index] for pick in picks}) == 9


def test_a_budget_for_all_takes_all() -> None:
    """With probability 1, in a random order."""
    picks = choose(np.zeros(60), 100)
    assert sorted(pick.index for pick in picks) == list(range(60))
    assert {pick.chance for pick in picks} == {1.0}
    assert [pick.index for pick in picks] != list(range(60))


def test_the_seed_decides() -> None:
    """The same picks from the same seed, others from another."""
    doubt = np.random.default_rng(2).random(60)
    assert choose(doubt, 12) == choose(doubt, 12)
    assert choose(doubt, 12) != choose(doubt, 12, seed=2)


def test_each_is_drawn_as_often_as_it_says() -> None:
    """Over 2,000 draws every text is picked with its stated probability."""
    doubt = np.where(np.arange(60) % 7 == 0, 1.0, 0.0)
    seen, stated = np.zeros(60), np.zeros(60)
    for seed in range(2000):
        for pick in choose(doubt, 15, seed, share=0.6):
            seen[pick.index] += pick.why == "random"
            stated[pick.index] = pick.chance if pick.why == "random" else stated[pick.index]
    drawn = stated > 0
    # nine of 60 texts with doubt; six are taken, and which of equal doubt is left to chance
    always = drawn & (doubt == 0)
    assert np.abs(seen[always] / 2000 - 9 / 54).max() < 0.035


def test_a_correction_by_picked_labels_is_right() -> None:
    """Doubt finds the judges' errors, so that plain labels see too many of them; with the probabilities the corrected
    mean is right on average, and its intervals hold."""
    rng = np.random.default_rng(5)
    plain, weighed, held = [], [], []
    for _ in range(300):
        truth = (rng.random(60) < 0.7).astype(float)
        seen = np.where(truth > 0, 0.95, 0.6)
        first, second = (np.where(rng.random(60) < seen, truth, 1 - truth) for _ in range(2))
        picks = choose_labels(np.abs(first - second), SYSTEMS, SOURCES, 30, rng)
        places = [pick.index for pick in picks]
        items = JudgedItems(first * second, range(60), places, truth[places], np.array([pick.chance for pick in picks]))
        found = ppi_mean(items, Interval(0.0, 1.0))
        assert isinstance(found, Corrected)
        plain.append(float((truth[places]).mean()))
        weighed.append(found.estimate.value)
        held.append(found.estimate.low <= 0.7 <= found.estimate.high)
    assert np.mean(plain) < 0.62
    assert np.mean(weighed) == pytest.approx(0.7, abs=0.015)
    assert np.mean(held) > 0.93


@pytest.mark.parametrize(("budget", "share"), [(0, 0.5), (5, 0.0), (5, 1.5)])
def test_what_cannot_be_chosen(budget: int, share: float) -> None:
    """No budget, no random part, or two texts of a system about one source raise ValueError."""
    with pytest.raises(ValueError, match="budget"):
        choose(np.zeros(60), budget, share=share)
    with pytest.raises(ValueError, match="2 texts at 1 places"):
        choose_labels(np.zeros(2), [0, 0], [1, 1], 1, np.random.default_rng(1))
