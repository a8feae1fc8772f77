"""What is drawn: evaluations whose items are alike within their source."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from localeval.stats.intervals import Floats

Rng = np.random.Generator


class Items(NamedTuple):
    """Items of sources of 6 to 20: the number of each one's source, and how many sources there are."""

    source: NDArray[np.int_]
    n_sources: int

    @property
    def sources(self) -> list[int]:
        return self.source.tolist()

    def of_source(self, values: Floats) -> Floats:
        """Values [sources] as values [items]."""
        return values[self.source]

    def __len__(self) -> int:
        return len(self.source)


def items(rng: Rng, sources: int, fewest: int = 6, most: int = 20) -> Items:
    """Sources of unequal size."""
    return Items(np.repeat(np.arange(sources), rng.integers(fewest, most + 1, sources)), sources)


def counts(rng: Rng, sources: int, shares: tuple[float, ...], alike: float = 0.1) -> Floats:
    """Counts [sources, outcomes] of 6 to 20 items, whose outcomes have the correlation `alike` within a source."""
    n = rng.integers(6, 21, sources)
    of_source = rng.dirichlet(np.array(shares) * (1 - alike) / alike, sources)
    return rng.multinomial(n, of_source).astype(float)


def beta(rng: Rng, mean: float, alike: float, size: int) -> Floats:
    """Shares of sources, between which they vary so that two yes-or-no items have the correlation `alike`."""
    spread = (1 - alike) / alike
    return rng.beta(mean * spread, (1 - mean) * spread, size)


def levels(rng: Rng, drawn: Items, shared: float) -> Floats:
    """Normal values [items] of variance 1, of which `shared` is common to a source."""
    own = rng.normal(size=len(drawn))
    return np.asarray(np.sqrt(shared) * drawn.of_source(rng.normal(size=drawn.n_sources)) + np.sqrt(1 - shared) * own)


def pair(rng: Rng, drawn: Items, correlation: float, shared: float = 0.4) -> tuple[Floats, Floats]:
    """Two columns [items] of `levels` with this correlation, within sources and between them."""
    first, other = levels(rng, drawn, shared), levels(rng, drawn, shared)
    return first, correlation * first + np.sqrt(1 - correlation**2) * other


def ratings(rng: Rng, drawn: Items, raters: int, given: float = 0.9) -> tuple[Floats, NDArray[np.bool_]]:
    """Grades 0 to 2 by several raters and which were given [items, raters].

    Sources differ in how good their items are and in how far raters disagree about them.
    """
    noise = drawn.of_source(rng.uniform(0.3, 0.9, drawn.n_sources))
    seen = levels(rng, drawn, 0.3)[:, None] + noise[:, None] * rng.normal(size=(len(drawn), raters))
    grades = np.digitize(seen, stats.norm.ppf([0.3, 0.7])).astype(float)
    return grades, rng.random(grades.shape) < given


def rating_counts(rng: Rng, drawn: Items, raters: int = 3) -> Floats:
    """`ratings` as counts [items, grades]."""
    grades, given = ratings(rng, drawn, raters)
    return np.stack([((grades == grade) & given).sum(1) for grade in range(3)], axis=-1).astype(float)


def joint_classes(rng: Rng, sources: int) -> Floats:
    """Counts [sources, right class, given class]: three classes, a judge that is better on some sources."""
    right = beta(rng, 0.7, 0.1, sources)
    shares = rng.dirichlet(np.array([0.5, 0.3, 0.2]) * 9, sources)
    given = right[:, None, None] * np.eye(3) + (1 - right)[:, None, None] * np.array([0.4, 0.4, 0.2])
    table = (shares[:, :, None] * given).reshape(sources, 9)
    return rng.multinomial(rng.integers(6, 21, sources), table).reshape(sources, 3, 3).astype(float)


def detections(rng: Rng, sources: int, judges: int = 1) -> Floats:
    """Counts [sources, truth, verdict of the first, of the second ...]: 4 to 10 faulty and sound items a source.

    Sensitivity .7 and specificity .85, each alike within a source by .15; two judges agree more than by chance.
    """
    found = np.zeros((sources, 2, *(2,) * judges))
    for truth, share in ((0, 0.7), (1, 0.85)):
        drawn = items(rng, sources, 4, 10)
        p = drawn.of_source(beta(rng, share, 0.15, sources))
        # a normal threshold in common makes items hard for both
        common = rng.normal(size=len(drawn))
        seen = [stats.norm.cdf(np.sqrt(0.5) * (common + rng.normal(size=len(drawn)))) < p for _ in range(judges)]
        verdicts = [np.where(each, truth, 1 - truth) for each in seen]
        np.add.at(found, (drawn.source, truth, *verdicts), 1.0)
    return found
