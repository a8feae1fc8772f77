"""Shifts and shares of the probes."""

import numpy as np
import pytest

from localeval.checking.probes.measures import Drawn, share, shift, told
from localeval.stats.estimate import Estimate, Undefined
from localeval.stats.means import clustered_mean


def drawn(*values: float | None, sources: str = "abcdefgh") -> list[Drawn]:
    """Values, each about a source of its own unless told."""
    return [Drawn(source, value) for source, value in zip(sources, values, strict=False)]


def test_a_shift_is_the_clustered_mean() -> None:
    """Over sources where there are two; what is missing is counted and enters nothing."""
    found = shift(drawn(0.5, 0.0, 0.2, 0.1, None, sources="aabbc"))
    assert found == clustered_mean(np.array([0.5, 0.0, 0.2, 0.1]), [0, 0, 1, 1], missing=1)


def test_one_source_speaks_of_itself_alone() -> None:
    """The texts are then what differs, and the score says that it rests on one source."""
    found = shift(drawn(0.5, 0.0, 0.2, sources="aaa"))
    assert isinstance(found, Estimate)
    assert found.note == "one source"
    assert found.low < found.value < found.high


def test_texts_that_all_shift_alike_leave_room_for_one_that_does_not() -> None:
    """No interval is without width; it narrows with the number of texts, and a finer scale has a finer one."""
    three, eight = shift(drawn(0.0, 0.0, 0.0)), shift(drawn(*[0.0] * 8))
    fine = shift(drawn(0.0, 0.0, 0.0), step=0.1)
    assert isinstance(three, Estimate)
    assert isinstance(eight, Estimate)
    assert isinstance(fine, Estimate)
    assert three.high == -three.low == pytest.approx(0.5 * (1 - 0.05 ** (1 / 3)))
    assert 0 < eight.high < three.high
    assert fine.high == pytest.approx(three.high / 5)
    whole = shift(drawn(1.0, 1.0))
    assert isinstance(whole, Estimate)
    assert whole.high == 1.0


def test_one_text_has_no_shift() -> None:
    """Nor have two of which one is missing: the note says why."""
    found = shift(drawn(0.5, None))
    assert isinstance(found, Undefined)
    assert (found.n, found.missing) == (1, 1)
    assert told("x", found)["note"] == found.reason
    assert told("x", found)["shift"]["value"] is None


def test_a_share_counts_what_there_is() -> None:
    """Ones over ones and zeros; no share of nothing."""
    found = share(drawn(1.0, 0.0, 0.0, None))
    assert isinstance(found, Estimate)
    assert (found.value, found.n, found.missing, found.sources) == (pytest.approx(1 / 3), 3, 1, 3)
    assert isinstance(share(drawn(None)), Undefined)
