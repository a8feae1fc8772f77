"""`localeval.comparing.draws`: which labelled texts stand for themselves alone."""

import numpy as np
import pytest

from localeval.comparing.draws import alone
from localeval.stats.labelling import choose_labels

Draw = dict[str, object]


def draw(**texts: str) -> Draw:
    """A draw of texts of one system, by source."""
    return {"texts": [{"source": source, "system": "a", "why": why} for source, why in texts.items()]}


def sources(draws: list[Draw], labelled: str) -> str:
    found = alone(tuple(draws), {(source, "a") for source in labelled})
    return "".join(sorted(source for source, _ in found))


def test_of_several_sheets_the_last_alone_is_drawn_from_what_is_left() -> None:
    """Earlier sheets stand for themselves, unless later ones picked nothing for doubt or were never labelled."""
    first, second, plain = draw(p="doubt", q="random"), draw(r="doubt", s="random"), draw(t="random")
    assert sources([first], "pq") == "p"
    assert sources([first, second], "pqrs") == "pqr"
    assert sources([first, second, plain], "pqrst") == "pqr"
    assert sources([first, plain], "pqt") == "p"
    assert sources([first, second], "pq") == "p"
    assert sources([], "p") == ""


def test_sheets_in_turn_leave_the_mean_right() -> None:
    """Three sheets of a judge that doubts the faulty texts: the weighed mean of 200 studies is the true one."""
    rng = np.random.default_rng(5)
    gaps = []
    for _ in range(200):
        truth = (rng.random(100) < 0.2).astype(float)
        doubt = 0.5 * truth + 0.4 * rng.random(100)
        rest, draws = list(range(100)), []
        for _ in range(3):
            picks = choose_labels(doubt[rest], [0] * len(rest), rest, 20, rng)
            draws.append(draw(**{str(rest[pick.index]): pick.why for pick in picks}))
            rest = [each for k, each in enumerate(rest) if k not in {pick.index for pick in picks}]
        labelled = sorted(set(range(100)) - set(rest))
        lone = {int(source) for source, _ in alone(tuple(draws), {(str(each), "a") for each in labelled})}
        share = (60 - len(lone)) / (100 - len(lone))
        chances = np.array([1.0 if each in lone else share for each in labelled])
        gaps.append(float(np.average(truth[labelled], weights=1 / chances) - truth.mean()))
    assert np.mean(gaps) == pytest.approx(0.0, abs=0.006)
