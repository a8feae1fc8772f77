"""Proves what a planted wrong value changes, by reading the text before and after anew.

Nothing here comes from the planting code: quantities and names are read by `localeval.evidence`, all else is plain
string logic.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable
from datetime import date
from fractions import Fraction
from functools import lru_cache

from localeval.evidence.names import names
from localeval.evidence.quantities import Clock, Day, Quantity, compare, quantities
from localeval.evidence.same_names import merge_names
from localeval.evidence.units import dimension, in_base
from localeval.planting.schemas import Edit, Trusted
from localeval.texts import Language

Told = tuple[object, str | None, bool]
_LEAP = 2024
_HAN = re.compile("[\u4e00-\u9fff]")


def why_not_proven(edit: Edit, trusted: Trusted) -> str:
    """Why an edit is not the error that it claims to be; "" where it is proven."""
    text = trusted.candidate.text
    if text[edit.start : edit.end] != edit.before or edit.before == edit.after:
        return "the text does not hold what is said to stand there, or nothing changes"
    after = edit.applied_to(text)
    if after[: edit.start] != text[: edit.start] or after[edit.start + len(edit.after) :] != text[edit.end :]:
        return "something else in the text changes"
    segment = trusted.candidate.segments[edit.sentence - 1]
    if not segment.start <= edit.start <= edit.end <= segment.end:
        return "the change is not in the sentence that is named"
    return _PROOFS[edit.kind](edit, trusted, after) or _others(edit, trusted)


@lru_cache(maxsize=4096)
def _said(text: str, language: Language) -> tuple[Quantity, ...]:
    """Every quantity of what was said, with good will: what may excuse an edit."""
    return quantities(text, language, loose=True)


def _told(text: str, trusted: Trusted) -> Counter[Told]:
    """Every quantity of a text: its value, its unit, whether it is ordinal."""
    return Counter((q.value, q.unit, q.is_ordinal) for q in _measured(text, trusted.source.language))


@lru_cache(maxsize=256)
def _measured(text: str, language: Language) -> tuple[Quantity, ...]:
    return quantities(text, language)


def _differing(trusted: Trusted, after: str) -> tuple[list[Told], list[Told]]:
    """The quantities that an edit takes away, and those that it brings."""
    old, new = _told(trusted.candidate.text, trusted), _told(after, trusted)
    return list((old - new).elements()), list((new - old).elements())


def _names(text: str, trusted: Trusted) -> Counter[str]:
    """Every name of a text, quantities that are written with a capital left out."""
    return _named(text, trusted.source.language)


@lru_cache(maxsize=256)
def _named(text: str, language: Language) -> Counter[str]:
    measured, found = _measured(text, language), names(text, language)
    return Counter(n.text for n in found if not any(q.start <= n.start and n.end <= q.end for q in measured))


def _have_same_names(trusted: Trusted, after: str) -> bool:
    return _names(trusted.candidate.text, trusted) == _names(after, trusted)


def _number(edit: Edit, trusted: Trusted, after: str) -> str:
    gone, come = _differing(trusted, after)
    if len(gone) != 1 or len(come) != 1:
        return f"not one quantity changes: {gone} to {come}"
    (old, unit, ordinal), (new, new_unit, new_ordinal) = gone[0], come[0]
    if not isinstance(old, Fraction) or not isinstance(new, Fraction) or (unit, ordinal) != (new_unit, new_ordinal):
        return f"more than a number changes: {gone} to {come}"
    if not _have_same_names(trusted, after):
        return "a name changes"
    return _beside(trusted, gone[0], come[0]) or ("" if old / 4 <= new <= 4 * old else "not of like size")


def _beside(trusted: Trusted, old: Told, new: Told) -> str:
    """Why the new value may be what the source says: it stands in every segment in which the old one does."""
    source = trusted.source
    told = [
        {
            (value, unit)
            for q in quantities(source.words_of(s), source.language, loose=True)
            for value, unit in q.readings
        }
        for s in source.segments
    ]
    held = [each for each in told if old[:2] in each]
    return "the source has the new value wherever it has the old" if held and all(new[:2] in e for e in held) else ""


def _date(edit: Edit, trusted: Trusted, after: str) -> str:
    gone, come = _differing(trusted, after)
    if len(gone) != 1 or len(come) != 1 or not _have_same_names(trusted, after):
        return f"not one date changes: {gone} to {come}"
    old, new = gone[0][0], come[0][0]
    if isinstance(old, Day) and isinstance(new, Day):
        if [part is None for part in old] != [part is None for part in new]:
            return "one date says more than the other"
        return "" if _is_real(new) else f"there is no such day: {new}"
    if isinstance(old, Clock) and isinstance(new, Clock):
        return ""
    is_day = isinstance(new, Fraction) and isinstance(old, Fraction) and gone[0][1] is None and come[0][1] is None
    return "" if is_day and isinstance(new, Fraction) and (1 <= new <= 31 or 1000 < new < 2100) else "no date changes"


def _is_real(day: Day) -> bool:
    """Whether a day stands in the calendar, and falls on the weekday that is named with it."""
    try:
        found = date(day.year or _LEAP, day.month or 1, day.day or 1)
    except ValueError:
        return False
    is_whole = None not in (day.year, day.month, day.day, day.weekday)
    return not is_whole or found.weekday() == day.weekday


def _unit(edit: Edit, trusted: Trusted, after: str) -> str:
    gone, come = _differing(trusted, after)
    if len(gone) != 1 or len(come) != 1 or not _have_same_names(trusted, after):
        return f"not one quantity changes: {gone} to {come}"
    (old, unit, _), (new, new_unit, _) = gone[0], come[0]
    if old != new or unit is None or new_unit is None or unit == new_unit or not isinstance(old, Fraction):
        return f"more or less than the unit changes: {gone} to {come}"
    is_same_sort = dimension(unit) == dimension(new_unit)
    return "the same amount" if is_same_sort and in_base(old, unit) == in_base(old, new_unit) else ""


def _name(edit: Edit, trusted: Trusted, after: str) -> str:
    if _told(trusted.candidate.text, trusted) != _told(after, trusted):
        return "a quantity changes"
    old, new = _names(trusted.candidate.text, trusted), _names(after, trusted)
    gone, come = list((old - new).elements()), list((new - old).elements())
    if len(gone) != 1 or len(come) != 1:
        if edit.before not in old or edit.after not in new or new[edit.after] != old[edit.after] + 1:
            return f"not one name changes: {gone} to {come}"
        gone, come = [edit.before], [edit.after]
    if (gone, come) != ([edit.before], [edit.after]):
        return f"another name changes: {gone} to {come}"
    is_one = len(merge_names([edit.before, edit.after], trusted.source.language)) == 1
    return "the new name is a way to write the old" if is_one or _share_a_name(edit.before, edit.after) else ""


def _share_a_name(one: str, other: str) -> bool:
    """Whether two names have a word in common, but for the last word of what is no person."""
    bodies = {"telecom", "institute", "engineering", "university", "company"}
    ours, theirs = (set(name.lower().split()) - bodies for name in (one, other))
    return bool(ours & theirs)


def _completion(edit: Edit, trusted: Trusted, after: str) -> str:
    if _told(trusted.candidate.text, trusted) != _told(after, trusted):
        return "a quantity changes"
    added = _added(edit.before, edit.after)
    if added is None:
        return "what stood there is no part of what stands there now"
    said = trusted.source.text.lower() + " ".join(s.speaker or "" for s in trusted.source.segments).lower()
    if edit.after.lower() in said or any(word.lower() in said for word in re.findall(r"\w{3,}", added)):
        return f"the source has {edit.after!r} or a part of what is added"
    return "" if added.strip() else "nothing is added"


def _added(before: str, after: str) -> str | None:
    """What a longer name has besides the shorter; None where the shorter is no part of it.

    Of 王经理 and 王建国经理 it is 建国.
    """
    if before in after:
        return after.replace(before, "", 1)
    if _HAN.search(before) and after[0] == before[0] and after.endswith(before[1:]):
        return after[1 : len(after) - len(before) + 1]
    return None


def _precision(edit: Edit, trusted: Trusted, after: str) -> str:
    gone, come = _differing(trusted, after)
    if len(come) != 1 or len(gone) > 1 or not _have_same_names(trusted, after):
        return f"not one quantity becomes exact: {gone} to {come}"
    if gone and _exactness(come[0][0]) <= _exactness(gone[0][0]):
        return f"not more exact: {gone} to {come}"
    read = _read_at(edit, trusted, after)
    said = _said(trusted.source.text, trusted.source.language)
    return "the source has it" if read is None or any(compare(read, each) == "exact" for each in said) else ""


def _read_at(edit: Edit, trusted: Trusted, after: str) -> Quantity | None:
    """The quantity that is read where an edit was made."""
    end = edit.start + len(edit.after)
    return next((q for q in _measured(after, trusted.source.language) if q.start < end and edit.start < q.end), None)


def _exactness(value: object) -> int:
    """How many figures of a value say something; of a time, whether it is to the minute; of a half none does."""
    if isinstance(value, Clock):
        return int(value.minute % 5 != 0)
    assert isinstance(value, Fraction)
    if value.denominator not in (1, 2, 5, 10) or value < 1:
        return 0
    return len(str(int(value * 10) if value.denominator > 1 else int(value)).rstrip("0"))


_PROOFS: dict[str, Callable[[Edit, Trusted, str], str]] = {
    "number": _number,
    "date": _date,
    "unit": _unit,
    "name": _name,
    "name completion": _completion,
    "false precision": _precision,
}


def _others(edit: Edit, trusted: Trusted) -> str:
    """Why the further values are not three more answers, each different from all the rest."""
    if len(edit.others) != 3 or len({edit.before, edit.after, *edit.others}) != 5:
        return f"not three other values: {edit.others}"
    if edit.kind not in ("number", "date", "unit"):
        return ""
    segment, text = trusted.candidate.segments[edit.sentence - 1], trusted.candidate.text
    first, last = text[segment.start : edit.start], text[edit.end : segment.end]
    told = [_told(first + each + last, trusted) for each in (edit.before, edit.after, *edit.others)]
    return "" if _all_differ(told) else f"two answers are one: {edit.others}"


def _all_differ(told: Iterable[Counter[Told]]) -> bool:
    found = list(told)
    return all(one != other for at, one in enumerate(found) for other in found[:at])
