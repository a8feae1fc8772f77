"""The rows of sets that people rated: how far they agree, and so what can be asked of a judge."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from localeval.public_sets import emobank
from localeval.public_sets.published import ALPHA, ALPHA_MODELS, ALPHA_Z, CEILING, ERROR, R_FAR, R_WRITERS, RELIABILITY
from localeval.public_sets.raters import ceiling, reliability, severity, standardised, with_others
from localeval.public_sets.shares import places
from localeval.public_sets.squality import ASPECTS, Aspect, Rated, rating_table, read_rated
from localeval.public_sets.table import TableRow
from localeval.stats.agreement import interval_alpha
from localeval.stats.correlation import pearson
from localeval.stats.intervals import Interval
from localeval.stats.means import clustered_mean

_HUNDRED = Interval(-100.0, 100.0)
_FOUR = Interval(emobank.LOWEST - emobank.HIGHEST, emobank.HIGHEST - emobank.LOWEST)
_LISTED = 5
"""Readers that are listed for a sentence, nearly always; that many the published reliability is of."""


def squality_rows(data: Path) -> Iterator[TableRow]:
    """Alpha of each aspect over all texts, over models' texts alone and with severity taken out; then each rater."""
    rated = read_rated(data)
    for aspect in ASPECTS:
        yield from _alphas(rated, aspect)
        table = rating_table(rated, aspect)
        for place, rater in enumerate(table.raters):
            values, given, stories = table.values, table.is_given, table.stories
            severe = severity(values, given, place, stories, _HUNDRED)
            along = with_others(values, given, place, stories)
            yield TableRow("squality", aspect, f"rater {rater}", "above the others", "points", severe, "stories")
            yield TableRow("squality", aspect, f"rater {rater}", "r with the others", "coefficient", along, "stories")


def _alphas(rated: Sequence[Rated], aspect: Aspect) -> Iterator[TableRow]:
    models = [each for each in rated if each.is_by_model]
    whole, within = rating_table(rated, aspect), rating_table(models, aspect)
    scaled = standardised(whole.values, whole.is_given)
    found = {
        ALPHA: interval_alpha(whole.values, whole.is_given, whole.stories),
        ALPHA_MODELS: interval_alpha(within.values, within.is_given, within.stories),
        ALPHA_Z: interval_alpha(scaled, whole.is_given, whole.stories),
    }
    for measure, score in found.items():
        is_headline = measure != ALPHA_Z
        yield TableRow("squality", aspect, "raters", measure, "coefficient", score, "stories", is_headline)


def emobank_rows(data: Path) -> Iterator[TableRow]:
    """What readers agree on, axis by axis, and what that allows; what writers feel; what a constant guess is off."""
    moods = emobank.read_moods(data)
    for axis in emobank.AXES:
        yield from _axis_rows(moods, axis)
    yield _arousal_row(moods)


def _axis_rows(moods: Sequence[emobank.Mood], axis: str) -> Iterator[TableRow]:
    documents = places([mood.document for mood in moods])
    values, rated = emobank.ratings(moods, "readers", axis)
    alpha = interval_alpha(values, rated, documents)
    listed = interval_alpha(*emobank.ratings(moods, "readers as listed", axis), documents)
    reliable = reliability(alpha, float(rated.sum() / max(len(moods), 1)))
    writers, given = emobank.ratings(moods, "writers", axis)
    written = np.asarray(given.any(1))
    means = writers.sum(1) / np.maximum(given.sum(1), 1)
    readers = np.array([mood.reader[axis] for mood in moods])
    kept = [document for document, each in zip(documents, written.tolist(), strict=True) if each]
    both = 4 * np.array([mood.both[axis] for mood in moods]) + emobank.LOWEST
    off = np.abs(both - both.mean())

    yield TableRow("emobank", axis, "readers", ALPHA, "coefficient", alpha, "documents", is_headline=True)
    yield TableRow("emobank", axis, "readers", RELIABILITY, "coefficient", reliable, "documents")
    yield TableRow("emobank", axis, "readers", CEILING, "coefficient", ceiling(reliable), "documents", True)
    yield TableRow("emobank", axis, "readers as listed", ALPHA, "coefficient", listed, "documents")
    of_listed = reliability(listed, _LISTED)
    yield TableRow("emobank", axis, "readers as listed", RELIABILITY, "coefficient", of_listed, "documents")
    related = pearson(readers[written], means[written], kept)
    yield TableRow("emobank", axis, "readers", R_WRITERS, "coefficient", related, "documents")
    missed = clustered_mean(off, documents, _FOUR)
    yield TableRow("emobank", axis, "constant guess", ERROR, "points", missed, "documents")


def _arousal_row(moods: Sequence[emobank.Mood]) -> TableRow:
    """People are called stirred where the mood is far from the middle, either way."""
    arousal = np.array([mood.both["arousal"] for mood in moods])
    far = np.abs(np.array([mood.both["valence"] for mood in moods]) - 0.5)
    score = pearson(arousal, far, places([mood.document for mood in moods]))
    return TableRow("emobank", "arousal", "people", R_FAR, "coefficient", score, "documents")
