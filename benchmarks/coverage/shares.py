"""Shares, counts and what detection is made of."""

import numpy as np
from scipy import stats

from benchmarks.coverage.measuring import Found, Row
from benchmarks.coverage.worlds import Rng, beta, counts, detections, joint_classes
from localeval.stats.confusion import accuracy, kappa, kappa_value, mean_recall, recalls
from localeval.stats.counts import mean_count
from localeval.stats.detection import balanced_accuracy, balanced_difference, balanced_from
from localeval.stats.intervals import Floats, Ratio, clustered_bootstrap, clustered_ratio, mean_of_sources, wilson
from localeval.stats.means import paired_mean
from localeval.stats.paired import paired_clustered
from localeval.stats.resampling import bca_interval
from localeval.stats.shifts import moved_share

CAP_P, CAP_R, CAP_F1 = Ratio((1, 0, 0), (1, 1, 0)), Ratio((1, 0, 0), (1, 1, 1)), Ratio((2, 0, 0), (2, 2, 1))
DRAWN = "drawn to an assumed correlation of .1: wide by design where sources are few, or not alike"
OUTCOMES = (0.5, 0.2, 0.3)
ANSWERS = "6 to 20 questions a source, alike by .1"
_OTHER = (0.4, 0.25, 0.35)
_JOINT = 0.5 * np.diag(OUTCOMES) + 0.5 * np.outer(OUTCOMES, _OTHER)
_FIRST, _SECOND = _JOINT.sum(1), _JOINT.sum(0)


def _ratio(ratio: Ratio) -> Row:
    name = {CAP_P: "CapP", CAP_R: "CapR", CAP_F1: "CapF1"}[ratio]
    top, bottom = np.array(ratio.numerator), np.array(ratio.denominator)
    return Row(
        f"clustered_ratio: {name}",
        ANSWERS,
        lambda rng, k: clustered_ratio(counts(rng, k, OUTCOMES), ratio),
        float(top @ OUTCOMES / (bottom @ OUTCOMES)),
        DRAWN,
    )


def _independent(rng: Rng, k: int) -> Found:
    return clustered_ratio(counts(rng, k, OUTCOMES, alike=1e-6), CAP_R)


def _two_systems(ratio: Ratio) -> Row:
    name = {CAP_R: "CapR", CAP_F1: "CapF1"}[ratio]
    top, bottom = np.array(ratio.numerator), np.array(ratio.denominator)

    def draw(rng: Rng, k: int) -> Found:
        joint = counts(rng, k, tuple(_JOINT.ravel().tolist()), alike=0.1).reshape(k, 3, 3)
        return paired_clustered(joint, ratio)

    truth = top @ _FIRST / (bottom @ _FIRST) - top @ _SECOND / (bottom @ _SECOND)
    note = "drawn to an assumed correlation, one question each way added: wide by design with few sources"
    return Row(f"paired_clustered: {name}", "two systems on " + ANSWERS, draw, float(truth), note)


def _source_means(rng: Rng, k: int) -> tuple[Floats, Floats]:
    common = rng.beta(4, 3, k)
    return tuple(0.5 * common + 0.5 * rng.beta(a, b, k) for a, b in ((5, 3), (4, 4)))  # type: ignore[return-value]


def _events(rng: Rng, k: int) -> Found:
    claims = rng.integers(6, 31, k)
    return mean_count(rng.binomial(claims, beta(rng, 0.05, 0.1, k)).astype(float), claims.astype(float))


def _pooled(sums: Floats) -> Floats:
    return np.asarray(sums[..., 0] / sums.sum(-1))


def _bootstrap(rng: Rng, k: int) -> Found:
    table = counts(rng, k, (0.6, 0.4))
    return clustered_bootstrap(lambda weights: _pooled(weights @ table), k, rng, resamples=1999)


def _from_shares(rng: Rng, k: int) -> Found:
    table = detections(rng, k)
    found, blamed = (clustered_ratio(table[:, truth], Ratio((1, 0), (1, 1))) for truth in (0, 1))
    return balanced_from(found, blamed)


def _moved(rng: Rng, k: int) -> Found:
    return moved_share(rng.normal(0, 0.2, 8 * k), 0.2)


def _true_kappa() -> float:
    shares = np.array([0.5, 0.3, 0.2])
    return kappa_value(shares[:, None] * (0.7 * np.eye(3) + 0.3 * np.array([0.4, 0.4, 0.2])))


PERCENTILE = "a bootstrap over few sources undercovers: from ten sources on"

ROWS = (
    Row(
        "wilson",
        "8 independent items a source, share .3",
        lambda rng, k: wilson(int(rng.binomial(8 * k, 0.3)), 8 * k),
        0.3,
    ),
    Row(
        "wilson: rare",
        "8 independent items a source, share .02",
        lambda rng, k: wilson(int(rng.binomial(8 * k, 0.02)), 8 * k),
        0.02,
        note="so few successes are possible that coverage goes in steps",
    ),
    Row("moved_share", "8 targets a source, no two alike", _moved, float(2 * stats.norm.sf(1))),
    _ratio(CAP_R),
    _ratio(CAP_P),
    _ratio(CAP_F1),
    Row("clustered_ratio: CapR, not alike", "6 to 20 independent questions a source", _independent, 0.5, DRAWN),
    _two_systems(CAP_R),
    _two_systems(CAP_F1),
    Row("mean_of_sources", "a share each", lambda rng, k: mean_of_sources(_source_means(rng, k)[0]), 2 / 7 + 5 / 16),
    Row("paired_mean", "two shares each, alike", lambda rng, k: paired_mean(*_source_means(rng, k)), 5 / 16 - 1 / 4),
    Row("clustered_bootstrap", "share .6 of " + ANSWERS, _bootstrap, 0.6, PERCENTILE, share=0.5),
    Row(
        "bca_interval",
        "share .6 of " + ANSWERS,
        lambda rng, k: bca_interval(_pooled, counts(rng, k, (0.6, 0.4)), rng, resamples=1999),
        0.6,
        PERCENTILE,
        share=0.5,
    ),
    Row(
        "mean_count",
        "6 to 30 claims a text, .05 of them false, alike by .1",
        _events,
        18 * 0.05,
        note="exact for counts, which are few: wide by design",
    ),
    Row(
        "balanced_accuracy",
        "4 to 10 faulty and sound items a source, alike by .15",
        lambda rng, k: balanced_accuracy(detections(rng, k)[..., :]),
        0.775,
    ),
    Row("balanced_from", "as above", _from_shares, 0.775, note=DRAWN),
    Row(
        "balanced_difference",
        "two judges on these",
        lambda rng, k: balanced_difference(detections(rng, k, 2)),
        0.0,
    ),
    Row(
        "confusion.accuracy",
        "three classes, a judge better on some sources",
        lambda rng, k: accuracy(joint_classes(rng, k)),
        float(0.7 + 0.3 * (np.array([0.5, 0.3, 0.2]) @ [0.4, 0.4, 0.2])),
        note=DRAWN,
    ),
    Row(
        "confusion.recalls",
        "as above, the rarest class",
        lambda rng, k: recalls(joint_classes(rng, k))[2],
        0.76,
        note=DRAWN,
    ),
    Row(
        "confusion.mean_recall",
        "as above",
        lambda rng, k: mean_recall(joint_classes(rng, k)),
        float(np.mean(0.7 + 0.3 * np.array([0.4, 0.4, 0.2]))),
    ),
    Row("confusion.kappa", "as above", lambda rng, k: kappa(joint_classes(rng, k)), _true_kappa()),
)
