"""The names of months and weekdays, each form beside the same form of the others."""

from collections.abc import Iterator
from functools import lru_cache

from localeval.planting.changes import in_case_of

_MONTHS = """
january february march april may june july august september october november december
jan feb mar apr may jun jul aug sep oct nov dec
январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь
января февраля марта апреля мая июня июля августа сентября октября ноября декабря
январе феврале марте апреле мае июне июле августе сентябре октябре ноябре декабре
январю февралю марту апрелю маю июню июлю августу сентябрю октябрю ноябрю декабрю
январём февралём мартом апрелем маем июнем июлем августом сентябрём октябрём ноябрём декабрём
янв фев мар апр мая июн июл авг сен окт ноя дек
"""
_WEEKDAYS = """
monday tuesday wednesday thursday friday saturday sunday
mondays tuesdays wednesdays thursdays fridays saturdays sundays
mon tue wed thu fri sat sun
понедельник вторник среда четверг пятница суббота воскресенье
понедельник вторник среду четверг пятницу субботу воскресенье
понедельника вторника среды четверга пятницы субботы воскресенья
понедельнику вторнику среде четвергу пятнице субботе воскресенью
понедельником вторником средой четвергом пятницей субботой воскресеньем
понедельнике вторнике среде четверге пятнице субботе воскресенье
понедельникам вторникам средам четвергам пятницам субботам воскресеньям
"""
_GENDERS = "mmfmffn"


@lru_cache(maxsize=1)
def _months() -> dict[str, tuple[str, ...]]:
    rows = [row.split() for row in _MONTHS.strip().splitlines()]
    found = {word: tuple(other for other in row if other != word) for row in reversed(rows) for word in row}
    return found | {"sept": found["sep"], "сент": found["сен"], "нояб": found["ноя"], "февр": found["фев"]}


def month_forms(word: str) -> Iterator[str]:
    """The other months in the form of one, as they are to be written; nothing for a word that is no month."""
    key = word.lower()
    is_dotless = key.endswith("ем")
    for other in _months().get(key, _months().get(key.replace("ем", "ём"), ())):
        yield in_case_of(other.replace("ё", "е") if is_dotless else other, word)


def weekday_forms(word: str, *, same_gender: bool, after_preposition: bool) -> Iterator[str]:
    """The other weekdays in the form of one; those left out that would need to know which of two cases it is.

    `same_gender`: only those before which a Russian adjective stays as it is. `after_preposition`: what could be a
    subject is no subject, as "вторник" in "во вторник".
    """
    key = word.lower()
    rows = [row for row in map(str.split, _WEEKDAYS.strip().splitlines()) if key in row]
    if after_preposition and len(rows) > 1:
        rows = [row for row in rows if row[0] != "понедельник" or "среду" in row]
    for place in range(len(_GENDERS) if rows else 0):
        own = rows[0].index(key)
        forms = {row[place] for row in rows}
        if place != own and len(forms) == 1 and not (same_gender and _GENDERS[place] != _GENDERS[own]):
            yield in_case_of(forms.pop(), word)
