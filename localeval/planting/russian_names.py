"""Russian names as the dictionary knows them: which cases they stand in, and the same cases of other names."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from localeval.evidence.folding import fold
from localeval.evidence.lexicon import Reading, russian_form, russian_readings
from localeval.planting.invented_names import NEW_RUSSIAN, Gender

_SORTS = ("Name", "Surn", "Patr", "Geox")
_CASES = ("nomn", "gent", "datv", "accs", "ablt", "loct")
_GENDERS: tuple[Gender, ...] = ("masc", "femn", "neut")


@dataclass(frozen=True, slots=True)
class RussianName:
    """A name of one person or place: for each word its dictionary form and sort, the gender, and the possible cases."""

    lemmas: tuple[str, ...]
    sorts: tuple[str, ...]
    gender: Gender
    cases: frozenset[str]

    def like(self, other: "RussianName") -> bool:
        """Whether two names are of the same make: forename with surname, a woman's."""
        return self.sorts == other.sorts and self.gender == other.gender

    def in_cases(self, cases: frozenset[str]) -> str:
        """The name as it stands in any of some cases; empty where it does not stand alike in all of them."""
        forms = {self._in_case(case) for case in cases}
        return forms.pop() if len(forms) == 1 else ""

    def _in_case(self, case: str) -> str:
        words = [declined(lemma, self.gender, case) for lemma in self.lemmas]
        return " ".join(word.capitalize() for word in words) if all(words) else ""


def declined(lemma: str, gender: Gender, case: str) -> str:
    """A name's form in one case; empty where the dictionary has none."""
    return russian_form(lemma, "NOUN", frozenset({case, "sing", gender}))


@lru_cache(maxsize=4096)
def russian_name(name: str) -> RussianName | None:
    """What a Russian name is; None where the dictionary lacks a word of it or it may be a man's and a woman's."""
    readings = [[one for one in russian_readings(fold(word)) if _sort(one)] for word in name.split()]
    if not readings or not all(readings) or "-" in name:
        return None
    found = {
        (gender, case)
        for gender in _GENDERS
        for case in _CASES
        if all(any({gender, case, "sing"} <= one.marks for one in word) for word in readings)
    }
    genders = {gender for gender, _ in found}
    if len(genders) != 1:
        return None
    gender = genders.pop()
    chosen = [next(one for one in word if gender in one.marks) for word in readings]
    sorts = tuple(_sort(one) for one in chosen)
    return RussianName(tuple(one.lemma for one in chosen), sorts, gender, frozenset(case for _, case in found))


def _sort(reading: Reading) -> str:
    return next((sort for sort in _SORTS if sort in reading.marks), "")


def invented_like(name: RussianName) -> Iterator[RussianName]:
    """Names of the same make that are invented; none where its make is not known."""
    columns: Sequence[Sequence[str]] = [NEW_RUSSIAN.get((sort, name.gender), []) for sort in name.sorts]
    for lemmas in zip(*columns, strict=False):
        yield RussianName(tuple(lemmas), name.sorts, name.gender, frozenset({"nomn"}))
