"""Whether an answerer likes letters: each question with its right answer at every letter in turn.

After Zheng et al. 2024 (arXiv 2309.03882): what is chosen by letter against where the right answer stood, and the
spread of recall over letters.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from localeval.checking.probes.context import Found, Json, Place, ProbeContext
from localeval.checking.probes.measures import Drawn, not_measured, share, shift, told
from localeval.checking.probes.reading import by_quiz
from localeval.flow import Flow
from localeval.methods.quiz.answers import LETTERS
from localeval.methods.quiz.schemas import GOLD, N_WRITTEN, UNDETERMINED, Trial
from localeval.planting.settings import CheckedMethod, Probe
from localeval.stats.estimate import Estimate, Score
from localeval.stats.intervals import Floats, Interval
from localeval.stats.jackknife import jackknifed
from localeval.values import Missing

PROBE: Probe = "option order"
METHODS: tuple[CheckedMethod, ...] = ("quiz",)

_WHAT = "the letter chosen most above its due, over all places of the right answer"
_DEVIATIONS = Interval(0.0, 0.5)
_OTHER_TRIALS = 2
"""Askings with "cannot be determined" where the config does not have it: last, or shuffled."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """A trial, and the source that it is about."""

    source: str
    trial: Trial

    @property
    def chosen(self) -> int | None:
        """Place in the item's list; None where it is missing."""
        return None if isinstance(self.trial.chosen, Missing) else self.trial.chosen

    def drawn(self, value: bool) -> Drawn:
        """1 or 0; None where the answer is missing."""
        return Drawn(self.source, None if self.chosen is None else float(value))


def flows(context: ProbeContext) -> Iterator[tuple[Place, Flow[list[Trial]]]]:
    """One question a source, as many times as it has letters, and some more with another place of the way out."""
    quiz = context.evaluation.config.methods.quiz
    for place in context.places(PROBE, "quiz", _cases(context), len(context.faulty)):
        assert quiz is not None
        _, cloze = context.faulty[place.text]
        where, text = place.case, cloze.trusted.candidate.text
        n_letters = N_WRITTEN + (where == "shuffled")
        n_trials = n_letters if where == quiz.undetermined else _OTHER_TRIALS
        yield place, by_quiz(context, place.model, cloze.item, text, range(n_trials), where)


def score(context: ProbeContext, found: Found, method: CheckedMethod, model: str) -> Json:
    """What the answerer's choices owe to letters."""
    quiz = context.evaluation.config.methods.quiz
    assert quiz is not None
    trials = {case: _trials(context, found, model, case) for case in _cases(context)}
    asked = trials[quiz.undetermined]
    if not asked:
        return not_measured(_WHAT, "no trusted text holds words that a question can be made of")
    n_letters = N_WRITTEN + (quiz.undetermined != "none")
    pulls = {letter: _pull(asked, place) for place, letter in enumerate(LETTERS[:n_letters])}
    known = {letter: pull for letter, pull in pulls.items() if isinstance(pull, Estimate)}
    if not known:
        return told(_WHAT, pulls["A"])
    most = max(known, key=lambda letter: known[letter].value)
    recalls = {letter: _recall(asked, place) for place, letter in enumerate(LETTERS[:n_letters])}
    rows: list[tuple[str, Score]] = [(f"chosen above its due: {letter}", pull) for letter, pull in pulls.items()]
    rows += [(f"right where the right answer is {letter}", each) for letter, each in recalls.items() if each.n]
    rows += [
        ("standard deviation of these", _spread(asked, n_letters)),
        ("questions answered in two ways", _flips(asked)),
    ]
    rows += _ways_out(trials)
    return told(
        _WHAT, known[most], rows, f"the letter is {most}; the largest of {n_letters} lies somewhat above 0 by chance"
    )


def _cases(context: ProbeContext) -> tuple[str, ...]:
    """Where "cannot be determined" stands: as configured, and the other way, but for a quiz that has none of it."""
    quiz = context.evaluation.config.methods.quiz
    return ("none",) if quiz is not None and quiz.undetermined == "none" else ("last", "shuffled")


def _trials(context: ProbeContext, found: Found, model: str, case: str) -> list[_Asked]:
    return [
        _Asked(sample.source.id, trial)
        for text, (sample, _) in enumerate(context.faulty)
        for trial in found[Place(PROBE, "quiz", model, text, case)]
    ]


def _pull(asked: Sequence[_Asked], letter: int) -> Score:
    """Share of answers with a letter less the share of right answers there."""
    drawn = [
        Drawn(
            each.source,
            None if each.chosen is None else float(each.trial.letter == letter) - (each.trial.gold_letter == letter),
        )
        for each in asked
    ]
    return shift(drawn, step=1.0)


def _recall(asked: Sequence[_Asked], letter: int) -> Score:
    """Share of right answers where the right one has a letter."""
    return share([each.drawn(each.chosen == GOLD) for each in asked if each.trial.gold_letter == letter])


def _spread(asked: Sequence[_Asked], n_letters: int) -> Score:
    """Standard deviation of recall over letters, in [0, 0.5], with the jackknife over sources."""
    read = [each for each in asked if each.chosen is not None]
    names = sorted({each.source for each in read})
    counts = np.zeros((len(names), n_letters, 2))
    for each in read:
        counts[names.index(each.source), each.trial.gold_letter] += (each.chosen == GOLD, 1)
    total = counts.sum(0)
    left_out = np.array([_deviation(total - one) for one in counts])
    return jackknifed(_deviation(total), left_out, len(read), len(asked) - len(read), _DEVIATIONS)


def _deviation(counts: Floats) -> float:
    """Of counts [letters, right and all]; letters at which no right answer stood do not enter."""
    known = counts[counts[:, 1] > 0]
    return float(np.std(known[:, 0] / known[:, 1])) if len(known) else float("nan")


def _flips(asked: Sequence[_Asked]) -> Score:
    """Share of questions that have two answers."""
    chosen: dict[str, set[int]] = {}
    for each in asked:
        chosen.setdefault(each.source, set()).update({each.chosen} if each.chosen is not None else ())
    return share([Drawn(source, float(len(answers) > 1) if answers else None) for source, answers in chosen.items()])


def _ways_out(trials: Mapping[str, Sequence[_Asked]]) -> list[tuple[str, Score]]:
    """How often "cannot be determined" is chosen about texts that say it, by its place."""
    return [
        (f"“cannot be determined” chosen where it is {case}", share([e.drawn(e.chosen == UNDETERMINED) for e in asked]))
        for case, asked in trials.items()
        if case != "none"
    ]
