"""What prompts call the kinds of target, in the language of the text."""

from collections.abc import Mapping

from localeval.methods.affect.axes import TargetKind
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


def kind_word(kind: TargetKind, language: Language) -> str:
    """The word for a kind; "" for "other", of which there is nothing to say."""
    return _WORDS[language].get(kind, "")
