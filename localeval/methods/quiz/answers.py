"""From letters to answers: in which order the options stand, and what several orders say together."""

import math
import random

from localeval.keys import derive_seed
from localeval.methods.quiz.schemas import GOLD, N_WRITTEN, UNDETERMINED, Answered, QuizItem, QuizSettings, Trial
from localeval.outputs import choice_probabilities, read_choice
from localeval.values import Choice, Missing, Reply

LETTERS = "ABCDEF"


def arrangement(item: QuizItem, purpose: str, trial: int, seed: int, undetermined: str) -> tuple[int, ...]:
    """Places of the item's options, in the order in which they are shown.

    Balanced: an item has one seeded order, which each further trial turns by about half the letters, so that no option
    stands at a letter twice before it has stood at all of them and a letter's pull cancels. The right answer's
    letter moves on by one from item to item of a quiz. With `undetermined` "last" the sixth option closes the list,
    with "shuffled" it moves like any other, with "none" (and in blind trials) there are five.
    """
    n_moving = N_WRITTEN + (undetermined == "shuffled")
    start = derive_seed(seed, "arrangement", item.source, purpose)
    step = n_moving // 2
    lap = n_moving // math.gcd(n_moving, step)  # after so many trials the places would repeat: move on by one
    gold_at = (start + item.number + trial * step + trial // lap) % n_moving
    others = [place for place in range(n_moving) if place != GOLD]
    random.Random(derive_seed(seed, item.id, purpose)).shuffle(others)
    turned = [GOLD, *others]
    order = turned[-gold_at:] + turned[:-gold_at] if gold_at else turned
    return (*order, UNDETERMINED) if undetermined == "last" else tuple(order)


def choice_of(n_options: int) -> Choice:
    """The letters of so many options."""
    return Choice(tuple(LETTERS[:n_options]))


def read_trial(reply: Reply, order: tuple[int, ...]) -> Trial:
    """One reply, back from letters to the item's own options."""
    choice = choice_of(len(order))
    gold_letter = order.index(GOLD)
    verdict = read_choice(reply, choice)
    if isinstance(verdict, Missing):
        return Trial(verdict, -1, gold_letter)
    letter = LETTERS.index(verdict)
    by_letter = choice_probabilities(reply, choice)
    if by_letter is None:
        return Trial(order[letter], letter, gold_letter)
    by_place = {place: by_letter[LETTERS[shown]] for shown, place in enumerate(order)}
    return Trial(order[letter], letter, gold_letter, tuple(by_place[place] for place in sorted(by_place)))


def combine(item: QuizItem, trials: tuple[Trial, ...]) -> Answered:
    """The answer over all orders of the options.

    With probabilities: the option with the highest mean (a letter's pull cancels as the options move). Without: the
    option that most trials chose; a tie has no answer and is missing ("unstable"). Trials without a verdict are left
    out; with none left the first one's reason stands. Unstable: the trials chose different options.
    """
    read = [trial for trial in trials if not isinstance(trial.chosen, Missing)]
    if not read:
        missing = next(trial.chosen for trial in trials if isinstance(trial.chosen, Missing))
        return Answered(item.id, missing, False, trials)
    chosen = [trial.chosen for trial in read if isinstance(trial.chosen, int)]
    is_unstable = len(set(chosen)) > 1
    if all(trial.probabilities for trial in read):
        places = range(len(read[0].probabilities))
        mass = [sum(trial.probabilities[place] for trial in read) for place in places]
        return Answered(item.id, max(places, key=lambda place: (mass[place], -place)), is_unstable, trials)
    votes = sorted(((chosen.count(place), place) for place in set(chosen)), reverse=True)
    if len(votes) > 1 and votes[0][0] == votes[1][0]:
        return Answered(item.id, Missing("unstable", f"{votes[0][0]} trials each"), True, trials)
    return Answered(item.id, votes[0][1], is_unstable, trials)


def undetermined_for(settings: QuizSettings, purpose: str) -> str:
    """Blind trials have no way out: whoever may say "cannot be determined" shows nothing about guessing."""
    return "none" if purpose == "blind" else settings.undetermined
