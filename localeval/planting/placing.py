"""Where in a source stands what a sentence says."""

from collections import defaultdict
from collections.abc import Mapping

from localeval.evidence.lookup import SourceIndex
from localeval.planting.reports import REPORT
from localeval.texts import Source

_NEAREST = 25
"""Segments most like the sentence that have a say, each the less, the further down it is."""
_REACH = 1500
"""Characters on each side of a place whose votes count for it: a matter is spoken of in several turns."""
_REACH_SHARE = 0.05
_MOST_PLACES = 3
_RARE = 0.5


def place_in(source: Source, index: SourceIndex, text_sentence: str) -> float | None:
    """Where in the source, 0 its beginning and 1 its end, a sentence is grounded; None where nothing is like it.

    Where the very words stand in the source, that is the place. Else each of the segments that are most like the
    sentence votes for its own middle, and so do the places of the names and numbers that the source has in few
    segments; the place with most votes around it wins.
    """
    report = REPORT.fullmatch(text_sentence.strip())
    words = report["words"] if report else text_sentence
    if said := index.find_phrase(words):
        return _share(source, _middle(source, said[0]))
    votes = _votes(source, index, words)
    if not votes:
        return None
    reach = min(_REACH, _REACH_SHARE * len(source.text))
    middles = {number: _middle(source, number) for number in votes}
    weights = {number: _around(middles, votes, middles[number], reach) for number in votes}
    best = max(weights, key=lambda number: (weights[number], votes[number], -number))
    return _share(source, middles[best])


def _votes(source: Source, index: SourceIndex, sentence: str) -> Mapping[int, float]:
    """The numbers of segments, each with what speaks for it."""
    votes: dict[int, float] = defaultdict(float)
    for rank, number in enumerate(index.nearest(sentence, _NEAREST)):
        votes[number] += 1 / (1 + rank)
    for found in index.find(sentence):
        if found.match == "exact" and 0 < len(found.segments) <= _MOST_PLACES:
            for number in found.segments:
                votes[number] += _RARE / len(found.segments)
    return votes


def _middle(source: Source, number: int) -> float:
    segment = source.segments[number - 1]
    return (segment.start + segment.end) / 2


def _share(source: Source, at: float) -> float:
    return min(1.0, at / max(len(source.text), 1))


def _around(middles: Mapping[int, float], votes: Mapping[int, float], at: float, reach: float) -> float:
    """The votes of all segments near a place, those at its side less than its own."""
    return sum(votes[number] * max(0.0, 1 - abs(middle - at) / (2 * reach)) for number, middle in middles.items())
