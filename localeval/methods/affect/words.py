"""What prompts call the kinds of target, in the language of the text."""

from collections.abc import Mapping

from localeval.methods.affect.axes import Meaning, TargetKind
from localeval.texts import Language

_WORDS: Mapping[Language, Mapping[TargetKind, str]] = {
    "en": {
        "person": "person",
        "organisation": "organisation",
        "country": "country",
        "group": "group of people",
        "event": "event",
        "work": "work",
    },
    "ru": {
        "person": "человек",
        "organisation": "организация",
        "country": "страна",
        "group": "группа людей",
        "event": "событие",
        "work": "произведение",
    },
    "zh": {
        "person": "人物",
        "organisation": "组织",
        "country": "国家",
        "group": "群体",
        "event": "事件",
        "work": "作品",
    },
}


_ANCHOR_WORDS: dict[Language, tuple[str, str, str]] = {
    "en": ("low", "middle", "high"),
    "ru": ("низко", "средне", "высоко"),
    "zh": ("低", "中", "高"),
}


def anchor_words(meaning: Meaning, language: Language) -> tuple[str, str, str]:
    """The answers on the scale of words, from 0 to 1: the axis's own, or low, middle and high."""
    return meaning.words or _ANCHOR_WORDS[language]


def kind_word(kind: TargetKind, language: Language) -> str:
    """The word for a kind; "" for "other", of which there is nothing to say."""
    return _WORDS[language].get(kind, "")
