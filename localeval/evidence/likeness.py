"""How like a name is to the words of a source, in spelling and in sound."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import product
from typing import NamedTuple

from rapidfuzz import fuzz, process

from localeval.evidence.corpus import Corpus, Place
from localeval.evidence.folding import ascii_of, is_cyrillic, is_han, join_sounds, sound
from localeval.evidence.lexicon import is_closed, is_ordinary

NAME_THRESHOLD = 75.0
ORDINARY_THRESHOLD = 80.0
FOREIGN_THRESHOLD = 70.0
"""How like a name words must be, 0 to 100, to be near it: any words, words that a dictionary has, and words in the
other script, Latin or Cyrillic.

Measured: 59 names and what speech recognition or transliteration made of them, each within 3,000 characters of a
meeting, and 110 names that a meeting of 127,000 characters lacks. Near were 95 % of the former and 45 % of the latter
at 75 for all, 85 % and 21 % at 80; and 93 % and 22 % as they are here.
"""

_LONGEST_WINDOW = 3
_SHORTEST, _LONGEST = 0.65, 1.5
_LEAST_SPELLING = 60.0
_LEAST_SOUND = 3
_CANDIDATES = 40
_VOWEL = sound("a")


class Like(NamedTuple):
    """A place whose words are like a name, 0 (nothing in common) to 100 (the same letters)."""

    place: Place
    similarity: float


def similarity(one: str, other: str) -> float:
    """How alike two folded words are, 0 to 100: the mean of their spelling's and of their sound's likeness.

    Each is rapidfuzz's normalised Indel similarity, over ASCII letters without spaces and over `sound`; a sound of
    one or two classes says too little, and spelling alone decides.
    """
    left, right = ascii_of(one).lower(), ascii_of(other).lower()
    spelling = fuzz.ratio(left, right)
    heard, other_heard = sound(left), sound(right)
    if min(len(heard), len(other_heard)) < _LEAST_SOUND:
        return spelling
    return (spelling + fuzz.ratio(heard, other_heard)) / 2


class _Table(NamedTuple):
    """Windows of a source: where each first stands; all of a length and a first sound; all of a sound.

    The first sound parts windows of several words alone: a name is seldom cut up and misheard in its first sound too.
    """

    places: dict[str, Place]
    by_shape: dict[tuple[int, str], list[str]]
    by_sound: dict[str, list[str]]


class Windows:
    """Every one, two or three words in a row of a source, for likeness; Chinese by syllables."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus

    def most_like(self, joined: str) -> Like | None:
        """The words most like a folded name without spaces; None where none are like enough.

        Enough is `NAME_THRESHOLD`; for words that a dictionary has `ORDINARY_THRESHOLD`, for words in the other
        script `FOREIGN_THRESHOLD`.
        """
        if is_han(joined):
            return self._most_like_in_sound(joined)
        wanted, table = ascii_of(joined).lower(), self._table
        code = sound(joined)
        shapes = product(_lengths(len(wanted)), ["", *sorted({code[:1], _VOWEL})])
        spellings = [word for shape in shapes for word in table.by_shape.get(shape, ())]
        found = process.extract(
            wanted, spellings, scorer=fuzz.ratio, processor=None, limit=_CANDIDATES, score_cutoff=_LEAST_SPELLING
        )
        candidates = {word for word, _, _ in found}.union(table.by_sound.get(code, ()))
        scored = sorted((-similarity(wanted, word), len(word), word) for word in candidates)
        for score, _, word in scored:
            if -score < FOREIGN_THRESHOLD:
                break
            if self._is_telling(joined, table.places[word], -score):
                return Like(table.places[word], -score)
        return None

    def _is_telling(self, joined: str, place: Place, score: float) -> bool:
        """Whether words are like enough to be the name misheard: function words never are, ordinary ones seldom."""
        heard = self._corpus.tokens[place.first : place.last]
        keys = [token.key for token in heard]
        if all(is_closed(key) for key in keys):
            return False
        if is_cyrillic(joined) != all(is_cyrillic(key) for key in keys):
            return True
        is_plain = all(token.text[0].islower() and is_ordinary(token.key) for token in heard)
        return score >= (ORDINARY_THRESHOLD if is_plain else NAME_THRESHOLD)

    @cached_property
    def _table(self) -> "_Table":
        """The windows of the source by their ASCII letters, each with its first place.

        Left out are function words alone or in pairs, and three words that begin or end with one: too many, and too
        seldom a name.
        """
        words = self._corpus.tokens
        spelt = ["" if is_han(word.text) else ascii_of(word.key).lower() for word in words]
        heard = [sound(word) for word in spelt]
        is_small = [word.key.isascii() and is_closed(word.key) for word in words]
        table = _Table({}, defaultdict(list), defaultdict(list))
        for first in range(len(words)):
            spelling, code = "", ""
            for last in range(first, min(first + _LONGEST_WINDOW, len(words))):
                if not spelt[last] or (last > first and words[last].is_apart):
                    break
                spelling += spelt[last]
                code = join_sounds(code, heard[last])
                n_small = is_small[first] + is_small[last]
                if n_small < (1 if last > first + 1 else 2) and spelling not in table.places:
                    table.places[spelling] = Place(first, last + 1)
                    table.by_shape[len(spelling), code[:1] if last > first else ""].append(spelling)
                    table.by_sound[code].append(spelling)
        return table

    @cached_property
    def _syllables(self) -> Mapping[str, Sequence[int]]:
        """Where each Chinese syllable stands."""
        found: dict[str, list[int]] = defaultdict(list)
        for index, token in enumerate(self._corpus.tokens):
            if is_han(token.text):
                found[_syllable(token.key)].append(index)
        return found

    def _most_like_in_sound(self, joined: str) -> Like | None:
        """The characters that share most syllables with a Chinese name, tones and n/ng, z/zh aside."""
        votes: dict[int, int] = defaultdict(int)
        for offset, char in enumerate(joined):
            for index in self._syllables.get(_syllable(char), ()):
                votes[index - offset] += 1
        last = len(self._corpus.tokens) - len(joined)
        likely = [(count, -first) for first, count in votes.items() if 0 <= first <= last]
        count, first = max(likely, default=(0, 0))
        score = 100.0 * count / len(joined)
        return Like(Place(-first, -first + len(joined)), score) if score >= NAME_THRESHOLD else None


def _lengths(wanted: int) -> range:
    """The lengths of words that are looked at for one of `wanted` letters."""
    return range(int(wanted * _SHORTEST), int(wanted * _LONGEST) + 2)


def _syllable(char: str) -> str:
    return ascii_of(char).lower().replace("zh", "z").replace("ch", "c").replace("sh", "s").replace("ng", "n")
