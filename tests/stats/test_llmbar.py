"""The published yardsticks of panels on LLMBar: five judges' stored votes, no model.

Conventions: prompt Vanilla; each judge votes twice on an item, with the outputs in the given and in the swapped order;
a vote that could not be read (8 of PaLM2, 2 of LLaMA2) abstains; an even vote is half right.
"""

import csv
import json
import os
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from localeval.stats.correlation import effective_number, effective_raters, mean_correlation
from localeval.stats.estimate import Estimate
from localeval.stats.intervals import Floats
from localeval.stats.voting import is_unanimous, log_odds, weighted_vote

ROOT = Path(__file__).resolve().parents[2]
TABLE = ROOT / "tests" / "data" / "llmbar_votes.csv"
JUDGES = ("GPT-4", "PaLM2", "LLaMA2", "ChatGPT", "Falcon")
WEAKER = [1, 2, 3]
MARKS = {"+": 1.0, "-": -1.0, ".": 0.0}
N_LABELLED = 60
N_SPLITS = 200


class Votes(NamedTuple):
    """Votes [items, judges, 2 orders]: 1 right, -1 wrong, 0 not given."""

    natural: Floats
    adversarial: Floats


@pytest.fixture(scope="module")
def votes() -> Votes:
    """The committed table."""
    rows = read_table()
    marks = np.array([[[MARKS[mark] for mark in cell] for cell in row[1:]] for row in rows])
    is_natural = np.array([row[0] == "Natural" for row in rows])
    return Votes(marks[is_natural], marks[~is_natural])


def read_table() -> list[list[str]]:
    """The rows of the committed table: the subset, then one cell a judge."""
    lines = [line for line in TABLE.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    header, *rows = csv.reader(lines)
    assert tuple(header) == ("subset", *JUDGES)
    return rows


def accuracy(votes: Floats, weights: Floats | None = None) -> float:
    """Share of items that the vote over judges and orders gets right."""
    each = np.repeat(np.ones(votes.shape[1]) if weights is None else weights, 2)
    return float(weighted_vote(votes.reshape(len(votes), -1), each).mean())


def learn(votes: Floats) -> Floats:
    """Log-odds weights of the judges from labelled items."""
    return np.array([log_odds((votes[:, j] > 0).sum(), (votes[:, j] != 0).sum()) for j in range(votes.shape[1])])


def unanimous(votes: Floats) -> tuple[float, float]:
    """(share of items on which all votes agree, share of those that are right)."""
    flat = votes.reshape(len(votes), -1)
    agreed = is_unanimous(flat)
    return float(agreed.mean()), float(weighted_vote(flat[agreed], np.ones(flat.shape[1])).mean())


def test_the_table_is_whole(votes: Votes) -> None:
    """100 natural and 319 adversarial items, ten votes each, ten of them not given."""
    assert (votes.natural.shape, votes.adversarial.shape) == ((100, 5, 2), (319, 5, 2))
    assert sum(int((each == 0).sum()) for each in votes) == 10


def test_best_single_judge(votes: Votes) -> None:
    """GPT-4 alone: .955 on natural pairs, .810 on adversarial ones; nobody is better."""
    natural, adversarial = ([(each[:, j] > 0).mean() for j in range(5)] for each in votes)
    assert (max(natural), max(adversarial)) == (natural[0], adversarial[0])
    assert natural[0] == pytest.approx(0.955, abs=5e-4)
    assert adversarial[0] == pytest.approx(0.810, abs=5e-4)


def test_equal_votes_of_five(votes: Votes) -> None:
    """.940 and .538: the panel of equals is worse than its best member, by far where it matters."""
    assert accuracy(votes.natural) == pytest.approx(0.940, abs=5e-4)
    assert accuracy(votes.adversarial) == pytest.approx(0.538, abs=5e-4)


def test_three_weaker_judges(votes: Votes) -> None:
    """PaLM2, LLaMA2 and ChatGPT with equal votes: .885 and .361."""
    assert accuracy(votes.natural[:, WEAKER]) == pytest.approx(0.885, abs=5e-4)
    assert accuracy(votes.adversarial[:, WEAKER]) == pytest.approx(0.361, abs=5e-4)


def test_unanimity_is_not_evidence(votes: Votes) -> None:
    """Where all six votes of the three agree they are right in .962 of natural and in .245 of adversarial items."""
    assert unanimous(votes.natural[:, WEAKER]) == pytest.approx((0.52, 0.962), abs=5e-4)
    assert unanimous(votes.adversarial[:, WEAKER]) == pytest.approx((0.15, 0.245), abs=5e-3)
    assert unanimous(votes.adversarial[:, WEAKER])[1] == pytest.approx(0.245, abs=5e-4)


def test_sixty_labels_make_the_panel_better_than_its_best(votes: Votes) -> None:
    """Weights from 60 labelled items: .86 on the rest against .81 for GPT-4 on the same items, over 200 splits.

    Published: .864 and .810. The mean over all splits is .866, and over 200 of them it varies by .0013.
    """
    rng = np.random.default_rng(1)
    panel, single = [], []
    for _ in range(N_SPLITS):
        order = rng.permutation(len(votes.adversarial))
        known, rest = votes.adversarial[order[:N_LABELLED]], votes.adversarial[order[N_LABELLED:]]
        panel.append(accuracy(rest, learn(known)))
        single.append(float((rest[:, 0] > 0).mean()))
    assert np.mean(panel) == pytest.approx(0.864, abs=0.004)
    assert round(float(np.mean(panel)), 2) == 0.86
    assert np.mean(single) == pytest.approx(0.810, abs=5e-4)
    assert np.mean(np.array(panel) < np.array(single)) < 0.05, "weights hurt in some splits"


def test_weights_of_another_domain_help_less(votes: Votes) -> None:
    """Weights learnt on natural pairs: .730 on every second adversarial item (159), .708 on all of them."""
    weights = learn(votes.natural)
    assert (weights > 0).all()
    assert accuracy(votes.adversarial[1::2], weights) == pytest.approx(0.730, abs=5e-4)
    assert accuracy(votes.adversarial, weights) == pytest.approx(0.708, abs=5e-4)


def test_a_judge_below_chance_votes_for_the_other_side(votes: Votes) -> None:
    """On adversarial items LLaMA2 and ChatGPT are right less than half the time, and their weights are negative."""
    weights = dict(zip(JUDGES, learn(votes.adversarial), strict=True))
    assert {judge for judge, weight in weights.items() if weight < 0} == {"LLaMA2", "ChatGPT"}


def test_five_judges_are_worth_two(votes: Votes) -> None:
    """Over all 419 items the judges' errors have a mean correlation of .38, and five are worth 1.97."""
    errors, given = error_rates(np.concatenate(votes))
    found = mean_correlation(errors, given)
    assert isinstance(found, Estimate)
    assert found.value == pytest.approx(0.384, abs=5e-4)
    assert effective_number(5, found.value) == pytest.approx(1.97, abs=5e-3)
    worth = effective_raters(5, found)
    assert isinstance(worth, Estimate)
    assert 1.7 < worth.low < worth.value < worth.high < 2.3


def error_rates(votes: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """(share of wrong votes [items, judges], whether the judge gave any)."""
    n = (votes != 0).sum(2)
    return (votes < 0).sum(2) / np.maximum(n, 1), n > 0


def test_the_table_agrees_with_the_stored_verdicts() -> None:
    """Derived anew from the original files, where they are at hand, the table is the same."""
    named = os.environ.get("LOCALEVAL_DATA")
    folder = (Path(named) if named else ROOT.parent / "shared" / "data") / "llmbar"
    if not folder.is_dir():
        pytest.skip(f"no {folder}; LOCALEVAL_DATA names the folder of the data sets")
    items, verdicts = (
        [json.loads(line) for line in (folder / name).read_text(encoding="utf-8").splitlines()]
        for name in ("items.jsonl", "judge_verdicts.jsonl")
    )
    by_id = {row["id"]: row for row in verdicts}
    derived = [[item["subset"], *marks_of(by_id[item["id"]])] for item in items]
    assert derived == read_table()
    assert all(first["id"] != second["id"] for first, second in pairwise(items))


def marks_of(row: dict[str, object]) -> list[str]:
    """The cells of one stored row."""
    verdicts = row["verdicts"]
    assert isinstance(verdicts, dict)
    given = [verdicts.get(f"{judge}|Vanilla", [None, None]) for judge in JUDGES]
    return ["".join("." if v is None else "+" if v == str(row["label"]) else "-" for v in pair) for pair in given]
