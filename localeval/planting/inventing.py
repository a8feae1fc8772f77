"""Sentences about matters that a source does not have."""

from collections.abc import Sequence

from localeval.evidence.folding import is_han
from localeval.keys import derive_seed
from localeval.planting.reports import report
from localeval.texts import Language, Source

_LONG, _ENDING = 6, 2

_MATTERS: dict[Language, dict[str, str]] = {
    "en": {
        "photographer": "a photographer has been booked for the anniversary",
        "laptop": "an insurance claim for a stolen laptop is still open",
        "parking permits": "the parking permits will be renewed without a fee",
        "auditor": "an outside auditor will look at the accounts in the autumn",
        "newsletter": "the newsletter will appear only four times a year from now on",
        "lease": "the lease of the second building has been cancelled",
        "sprinkler": "the sprinkler system passed its yearly inspection",
        "translation": "a translation into Spanish has been ordered",
        "fundraising": "the fundraising dinner brought in more than planned",
        "solar panels": "the solar panels on the roof will be paid for by a grant",
        "catering": "the catering contract goes to another firm next year",
        "intern": "an intern from the university will help during the summer",
        "carpet": "the carpet in the entrance hall will be replaced",
        "password": "every password has to be changed within a week",
        "lawsuit": "a former supplier has threatened a lawsuit",
        "museum": "a visit to the museum has been arranged for the guests",
    },
    "ru": {
        "фотограф": "на юбилей уже приглашён фотограф",
        "ноутбук": "страховая ещё не ответила по поводу украденного ноутбука",
        "парковка": "места на парковке со следующего года станут платными",
        "аудитор": "осенью счета проверит независимый аудитор",
        "рассылка": "рассылка теперь будет выходить раз в квартал",
        "аренда": "договор аренды второго здания расторгнут",
        "сигнализация": "пожарная сигнализация прошла ежегодную проверку",
        "перевод": "уже заказан перевод документов на испанский язык",
        "лотерея": "благотворительная лотерея принесла больше, чем ожидали",
        "солнечные панели": "солнечные панели на здании оплатит областной фонд",
        "стажёр": "летом поможет стажёр из университета",
        "ковёр": "ковёр в вестибюле заменят на новый",
        "пароль": "каждый пароль нужно сменить в течение недели",
        "музей": "для гостей заказана экскурсия в музей",
    },
    "zh": {
        "摄影师": "周年庆的摄影师已经请好了",
        "笔记本电脑": "被偷的笔记本电脑还在等保险公司赔付",
        "停车证": "停车证从明年起改为收费办理",
        "审计": "秋天会请外面的审计人员来查账",
        "简报": "内部简报以后改为每季度出一期",
        "租约": "另一栋楼的租约已经提前解除",
        "消防": "消防设备通过了今年的年检",
        "翻译": "材料已经送去翻译成西班牙语",
        "募捐": "募捐晚会筹到的钱比预计的多",
        "太阳能": "屋顶的太阳能板由市里的补贴支付",
        "实习生": "暑假会有一名大学来的实习生帮忙",
        "地毯": "门厅的地毯要换成新的",
        "密码": "所有密码要在一周之内更换",
        "博物馆": "已经为客人安排了博物馆的参观",
    },
}
"""Matters, each by the word that tells whether a source has it."""

_SAYING: dict[Language, tuple[str, ...]] = {
    "en": ("{name} also reported that {matter}.", "{name} added that {matter}.", "{name} mentioned that {matter}."),
    "ru": ("{name} также сообщает, что {matter}.", "Кроме того, {name} напоминает, что {matter}."),
    "zh": ("{name}还提到，{matter}。", "{name}补充说，{matter}。"),
}
_NOBODY_SAYS: dict[Language, tuple[str, ...]] = {
    "en": ("In addition, {matter}.", "Besides, {matter}."),
    "ru": ("Кроме того, {matter}.", "Помимо этого, {matter}."),
    "zh": ("此外，{matter}。", "另外，{matter}。"),
}


def unheard_matters(source: Source) -> tuple[str, ...]:
    """The matters whose telling word the source has in no form."""
    said = fold_text(source.text)
    return tuple(matter for word, matter in _MATTERS[source.language].items() if _stem(word) not in said)


def invented(persons: Sequence[str], matters: Sequence[str], language: Language, seed: int) -> str:
    """A sentence about one of the matters, said by one of the people where there are any; "" without matters."""
    if not matters:
        return ""
    matter, name = _drawn(matters, "matter", seed), _drawn(persons, "person", seed)
    form = _drawn(_SAYING[language] if name else _NOBODY_SAYS[language], "form", seed)
    return form.format(name=name, matter=matter)


def invented_report(persons: Sequence[str], matters: Sequence[str], language: Language, seed: int) -> str:
    """The same in the form of an excerpt, under the name of who says it; "" without matters."""
    if not matters:
        return ""
    matter, name = _drawn(matters, "matter", seed), _drawn(persons, "person", seed)
    sentence = matter[:1].upper() + matter[1:] + ("。" if language == "zh" else ".")
    return report(name, sentence, language) if name else sentence


def _drawn(values: Sequence[str], what: str, seed: int) -> str:
    """One of some values by the seed; "" where there are none."""
    return values[derive_seed(what, seed) % len(values)] if values else ""


def _stem(word: str) -> str:
    """What every form of a word begins with: the last two letters of a long word change, those of Chinese do not."""
    folded = fold_text(word)
    return folded if is_han(folded) or len(folded) < _LONG else folded[:-_ENDING]


def fold_text(text: str) -> str:
    """A text without case, ё as е."""
    return text.lower().replace("ё", "е")
