"""Coverage of corrected means, of true shares behind a judge, and of calibration errors; prints docs/statistics.md's
tables. Seeded; a few minutes on one core."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy import stats

from localeval.stats.calibration import calibration_error
from localeval.stats.correction import Corrected, JudgedItems, ppi_mean
from localeval.stats.estimate import Estimate
from localeval.stats.intervals import Floats, Interval
from localeval.stats.prevalence import Known, rogan_gladen

STUDIES = 2000
LABELS = (8, 15, 30, 60)
SHARES = Interval(0.0, 1.0)


@dataclass(frozen=True)
class World:
    """Items and a judge: a score that it sees with a correlation, or faults of a rate with sensitivity and
    specificity; so many sources of so many items, whose truths, and whose errors, have a correlation."""

    name: str
    true: float
    seen: tuple[float, float]
    n_sources: int = 200
    each: int = 1
    alike: float = 0.0
    is_share: bool = True

    def draw(self, rng: np.random.Generator) -> tuple[Floats, Floats, list[int]]:
        """Truth and judge's values [items], and the source of each."""
        sources = np.repeat(np.arange(self.n_sources), self.each)
        shared, own = np.sqrt(self.alike), np.sqrt(1 - self.alike)
        truth, error = (
            shared * rng.normal(size=self.n_sources)[sources] + own * rng.normal(size=len(sources)) for _ in range(2)
        )
        if not self.is_share:
            r = self.seen[0]
            return truth, r * truth + np.sqrt(1 - r * r) * error + 0.5, sources.tolist()
        is_faulty = truth < stats.norm.ppf(self.true)
        sensitivity, specificity = self.seen
        called = np.where(is_faulty, error < stats.norm.ppf(sensitivity), error > stats.norm.ppf(specificity))
        return is_faulty.astype(float), called.astype(float), sources.tolist()


WORLDS = (
    World("score, r .8", 0.0, (0.8, 0.0), is_share=False),
    World("score, r .2", 0.0, (0.2, 0.0), is_share=False),
    World("share .3, judge .8 / .8", 0.3, (0.8, 0.8)),
    World("share .1, judge .8 / .9", 0.1, (0.8, 0.9)),
    World("share .05, judge .95 / .97", 0.05, (0.95, 0.97)),
    World("score, r .8, 30 sources of 10, alike .3", 0.0, (0.8, 0.0), 30, 10, 0.3, is_share=False),
    World("share .3, 30 sources of 10, alike .3", 0.3, (0.8, 0.8), 30, 10, 0.3),
)


def corrected(world: World, n_labels: int) -> str:
    """Coverage in per cent, and mean worth of a label, of `ppi_mean`."""
    rng = np.random.default_rng(1)
    hits, worth = [], []
    for _ in range(STUDIES):
        truth, values, sources = world.draw(rng)
        labelled = rng.choice(len(truth), n_labels, replace=False)
        found = ppi_mean(
            JudgedItems(values, sources, labelled.tolist(), truth[labelled]), SHARES if world.is_share else None
        )
        if isinstance(found, Corrected):
            hits.append(found.estimate.low <= world.true <= found.estimate.high)
            worth.append(found.worth / n_labels)
    return f"{100 * np.mean(hits):.0f}; {np.median(worth):.1f}"


def unmasked(n: int, labelled: int) -> str:
    """Lowest, mean and highest coverage in per cent over rates and judges: Rogan and Gladen's with Lang and Reiczigel's
    interval, then with the delta method; and how often the worst judge was refused."""
    ours: list[float] = []
    delta: list[float] = []
    refused: list[float] = []
    for se, sp in ((0.95, 0.95), (0.8, 0.9), (0.7, 0.7)):
        for true in (0.02, 0.1, 0.3, 0.9):
            rng = np.random.default_rng(2)
            hits = [
                hit for _ in range(STUDIES // 2) if (hit := _one_share(rng, n, labelled, (se, sp), true)) is not None
            ]
            refused.append(100 * (1 - len(hits) / (STUDIES // 2)))
            for found, column in zip(np.mean(hits, axis=0), (ours, delta), strict=True):
                column.append(100 * float(found))
    told = [f"{min(each):.0f} {np.mean(each):.0f} {max(each):.0f}" for each in (ours, delta)]
    return f"{told[0]} | {told[1]} | {max(refused):.0f}"


def _one_share(
    rng: np.random.Generator, n: int, labelled: int, judge: tuple[float, float], true: float
) -> tuple[bool, bool] | None:
    se, sp = judge
    positives = rng.binomial(n, true * se + (1 - true) * (1 - sp))
    right = rng.binomial(labelled, se), rng.binomial(labelled, sp)
    found = rogan_gladen(positives, n, Known(right[0], labelled), Known(right[1], labelled)).score
    if not isinstance(found, Estimate):
        return None
    a, b, p = right[0] / labelled, right[1] / labelled, positives / n
    value = (p + b - 1) / (a + b - 1)
    variance = p * (1 - p) / n + (value**2 * a * (1 - a) + (1 - value) ** 2 * b * (1 - b)) / labelled
    half = 1.96 * np.sqrt(variance) / (a + b - 1)
    return found.low <= true <= found.high, bool(abs(value - true) <= half)


def miscalibrated(n_sources: int, each: int, shift: float) -> str:
    """Coverage in per cent of the error without chance, its mean, and the mean of the plain one; judge `shift` off."""
    rng = np.random.default_rng(3)
    rows = []
    for _ in range(STUDIES // 4):
        chances = shift + (1 - shift) * rng.random(n_sources * each)
        labels = (rng.random(len(chances)) < chances - shift).astype(float)
        error = calibration_error(chances, labels, np.repeat(np.arange(n_sources), each).tolist())
        if isinstance(error.debiased, Estimate):
            rows.append((error.debiased.low <= shift <= error.debiased.high, error.debiased.value, error.plain))
    covered, value, plain = np.mean(rows, axis=0)
    return f"{100 * covered:.0f}; {value:.2f}; {plain:.2f}"


def tables() -> Iterator[str]:
    """The three tables, line by line."""
    yield f"| corrected mean | {' | '.join(f'{n} labels' for n in LABELS)} |"
    for world in WORLDS:
        yield f"| {world.name} | {' | '.join(corrected(world, n) for n in LABELS)} |"
    yield "| true share | shipped | delta method | refused |"
    for n, labelled in ((30, 30), (100, 15), (100, 30), (100, 100), (400, 30), (400, 100)):
        yield f"| {n} judged, {labelled} labelled of each kind | {unmasked(n, labelled)} |"
    yield "| calibration error | 60 x 1 | 20 x 6 | 200 x 1 |"
    for shift in (0.0, 0.05, 0.15):
        cells = " | ".join(miscalibrated(k, m, shift) for k, m in ((60, 1), (20, 6), (200, 1)))
        yield f"| {shift:.2f} off | {cells} |"


if __name__ == "__main__":
    for line in tables():
        print(line, flush=True)
