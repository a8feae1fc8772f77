"""What dictionaries say about a word. Each is loaded when the first word is asked for, and kept."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple, Protocol, cast

from localeval.evidence.folding import fold, is_cyrillic
from localeval.evidence.wordlists import listed

_NAME_MARKS = frozenset({"Name", "Surn", "Patr", "Geox", "Orgn", "Trad", "Init", "Abbr"})
_NOT_ORDINARY = _NAME_MARKS | {"Poss"}
_PERSON_MARKS = frozenset({"Name", "Surn", "Patr"})
_CLOSED = frozenset({"PREP", "CONJ", "PRCL", "NPRO", "ADVB", "INTJ", "PRED", "NUMR", "COMP"})
_FUNCTION = frozenset({"PREP", "CONJ", "PRCL", "NPRO"})
_OPENING = _CLOSED | frozenset({"VERB", "INFN", "GRND", "PRTS", "ADJS"})

_ENGLISH_CLOSED = listed(
    """
    a about above according across actually additionally after afterwards again against all almost along already also
    although always am among an and another any anyone anything are around as at away back based be because been
    before behind being below besides between beyond both but by can cannot could currently dear despite did do does
    doing done down due during each either else etc even eventually ever every everyone everything except finally
    first firstly following for former from further furthermore given had has have having he hello hence her here hers
    herself hey hi him himself his how however i if in indeed initially instead into is it its itself just last lastly
    later latter least less let lets like likewise many may me meanwhile mine more moreover most much must my myself
    neither never nevertheless next no nobody none nonetheless nor not nothing now of off oh ok okay on once one only
    onto or other others otherwise our ours out outside over overall own per perhaps please previously rather re
    regarding right same second secondly several shall she should similarly since so some someone something soon
    still such sure than thanks that the their theirs them themselves then there thereby therefore these they third
    this those though through throughout thus to today together tomorrow tonight too toward towards two under unless
    unlike until up upon us usually very was we well were what whatever when whenever where whereas whether which
    while who whoever whole whom whose why will with within without would yeah yes yesterday yet you your yours
    yourself im ive ill id dont doesnt didnt isnt wasnt wont cant thats theres youre theyre weve
    """
)

_ENGLISH_TELLING = listed(
    """
    against dear despite done finally hello hey hi least less like likes many more most much never nobody none not
    nothing no oh ok okay please rather right sure thanks unless well without yes yeah
    """
)
"""Closed words of English that say something of what they stand with."""
_RUSSIAN_AUXILIARIES = listed("был была было были быть будет будут есть является являются являлся являлась")

_LY_ADJECTIVES = listed(
    """
    ally anomaly assembly bully butterfly daily early family fly friendly hourly italy july lily monopoly monthly
    nightly quarterly rally reply supply weekly yearly emily kelly molly holly sally billy polly willy
    """
)


class _Tag(Protocol):
    """The grammemes of a word's form."""

    POS: str | None
    gender: str | None
    number: str | None
    case: str | None
    grammemes: frozenset[str]


class _Parse(Protocol):
    """One reading of a Russian word."""

    word: str
    normal_form: str
    tag: _Tag
    is_known: bool
    lexeme: "list[_Parse]"

    def inflect(self, marks: set[str]) -> "_Parse | None":
        """The form of the word with these grammemes, where it has one."""


class _Analyser(Protocol):
    """Reads Russian words."""

    def parse(self, word: str) -> list[_Parse]:
        """Every reading of a word, the likeliest first."""


class Reading(NamedTuple):
    """One reading of a Russian word: its dictionary form and its grammemes, the part of speech among them."""

    lemma: str
    marks: frozenset[str]


@lru_cache(maxsize=1)
def _english() -> Mapping[str, str]:
    """Word forms with their lemmas, each in the case in which it is written: `tom` has `Tom`, `marks` has `mark`."""
    from simplemma.strategies.dictionaries import DefaultDictionaryFactory

    return DefaultDictionaryFactory().get_dictionary("en")


@lru_cache(maxsize=1)
def _russian() -> _Analyser:
    from pymorphy3 import MorphAnalyzer

    return cast(_Analyser, MorphAnalyzer(lang="ru"))


@lru_cache(maxsize=65536)
def _readings(key: str) -> tuple[_Parse, ...]:
    """The readings of a folded Russian word."""
    return tuple(_russian().parse(key))


def is_closed(key: str) -> bool:
    """Whether a folded word is a function word or an adverb that opens sentences; never part of a name's edge."""
    if not is_cyrillic(key):
        return key in _ENGLISH_CLOSED
    return _opens_with(key, _CLOSED)


def is_function_word(key: str) -> bool:
    """Whether a folded word says nothing alone: article, pronoun, preposition, conjunction, particle, auxiliary."""
    if not is_cyrillic(key):
        return key in _ENGLISH_CLOSED and key not in _ENGLISH_TELLING
    return key in _RUSSIAN_AUXILIARIES or _opens_with(key, _FUNCTION)


def is_opener(key: str) -> bool:
    """Whether a folded word that begins a sentence stands before a name rather than begins it."""
    if not is_cyrillic(key):
        return key in _ENGLISH_CLOSED or (key.endswith("ly") and key not in _LY_ADJECTIVES and is_ordinary(key))
    return _opens_with(key, _OPENING)


@lru_cache(maxsize=65536)
def _opens_with(key: str, parts: frozenset[str]) -> bool:
    """Whether a Russian word's likeliest reading is one of these parts of speech, or a pronoun's adjective (сам)."""
    likeliest = next(iter(_readings(key)), None)
    if likeliest is None or not likeliest.is_known:
        return False
    return likeliest.tag.POS in parts or "Apro" in likeliest.tag.grammemes


@lru_cache(maxsize=65536)
def is_ordinary(key: str) -> bool:
    """Whether a dictionary knows a folded word as one that is written small."""
    if is_cyrillic(key):
        return any(reading.is_known and not _NOT_ORDINARY & reading.tag.grammemes for reading in _readings(key))
    return key in _ENGLISH_CLOSED or key.isdigit() or _english().get(key, "A").islower()


@lru_cache(maxsize=65536)
def may_be_name(key: str) -> bool:
    """Whether a folded word can be a name as well: Mark, Bill and London; in Russian a person's, as a subject."""
    if is_cyrillic(key):
        return any(
            reading.is_known and _PERSON_MARKS & reading.tag.grammemes and reading.tag.case == "nomn"
            for reading in _readings(key)
        )
    return not _english().get(key.capitalize(), "a").islower()


@lru_cache(maxsize=65536)
def forms(key: str) -> frozenset[str]:
    """Every folded form that a name may take in the sentence, `key` among them: "анне" has "анна", "анну", ...

    Where a form tells man from woman only that gender's forms are returned: "Петровой" is not "Петров", but
    "Петрова" may be. A word that the dictionary lacks is inflected after words that end as it does. Latin and
    Chinese words have one form.
    """
    return frozenset({key, *_forms(key)}) if is_cyrillic(key) else frozenset({key})


def _forms(key: str) -> Iterator[str]:
    readings = [reading for reading in _readings(key) if reading.tag.POS in ("NOUN", "ADJF", "PRTF")]
    known = [reading for reading in readings if reading.is_known]
    names = [reading for reading in known if _NAME_MARKS & reading.tag.grammemes]
    for reading in names or known or readings:
        tag = reading.tag
        for other in reading.lexeme:
            if (other.tag.gender, other.tag.number) == (tag.gender, tag.number) and other.tag.POS == tag.POS:
                yield fold(other.word)


@lru_cache(maxsize=65536)
def cases(key: str) -> frozenset[str]:
    """The cases in which a Russian person's name can stand; empty for any other word."""
    readings = [reading for reading in _readings(key) if reading.is_known] if is_cyrillic(key) else []
    return frozenset(r.tag.case for r in readings if _PERSON_MARKS & r.tag.grammemes and r.tag.case)


def russian_readings(key: str) -> tuple[Reading, ...]:
    """The readings of a folded Russian word that the dictionary knows, the likeliest first."""
    return tuple(Reading(one.normal_form, one.tag.grammemes) for one in _readings(key) if one.is_known)


@lru_cache(maxsize=4096)
def russian_form(lemma: str, part: str, marks: frozenset[str]) -> str:
    """The form of a Russian word that has these grammemes; "" where it has none.

    `part` is the part of speech of the dictionary form (INFN for a verb, NOUN, ADJF).
    """
    for reading in _russian().parse(lemma):
        if reading.normal_form == lemma and part == reading.tag.POS and (form := reading.inflect(set(marks))):
            return form.word
    return ""


@lru_cache(maxsize=1024)
def chinese_words(text: str) -> tuple[tuple[str, str], ...]:
    """A Chinese text cut into words, each with its tag (nr a person, ns a place, nt an organisation, ...)."""
    import rjieba

    return tuple(rjieba.tag(text))


def is_chinese_word(word: str) -> bool:
    """Whether the Chinese dictionary lists a word."""
    import rjieba

    return rjieba.has_word(word)
