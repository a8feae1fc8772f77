"""Tasks and statements that are given to another person of the source."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from localeval.evidence.folding import fold, tokens
from localeval.evidence.lexicon import Reading, chinese_words, is_ordinary, may_be_name, russian_readings
from localeval.evidence.lookup import SourceIndex
from localeval.evidence.mentions import find_mentions
from localeval.evidence.wordlists import listed
from localeval.keys import derive_seed
from localeval.planting.changes import Change
from localeval.planting.english_verbs import finite
from localeval.planting.persons import gender_of
from localeval.planting.picking import pick_others
from localeval.texts import Language, Source

_LEADS = re.compile(
    r"(?:^|[.;:,—–(]\s*|\b(?:and|but|because|that|so|when|while|although|until|as|then|where)\s+|\d\s+"
    r"|\b(?:January|February|March|April|May|June|July|August|September|October|November|December|\w+day)\s+)$"
)
_HELPERS = listed(
    """
    will would must should can has had is was does did also then
    """
)
_REPORT = re.compile(r"^(?P<name>[^:：\n\"“«「]{1,60})[:：]\s?[\"“«「]")
_MORE_NAMES: dict[Language, tuple[str, ...]] = {
    "en": ("Rosalind", "Gareth", "Imogen", "Desmond", "Harriet", "Clive", "Winifred", "Leopold"),
    "ru": ("Аркадий", "Эдуард", "Ростислав", "Инесса", "Регина", "Таисия", "Вениамин", "Элеонора"),
    "zh": ("孙晓梅", "郑国强", "唐文静", "韩志远", "贾秀兰", "龚建平", "严丽华", "钱伯年"),
}
_MORE_ROLES: dict[Language, tuple[str, ...]] = {
    "en": ("Treasurer", "Legal Adviser", "Press Officer", "Head of Research", "Office Manager", "Sales Director"),
    "ru": ("Казначей", "Юрист", "Секретарь", "Архивариус", "Завхоз"),
    "zh": ("财务主管", "法律顾问", "新闻秘书", "仓库主任", "销售总监"),
}
_NEAREST = 3
_ZH_STARTS = "。！？；：，、\n“”）)"
_ZH_NOT_NEXT = ("的", "和", "与", "跟", "、", "等", "：", ":", "，", "。", "及", "对", "；", "说的")
_RU_PRONOUNS = re.compile(r"\b(?:он|она|его|её|ее|ему|ей|им|сам|сама)\b", re.I)


@dataclass(frozen=True, slots=True)
class Cast:
    """A source, its index, and the people in it."""

    source: Source
    index: SourceIndex
    persons: Sequence[str]


def wrong_owners(sentence: str, cast: Cast, seed: int) -> Iterator[Change]:
    """Each person who does, says or promises something in a sentence exchanged for another one of the source.

    The other is not named in the sentence, nor, where somebody is left, near that which the source has of it.
    """
    language = cast.source.language
    if len(cast.persons) < 2:
        return
    for start, end, name in _subjects(sentence, cast.persons, language):
        others = [one for one in _free(sentence, name, cast) if _agrees(sentence, name, one, language)]
        if others:
            picked = others[derive_seed("owner", seed, start) % len(others)]
            more = (_MORE_ROLES if _is_role(name) else _MORE_NAMES)[language]
            yield Change(start, end, picked, pick_others(more, cast.source.text.lower(), seed))


def _is_role(name: str) -> bool:
    """Whether a name is a role rather than a person's: Project Manager, Marketing, Grad G."""
    words = [word.key for word in tokens(name) if len(word.key) > 1]
    return bool(words) and all(is_ordinary(word) and not may_be_name(word) for word in words)


def _subjects(sentence: str, persons: Sequence[str], language: Language) -> Iterator[tuple[int, int, str]]:
    """Who does something: the offsets of the name, and the person."""
    report = _REPORT.match(sentence)
    if report:
        if report["name"] in persons:
            yield report.start("name"), report.end("name"), report["name"]
        return
    does = {"en": _does, "ru": _does_in_russian, "zh": _does_in_chinese}[language]
    for mention in find_mentions(sentence, persons, language):
        person = persons[mention.name]
        if sentence[mention.start : mention.end] == person and does(sentence, mention.start, mention.end):
            yield mention.start, mention.end, person


def _does(sentence: str, start: int, end: int) -> bool:
    """Whether an English name is the subject of a verb."""
    after = re.match(r"\s+(?:also |then |later |now )?([a-z]+)", sentence[end:])
    is_verb = after is not None and (after[1] in _HELPERS or after[1] in finite())
    return is_verb and _LEADS.search(sentence[:start]) is not None


def _does_in_russian(sentence: str, start: int, end: int) -> bool:
    """Whether a verb stands right after a Russian name, or right before it at the end of a clause."""
    words = tokens(sentence)
    first = next(at for at, word in enumerate(words) if word.start == start)
    last = max(at for at, word in enumerate(words) if word.end <= end)
    after = last + 1
    while (
        after < len(words) and not words[after].is_apart and words[after].key in {"не", "также", "уже", "сам", "сама"}
    ):
        after += 1
    if after < len(words) and not words[after].is_apart and _is_finite(russian_readings(words[after].key)):
        return True
    ends = last + 1 == len(words) or words[last + 1].is_apart
    return bool(ends and first and not words[first].is_apart and _is_finite(russian_readings(words[first - 1].key)))


def _is_finite(readings: Sequence[Reading]) -> bool:
    return bool(readings) and all("VERB" in one.marks for one in readings)


def _does_in_chinese(sentence: str, start: int, end: int) -> bool:
    """Whether a Chinese name begins a clause, or follows 由, and a verb comes before the clause ends."""
    is_first = start == 0 or sentence[start - 1] in _ZH_STARTS or sentence[start - 1] in "由让"
    clause = re.split(r"[，。；！？]", sentence[end:])[0]
    has_verb = sentence[start - 1 : start] == "由" or any(tag.startswith("v") for _, tag in chinese_words(clause))
    return is_first and bool(clause) and has_verb and not clause.startswith(_ZH_NOT_NEXT)


def _agrees(sentence: str, name: str, other: str, language: Language) -> bool:
    """Whether another name fits the forms around it: in Russian its gender, where a verb or a pronoun shows one."""
    if language != "ru" or gender_of(name, language) == gender_of(other, language) != "":
        return True
    past = any({"VERB", "past", "sing"} <= one.marks for word in tokens(sentence) for one in russian_readings(word.key))
    return not past and _RU_PRONOUNS.search(sentence) is None


def _free(sentence: str, name: str, cast: Cast) -> Sequence[str]:
    """Who may take a person's place."""
    named = {fold(token.text) for token in tokens(sentence)}
    others = [one for one in cast.persons if one != name and not named & {token.key for token in tokens(one)}]
    near = cast.index.nearest(sentence, _NEAREST)
    about = {cast.source.segments[number - 1].speaker for number in near}
    words = {token.key for token in tokens(cast.index.words_of(near))}
    far = [one for one in others if one not in about and not words & {token.key for token in tokens(one)}]
    return far or [one for one in others if not near or cast.source.segments[near[0] - 1].speaker != one]
