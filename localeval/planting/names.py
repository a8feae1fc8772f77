"""Wrong names: a person, place or body of the source in the place of another, or one that is invented."""

import random
from collections.abc import Iterator

from localeval.evidence.folding import is_han
from localeval.evidence.names import Name
from localeval.evidence.names import names as names_of
from localeval.evidence.same_names import merge_names
from localeval.planting.invented_names import (
    CHINESE_FAMILIAR,
    CHINESE_GIVEN,
    CHINESE_PLACES,
    CHINESE_SURNAMES,
    NEW_BODIES,
    NEW_FORENAMES,
    NEW_PLACES,
    NEW_ROLES,
    NEW_SURNAMES,
    Gender,
)
from localeval.planting.name_sorts import Sorted, SourceNames, are_alike, chinese_title
from localeval.planting.russian_names import invented_like, russian_name
from localeval.planting.schemas import Edit
from localeval.planting.spots import Material, Sentence, Spot, edit

_GENDERS: tuple[Gender, ...] = ("femn", "masc")


def wrong_names(material: Material) -> Iterator[Edit]:
    """One edit for each mention of a name whose sort is known; the other name is of the same sort and make.

    One that the source has comes first, an invented one after; in Russian in the same case, where that is known.
    """
    known = SourceNames(material)
    for sentence, name, spot in name_spots(material):
        sorted_name = known.sort_at(sentence, name)
        if sorted_name is None:
            continue
        rng = material.rng("name", sentence, name.start)
        others = [
            after
            for after in (*_of_source(known, sorted_name, rng), *_invented(sorted_name, rng))
            if is_another(material, sentence, name.text, after)
        ]
        fit = [after for after in others if reads_as_name(material, spot, after)]
        found = edit(material, "name", spot, [*fit, *others], n_fit=len(fit))
        if found:
            yield found


def name_spots(material: Material) -> Iterator[tuple[Sentence, Name, Spot]]:
    """Every name of a trusted text, with its place."""
    for sentence in material.sentences:
        for name in sentence.named:
            yield sentence, name, Spot(sentence, name.start, name.end)


def is_another(material: Material, sentence: Sentence, name: str, after: str) -> bool:
    """Whether a name is surely not the same as one that it replaces, nor as another of the sentence."""
    others = [name, *(each.text for each in sentence.names)]
    return not any(are_alike(after, each) or len(merge_names([each, after], material.language)) == 1 for each in others)


def reads_as_name(material: Material, spot: Spot, after: str) -> bool:
    """Whether one name is read where `after` takes another's place, and all other names as before.

    A Chinese title may stand outside of the name that is read: 王建国经理.
    """
    shift, end = len(after) - (spot.end - spot.start), spot.start + len(after)
    kept = {
        (name.start + shift * (name.start >= spot.end), name.text)
        for name in spot.sentence.names
        if name.end <= spot.start or name.start >= spot.end
    }
    read = names_of(spot.filled(after), material.language)
    here = [name for name in read if name.start < end and spot.start < name.end]
    if {(name.start, name.text) for name in read if name not in here} != kept or len(here) != 1:
        return False
    is_less = is_han(after) and bool(chinese_title(after[len(here[0].text) - 1 :]))
    return here[0].start == spot.start and (here[0].text == after or (is_less and after.startswith(here[0].text)))


def _of_source(known: SourceNames, name: Sorted, rng: random.Random) -> list[str]:
    """The other names of the source of the same sort and make, in the case of the name."""
    found = [each.text for each in known.all if each.shape == name.shape and _agrees(name, each)]
    if name.shape == "russian":
        found = _declined_like(name.text, found)
    if name.shape == "titled":
        found = [each for each in found if each[0] != name.text[0]]
    rng.shuffle(found)
    return found


def _agrees(one: Sorted, other: Sorted) -> bool:
    """Whether genders do not differ, where both are known."""
    return not one.gender or not other.gender or one.gender == other.gender


def _declined_like(name: str, others: list[str]) -> list[str]:
    """Other Russian names of the same make in the cases of one."""
    own = russian_name(name)
    known = [russian_name(other) for other in others]
    forms = [other.in_cases(own.cases) for other in known if own and other and other.like(own)]
    return [form for form in dict.fromkeys(forms) if form]


def _invented(name: Sorted, rng: random.Random) -> list[str]:
    """Invented names of the same sort and make."""
    found = [form for form in _forms(name, rng) if form]
    rng.shuffle(found)
    return found


def _forms(name: Sorted, rng: random.Random) -> list[str]:
    genders = [name.gender] if name.gender in _GENDERS else list(_GENDERS)
    forenames = [forename for gender in genders for forename in NEW_FORENAMES.get(gender, [])]
    is_chinese = not name.text.isascii() and name.shape != "russian"
    match name.shape:
        case "russian":
            own = russian_name(name.text)
            return [other.in_cases(own.cases) for other in invented_like(own)] if own else []
        case "forename":
            return forenames
        case "surname":
            return list(NEW_SURNAMES)
        case "role":
            return list(NEW_ROLES)
        case "familiar":
            return list(CHINESE_FAMILIAR)
        case "titled":
            return [surname + chinese_title(name.text) for surname in CHINESE_SURNAMES if surname != name.text[0]]
        case "place":
            return list(CHINESE_PLACES if is_chinese else NEW_PLACES)
        case "body":
            return [] if is_chinese else [f"{first} {name.text.split()[-1]}" for first in NEW_BODIES]
        case "full name":
            if is_chinese:
                return [s + g for s, g in zip(rng.sample(CHINESE_SURNAMES, 8), CHINESE_GIVEN, strict=True)]
            return [f"{first} {last}" for first, last in zip(forenames, rng.sample(NEW_SURNAMES, 8), strict=False)]
