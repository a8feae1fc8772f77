"""Means corrected by labels, true shares behind a judge, and probabilities."""

from functools import cache

import numpy as np
from scipy import stats

from benchmarks.coverage.measuring import Found, Row
from benchmarks.coverage.worlds import Rng, beta, items, levels
from localeval.stats.calibration import brier, calibration_error, reliability
from localeval.stats.correction import Corrected, JudgedItems, ppi_difference, ppi_mean, ppi_stratified
from localeval.stats.estimate import Estimate, Undefined
from localeval.stats.intervals import Floats, Interval
from localeval.stats.prevalence import Known, rogan_gladen

SHARES = Interval(0.0, 1.0)
FEW = "with few labels of faults it hardly knows of any: wide by design"
JUDGED = "6 to 20 judged items a source, alike by .3; two labels a source"


def _judged(rng: Rng, k: int, shift: float = 0.0, is_share: bool = False) -> JudgedItems:
    """A judge that correlates by .8 with what people say, two labels a source."""
    drawn = items(rng, k)
    truth, error = levels(rng, drawn, 0.3), levels(rng, drawn, 0.3)
    if is_share:
        is_faulty = truth < stats.norm.ppf(0.3)
        called = np.where(is_faulty, error < stats.norm.ppf(0.8), error > stats.norm.ppf(0.8))
        truth, values = is_faulty.astype(float), called.astype(float)
    else:
        truth = truth + shift
        values = 0.8 * truth + 0.6 * error + 0.5
    first = np.concatenate([[0], np.cumsum(np.bincount(drawn.source))[:-1]])
    labelled = np.concatenate([first, first + 1])
    return JudgedItems(values, drawn.sources, labelled.tolist(), truth[labelled])


def _estimate(found: Corrected | Undefined) -> Found:
    return found.estimate if isinstance(found, Corrected) else found


def _behind(rng: Rng, k: int) -> Found:
    """Of independent items: 8 judged a source, and 40 labelled ones of each kind."""
    positives = int(rng.binomial(8 * k, 0.2 * 0.85 + 0.8 * 0.1))
    right = int(rng.binomial(40, 0.85)), int(rng.binomial(40, 0.9))
    return rogan_gladen(positives, 8 * k, Known(right[0], 40), Known(right[1], 40)).score


def _chances(rng: Rng, k: int) -> tuple[Floats, Floats, list[int]]:
    """Probabilities that are .15 too high, by less or more in some sources."""
    drawn = items(rng, k)
    chances = 0.15 + 0.85 * rng.random(len(drawn))
    moved = np.clip(chances - 0.15 + drawn.of_source(beta(rng, 0.5, 0.05, k) - 0.5) * 0.2, 0, 1)
    return chances, (rng.random(len(drawn)) < moved).astype(float), drawn.sources


@cache
def _many() -> tuple[Floats, Floats, list[int]]:
    return _chances(np.random.default_rng(97), 20_000)


def _true_error() -> float:
    found = calibration_error(*_many()).debiased
    assert isinstance(found, Estimate)
    return found.value


def _true_brier() -> float:
    chances, labels, _ = _many()
    return float(((chances - labels) ** 2).mean())


def _highest() -> float:
    """Share in the highest of five bins."""
    chances, labels, _ = _many()
    return float(labels[chances >= np.quantile(chances, 0.8)].mean())


ROWS = (
    Row("ppi_mean", JUDGED, lambda rng, k: _estimate(ppi_mean(_judged(rng, k))), 0.0, small=8),
    Row(
        "ppi_mean: share",
        "as above, share .3, judge .8 / .8",
        lambda rng, k: _estimate(ppi_mean(_judged(rng, k, is_share=True), SHARES)),
        0.3,
        FEW,
        small=8,
    ),
    Row(
        "ppi_stratified",
        "two systems on other sources",
        lambda rng, k: _estimate(ppi_stratified([_judged(rng, k), _judged(rng, k)])),
        0.0,
        small=8,
    ),
    Row(
        "ppi_difference",
        "two systems",
        lambda rng, k: ppi_difference(_judged(rng, k, 0.2), _judged(rng, k)),
        0.2,
        small=8,
    ),
    Row("rogan_gladen", "8 judged items a source, 40 labelled of each kind", _behind, 0.2),
    Row(
        "reliability: highest bin",
        "probabilities .15 too high, five bins",
        lambda rng, k: reliability(*_chances(rng, k), bins=5)[-1].share,
        _highest,
        note="drawn to an assumed correlation of .1: wide by design with few sources",
    ),
    Row(
        "calibration_error",
        "probabilities .15 too high",
        lambda rng, k: calibration_error(*_chances(rng, k)).debiased,
        _true_error,
        note="its square is what is estimated: wide where it is near 0",
    ),
    Row("brier", "as above", lambda rng, k: brier(*_chances(rng, k)).score, _true_brier),
)
