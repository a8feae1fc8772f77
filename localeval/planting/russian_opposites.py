"""Russian words with one true opposite, in every form."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from localeval.evidence.folding import fold, tokens
from localeval.evidence.lexicon import russian_form, russian_readings
from localeval.evidence.quantities import quantities
from localeval.evidence.wordlists import in_order, listed
from localeval.keys import derive_seed
from localeval.planting.changes import Change, in_case_of, is_kept, kept_spans
from localeval.planting.picking import pick_others

_INFLECTED = {
    "INFN": """
    увеличить/уменьшить увеличивать/уменьшать увеличиться/уменьшиться увеличиваться/уменьшаться повысить/понизить
    повышать/понижать повыситься/понизиться повышаться/понижаться вырасти/снизиться расти/снижаться подняться/опуститься
    открыть/закрыть открывать/закрывать открыться/закрыться открываться/закрываться начать/закончить
    начинать/заканчивать начаться/закончиться начинаться/заканчиваться купить/продать покупать/продавать
    выиграть/проиграть подорожать/подешеветь разрешить/запретить разрешать/запрещать ускорить/замедлить
    улучшить/ухудшить улучшиться/ухудшиться расширить/сузить усилить/ослабить нанять/уволить добавить/убрать
    привезти/увезти привозить/увозить хвалить/ругать похвалить/отругать одобрить/отклонить утвердить/отклонить
    поддержать/отвергнуть поддерживать/отвергать потеплеть/похолодать зажечь/погасить
    """,
    "NOUN": """
    повышение/понижение увеличение/уменьшение рост/спад улучшение/ухудшение плюс/минус доход/расход выигрыш/проигрыш
    покупка/продажа открытие/закрытие удача/неудача приход/уход согласие/несогласие сторонник/противник
    начало/окончание максимум/минимум ускорение/замедление
    """,
    "ADJF": """
    первый/последний новый/старый высокий/низкий дорогой/дешёвый ранний/поздний сильный/слабый
    положительный/отрицательный верхний/нижний правый/левый длинный/короткий тёплый/холодный хороший/плохой
    временный/постоянный обязательный/необязательный довольный/недовольный опасный/безопасный утренний/вечерний
    летний/зимний платный/бесплатный широкий/узкий лёгкий/тяжёлый быстрый/медленный внутренний/внешний
    успешный/неудачный
    """,
}
"""Pairs of dictionary forms by part of speech; nouns of one gender, verbs of one aspect that govern alike."""

_ONE_WAY = {("одобрить", "отклонить"), ("утвердить", "отклонить"), ("вырасти", "снизиться"), ("расти", "снижаться")}
_UNINFLECTED = in_order(
    """
    выше/ниже лучше/хуже дороже/дешевле быстрее/медленнее чаще/реже утром/вечером внутри/снаружи можно/нельзя
    дорого/дёшево легко/трудно сильнее/слабее длиннее/короче громче/тише
    """
)
_PHRASES = {
    "не менее": "не более",
    "не более": "не менее",
    "не меньше": "не больше",
    "не больше": "не меньше",
    "как минимум": "как максимум",
    "как максимум": "как минимум",
    "больше чем": "меньше чем",
    "меньше чем": "больше чем",
    "больше, чем": "меньше, чем",
    "меньше, чем": "больше, чем",
    "раньше, чем": "позже, чем",
    "позже, чем": "раньше, чем",
    "раньше срока": "позже срока",
    "час раньше": "час позже",
    "час позже": "час раньше",
}
_FIXED = re.compile(
    r"\b(?:перв\w+ (?:очередь|раз|время|взгляд)|в первую|последн\w+ (?:время|раз|дни|годы)|нов\w+ год\w*|стар\w+ год\w*"
    r"|высш\w+|как можно|скорее|чем дальше|как выше|выше указан\w+|лучше всего|прав\w+ сторон\w+|по мере роста"
    r"|открыт\w+ вопрос|в начале|с начала|лучше бы|дорог\w+ (?:друзья|коллеги)|легко сказать)\b",
    re.I,
)
_CHANGES = listed(
    """
    past pres futr sing plur masc femn neut 1per 2per 3per nomn gent datv accs ablt loct indc anim inan VERB INFN
    PRTS PRTF GRND ADJF ADJS COMP NOUN actv pssv
    """
)
_GENDERS = frozenset({"masc", "femn", "neut", "anim", "inan"})
_FROM_TO = re.compile(r"\s+(?:\S+\s+)?с\s.{1,40}\s(?:до|на)\s", re.I)


def russian_opposites(sentence: str, said: str, seed: int) -> Iterator[Change]:
    """Each word of a Russian sentence that has a true opposite exchanged for it, in the same form."""
    kept = [*kept_spans(sentence, "ru"), *(found.span() for found in _FIXED.finditer(sentence))]
    kept += [(one.start, one.end) for one in quantities(sentence, "ru")]
    held = {reading.lemma for token in tokens(sentence) for reading in russian_readings(token.key)}
    for phrase in re.finditer("|".join(rf"\b{re.escape(one)}\b" for one in _PHRASES), sentence):
        yield Change(phrase.start(), phrase.end(), _PHRASES[phrase[0]])
        kept.append(phrase.span())
    for token in tokens(sentence):
        found = _opposite_of(token.key)
        if not found or is_kept(token.start, token.end, kept) or held & set(found[1]):
            continue
        if found[1][1:] == ("INFN",) and _FROM_TO.match(sentence, token.end):
            continue
        others = pick_others(found[2], said, derive_seed(seed, token.key))
        yield Change(token.start, token.end, in_case_of(found[0], token.text), others)


@lru_cache(maxsize=1)
def _pairs() -> Mapping[tuple[str, str], str]:
    """The opposite of a dictionary form of a part of speech."""
    found: dict[tuple[str, str], str] = {}
    for part, pairs in _INFLECTED.items():
        for pair in pairs.split():
            one, other = pair.split("/")
            found.setdefault((part, one), other)
            if (one, other) not in _ONE_WAY:
                found.setdefault((part, other), one)
    found.setdefault(("INFN", "отклонить"), "принять")
    found.setdefault(("INFN", "снизиться"), "повыситься")
    found.setdefault(("INFN", "снижаться"), "повышаться")
    return found


@lru_cache(maxsize=4096)
def _opposite_of(key: str) -> tuple[str, tuple[str, ...], tuple[str, ...]] | None:
    """The opposite of a folded word in the same form, its dictionary form with its part, and others of that form.

    None where a word has no opposite, or where its readings have different ones.
    """
    for pair in _UNINFLECTED:
        one, other = pair.split("/")
        for word, opposite in ((one, other), (other, one)):
            if word.replace("ё", "е") == key:
                return (
                    opposite,
                    (opposite,),
                    tuple(
                        x
                        for each in _UNINFLECTED
                        for x in each.split("/")
                        if x[-2:] == word[-2:] and x not in pair.split("/")
                    ),
                )
    found: dict[str, tuple[str, str, frozenset[str]]] = {}
    readings = russian_readings(key)
    for lemma, marks in readings:
        part = _part_of(marks)
        if part and (part, lemma) in _pairs():
            wanted = marks & _CHANGES - (_GENDERS if part == "NOUN" else frozenset())
            other = _pairs()[part, lemma]
            found[russian_form(other, part, wanted)] = (other, part, wanted)
    if len(found) != 1 or "" in found or not _is_sure(key):
        return None
    form, (lemma, part, wanted) = next(iter(found.items()))
    others = [russian_form(one, part, wanted) for (own, one) in _pairs() if own == part and one != lemma]
    return form, (lemma, part), tuple(one for one in others if one and fold(one) not in {key, fold(form)})


def _is_sure(key: str) -> bool:
    """Whether all readings of a word are ones of words with an opposite."""
    return all((_part_of(marks), lemma) in _pairs() for lemma, marks in russian_readings(key))


def _part_of(marks: frozenset[str]) -> str:
    """The part of speech of the dictionary form."""
    if {"VERB", "INFN", "PRTS", "GRND"} & marks:
        return "INFN"
    return "NOUN" if "NOUN" in marks else "ADJF" if "ADJF" in marks else ""
