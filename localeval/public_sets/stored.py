"""What the sets themselves hold: stored verdicts of judges, people's ratings and base rates, as rows. No model."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from localeval.public_sets import elitr, llmbar, newsmtsc, qmsum, summedits, tofueval
from localeval.public_sets.agreement_rows import emobank_rows, squality_rows
from localeval.public_sets.published import (
    BIAS,
    ERROR,
    FIRST,
    LONGER,
    MACRO_F1,
    MIXED,
    PANEL,
    PANEL_OF_THREE,
    R_EXPERTS,
    RIGHT,
    SAME,
    WEIGHED,
    WITH_ERROR,
    WRONG,
    SetName,
)
from localeval.public_sets.shares import bootstrapped, places
from localeval.public_sets.signs import confusion, macro_f1
from localeval.public_sets.table import TableRow, Unit
from localeval.public_sets.votes import (
    longer_is_right,
    panel,
    picks_first,
    picks_longer,
    right,
    same_after_swap,
    weighed_panel,
)
from localeval.stats.correlation import pearson
from localeval.stats.detection import FAULTY
from localeval.stats.estimate import Score
from localeval.stats.intervals import Floats, Interval, Ratio, clustered_ratio
from localeval.stats.means import clustered_mean

_POINTS = Interval(elitr.LOWEST - elitr.HIGHEST, elitr.HIGHEST - elitr.LOWEST)
_THREE = ("PaLM2", "LLaMA2", "ChatGPT")


def stored_rows(data: Path, sets: Sequence[SetName], seed: int) -> list[TableRow]:
    """The rows of the sets in the folder `data`, in the order of `sets`; raises InputError where one cannot be read."""
    readers: Mapping[SetName, Callable[[], Iterator[TableRow]]] = {
        "llmbar": lambda: llmbar_rows(llmbar.read_pairs(data), seed),
        "elitr_bench": lambda: elitr_rows(elitr.read_answers(data)),
        "squality": lambda: squality_rows(data),
        "emobank": lambda: emobank_rows(data),
        "summedits": lambda: summedits_rows(summedits.read_summedits(data)),
        "newsmtsc": lambda: newsmtsc_rows(newsmtsc.read_labelled(data)),
        "tofueval": lambda: tofueval_rows(tofueval.read_summary_sentences(data)),
        "qmsum": lambda: qmsum_rows(qmsum.read_queries(data)),
    }
    return [row for name in sets for row in readers[name]()]


def llmbar_rows(pairs: Sequence[llmbar.Pair], seed: int) -> Iterator[TableRow]:
    """Five judges and their panels on natural and adversarial pairs, and what each judge leans to."""
    for part, natural in (("natural", True), ("adversarial", False)):
        here = [pair for pair in pairs if pair.is_natural is natural]
        votes = {judge: [pair.by(judge) for pair in here] for judge in llmbar.JUDGES}
        marks = llmbar.marks(here, list(votes.values()))
        for place, judge in enumerate(votes):
            yield TableRow("llmbar", part, judge, RIGHT, "share", right(marks[:, place]), "pairs", is_headline=True)
        three = [llmbar.JUDGES.index(judge) for judge in _THREE]
        yield TableRow("llmbar", part, PANEL, RIGHT, "share", panel(marks), "pairs", is_headline=True)
        yield TableRow(
            "llmbar", part, PANEL_OF_THREE, RIGHT, "share", panel(marks[:, three]), "pairs", is_headline=True
        )
        yield TableRow("llmbar", part, WEIGHED, RIGHT, "share", weighed_panel(marks, seed), "pairs", is_headline=True)
        for judge, given in votes.items():
            yield TableRow("llmbar", part, judge, SAME, "share", same_after_swap(given), "pairs")
    for judge in llmbar.JUDGES:
        given = [pair.by(judge) for pair in pairs]
        yield TableRow("llmbar", "all", judge, LONGER, "share", picks_longer(pairs, given), "pairs")
        yield TableRow("llmbar", "all", judge, FIRST, "share", picks_first(given), "pairs")
    yield TableRow("llmbar", "all", "the right one", LONGER, "share", longer_is_right(pairs), "pairs")


def elitr_rows(answers: Sequence[elitr.Answer]) -> Iterator[TableRow]:
    """Judges and crowd against experts: r, bias, mean error; and bias by who wrote the answer."""
    for rater, judge in elitr.RATERS.items():
        yield from score_rows(answers, [each.scores[rater] for each in answers], judge)


def score_rows(
    answers: Sequence[elitr.Answer],
    scores: Sequence[float],
    judge: str,
    missing: int = 0,
    is_local: bool = False,
    reasons: Mapping[str, int] | None = None,
) -> Iterator[TableRow]:
    """The rows of one judge's scores of these answers, in points from 1 to 10; `missing` counts answers without one."""
    said, experts = np.array(scores, float), np.array([each.expert for each in answers], float)
    meetings = places([each.meeting for each in answers])
    gaps = said - experts

    def row(part: str, measure: str, score: Score, is_headline: bool = False) -> TableRow:
        unit: Unit = "coefficient" if measure == R_EXPERTS else "points"
        told = reasons or {}
        return TableRow(
            "elitr_bench",
            part,
            judge,
            measure,
            unit,
            score,
            "meetings",
            is_headline,
            is_local,
            told if not part else {},
        )

    yield row("", R_EXPERTS, pearson(said, experts, meetings, missing), is_headline=True)
    yield row("", BIAS, clustered_mean(gaps, meetings, _POINTS, missing))
    yield row("", ERROR, clustered_mean(np.abs(gaps), meetings, _POINTS, missing))
    for answerer in sorted({each.answerer for each in answers}):
        kept = [place for place, each in enumerate(answers) if each.answerer == answerer]
        bias = clustered_mean(gaps[kept], [meetings[place] for place in kept], _POINTS)
        yield row(f"answers of {answerer}", BIAS, bias)


def summedits_rows(whole: summedits.SummEdits) -> Iterator[TableRow]:
    """How many summaries of each domain have an error: no verdicts are stored."""
    for domain in summedits.domains(whole):
        here = [each for each in whole.summaries if whole.documents[each.document].domain == domain]
        score = share_of([each.truth == FAULTY for each in here], [each.document for each in here])
        yield TableRow("summedits", domain, "summaries", WITH_ERROR, "share", score, "documents")


def newsmtsc_rows(sentences: Sequence[newsmtsc.Sentence]) -> Iterator[TableRow]:
    """In how many sentences with several targets these fare differently, and macro-F1 without reading anything."""
    yield TableRow("newsmtsc", "several targets", "labels", MIXED, "share", mixed_share(sentences), "sentences")
    labels = np.array([each.label for sentence in sentences for each in sentence.mentions], np.int64)
    numbers = [place for place, sentence in enumerate(sentences) for _ in sentence.mentions]
    table = confusion(labels, np.zeros(len(labels), np.int64), numbers, np.ones(len(labels)))
    score = macro_f1(table, len(labels), 0)
    yield TableRow("newsmtsc", "", "always neutral", MACRO_F1, "share", score, "sentences", is_headline=True)


def mixed_share(sentences: Sequence[newsmtsc.Sentence]) -> Score:
    """Share of the sentences with several targets whose targets carry different labels, weighed as in the whole set.

    The sample holds more of the mixed ones than the set: each of the two kinds counts as there are in the set.
    """
    mixed = np.array([each.is_mixed for each in sentences], bool)
    several = np.array([len(each.mentions) > 1 for each in sentences], bool)
    n_mixed = int(mixed.sum())
    weights = np.where(
        mixed, newsmtsc.ALL_MIXED / max(n_mixed, 1), newsmtsc.ALL_OTHERS / max(len(sentences) - n_mixed, 1)
    )

    def share(drawn: Floats) -> Floats:
        whole = drawn @ (weights * several)
        return np.asarray(drawn @ (weights * mixed) / np.where(whole > 0, whole, 1.0))

    return bootstrapped(share, len(sentences), int(several.sum()), 0)


def tofueval_rows(sentences: Sequence[tofueval.SummarySentence]) -> Iterator[TableRow]:
    """How many sentences of models' summaries are wrong, in all and by kind of error."""
    documents = [each.document for each in sentences]
    score = share_of([not each.is_right for each in sentences], documents)
    yield TableRow("tofueval", "", "models' sentences", WRONG, "share", score, "documents")
    for fault in sorted({fault for each in sentences for fault in each.faults}):
        found = share_of([fault in each.faults for each in sentences], documents)
        yield TableRow("tofueval", fault.lower(), "models' sentences", WRONG, "share", found, "documents")


def qmsum_rows(queries: Sequence[qmsum.Query]) -> Iterator[TableRow]:
    """How many questions name the turns that answer them."""
    score = share_of([bool(each.spans) for each in queries], [each.meeting for each in queries])
    yield TableRow("qmsum", "", "questions", "with turns named", "share", score, "meetings")


def share_of(hits: Sequence[bool], clusters: Sequence[str], missing: int = 0) -> Score:
    """Share of hits with an interval over the named clusters."""
    numbers = places(clusters)
    counts = np.zeros((max(numbers, default=-1) + 1, 2))
    for number, hit in zip(numbers, hits, strict=True):
        counts[number, 0 if hit else 1] += 1
    return clustered_ratio(counts, Ratio((1, 0), (1, 1)), missing)
