"""Russian statements that become denials, and denials that become statements."""

import re
from collections.abc import Iterator, Sequence

from localeval.evidence.folding import Token, tokens
from localeval.evidence.lexicon import Reading, russian_readings
from localeval.planting.changes import Change, clause_around, is_kept, kept_spans

_OPEN = re.compile(r"\?|\b(?:если|ли|чтобы|чтоб|бы|б|пусть|якобы|будто|разве|неужели|либо|не только)\b", re.I)
_DENIAL = re.compile(
    r"\b(?:не|ни|нет|никто|никого|никому|ничто|ничего|никогда|нигде|никак|никакой|никаких|без|нельзя|невозможно|вряд"
    r"|едва|отказ\w*|хватает)\b",
    re.I,
)
_SCOPE = re.compile(
    r"\b(?:все|всё|всех|всем|каждый|каждая|каждого|каждую|любой|только|лишь|ещё|еще|уже|тоже|также|даже|почти|всегда"
    r"|оба|обе|хотя|потому|поскольку|пока|как|сколько|многие|несколько|чем|или|очень|совсем|часто|обычно)\b",
    re.I,
)
_WHY = re.compile(r",\s+(?:потому что|так как|поскольку|чтобы)\b")
_NOT_ALONE = re.compile(r"не\s+(?:только|менее|более|раз|столько|всё|все|весь|очень|совсем|сразу|просто|лишь)\b", re.I)
_CONTRAST = re.compile(r",\s*(?:а|но)\s", re.I)
_LEFT_OUT = frozenset(
    {"быть", "хватать", "мочь", "иметься", "существовать", "стать", "бывать", "казаться", "оказаться"}
)
_NEEDED = frozenset({"надо", "нужно"})
_NO_MORE = re.compile(r"\bбольше не(?=\s)", re.I)


def russian_denials(sentence: str) -> Iterator[Change]:
    """ "Зоя печатает" as "Зоя не печатает", "не оплачен" as "оплачен", "больше не" as "по-прежнему"."""
    if _OPEN.search(sentence):
        return
    words = tokens(sentence)
    kept = kept_spans(sentence, "ru")
    for at, word in enumerate(words):
        if is_kept(word.start, word.end, kept):
            continue
        if word.key == "не":
            yield from _taken_back(sentence, words, at)
        elif _may_be_denied(sentence, words, at):
            yield Change(word.start, word.start, "не ") if word.start else Change(0, 1, "Не " + word.text[0].lower())


def _may_be_denied(sentence: str, words: Sequence[Token], at: int) -> bool:
    """Whether a word says what happens, once, and nothing around it would bind a denial in another way."""
    readings = russian_readings(words[at].key)
    if not readings or not (_is_verb(readings) or words[at].key in _NEEDED):
        return False
    before = russian_readings(words[at - 1].key) if at and not words[at].is_apart else ()
    if any(one.lemma in {"быть", "мочь"} for one in before):
        return False
    start, end = clause_around(sentence, words[at].start, "ru")
    clause = sentence[start:end]
    return not (_DENIAL.search(clause) or _SCOPE.search(clause) or _WHY.match(sentence, end))


def _is_verb(readings: Sequence[Reading]) -> bool:
    """Whether every reading is a finite verb or a short participle, and none a command."""
    return all(
        ({"VERB", "PRTS"} & one.marks and "impr" not in one.marks and one.lemma not in _LEFT_OUT)
        or (one.lemma == "быть" and {"past"} <= one.marks)
        for one in readings
    )


def _taken_back(sentence: str, words: Sequence[Token], at: int) -> Iterator[Change]:
    """The denial before a verb or a short participle that no object in the genitive follows."""
    word = words[at]
    if at + 1 >= len(words) or words[at + 1].is_apart or _NOT_ALONE.match(sentence, word.start):
        return
    no_more = at and _NO_MORE.match(sentence, words[at - 1].start)
    next_word = words[at + 1]
    readings = russian_readings(next_word.key)
    is_verb = bool(readings) and (_is_verb(readings) or next_word.key in _NEEDED)
    if not is_verb or _CONTRAST.match(sentence, next_word.end) or _takes_genitive(words, at + 2):
        return
    clause = sentence[slice(*clause_around(sentence, word.start, "ru"))]
    if len(_DENIAL.findall(clause)) > 1:
        return
    if no_more:
        yield Change(no_more.start(), no_more.end(), "по-прежнему")
    elif word.text == "Не":
        yield Change(word.start, next_word.start + 1, next_word.text[0].upper())
    else:
        yield Change(word.start, next_word.start, "")


def _takes_genitive(words: Sequence[Token], at: int) -> bool:
    """Whether what follows a denied verb may be its object in the genitive, which a statement would not take."""
    if at >= len(words) or words[at].is_apart:
        return False
    return any("gent" in one.marks for one in russian_readings(words[at].key)[:2])
