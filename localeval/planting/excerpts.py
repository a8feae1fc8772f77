"""A text in a source's own words, for a source that no trusted text is about."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from localeval.evidence.names import names
from localeval.evidence.quantities import quantities
from localeval.keys import derive_seed
from localeval.planting.reports import BETWEEN, ORIGIN, report
from localeval.planting.schemas import Trusted
from localeval.texts import Candidate, Language, Segment, Source

_SHORTEST: dict[Language, int] = {"en": 40, "ru": 40, "zh": 12}
_LONGEST: dict[Language, int] = {"en": 260, "ru": 260, "zh": 110}
_SENTENCE = re.compile(r"\S.*?(?:[.!…]+(?=\s|$)|\?+(?=\s|$)|[。！？]+|$)", re.S)
_UNFIT = re.compile(r"[?？{}\[\]\"“”«»<>]|--|\.\.\.|…|\n")


class _Piece(NamedTuple):
    """One sentence of a source, and who says it."""

    start: int
    text: str
    speaker: str | None


def excerpts(source: Source, n: int, seed: int) -> Trusted | None:
    """A text of at most `n` sentences of the source, spread over its whole length, each with who says it.

    A line a sentence, `Anna Weber: "..."` where the source knows who speaks; each is one segment. Of each n-th of the
    source the sentence with most names and numbers, by the seed among equals. None where the source has no sentence
    that is whole, no question and of middling length, or `n` is 0.
    """
    pieces = [piece for piece in _pieces(source) if _is_fit(piece.text, source.language)]
    chosen = _filled(list(_spread(pieces, source, n, seed)), pieces, n, seed)
    if not chosen:
        return None
    lines = [_report(piece, source.language) for piece in chosen]
    text, segments = BETWEEN.join(lines), []
    start = 0
    for number, line in enumerate(lines, 1):
        segments.append(Segment(number, start, start + len(line)))
        start += len(line) + len(BETWEEN)
    return Trusted(source, Candidate(source.id, ORIGIN, text, "", tuple(segments)), ORIGIN)


def _pieces(source: Source) -> Iterator[_Piece]:
    """The sentences of a source: segments in a row of one speaker are read as one, as a cue may end anywhere."""
    held: list[Segment] = []
    for segment in source.segments:
        if held and (segment.speaker is None or segment.speaker != held[-1].speaker):
            yield from _sentences(source, held)
            held = []
        held.append(segment)
    if held:
        yield from _sentences(source, held)


def _sentences(source: Source, turn: Sequence[Segment]) -> Iterator[_Piece]:
    start, words = turn[0].start, source.text[turn[0].start : turn[-1].end]
    for found in _SENTENCE.finditer(words):
        yield _Piece(start + found.start(), " ".join(found[0].split()), turn[0].speaker)


def _is_fit(text: str, language: Language) -> bool:
    """Whether a sentence can stand alone: neither short nor long, no question, nothing that is marked or quoted."""
    return _SHORTEST[language] <= len(text) <= _LONGEST[language] and _UNFIT.search(text) is None


def _spread(pieces: Sequence[_Piece], source: Source, n: int, seed: int) -> Iterator[_Piece]:
    """The best sentence of each n-th of a source."""
    length = max(len(source.text), 1)
    for part in range(n):
        own = [piece for piece in pieces if part * length <= piece.start * n < (part + 1) * length]
        if own:
            yield max(own, key=lambda piece: (_content(piece.text, source.language), derive_seed(seed, piece.start)))


def _filled(chosen: Sequence[_Piece], pieces: Sequence[_Piece], n: int, seed: int) -> Sequence[_Piece]:
    """The sentences with others, by the seed, in the place of those parts that had none; in the source's order."""
    rest = sorted((piece for piece in pieces if piece not in chosen), key=lambda piece: derive_seed(seed, piece.start))
    return sorted([*chosen, *rest[: n - len(chosen)]], key=lambda piece: piece.start)


def _content(text: str, language: Language) -> int:
    """How much of a sentence can be checked, 0 to 3: names and quantities."""
    return min(3, len(quantities(text, language)) + len(names(text, language)))


def _report(piece: _Piece, language: Language) -> str:
    """A sentence as somebody says it."""
    if piece.speaker is None:
        return piece.text
    return report(piece.speaker, piece.text, language)
