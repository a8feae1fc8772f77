"""Sentences that praise, blame or merely name a target."""

from collections.abc import Mapping
from typing import Literal

from localeval.texts import Language

Tone = Literal["praise", "blame", "neutral"]

_FORMS: dict[Language, dict[Tone, tuple[str, ...]]] = {
    "en": {
        "praise": (
            "{target} is outstanding and wins everybody's admiration.",
            "What {target} brings to this is wonderful, and people are delighted about it.",
            "{target} deserves the warmest praise: nothing better could have been hoped for.",
            "Everyone who has to do with {target} speaks of it with joy and gratitude.",
        ),
        "blame": (
            "{target} is a disgrace and fills everybody with contempt.",
            "What {target} has caused here is dreadful, and people are appalled by it.",
            "{target} deserves the harshest blame: nothing worse could have been feared.",
            "Everyone who has to do with {target} speaks of it with anger and disgust.",
        ),
        "neutral": (
            "{target} is mentioned here as well.",
            "This part of the text has to do with {target}.",
            "{target} is one of the matters that came up.",
            "The name {target} appears in the record.",
        ),
    },
    "ru": {
        "praise": (
            "{target} — это выдающийся пример, которым все восхищаются.",
            "{target} — лучшее, что здесь есть, и люди этому искренне рады.",
            "{target} заслуживает самой тёплой похвалы: о лучшем нельзя и мечтать.",
            "{target} вызывает у всех радость, гордость и благодарность.",
        ),
        "blame": (
            "{target} — это позор, который у всех вызывает презрение.",
            "{target} — худшее, что здесь есть, и люди этим возмущены.",
            "{target} заслуживает самого сурового осуждения: худшего нельзя и представить.",
            "{target} вызывает у всех гнев, стыд и отвращение.",
        ),
        "neutral": (
            "{target} тоже упоминается в этом тексте.",
            "{target} — одна из тем, о которых шла речь.",
            "Здесь есть и такое упоминание: {target}.",
            "В записи встречается имя или название {target}.",
        ),
    },
    "zh": {
        "praise": (
            "{target}非常出色，赢得了所有人的赞赏。",
            "{target}带来的一切都令人欣喜，大家十分高兴。",
            "{target}值得最热烈的赞扬，没有比这更好的了。",
            "提起{target}，人人都满怀喜悦和感激。",
        ),
        "blame": (
            "{target}简直是耻辱，让所有人都十分鄙视。",
            "{target}造成的一切糟糕透顶，大家感到震惊和愤怒。",
            "{target}应当受到最严厉的谴责，没有比这更糟的了。",
            "提起{target}，人人都满怀愤怒和厌恶。",
        ),
        "neutral": (
            "这里也提到了{target}。",
            "这一部分与{target}有关。",
            "{target}是谈到的内容之一。",
            "记录中出现了{target}这个名称。",
        ),
    },
}


def portraits(target: str, language: Language) -> Mapping[Tone, tuple[str, ...]]:
    """Four sentences each that praise, blame or merely name a target, whatever it is: a person, a group, a thing.

    The target stands as it is given, in Russian always as the subject or a mere name, and no verb shows its gender.
    """
    return {tone: tuple(form.format(target=target) for form in forms) for tone, forms in _FORMS[language].items()}
