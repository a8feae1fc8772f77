"""The words of a text ready to be searched for names, and the names among them."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import accumulate

from localeval.evidence.folding import Token, is_cyrillic, tokens
from localeval.evidence.lexicon import chinese_words, is_opener, is_ordinary, may_be_name
from localeval.evidence.names import names
from localeval.evidence.wordlists import listed
from localeval.evidence.written_names import is_role
from localeval.texts import Language

FIRST_IN_PLACES = listed(
    "new north south east west northern southern eastern western great old upper lower central saint st san santa los"
    " las el fort mount lake port united republic royal national state university bank"
)
"""What a longer name begins with that no role or opening word of a sentence is, folded."""
CONNECTORS = listed("of de на")
_SENTENCE_END = re.compile(r"[!?…:;\n•*。！？：；#]|[“\"«「(]")
_CUT = re.compile(r"[/–—]")
_AROUND = 8
_LEAST_WORDS = 5
_LEAST_ORDINARY = 2
_HEADLINE_SHARE = 0.75
_CASED_SHARE = 0.003


def is_opening(token: Token) -> bool:
    """Whether a capital word that begins a sentence is only that: Impeaching, Boycott; but not New, nor Банк."""
    if is_cyrillic(token.key):
        return is_opener(token.key)
    return is_ordinary(token.key) and not may_be_name(token.key) and token.key not in FIRST_IN_PLACES


class TextNames:
    """The words of a text, where each stands, and the names among them. What is costly is made when first needed."""

    def __init__(self, text: str, language: Language) -> None:
        self.text = text
        self.tokens: Sequence[Token] = tokens(text)
        self._language = language
        self._runs: dict[tuple[int, int], tuple[int, int]] = {}

    @cached_property
    def at(self) -> Mapping[str, Sequence[int]]:
        """Where each folded word stands, as indices of tokens in order."""
        found: dict[str, list[int]] = {}
        for index, token in enumerate(self.tokens):
            found.setdefault(token.key, []).append(index)
        return found

    @cached_property
    def _squeezed(self) -> tuple[str, Sequence[int]]:
        """The folded words, nothing between them, and where each begins."""
        return "".join(token.key for token in self.tokens), [0, *accumulate(len(token.key) for token in self.tokens)]

    def spelt_apart(self, letters: str) -> Iterator[tuple[int, int]]:
        """The tokens of each stretch of two words or more that read as `letters` when nothing parts them."""
        line, offsets = self._squeezed
        at = line.find(letters)
        while at >= 0:
            first, last = bisect_left(offsets, at), bisect_left(offsets, at + len(letters))
            if offsets[first] == at and offsets[last] == at + len(letters) and last - first > 1:
                yield first, last
            at = line.find(letters, at + 1)

    @cached_property
    def is_cased(self) -> bool:
        """Whether capitals tell names: not in a text all small, as some transcripts are, nor in one all capitals."""
        words = [token for token in self.tokens if len(token.key) > 1 and token.text.lower() != token.text.upper()]
        n_capitals = sum(any(char.isupper() for char in token.text) for token in words)
        n_loud = sum(token.text.isupper() for token in words)
        is_shouted = len(words) >= _LEAST_WORDS and n_loud > _HEADLINE_SHARE * len(words)
        return n_capitals > _CASED_SHARE * len(words) and not is_shouted

    def gap(self, index: int) -> str:
        """What stands between a token and the one before it; before the first and after the last, all that is there."""
        start = self.tokens[index - 1].end if index else 0
        return self.text[start : self.tokens[index].start if index < len(self.tokens) else None]

    def begins_sentence(self, index: int) -> bool:
        """Whether a token is the first of a sentence or of what is quoted."""
        if index == 0:
            return True
        gap = self.gap(index)
        return _SENTENCE_END.search(gap) is not None or ("." in gap and self.tokens[index].is_apart)

    def run(self, first: int, last: int) -> tuple[int, int]:
        """The tokens of the name around those from `first` to `last`, cut at titles, slashes and dashes.

        "Officer of JetSuite" is no name, nor is "Members of Sawyer" where it begins a sentence; Bank of Russia is.
        """
        if (first, last) not in self._runs:
            self._runs[first, last] = self._run(first, last)
        return self._runs[first, last]

    def _run(self, first: int, last: int) -> tuple[int, int]:
        start, end = self._name_around(self.tokens[first].start, self.tokens[last - 1].end)
        left, right = first, last
        while left > 0 and self.tokens[left - 1].start >= start and not self._is_cut(left - 1, left):
            left -= 1
            if self.tokens[left].key == "of" and left and not is_ordinary(self.tokens[left - 1].key):
                break  # "Scott Morrison of Australia"
        while right < len(self.tokens) and self.tokens[right].end <= end and not self._is_cut(right, right):
            right += 1
        while left < first and self.tokens[left].key in CONNECTORS:
            left += 1
        is_of = first - left == 2 and self.tokens[left + 1].key == "of" and self.begins_sentence(left)
        return (first if is_of and is_opening(self.tokens[left]) else left), right

    def _is_cut(self, index: int, border: int) -> bool:
        """Whether a name ends before a token (or after it), as this is a title or a dash stands at its border."""
        return is_role(self.tokens[index].key) or _CUT.search(self.gap(border)) is not None

    @cached_property
    def found(self) -> Sequence[str]:
        """The names of the text in order."""
        return [self.text[start:end] for start, end in zip(*self._named, strict=True)]

    @cached_property
    def _named(self) -> tuple[Sequence[int], Sequence[int]]:
        found = names(self.text, self._language)
        return [name.start for name in found], [name.end for name in found]

    def _name_around(self, start: int, end: int) -> tuple[int, int]:
        starts, ends = self._named
        at = bisect_right(starts, start) - 1
        return (starts[at], ends[at]) if at >= 0 and ends[at] >= end else (start, end)

    @cached_property
    def chinese(self) -> tuple[Sequence[tuple[str, str]], Sequence[int]]:
        """The words of a Chinese text with their tags, and where each begins."""
        words = chinese_words(self.text)
        return words, [0, *accumulate(len(word) for word, _ in words)]

    def is_headline(self, first: int, last: int) -> bool:
        """Whether the words around write nearly all with a capital, ordinary ones too, and capitals tell no name."""
        left, right = first, last
        while left > 0 and first - left < _AROUND and not self.tokens[left].is_apart:
            left -= 1
        while right < len(self.tokens) and right - last < _AROUND and not self.tokens[right].is_apart:
            right += 1
        around = [token for token in (*self.tokens[left:first], *self.tokens[last:right]) if len(token.key) > 2]
        n_capitals = sum(token.text[0].isupper() for token in around)
        n_ordinary = sum(token.text[0].isupper() and is_opening(token) for token in around)
        is_enough = len(around) >= _LEAST_WORDS and n_ordinary >= _LEAST_ORDINARY
        return is_enough and n_capitals >= _HEADLINE_SHARE * len(around)


@lru_cache(maxsize=8)
def text_names(text: str, language: Language) -> TextNames:
    """The words and names of a text, kept for the next question about it."""
    return TextNames(text, language)
