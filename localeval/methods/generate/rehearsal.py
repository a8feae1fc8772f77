"""Specimen texts, so that `localeval plan` can count what judges would read of texts that nobody has written yet."""

import random
import re

from localeval.keys import derive_seed
from localeval.texts import Language
from localeval.values import Call

_USUAL_TOKENS = 300
"""Of a summary, where the system may write more."""

_CHARACTERS: dict[Language, float] = {"en": 4.0, "ru": 3.0, "zh": 1.5}
"""Of a token, about."""

# about as long as what a model writes; the name and the number are the text's own, so that a program finds them there
_SENTENCES: dict[Language, tuple[str, ...]] = {
    "en": (
        "{name} explained at some length how the work has gone since the last time they spoke about it.",
        "The group agreed that point {number} comes first and that the others can wait for now.",
        "Nobody was sure whether the plan holds, so {name} will ask and report back to everyone.",
        "There was a longer discussion of costs, of who should pay and of what can be done without.",
        "{name} mentioned {number} in this connection and asked the others what they thought of it.",
        "It was left open who takes this on, and when it has to be finished at the latest.",
        "They went through what had been promised before and what of it has been done by now.",
        "In the end {name} thanked all who had taken part and summed up what had been settled.",
    ),
    "ru": (
        "{name} подробно рассказывает, как продвинулась работа с тех пор, как о ней говорили в последний раз.",
        "Все согласились, что сначала идёт пункт {number}, а остальные пока могут подождать.",
        "Никто не был уверен, что план выдержит, поэтому {name} узнает об этом и потом сообщит всем.",
        "Долго обсуждали расходы, кто должен платить и без чего вполне можно обойтись.",
        "{name} называет в этой связи {number} и спрашивает остальных, что они об этом думают.",
        "Осталось нерешённым, кто за это возьмётся и к какому сроку всё должно быть готово.",
        "Вспомнили, что было обещано раньше и что из этого к настоящему времени уже сделано.",
        "В конце {name} благодарит всех, кто принял участие, и подводит итог тому, что решено.",
    ),
    "zh": (
        "{name}详细说明了自上次讨论以来这项工作的进展情况。",
        "大家同意先处理第{number}项，其余的可以暂时等一等。",
        "没有人能确定这个计划是否可行，因此由{name}去询问，然后告诉大家。",
        "会上用较长时间讨论了费用、由谁承担以及哪些可以省去。",
        "{name}就此提到了{number}，并询问其他人的看法。",
        "由谁负责、最迟什么时候完成，这些都还没有定下来。",
        "大家回顾了之前答应过的事情，以及其中哪些已经完成。",
        "最后{name}感谢所有参加的人，并总结了已经确定的内容。",
    ),
}
_NOBODY: dict[Language, str] = {"en": "Anna", "ru": "Анна", "zh": "安娜"}
_TIME = re.compile(r"\[\d+(?::\d\d)+\]")
_SPEAKER = re.compile(r"^\s*([^\W\d_][^\n:：]{0,23})[:：]\s?\S", re.MULTILINE)
_NAME = re.compile(r"(?<=[a-zа-яё,] )[A-ZА-ЯЁ][a-zа-яё]+")
_NUMBER = re.compile(r"(?<![\d.,:])\d{1,4}(?![\d.,:])")


def rehearse(call: Call, language: Language) -> str:
    """The text of a specimen summary: of usual length, and never longer than the call allows, about.

    Each call has one of its own, so that the texts of two systems are two texts. Somebody and some number that stand
    in the prompt's longest part stand in it, as in a real summary.
    """
    said = _TIME.sub("", max((part for message in call.messages for part in message.parts), key=len))
    prompt = "".join(message.text for message in call.messages)
    draw = random.Random(derive_seed(call.model, call.item, call.subject, prompt, call.sampling.seed))
    names = _SPEAKER.findall(said) or _NAME.findall(said) or [_NOBODY[language]]
    numbers = _NUMBER.findall(said) or ["12"]
    most = int(min(call.sampling.max_tokens, _USUAL_TOKENS) * _CHARACTERS[language])
    sentences: list[str] = []
    while sum(map(len, sentences)) < most:
        for sentence in draw.sample(_SENTENCES[language], len(_SENTENCES[language])):
            sentences.append(sentence.format(name=draw.choice(names).strip(), number=draw.choice(numbers)))
    joint = "" if language == "zh" else " "
    while len(sentences) > 1 and len(joint.join(sentences)) > most:
        sentences.pop()
    return joint.join(sentences)
