"""The parts of a name as someone wrote it: title, forenames, surname, generation, company form."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from localeval.evidence.folding import Token, has_han, is_cyrillic, tokens
from localeval.evidence.lexicon import forms
from localeval.evidence.names import TITLES
from localeval.evidence.wordlists import listed

ARTICLES = listed("the a an")
PARTICLES = listed(
    """
    von van der den de la le del della di da dos du bin ibn bint abu al el ul ben ter ten zu zur af av
    фон ван дер де ла ле дель ди да бин ибн аль эль
    """
)
"""Small words that begin a surname and may be left out of it, folded."""
GENERATIONS = listed("jr sr ii iii iv junior senior мл младший")
"""What tells two people of one name apart, folded."""
ROLES = TITLES | listed(
    """
    rep sen gov gen col lt cpl adm atty amb hon pres messrs mme herr frau secretary chancellor premier attorney
    ambassador congressman congresswoman representative speaker justice judge king queen prince princess pope emperor
    duke baron count sheikh sultan general colonel lieutenant sergeant major admiral candidate nominee leader chief
    spokesman spokeswoman detective coach pastor bishop cardinal archbishop ayatollah host actor actress singer lawyer
    counsel democrat republican democratic republicans democrats gop deputy vice elect
    президент премьер министр канцлер сенатор губернатор депутат генерал полковник судья король королева принц
    принцесса папа император глава мэр посол секретарь председатель директор академик господа товарищ тов
    """
)
"""What stands before a name, capital or not, and belongs to no one's name, folded."""

_COMPANY = listed("inc ltd llc corp corporation gmbh plc co ag sa nv bv company limited ооо оао пао зао ао")
_ASIDE = re.compile(r"[(（\[【].*", re.DOTALL)
_SURROGATES = re.compile("[\ud800-\udfff]")
_LONGEST_INVERTED = 3

Word = tuple[Token, ...]
"""One word of a name with what hyphens, apostrophes and full stops join to it: O'Rourke, Ocasio-Cortez, U.S."""


@dataclass(frozen=True, slots=True)
class WrittenName:
    """A name cut into words: the whole of it, and its core without article, company form and possessive.

    `generation` is the folded "jr" or "iii" at its end, or empty; it is in `whole` and not in `core`.
    """

    whole: tuple[Word, ...]
    core: tuple[Word, ...]
    generation: str = ""

    @property
    def person(self) -> tuple[Word, ...]:
        """The core as a person's name, its titles left out: "General Grant" is Grant, but General Motors is no one."""
        return tuple(_after(list(self.core), is_role))

    @property
    def n_forenames(self) -> int:
        """How many words of `person` stand before the surname; von, de la and the like belong to the surname."""
        words = self.person
        at = len(words) - 1
        while at > 1 and words[at - 1][0].key in PARTICLES:
            at -= 1
        return max(at, 0)


def level(text: str) -> str:
    """A text of the same length without lone surrogates, which dictionaries cannot read."""
    return _SURROGATES.sub("\ufffd", text)


@lru_cache(maxsize=4096)
def written(name: str) -> WrittenName:
    """A name in its parts; empty where it has no letter or digit. Raises nothing.

    "Trump, Donald" is put in order; of "Jason Miller, a contributor" and "Tim Huelskamp (R-Kan.)" the core is the
    name alone.
    """
    name = level(name)
    whole = _words(name)
    core = _in_order(_words(_ASIDE.sub("", name)) or whole)
    generation = next((word[0].key for word in core[1:] if word[0].key in GENERATIONS), "")
    core = [word for place, word in enumerate(core) if place == 0 or word[0].key not in GENERATIONS]
    core = _after(core, ARTICLES.__contains__)
    while len(core) > 1 and core[-1][0].key in _COMPANY:
        core = core[:-1]
    core = _after(core, _COMPANY.__contains__)
    if core:
        core[-1] = _without_possessive(name, core[-1])
    return WrittenName(tuple(whole), tuple(core), generation)


def is_role(key: str) -> bool:
    """Whether a folded word is a title or role, in Russian in any case."""
    return key in ROLES or (is_cyrillic(key) and not ROLES.isdisjoint(forms(key)))


def _after(words: list[Word], is_left_out: Callable[[str], bool]) -> list[Word]:
    """The words after the first ones that are left out; one at the least is kept."""
    while len(words) > 1 and is_left_out(words[0][0].key):
        words = words[1:]
    return words


def _words(name: str) -> list[Word]:
    """The words of a name, parted by spaces and commas; a Chinese name's by anything but nothing."""
    grouped: list[list[Token]] = []
    for token in tokens(name):
        gap = name[grouped[-1][-1].end : token.start] if grouped else ""
        is_parted = token.is_apart or any(char.isspace() for char in gap) or (bool(gap) and has_han(token.text))
        if not grouped or is_parted:
            grouped.append([])
        grouped[-1].append(token)
    return [tuple(group) for group in grouped]


def _in_order(words: list[Word]) -> list[Word]:
    """The words before the first comma or the like; a surname before a comma goes after the forenames."""
    if len(words) < 2 or has_han(words[0][0].text):
        return words
    cut = next((place for place, word in enumerate(words[1:], 1) if word[0].is_apart), len(words))
    first, rest = words[:cut], words[cut:]
    if rest and all(word[0].key in GENERATIONS for word in rest):
        return words
    is_inverted = len(first) == 1 and 0 < len(rest) <= _LONGEST_INVERTED
    if is_inverted and all(word[0].text[0].isupper() and word[0].key not in _COMPANY for word in rest):
        return [*rest, *first]
    return first


def _without_possessive(name: str, word: Word) -> Word:
    is_possessive = len(word) > 1 and word[-1].text == "s" and name[word[-2].end : word[-1].start] in list("'’ʼ`´")
    return word[:-1] if is_possessive else word


def keys(words: Sequence[Word]) -> tuple[str, ...]:
    """The folded tokens of words in order."""
    return tuple(token.key for word in words for token in word)
