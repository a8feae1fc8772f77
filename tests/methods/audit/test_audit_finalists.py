"""`localeval.methods.audit.finalists`: which systems and sources are audited, by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from localeval.errors import ConfigError
from localeval.methods.audit.finalists import Finalists, choose
from localeval.methods.audit.schemas import AuditSettings

CONSENSUS = {"old": 0.4, "b": 0.81, "a": 0.81, "c": 0.905, "silent": None}
LENGTH = {"s1": 500, "s2": 900, "s3": 900, "s4": 100}
DISAGREEMENT = {"s1": 0.4, "s2": 0.1, "s3": 0.1, "s4": 0.05}
SCORE = {"s1": 0.8, "s2": 0.6, "s3": 0.5, "s4": 0.9}


def chosen(finalists: int = 2, hardest: int = 2, incumbent: str | None = None) -> Finalists:
    made = AuditSettings(auditors=("j",), of="finalists", finalists=finalists, hardest=hardest, incumbent=incumbent)
    return choose(CONSENSUS, DISAGREEMENT, LENGTH, SCORE, made)


def test_the_best_by_consensus_are_audited() -> None:
    """c leads; a and b tie and go by name; nobody without a consensus is among the best."""
    assert chosen(1).systems == ("c",)
    assert chosen(2).systems == ("c", "a")
    assert chosen(9).systems == ("c", "a", "b", "old")


def test_the_incumbent_is_audited_whatever_its_consensus() -> None:
    """It is added to the best, once, even where the panel has no number for it."""
    assert chosen(2, incumbent="old").systems == ("c", "a", "old")
    assert chosen(2, incumbent="a").systems == ("c", "a")
    assert chosen(2, incumbent="silent").systems == ("c", "a", "silent")


def test_an_incumbent_that_is_no_system_is_refused_in_one_line() -> None:
    """Place, value and what may stand there."""
    with pytest.raises(ConfigError) as caught:
        chosen(incumbent="odl")
    assert str(caught.value) == (
        "methods.audit.incumbent: 'odl' is no system of this run; name one of a, b, c, old, silent or leave it out"
    )


def test_the_hardest_sources_by_the_sum_of_their_places() -> None:
    """s3: 2 (shared) + 1 (shared) + 1 = 4; s2: 2 + 1 + 2 = 5; s1: 1 + 3 + 3 = 7; s4: 4 + 4 + 4 = 12."""
    assert chosen(hardest=4).sources == ("s3", "s2", "s1", "s4")
    assert chosen(hardest=1).sources == ("s3",)
    assert chosen(hardest=99).sources == ("s3", "s2", "s1", "s4")


def test_why_tells_every_choice() -> None:
    """One line for each system and each source, with the numbers that decided."""
    assert chosen(1, 1, "old").why == (
        "system c: consensus 90.5 of 100, place 1",
        "system old: the incumbent",
        "source s3: place 2 by disagreement, 1 by length, 1 by low score, sum 4",
    )


def test_sources_that_tie_stand_in_their_order() -> None:
    """All alike: the first ones are taken, whatever their names."""
    settings = AuditSettings(auditors=("j",), of="finalists", hardest=2)
    alike = dict.fromkeys(("z", "m", "a"), 7)
    assert choose({"x": 1.0}, alike, alike, alike, settings).sources == ("z", "m")


def test_a_source_that_the_panel_knows_nothing_of_comes_last_by_what_is_not_known() -> None:
    """No guess: its disagreement and score place it after all others, its length where it belongs."""
    settings = AuditSettings(auditors=("j",), of="finalists", hardest=3)
    found = choose({"x": 1.0}, {"k": 1.0, "m": None}, {"u": 9, "m": 8, "k": 7}, {"k": 50.0, "m": 60.0}, settings)
    assert found.sources == ("k", "u", "m")
    assert found.why[-2:] == (
        "source u: place 2 by disagreement, 1 by length, 3 by low score, sum 6",
        "source m: place 2 by disagreement, 2 by length, 2 by low score, sum 6",
    )


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=6, unique=True),
    st.integers(1, 6),
)
def test_no_source_that_is_left_out_is_harder_in_every_way(rows: list[tuple[int, int, int]], hardest: int) -> None:
    """What is chosen is never beaten in disagreement, length and low score at once by what is not."""
    names = [str(n) for n in range(len(rows))]
    disagreement, length, score = (dict(zip(names, column, strict=True)) for column in zip(*rows, strict=True))
    settings = AuditSettings(auditors=("j",), of="finalists", hardest=hardest)
    kept = choose({"x": 1.0}, disagreement, length, score, settings).sources
    assert len(kept) == min(hardest, len(names))
    for out in set(names) - set(kept):
        for each in kept:
            assert not (
                disagreement[out] > disagreement[each] and length[out] > length[each] and score[out] < score[each]
            )
