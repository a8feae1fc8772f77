"""Russian words and forms that may always stand for others."""

import re
from collections.abc import Mapping
from functools import lru_cache

from localeval.planting.changes import Change, in_case_of, is_kept, kept_spans

_WORDS = """
потому что=так как|так как=потому что|поскольку=потому что|однако=тем не менее|затем=потом|потом=затем
сейчас=в настоящее время|в настоящее время=сейчас|приблизительно=примерно|примерно=приблизительно
нужно=необходимо|необходимо=нужно|надо=нужно|кроме того=помимо этого|помимо этого=кроме того
тысяч рублей=тыс. рублей|тыс. рублей=тысяч рублей|поэтому=по этой причине|хотя=несмотря на то что
для того чтобы=чтобы|например=к примеру|к примеру=например|сообщил, что=рассказал, что
сообщила, что=рассказала, что|сказал, что=сообщил, что|сказала, что=сообщила, что|решили=приняли решение
решил=принял решение|решила=приняла решение|почти=практически|практически=почти|в течение=на протяжении
начинается=стартует|из-за того что=потому что|часто=нередко|нередко=часто|сразу=немедленно|вначале=сначала
сначала=вначале|каждый день=ежедневно|ежедневно=каждый день
каждую неделю=еженедельно|еженедельно=каждую неделю|каждый год=ежегодно|ежегодно=каждый год
"""
_BEFORE_VERB = frozenset({"решили", "решил", "решила"})
_NUMBERS = {
    "два": 2, "две": 2, "три": 3, "четыре": 4, "пять": 5, "шесть": 6, "семь": 7, "восемь": 8, "девять": 9, "десять": 10,
    "одиннадцать": 11, "двенадцать": 12, "пятнадцать": 15, "двадцать": 20, "тридцать": 30, "сорок": 40, "пятьдесят": 50,
}  # fmt: skip
_ALONE = re.compile(
    rf"(?<![\w-])(?<!\d )(?P<word>{'|'.join(_NUMBERS)})(?= [а-яё]{{3,}}\b)(?! (?:тысяч|миллион|миллиард|сот))", re.I
)
_TENS = re.compile(r"(?:десят|двадцат|тридцат|сорок|девяност|сто|сот|тысяч)\w*\s$", re.I)
_FORMS = (
    (re.compile(r"(?<=\d) рублей(?=[ ,;])"), " руб."),
    (re.compile(r"(?<=\d) руб\.(?= [а-яё])"), " рублей"),
    (re.compile(r"(?<=\d) квадратных метров(?= [а-яё])"), " кв. метров"),
)


def russian_rewordings(text: str) -> list[Change]:
    """Every change of a Russian text that leaves its meaning as it is; some may overlap."""
    kept = kept_spans(text, "ru")
    changes = [
        Change(found.start(), found.end(), in_case_of(_words()[found[0].lower()], found[0]))
        for found in _pattern().finditer(text)
        if not is_kept(found.start(), found.end(), kept) and _is_safe(text, found)
    ]
    for found in _ALONE.finditer(text):
        if not _TENS.search(text[: found.start()]) and not _is_more(text, found.end()):
            changes.append(Change(found.start(), found.end(), str(_NUMBERS[found["word"].lower()])))
    for pattern, form in _FORMS:
        changes += [Change(found.start(), found.end(), form) for found in pattern.finditer(text)]
    return changes


def _is_safe(text: str, found: re.Match[str]) -> bool:
    """Whether "решили" is followed by what they decided to do, and a word is no part of a longer phrase."""
    word, behind = found[0].lower(), text[found.end() :]
    if word in _BEFORE_VERB:
        return re.match(r"\s[а-яё]+(?:ть|ти|чь)(?:ся|сь)?\b", behind) is not None
    if word in {"поскольку", "так как"} and found[0][0].isupper():
        return False  # "потому что" begins no sentence
    if word in {"однако", "нужно", "необходимо", "надо", "хотя"}:
        return not re.match(r"\s(?:бы|было|будет|ли)\b", behind) and not re.search(r"\bне\s$", text[: found.start()])
    return not (word == "потом" and re.search(r"\bна\s$", text[: found.start()]))


def _is_more(text: str, end: int) -> bool:
    """Whether a number goes on behind a word: "двадцать пять", "сорок второй"."""
    behind = re.match(r"\s(?P<word>[а-яё]+)", text[end:], re.I)
    more = r"перв|втор|трет|четв|пят|шест|седьм|восьм|девят|один|одн|дв[аеу]|три|семь|восемь|девять|с половиной|или|на"
    return behind is not None and re.match(more, behind["word"]) is not None


@lru_cache(maxsize=1)
def _words() -> Mapping[str, str]:
    pairs = (pair.partition("=") for pair in _WORDS.replace("\n", "|").strip("|").split("|"))
    return {word: other for word, _, other in pairs}


@lru_cache(maxsize=1)
def _pattern() -> re.Pattern[str]:
    longest_first = sorted(_words(), key=lambda word: (-len(word), word))
    return re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, longest_first))})(?![\w-])", re.I)
