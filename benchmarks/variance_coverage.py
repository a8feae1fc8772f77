"""How often the 95 % intervals of `variance_split` hold the planted share: the tables of docs/statistics.md.

Run as `scripts/bench variance_coverage [SAMPLES]` (some minutes on one core with the 1,000 studies a setting that the
tables have). Every study is drawn anew from planted variances: targets, systems, wordings and all.
"""

import argparse
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from localeval.stats.estimate import Estimate, Score
from localeval.stats.intervals import Floats
from localeval.stats.variance import VarianceSplit, variance_split

SAMPLES = 1000
DIFFERENCE = "wording - system"

Draw = Callable[[np.random.Generator, tuple[int, ...]], Floats]
"""Effects of variance 1 and mean 0."""

EFFECTS: dict[str, Draw] = {
    "normal": lambda rng, shape: rng.normal(0, 1, shape),
    "uniform": lambda rng, shape: rng.uniform(-(3**0.5), 3**0.5, shape),
    "skewed": lambda rng, shape: rng.exponential(1, shape) - 1,
}


@dataclass(frozen=True, slots=True)
class Design:
    """Targets, systems, wordings, samples, repeats, and the share of readings that go missing at random."""

    shape: tuple[int, int, int, int, int]
    missing: float = 0.0

    def __str__(self) -> str:
        lost = f", {100 * self.missing:.0f} % missing" if self.missing else ""
        return " x ".join(map(str, self.shape)) + lost


DESIGNS = (
    Design((40, 3, 3, 3, 2)),
    Design((40, 3, 3, 3, 2), 0.1),
    Design((12, 6, 3, 3, 1)),
    Design((12, 6, 3, 3, 1), 0.1),
    Design((12, 3, 3, 1, 1), 0.02),
    Design((40, 2, 2, 3, 1)),
    Design((12, 1, 3, 3, 2)),
    Design((6, 8, 6, 3, 1)),
)
NAMES = ("target", "system", "wording", "interactions", "sample", "repeat")
PLANS = (
    (0.40, 0.10, 0.10, 0.15, 0.15, 0.10),
    (0.20, 0.30, 0.02, 0.20, 0.20, 0.08),
    (0.30, 0.02, 0.40, 0.08, 0.15, 0.05),
    (0.50, 0.00, 0.00, 0.05, 0.25, 0.20),
)
"""Planted shares in the order of the names."""


def planted(plan: tuple[float, ...], shape: tuple[int, ...]) -> dict[str, float]:
    """The shares that the split of such a design is about: what it cannot tell apart goes to the component above."""
    target, system, wording, interactions, sample, repeat = plan
    shares = {"target": target}
    shares |= {
        name: share for name, share, n in (("system", system, shape[1]), ("wording", wording, shape[2])) if n > 1
    }
    if len(shares) > 1:
        shares["interactions"] = interactions
    for name, share, n in (("sample", sample, shape[3]), ("repeat", repeat, shape[4])):
        holder = name if n > 1 else list(shares)[-1]
        shares[holder] = shares.get(holder, 0.0) + share
    whole = sum(shares.values())
    return {name: share / whole for name, share in shares.items()}


def study(
    plan: tuple[float, ...], design: Design, rng: np.random.Generator, effect: Draw = EFFECTS["normal"]
) -> Floats:
    """Readings [targets, systems, wordings, samples, repeats] with the planted variances.

    The interactions that the design has take equal parts of theirs.
    """
    crossings = [tuple(bool(n >> axis & 1) for axis in range(3)) for n in range(1, 8)]
    crossings = [each for each in crossings if all(design.shape[axis] > 1 for axis in range(3) if each[axis])]
    n_mixed = sum(sum(each) > 1 for each in crossings)
    values = np.zeros(design.shape)
    for crossing in crossings:
        variance = plan[crossing.index(True)] if sum(crossing) == 1 else plan[3] / n_mixed
        shape = tuple(design.shape[axis] if crossing[axis] else 1 for axis in range(3))
        values = values + variance**0.5 * effect(rng, (*shape, 1, 1))
    values = values + plan[4] ** 0.5 * effect(rng, (*design.shape[:4], 1)) + plan[5] ** 0.5 * effect(rng, design.shape)
    return np.where(rng.random(design.shape) < design.missing, np.nan, values)


def scores(split: VarianceSplit) -> dict[str, Score]:
    """The shares by component, and the difference of wording and system."""
    return {name: part.share for name, part in split.components.items()} | {DIFFERENCE: split.wording_minus_system}


@dataclass(frozen=True, slots=True)
class Coverage:
    """How often intervals hold the truth, how wide they are, and how often they leave out 0."""

    share: float
    width: float
    decides: float


def coverage(
    plan: tuple[float, ...], design: Design, samples: int, effect: Draw = EFFECTS["normal"], seed: int = 1
) -> dict[str, Coverage]:
    """Coverage by component over so many studies, where there is an interval."""
    truth = planted(plan, design.shape)
    if "system" in truth and "wording" in truth:
        truth[DIFFERENCE] = truth["wording"] - truth["system"]
    rng = np.random.default_rng(seed)
    found: dict[str, list[Estimate]] = {name: [] for name in truth}
    for _ in range(samples):
        split = variance_split(study(plan, design, rng, effect))
        for name, score in scores(split).items() if isinstance(split, VarianceSplit) else ():
            if isinstance(score, Estimate):
                found[name].append(score)
    return {name: _coverage(each, truth[name]) for name, each in found.items() if each}


def _coverage(found: list[Estimate], truth: float) -> Coverage:
    ends = np.array([(each.low, each.high) for each in found])
    low, high = ends[:, 0], ends[:, 1]
    holds = (low <= truth + 1e-9) & (truth - 1e-9 <= high)
    return Coverage(float(holds.mean()), float((high - low).mean()), float(((low > 0) | (high < 0)).mean()))


def _cell(found: list[Coverage]) -> str:
    shares = [100 * each.share for each in found]
    width = np.mean([each.width for each in found])
    return f"{min(shares):.0f} {np.mean(shares):.0f} {max(shares):.0f}; {width:.2f}"


def _print_rows(rows: Iterable[tuple[str, list[dict[str, Coverage]]]]) -> None:
    columns = (*NAMES, DIFFERENCE)
    print("| design | " + " | ".join(columns) + " |")
    print("| --- |" + " --- |" * len(columns))
    for name, found in rows:
        cells = [[each[column] for each in found if column in each] for column in columns]
        print(f"| {name} | " + " | ".join(_cell(each) if each else "none" for each in cells) + " |", flush=True)


def main(samples: int) -> None:
    """Prints coverage by design, by the shape of the effects, and how often the difference is decided."""
    _print_rows((str(design), [coverage(plan, design, samples) for plan in PLANS]) for design in DESIGNS)
    print()
    _print_rows(
        (f"{design}, {name}", [coverage(plan, design, samples, effect) for plan in PLANS])
        for design in (DESIGNS[0], DESIGNS[2])
        for name, effect in EFFECTS.items()
    )
    print("\n| system and wording | " + " | ".join(f"{n} x {n}" for n in (2, 3, 5, 8)) + " |\n| --- |" + " --- |" * 4)
    for system, wording in ((0.1, 0.1), (0.1, 0.4), (0.02, 0.4), (0.0, 0.4)):
        plan = (0.3, system, wording, 0.1, 0.1, 0.1)
        decided = [coverage(plan, Design((12, n, n, 3, 1)), samples)[DIFFERENCE].decides for n in (2, 3, 5, 8)]
        print(
            f"| {system:.2f}, {wording:.2f} | " + " | ".join(f"{100 * each:.0f}" for each in decided) + " |", flush=True
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("samples", nargs="?", type=int, default=SAMPLES, help="studies a setting")
    chosen: int = parser.parse_args().samples
    if chosen < 1:
        parser.error(f"samples is {chosen}; give at least 1")
    main(chosen)
