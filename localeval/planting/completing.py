"""Names that are completed with what nobody said: a surname for a forename, a town for "the council"."""

import random
import re
from collections.abc import Iterator

from localeval.evidence.folding import fold, is_han
from localeval.evidence.names import TITLES
from localeval.evidence.wordlists import in_order
from localeval.planting.invented_names import CHINESE_GIVEN, CHINESE_SURNAMES, NEW_FORENAMES, NEW_PLACES, NEW_SURNAMES
from localeval.planting.name_sorts import Sorted, SourceNames, chinese_title
from localeval.planting.names import name_spots, reads_as_name
from localeval.planting.russian_names import RussianName, invented_like, russian_name
from localeval.planting.schemas import Edit
from localeval.planting.spots import Material, Sentence, Spot, edit

_ENGLISH_BODY = re.compile(
    r"(?<=\b[Tt]he )([Ii]nstitute|[Uu]niversity|[Cc]ouncil|[Hh]ospital|[Mm]useum|[Ss]chool|[Ll]ibrary|[Cc]ollege"
    r"|[Cc]linic|[Bb]ank|[Ff]oundation|[Cc]hamber of [Cc]ommerce|[Tt]ourist board|[Yy]acht club|[Cc]ycling club)"
    r"\b(?! (?:of|in|at|for|near)\b|['’]|-| [A-Z])"
)
_RUSSIAN_BODY = re.compile(
    r"(?<![^\W_])(?:институт|университет|школ|больниц|музе|библиотек|завод|театр|училищ)(?:а|у|ом|е|ы|ой|я|ю|ем|й|и)?(?![^\W_])"
    r"(?! (?:имени|им|№|[А-ЯЁ0-9]))",
    re.IGNORECASE,
)
_RUSSIAN_AFTER = ["имени Вавилова", "имени Чехова", "имени Королёва", "имени Гагарина", "имени Павлова"]
_CHINESE_BODY = re.compile(
    "(?<=[在到去从向给由和与用租让被跟，、。；：的])(学校|医院|大学|银行|中学|小学|图书馆|博物馆|公司)"
)
_CHINESE_FIRST = in_order("育才 仁和 东华 华安 明德 新源")
_FAMILIAR = "小老大阿"
_LONG, _ENDING = 6, 2


def completed_names(material: Material) -> Iterator[Edit]:
    """One edit for each mention of a name that the source has no longer form of, and for each body without a name."""
    known = SourceNames(material)
    for sentence, name, spot in name_spots(material):
        sorted_name = known.sort_at(sentence, name)
        if sorted_name is None or _has_longer(material, known, name.text):
            continue
        rng = material.rng("name completion", sentence, name.start)
        longer = [after for after in _longer(sorted_name, rng) if after and reads_as_name(material, spot, after)]
        found = _edit(material, spot, longer)
        if found:
            yield found
    for sentence in material.sentences:
        yield from _bodies(material, known, sentence)


def _has_longer(material: Material, known: SourceNames, name: str) -> bool:
    """Whether the source, or the text itself, has a name that this one is a part of."""
    own = {each.text for sentence in material.sentences for each in sentence.names}
    longer = [each for each in (*known.whole, *own) if each != name]
    if is_han(name):
        part = name.removesuffix(chinese_title(name)).lstrip(_FAMILIAR)
        return any(part in each and not _is_short(each) for each in longer)
    return any(len(_words(each)) > 1 and _stands_in(name, each) for each in longer)


def _is_short(name: str) -> bool:
    """Whether a Chinese name is a surname with a title, or one with which friends call somebody."""
    return bool(chinese_title(name)) or (len(name) == 2 and name[0] in _FAMILIAR)


def _words(name: str) -> list[str]:
    """The words of a name, titles aside."""
    return [word for word in name.split() if fold(word) not in TITLES]


def _stands_in(part: str, longer: str) -> bool:
    """Whether a word is one of a longer name's, in Russian in any form."""
    own = russian_name(part)
    keys = {fold(part), *(own.lemmas if own else ())}
    return any(fold(word) in keys or _lemma(word) in keys for word in _words(longer))


def _lemma(word: str) -> str:
    known = russian_name(word)
    return known.lemmas[0] if known else ""


def _longer(name: Sorted, rng: random.Random) -> list[str]:
    """Whole names of which a name is a part, none of them known to anyone."""
    match name.shape:
        case "forename":
            return [f"{name.text} {surname}" for surname in rng.sample(NEW_SURNAMES, 8)]
        case "surname":
            genders = [gender for gender in NEW_FORENAMES if name.gender in (gender, "")]
            forenames = [forename for gender in genders for forename in NEW_FORENAMES[gender]]
            return [f"{forename} {name.text}" for forename in rng.sample(forenames, 8)]
        case "russian":
            return _russian_longer(name.text, rng)
        case "titled":
            surname, title = name.text[: -len(chinese_title(name.text))], chinese_title(name.text)
            return [surname + given + title for given in rng.sample(CHINESE_GIVEN, 6)]
        case "familiar":
            is_given = name.text[0] == "阿"
            return [surname + name.text for surname in rng.sample(CHINESE_SURNAMES, 6)] if is_given else []
        case _:
            return []


def _russian_longer(name: str, rng: random.Random) -> list[str]:
    """A Russian forename with surnames in the same case."""
    own = russian_name(name)
    if own is None or own.sorts != ("Name",):
        return []
    surnames = list(invented_like(RussianName(("",), ("Surn",), own.gender, own.cases)))
    rng.shuffle(surnames)
    forms = [surname.in_cases(own.cases) for surname in surnames]
    return [f"{name} {form}" for form in forms if form]


def _bodies(material: Material, known: SourceNames, sentence: Sentence) -> Iterator[Edit]:
    """One edit for each body without a name, such as "the council": it is given one."""
    for start, end, variants in _nameless(material, known, sentence):
        rng = material.rng("name completion", sentence, start)
        rng.shuffle(variants)
        found = _edit(material, Spot(sentence, start, end), variants)
        if found:
            yield found


def _nameless(material: Material, known: SourceNames, sentence: Sentence) -> Iterator[tuple[int, int, list[str]]]:
    """Where a body stands that has no name, and the body with names."""
    taken = [(name.start, name.end) for name in sentence.names]
    pattern = {"en": _ENGLISH_BODY, "ru": _RUSSIAN_BODY, "zh": _CHINESE_BODY}[material.language]
    for found in pattern.finditer(sentence.text):
        start, end = found.span()
        is_free = not any(first < end and start < last for first, last in taken)
        if is_free and not _is_named_in_source(material, known, found[0]):
            yield start, end, _with_names(material, found[0])


def _with_names(material: Material, body: str) -> list[str]:
    if material.language == "en":
        return [f"{place} {body}" for place in NEW_PLACES]
    if material.language == "ru":
        return [f"{body} {after}" for after in _RUSSIAN_AFTER]
    return [first + body for first in _CHINESE_FIRST]


def _is_named_in_source(material: Material, known: SourceNames, body: str) -> bool:
    """Whether a name of the source holds the body's word: then it may be what is meant."""
    if material.language == "zh":
        return any(body in name for name in known.whole)
    key = fold(body.split()[-1])
    stem = key[:-_ENDING] if material.language == "ru" and len(key) > _LONG else key
    if re.search(rf"{stem}\w*\s+(?:имени|им\.|№)", material.trusted.source.text.lower()):
        return True
    return any(fold(word).startswith(stem) for name in known.whole for word in name.split())


def _edit(material: Material, spot: Spot, longer: list[str]) -> Edit | None:
    """The edit, where no part of what is added stands in the source."""
    added = [after for after in longer if not _is_known(material, spot.before, after)]
    return edit(material, "name completion", spot, added, n_fit=len(added))


def _is_known(material: Material, before: str, after: str) -> bool:
    """Whether the source has what a completion adds."""
    first, _, last = after.partition(before)
    more = (first + last).strip()
    return bool(more) and bool(material.index.find_phrase(more))
