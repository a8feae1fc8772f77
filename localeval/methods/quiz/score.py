"""From quizzes to numbers: CapP, CapR, CapF1 and what lies behind them, as they stand in scores.json."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from localeval.methods.quiz.answers import LETTERS
from localeval.methods.quiz.compare import compare_systems
from localeval.methods.quiz.schemas import (
    GOLD,
    GROUPS,
    Answered,
    QuizItem,
    QuizSettings,
    SourceQuiz,
    quiz_hash,
)
from localeval.methods.quiz.tally import ANSWERED, BENT, CAP_F1, CAP_P, CAP_R, LOST, Tally, counts, tally
from localeval.stats.estimate import Score, Undefined, score_to_json
from localeval.stats.intervals import Ratio, clustered_ratio, clustered_ratios, mean_of_sources
from localeval.values import Missing

Json = dict[str, Any]

HEADLINE: Mapping[str, Ratio] = {
    "cap_p": CAP_P,
    "cap_r": CAP_R,
    "cap_f1": CAP_F1,
    "answered": ANSWERED,
    "bent": BENT,
    "lost": LOST,
}


def score_quiz(quizzes: Mapping[str, SourceQuiz], settings: QuizSettings) -> Json:
    """The quiz's part of scores.json: docs/scores.md describes it field by field.

    `quizzes` is by source id, in order. Pooled numbers are micro-pooled over questions, as in CapQuiz (arXiv
    2609.09973; its tables reproduce so), with intervals clustered by source; the mean over sources stands beside
    them. Numbers of different answerers must not be compared (the same paper: 7 points of CapR).
    """
    systems = sorted({system for quiz in quizzes.values() for system in quiz.answers})
    answers = {s: {name: q.answers[s] for name, q in quizzes.items() if s in q.answers} for s in systems}
    pairs, ranks = compare_systems(answers)
    found = {system: _system(quizzes, answers[system]) for system in systems}
    order = sorted(systems, key=lambda system: (ranks.get(system, len(systems) + 1), -_value(found[system]), system))
    every = [answer for by_source in answers.values() for given in by_source.values() for answer in given]
    return {
        "missing": _n_missing(quizzes.values(), every),
        "settings": settings.model_dump(mode="json"),
        "quiz": _quiz(quizzes),
        "systems": {system: {"rank": ranks.get(system)} | found[system] for system in order},
        "pairs": pairs,
        "controls": {name: _control(quizzes, name) for name in ("empty", "unrelated", "source") if settings.controls},
        "letters": _letters(quizzes.values()),
    }


def _system(quizzes: Mapping[str, SourceQuiz], answers: Mapping[str, Sequence[Answered]]) -> Json:
    """One system's numbers over its sources."""
    tallies = _tallies(answers)
    total = sum(tallies.values(), Tally())
    return {
        **_headline(tallies),
        "counts": _counts(total),
        "hard_negative_share": score_to_json(_share_of_wrong(tallies)),
        "cap_r_of_ceiling": score_to_json(_of_ceiling(quizzes, answers)),
        "mean_of_sources": {
            name: score_to_json(_mean(tallies, HEADLINE[name])) for name in ("cap_p", "cap_r", "cap_f1")
        },
        "by_group": _by(quizzes, answers, lambda item: item.group),
        "by_kind": _by(quizzes, answers, lambda item: item.kind),
        "by_source": _by_source(tallies),
    }


def _headline(tallies: Mapping[str, Tally], names: Sequence[str] = tuple(HEADLINE)) -> Json:
    """The headline numbers of these names with their intervals, from one tally a source."""
    missing = sum(each.missing for each in tallies.values())
    table = counts(list(tallies.values()))
    return {name: score_to_json(clustered_ratio(table, HEADLINE[name], missing)) for name in names}


def _by_source(tallies: Mapping[str, Tally]) -> Json:
    """The headline of each source by itself."""
    table = counts(list(tallies.values()))[:, None]
    missing = [each.missing for each in tallies.values()]
    columns = [clustered_ratios(table, ratio, missing) for ratio in HEADLINE.values()]
    return {
        name: dict(zip(HEADLINE, map(score_to_json, scores), strict=True)) | {"counts": _counts(each)}
        for (name, each), *scores in zip(tallies.items(), *columns, strict=True)
    }


def _counts(total: Tally) -> Json:
    return {
        "n": total.n,
        "kept": total.right,
        "bent": total.wrong,
        "lost": total.undetermined,
        "missing": total.missing,
        "unstable": total.unstable,
        "hard_negative": total.hard_negative,
    }


def _tallies(answers: Mapping[str, Sequence[Answered]]) -> dict[str, Tally]:
    return {name: tally(given) for name, given in answers.items()}


def _share_of_wrong(tallies: Mapping[str, Tally]) -> Score:
    """Of the wrong answers, the share that took the hard negative."""
    table = np.array([[each.hard_negative, each.wrong - each.hard_negative] for each in tallies.values()], dtype=float)
    return clustered_ratio(table.reshape(-1, 2), Ratio((1, 0), (1, 1)))


def _of_ceiling(quizzes: Mapping[str, SourceQuiz], answers: Mapping[str, Sequence[Answered]]) -> Score:
    """CapR over the questions that the answerer itself answers rightly from the whole source.

    CapR divided by the ceiling would be a ratio of two numbers from the same questions; restricting the questions
    keeps it a proportion with an honest interval.
    """
    solved: dict[str, Tally] = {}
    for name, given in answers.items():
        ceiling = quizzes[name].controls.get("source", ())
        can = {answer.item for answer in ceiling if answer.chosen == GOLD}
        solved[name] = tally(answer for answer in given if answer.item in can)
    if not any(quizzes[name].controls.get("source") for name in answers):
        return Undefined("the source was not put as a control")
    return clustered_ratio(counts(list(solved.values())), CAP_R, sum(each.missing for each in solved.values()))


def _mean(tallies: Mapping[str, Tally], ratio: Ratio) -> Score:
    """Mean over sources of a ratio; a source where it is not defined is counted as missing."""
    values = []
    for each in tallies.values():
        bottom = float(counts([each])[0] @ np.array(ratio.denominator))
        if bottom > 0:
            values.append(float(counts([each])[0] @ np.array(ratio.numerator)) / bottom)
    return mean_of_sources(np.array(values), len(tallies) - len(values))


def _by(
    quizzes: Mapping[str, SourceQuiz],
    answers: Mapping[str, Sequence[Answered]],
    label: Callable[[QuizItem], str],
) -> Json:
    """Numbers by a label of the questions, in the order of the taxonomy."""
    labels = dict.fromkeys(name for kind, group in GROUPS.items() for name in (kind, group))
    table: dict[str, dict[str, Tally]] = {}
    for source, given in answers.items():
        labelled: dict[str, list[Answered]] = {}
        for item, answer in zip(quizzes[source].items, given, strict=True):
            labelled.setdefault(label(item), []).append(answer)
        for name, chosen in labelled.items():
            table.setdefault(name, {})[source] = tally(chosen)
    return {
        name: {
            **_headline(table[name], ("cap_p", "cap_r", "cap_f1")),
            "counts": _counts(sum(table[name].values(), Tally())),
        }
        for name in labels
        if name in table
    }


def _quiz(quizzes: Mapping[str, SourceQuiz]) -> Json:
    """What was asked, and what left the quiz."""
    items = tuple(item for quiz in quizzes.values() for item in quiz.items)
    return {
        "hash": quiz_hash(items),
        "items": len(items),
        "asked_for": sum(quiz.asked_for for quiz in quizzes.values()),
        "dropped": dict(sorted(Counter(drop.reason for quiz in quizzes.values() for drop in quiz.dropped).items())),
        "sources": {name: _source(quiz) for name, quiz in quizzes.items()},
    }


def _source(quiz: SourceQuiz) -> Json:
    missing = quiz.missing
    return {
        "hash": quiz_hash(quiz.items),
        "items": len(quiz.items),
        "asked_for": quiz.asked_for,
        "dropped": dict(sorted(Counter(drop.reason for drop in quiz.dropped).items())),
        "missing": _missing(missing) if missing is not None else None,
    }


def _missing(missing: Missing) -> Json:
    numbers = {"needed": missing.needed, "limit": missing.limit} if missing.needed else {}
    return {"reason": missing.reason, "detail": missing.detail, **numbers}


def _control(quizzes: Mapping[str, SourceQuiz], name: str) -> Json:
    tallies = {source: tally(quiz.controls[name]) for source, quiz in quizzes.items() if name in quiz.controls}
    return {
        **_headline(tallies, ("cap_r", "answered")),
        "counts": _counts(sum(tallies.values(), Tally())),
    }


def _letters(quizzes: Iterable[SourceQuiz]) -> Json:
    """How the answerer's choice depends on the letter, over every trial with a verdict.

    `chosen`: share of the trials in which the letter was chosen. `gold`: in which the right answer stood there.
    `recall`: of those, the share answered rightly. `recall_sd`: their standard deviation, 0 for a reader without
    letter bias (Zheng et al. 2024, "PriDe"); None where fewer than two letters ever held the right answer.
    """
    trials = [
        trial
        for quiz in quizzes
        for given in (*quiz.answers.values(), *quiz.controls.values())
        for answer in given
        for trial in answer.trials
        if not isinstance(trial.chosen, Missing)
    ]
    gold = Counter(trial.gold_letter for trial in trials)
    chosen = Counter(trial.letter for trial in trials)
    right = Counter(trial.gold_letter for trial in trials if trial.chosen == GOLD)
    recall = {place: right[place] / gold[place] for place in sorted(gold)}
    return {
        "trials": len(trials),
        "chosen": {LETTERS[place]: chosen[place] / len(trials) for place in sorted(chosen)},
        "gold": {LETTERS[place]: gold[place] / len(trials) for place in sorted(gold)},
        "recall": {LETTERS[place]: share for place, share in recall.items()},
        "recall_sd": float(np.std(list(recall.values()), ddof=1)) if len(recall) > 1 else None,
    }


def _n_missing(quizzes: Iterable[SourceQuiz], answers: Sequence[Answered]) -> int:
    """Answers without a verdict, and every question that a source without any quiz should have had."""
    lost = sum(quiz.asked_for for quiz in quizzes if quiz.missing is not None)
    return lost + sum(isinstance(answer.chosen, Missing) for answer in answers)


def _value(system: Json) -> float:
    return float(system["cap_f1"]["value"] or 0.0)
