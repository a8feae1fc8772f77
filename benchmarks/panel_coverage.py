"""How far the panel's intervals and its paired test can be trusted: two tables of docs/statistics.md.

Run as `python benchmarks/panel_coverage.py` (a minute on one core). Each setting draws SAMPLES evaluations: a text is
good or bad as a whole, its criteria differ, each judge errs on each, and what results is cut to grades 0, 1, 2.
"""

from typing import NamedTuple

import numpy as np
from scipy import stats

from localeval.methods.panel.tally import EARNED, TOP, split_grades
from localeval.stats.intervals import Floats, ratio_intervals
from localeval.stats.means import paired_mean

SOURCES = (2, 3, 5, 10, 30)
LEVELS = (1.0, 1.5, 1.9)
"""Where a middling text stands: mean scores of about .5, .7 and .85."""
HALOS = (0.0, 0.3, 0.6)
"""How much the texts of a system differ as a whole; criteria differ by 0.6, and a judge errs by 0.4."""
JUDGES = (1, 4)
N_CRITERIA = 6
SAMPLES = 1000


class Setting(NamedTuple):
    """One way in which panels are drawn."""

    level: float
    halo: float
    judges: int


SETTINGS = [Setting(level, halo, judges) for level in LEVELS for halo in HALOS for judges in JUDGES]


def draw(setting: Setting, shape: tuple[int, ...], rng: np.random.Generator, hard: Floats | float = 0.0) -> Floats:
    """Grades [*shape, judges, criteria]; `hard` [*shape] moves whole texts."""
    text = setting.level + hard + rng.normal(0, setting.halo, shape) if setting.halo else setting.level + hard
    text = np.broadcast_to(np.asarray(text), shape)
    matter = text[..., None] + rng.normal(0, 0.6, (*shape, N_CRITERIA))
    seen = matter[..., None, :] + rng.normal(0, 0.4, (*shape, setting.judges, N_CRITERIA))
    return np.clip(np.round(seen), 0, TOP)


def shipped(grades: Floats) -> tuple[Floats, Floats]:
    """The consensus interval of localeval, of grades [samples, sources, judges, criteria]."""
    table = ratio_intervals(split_grades(grades).mean((2, 3)) * N_CRITERIA, EARNED)
    return table.low, table.high


def student(grades: Floats) -> tuple[Floats, Floats]:
    """The t interval over the sources' scores."""
    scores = grades.mean((2, 3)) / TOP
    k = scores.shape[1]
    half = stats.t.ppf(0.975, k - 1) * scores.std(1, ddof=1) / np.sqrt(k)
    return scores.mean(1) - half, scores.mean(1) + half


def coverage() -> None:
    """Prints lowest, mean and highest coverage over the settings, and mean width."""
    print("| consensus | " + " | ".join(f"{k} sources" for k in SOURCES) + " |")
    print("| --- |" + " --- |" * len(SOURCES))
    for name, method in (("t over sources", student), ("**shipped**", shipped)):
        cells = []
        for k in SOURCES:
            rng = np.random.default_rng(k)
            covered, widths = [], []
            for setting in SETTINGS:
                truth = draw(setting, (20000,), rng).mean() / TOP
                low, high = method(draw(setting, (SAMPLES, k), rng))
                covered.append(100 * np.mean((low <= truth) & (truth <= high)))
                widths.append(np.mean(np.clip(high, 0, 1) - np.clip(low, 0, 1)))
            cells.append(f"{min(covered):.0f} {np.mean(covered):.0f} {max(covered):.0f}; {np.mean(widths):.2f}")
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


def false_differences() -> None:
    """Prints how often equal systems are told apart at p < .05, in per cent: lowest, mean, highest over settings."""
    print("\n| paired t | " + " | ".join(f"{k} sources" for k in SOURCES) + " |")
    print("| --- |" + " --- |" * len(SOURCES))
    for name, n_steps in (("plain", 0.0), ("**with a least spread of half a step**", 1.0)):
        cells = []
        for k in SOURCES:
            rng = np.random.default_rng(k)
            found = []
            for setting in SETTINGS:
                hard = rng.normal(0, 0.5, (SAMPLES, k))
                first, second = (draw(setting, (SAMPLES, k), rng, hard).mean((2, 3)) / TOP for _ in range(2))
                step = n_steps / (TOP * N_CRITERIA * setting.judges)
                p_values = [paired_mean(a, b, step).p_value for a, b in zip(first, second, strict=True)]  # type: ignore[union-attr]
                found.append(100 * np.mean(np.array(p_values) < 0.05))
            cells.append(f"{min(found):.0f} {np.mean(found):.0f} {max(found):.0f}")
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    coverage()
    false_differences()
