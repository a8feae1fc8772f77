"""The words of a whole source, what was said and who said it, ready to be searched."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import NamedTuple

from localeval.evidence.folding import Token, tokens
from localeval.texts import Source

_MOST = 200
"""Places of one word or phrase that are looked at; a name that stands more often is settled by these."""
_BETWEEN = " | "
_CASED_SHARE = 0.003


class Place(NamedTuple):
    """A stretch of words: the indices of its first token and of the one after its last."""

    first: int
    last: int


class Corpus:
    """A source cut into words once. Immutable in use; what is costly is made when first needed.

    `text` is the source's text and after it each speaker's name once: a name may be known from there alone.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self._speakers = list(dict.fromkeys(s.speaker for s in source.segments if s.speaker))
        self._speaker_starts: list[int] = []
        self.text = source.text
        for speaker in self._speakers:
            self.text += _BETWEEN
            self._speaker_starts.append(len(self.text))
            self.text += speaker
        self.tokens: Sequence[Token] = tokens(self.text)
        self.n_said = bisect_left(self.tokens, len(source.text), key=lambda token: token.start)
        self._squeezed = "".join(token.key for token in self.tokens)
        self._offsets = [0]
        for token in self.tokens:
            self._offsets.append(self._offsets[-1] + len(token.key))
        self._initials: tuple[str, Sequence[int]] | None = None
        self._starts = [segment.start for segment in source.segments]

    @cached_property
    def at(self) -> Mapping[str, Sequence[int]]:
        """Where each folded word stands, as indices of tokens."""
        found: dict[str, list[int]] = defaultdict(list)
        for index, token in enumerate(self.tokens):
            found[token.key].append(index)
        return found

    @cached_property
    def is_cased(self) -> bool:
        """Whether the source writes names with capitals: some words within sentences have one, "I" aside."""
        inner = [token for token in self.tokens[: self.n_said] if not token.is_apart and len(token.key) > 1]
        return sum(token.text[0].isupper() for token in inner) > _CASED_SHARE * len(inner)

    def initials(self, left_out: frozenset[str]) -> tuple[str, Sequence[int]]:
        """The first letters of the words in a row, without some small ones, and the index of each one's token."""
        if self._initials is None:
            indices = [index for index, token in enumerate(self.tokens) if token.key not in left_out]
            self._initials = "".join(self.tokens[index].key[0] for index in indices), indices
        return self._initials

    def stretches(self, joined: str) -> Iterator[Place]:
        """Where whole words stand that read as `joined` when nothing parts them, in order; at most 200 places."""
        yield from islice(self._stretches(joined), _MOST)

    def _stretches(self, joined: str) -> Iterator[Place]:
        at = self._squeezed.find(joined) if joined else -1
        while at >= 0:
            first = bisect_left(self._offsets, at)
            last = bisect_left(self._offsets, at + len(joined))
            if self._offsets[first] == at and self._offsets[last] == at + len(joined):
                yield Place(first, last)
            at = self._squeezed.find(joined, at + 1)

    def is_one(self, place: Place) -> bool:
        """Whether no comma, end of a sentence or bracket parts the words of a place."""
        return not any(token.is_apart for token in self.tokens[place.first + 1 : place.last])

    def words(self, place: Place) -> str:
        """What stands at a place, as it is written."""
        return self.text[self.tokens[place.first].start : self.tokens[place.last - 1].end]

    def segments(self, place: Place) -> tuple[int, ...]:
        """The numbers of the segments that a place touches; for a speaker's name, where that speaker speaks."""
        return self.segments_of(self.tokens[place.first].start, self.tokens[place.last - 1].end)

    def segments_of(self, start: int, end: int) -> tuple[int, ...]:
        """The numbers of the segments that an offset range of `text` touches."""
        numbered = self.source.segments
        if start >= len(self.source.text):
            speaker = self._speakers[bisect_right(self._speaker_starts, start) - 1]
            return tuple(segment.number for segment in numbered if segment.speaker == speaker)
        first = max(bisect_right(self._starts, start) - 1, 0)
        touched = numbered[first : bisect_left(self._starts, end)] or numbered[first : first + 1]
        return tuple(segment.number for segment in touched if segment.end > start)
