"""What local models said on public sets, as rows of the same measures as those of stored verdicts."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from localeval.public_sets import moods, targets
from localeval.public_sets.asking import Drawn, Heard
from localeval.public_sets.audits import checked_verdict
from localeval.public_sets.emobank import AXES
from localeval.public_sets.llmbar import Pair, Winner, marks
from localeval.public_sets.published import BALANCED, FIRST, LONGER, MACRO_F1, R_READERS, RIGHT, SAME, SetName
from localeval.public_sets.rating import PairVerdicts
from localeval.public_sets.signs import confusion, macro_f1, signs
from localeval.public_sets.stored import score_rows, share_of
from localeval.public_sets.summedits import Summary
from localeval.public_sets.table import TableRow, Unit, reasons_of
from localeval.public_sets.votes import picks_first, picks_longer, right, same_after_swap
from localeval.stats.detection import FAULTY, SOUND, balanced_from
from localeval.stats.estimate import Score
from localeval.stats.intervals import Floats
from localeval.values import Missing

TARGET_ORDER, WHOLE_ORDER = "targets in order", "`whole` in order"
FOUND, BLAMED = "errors found", "sound ones blamed"


def judged_rows(drawn: Drawn, heard: Mapping[str, Heard]) -> list[TableRow]:
    """The rows of every model, set by set; a set of which nothing was drawn has none."""
    return [row for judge, said in heard.items() for row in _rows(judge, drawn, said)]


def _rows(judge: str, drawn: Drawn, heard: Heard) -> Iterator[TableRow]:
    if drawn.pairs:
        yield from pair_rows(judge, drawn.pairs, heard.pairs)
    if drawn.answers:
        known = [(each, score) for each in drawn.answers if not isinstance(score := heard.answers[each.id], Missing)]
        answers, scores = [each for each, _ in known], [float(score) for _, score in known]
        missing = len(drawn.answers) - len(known)
        yield from score_rows(answers, scores, judge, missing, True, reasons_of(heard.answers.values()))
    if drawn.edited.summaries:
        said = {name: checked_verdict(audit) for name, audit in heard.audits.items()}
        domain = {each.id: drawn.edited.documents[each.document].domain for each in drawn.edited.summaries}
        for part in dict.fromkeys(domain.values()):
            here = [each for each in drawn.edited.summaries if domain[each.id] == part]
            yield from summary_rows(judge, part, here, said)
    if drawn.moods:
        yield from mood_rows(judge, drawn, heard)
    if drawn.sentences:
        yield from sentence_rows(judge, drawn, heard)


def pair_rows(judge: str, pairs: Sequence[Pair], said: Mapping[str, PairVerdicts]) -> Iterator[TableRow]:
    """Accuracy on natural and on adversarial pairs; consistency, and leaning to the first and to the longer output."""

    def row(part: str, measure: str, score: Score, among: Sequence[Pair]) -> TableRow:
        reasons = reasons_of(verdict for pair in among for verdict in said[pair.id])
        return TableRow("llmbar", part, judge, measure, "share", score, "pairs", measure == RIGHT, True, reasons)

    for part, natural in (("natural", True), ("adversarial", False)):
        here = [pair for pair in pairs if pair.is_natural is natural]
        votes = [_votes(said[pair.id]) for pair in here]
        yield row(part, RIGHT, right(marks(here, [votes])[:, 0]), here)
        yield row(part, SAME, same_after_swap(votes), here)
    every = [_votes(said[pair.id]) for pair in pairs]
    yield row("all", LONGER, picks_longer(pairs, every), pairs)
    yield row("all", FIRST, picks_first(every), pairs)


def _votes(verdicts: PairVerdicts) -> tuple[Winner, Winner]:
    first, second = (_winner(verdict) for verdict in verdicts)
    return first, second


def _winner(verdict: int | Missing) -> Winner:
    return 0 if isinstance(verdict, Missing) else 1 if verdict == 1 else 2


def summary_rows(
    judge: str, part: str, summaries: Sequence[Summary], said: Mapping[str, int | Missing]
) -> Iterator[TableRow]:
    """Balanced accuracy of the audit with its checks on one domain, and the two shares that it is the mean of."""
    reasons = reasons_of(said[each.id] for each in summaries)

    def row(measure: str, score: Score) -> TableRow:
        is_headline = measure == BALANCED
        return TableRow("summedits", part, judge, measure, "share", score, "documents", is_headline, True, reasons)

    shares = {truth: _accused(summaries, said, truth) for truth in (FAULTY, SOUND)}
    # of a few summaries a jackknife over documents would claim certainty where all are right
    yield row(BALANCED, balanced_from(shares[FAULTY], shares[SOUND]))
    yield row(FOUND, shares[FAULTY])
    yield row(BLAMED, shares[SOUND])


def _accused(summaries: Sequence[Summary], said: Mapping[str, int | Missing], truth: int) -> Score:
    """Share of the sound or of the faulty summaries that is called faulty, with an interval over documents."""
    here = [each for each in summaries if each.truth == truth]
    known = [each for each in here if not isinstance(said[each.id], Missing)]
    accused = [said[each.id] == FAULTY for each in known]
    return share_of(accused, [each.document for each in known], len(here) - len(known))


def mood_rows(judge: str, drawn: Drawn, heard: Heard) -> Iterator[TableRow]:
    """Pearson's r of the three axes of `whole` with the means of the readers."""
    rows = moods.rows_of((mood, heard.affects["emobank", mood.id]) for mood in drawn.moods)
    for axis in AXES:
        here = [row for row in rows if row.axis == axis]
        score = moods.correlation(here, lambda row: row.reader)
        reasons = reasons_of(row.value for row in here)
        yield TableRow("emobank", axis, judge, R_READERS, "coefficient", score, "documents", True, True, reasons)


def sentence_rows(judge: str, drawn: Drawn, heard: Heard) -> Iterator[TableRow]:
    """Macro-F1 of the sign of `target`, weighed as in the whole set, and how often targets of one sentence stand in the
    right order, by `target` and by `whole`."""
    rows = targets.rows_of((each, heard.affects["newsmtsc", each.id]) for each in drawn.sentences)
    found = targets.known(rows)
    reasons = reasons_of(row.value for row in rows)

    def row(part: str, measure: str, score: Score, unit: Unit = "share") -> TableRow:
        name: SetName = "newsmtsc"
        return TableRow(name, part, judge, measure, unit, score, "sentences", measure == MACRO_F1, True, reasons)

    table = confusion(found.label, signs(found.value), found.sentence, found.as_all)
    yield row("", MACRO_F1, macro_f1(_some(table), len(found.value), found.missing))
    order = targets.order(found)
    yield row("labels differ", TARGET_ORDER, order.target)
    yield row("labels differ", WHOLE_ORDER, order.whole)


def _some(table: Floats) -> Floats:
    """The table, with one empty source where there is none."""
    return table if len(table) else np.zeros((1, 3, 3))
