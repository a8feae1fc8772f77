"""Texts to numbered segments whose offsets point into the text exactly.

Every character of a text that is not white space belongs to exactly one segment, and no segment is longer than
`LONGEST` characters, so that a cited segment is always short enough to read.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import sentencex

from localeval.inputs.dialogue import read_turns
from localeval.inputs.passages import Passage
from localeval.texts import Language, Segment

LONGEST = 600
"""Characters in a segment at most; a longer passage is cut at sentence ends, a longer sentence at clause ends."""

_SHORTEST_CUT = 200
_WINDOW = 4000
_HEADING = re.compile(r"[^\S\n]*#{1,6}\s")
_BLOCK = re.compile(r"[^\S\n]*(?:#{1,6}\s|[-*+•]\s|\d{1,3}[.)]\s|\||>)")
_ENUMERATOR = re.compile(r"\d{1,3}[.)]")
_CJK_END = re.compile(r"[。！？]+[”’」』）》]*")
_CLAUSE_END = re.compile(r"[,;:](?=\s)|[，；：、—]")
_SPACE = re.compile(r"\s")

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Cut:
    """A text and its segments, in order, numbered from 1."""

    text: str
    segments: tuple[Segment, ...]


def cut_text(text: str, language: Language) -> Cut:
    """Plain text or Markdown: speaker turns where the text as a whole is a dialogue, else sentences.

    For sentences the text stays as it is. For turns it is rebuilt, one turn after the other: names and clock times
    at line starts go into the segments (`localeval.inputs.dialogue`). Markdown is kept as text.
    """
    turns = read_turns(text)
    if turns is not None:
        return cut_passages(turns, language)
    return Cut(text, cut_sentences(text, language))


def cut_sentences(text: str, language: Language) -> tuple[Segment, ...]:
    """The sentences of a text, none longer than `LONGEST`: how every candidate is cut, whatever it looks like."""
    spans = [short for start, end in sentences(text, language) for short in _shorten(text, start, end)]
    return tuple(Segment(number, start, end) for number, (start, end) in enumerate(spans, 1))


def cut_passages(passages: Sequence[Passage], language: Language) -> Cut:
    """Passages (cues, turns) joined by one line break each; blank ones are left out.

    A passage over `LONGEST` characters becomes several segments, cut at sentence ends, with the passage's own
    speaker and times on each: the words were said somewhere within that span, and no time is made up.
    """
    kept = [passage for passage in passages if passage.text.strip()]
    text = "\n".join(passage.text.strip() for passage in kept)
    segments: list[Segment] = []
    start = 0
    for passage in kept:
        end = start + len(passage.text.strip())
        for left, right in _pack(text, start, end, language):
            number = len(segments) + 1
            segments.append(Segment(number, left, right, passage.begin_s, passage.end_s, passage.speaker))
        start = end + 1
    return Cut(text, tuple(segments))


def sentences(text: str, language: Language) -> Iterator[Span]:
    """Start and end of each sentence, in order, without the white space around it.

    Paragraphs (blank line, Markdown heading, list item, table row, quotation) are cut first, then sentences by
    sentencex. sentencex knows many Russian abbreviations (г., ул., тыс., руб., initials) but cuts after some
    that come in pairs ("т. е."): the cut comes too early, and no character is lost.
    """
    for start, end in _paragraphs(text):
        held = None
        for left, right in _windows(text, start, end):
            # the library panics on line separators beside initials; offsets stay, being counted in characters
            plain = _SPACE.sub(lambda space: "\n" if space[0] == "\n" else " ", text[left:right])
            for boundary in sentencex.get_sentence_boundaries(language, plain):
                for first, last in _trim(text, left + boundary["start_index"], left + boundary["end_index"]):
                    held = first if held is None else held
                    if last == end or not _ENUMERATOR.fullmatch(text, held, last):  # "1." is no sentence
                        yield held, last
                        held = None


def _paragraphs(text: str) -> Iterator[Span]:
    start = end = 0
    is_heading = False
    for line in text.split("\n"):
        if is_heading or not line.strip() or _BLOCK.match(line):
            yield from _trim(text, start, end)
            start = end
        is_heading = _HEADING.match(line) is not None
        end = min(end + len(line) + 1, len(text))
    yield from _trim(text, start, end)


def _windows(text: str, start: int, end: int) -> Iterator[Span]:
    """A long paragraph in parts that end with a Chinese full stop: sentencex takes quadratic time on Chinese."""
    while end - start > _WINDOW:
        stop = _CJK_END.search(text, start + _WINDOW, end)
        if stop is None:
            break
        yield start, stop.end()
        start = stop.end()
    if start < end:
        yield start, end


def _trim(text: str, start: int, end: int) -> Iterator[Span]:
    part = text[start:end]
    if words := part.strip():
        left = start + len(part) - len(part.lstrip())
        yield left, left + len(words)


def _pack(text: str, start: int, end: int, language: Language) -> Iterator[Span]:
    """The span whole when it is short; else as many sentences to a piece as fit in `LONGEST`."""
    if end - start <= LONGEST:
        yield start, end
        return
    left = right = start
    for first, last in sentences(text[start:end], language):
        for piece_start, piece_end in _shorten(text, start + first, start + last):
            if right > left and piece_end - left > LONGEST:
                yield left, right
                left = piece_start
            right = piece_end
    yield left, right


def _shorten(text: str, start: int, end: int) -> Iterator[Span]:
    """A sentence in pieces of at most `LONGEST`: speech-to-text may go on for an hour without a full stop."""
    while end - start > LONGEST:
        cut = _cut_point(text, start)
        yield from _trim(text, start, cut)
        start = cut
    yield from _trim(text, start, end)


def _cut_point(text: str, start: int) -> int:
    """Where to end a piece: after a line, else a clause, else a word, else after `LONGEST` characters."""
    low, high = start + _SHORTEST_CUT, start + LONGEST
    line = text.rfind("\n", low, high)
    if line >= 0:
        return line + 1
    for mark in (_CLAUSE_END, _SPACE):
        ends = [match.end() for match in mark.finditer(text, low, high)]
        if ends:
            return ends[-1]
    cut = high
    while cut > low and unicodedata.combining(text[cut]):
        cut -= 1
    return cut
