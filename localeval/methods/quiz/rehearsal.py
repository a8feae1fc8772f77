"""Specimen replies, so that `localeval plan` can drive the quiz's own flow without a model."""

import json
import re

from localeval.texts import Language
from localeval.values import Call

_MARK = "§"
"""Stands in the specimen of a right answer: what a specimen reader looks for."""

# about as long as what a model writes: what is planned for must not be shorter than what will be sent
_SPECIMEN: dict[Language, tuple[str, str]] = {
    "en": (
        "Which of these was agreed about item {n} of the plan at the meeting in March?",
        "about {n} units by the end of May",
    ),
    "ru": ("О чём из этого договорились по пункту {n} плана на встрече в марте?", "около {n} единиц к концу мая"),
    "zh": ("在三月的会议上，关于计划第{n}项，以下哪一项得到了同意？", "五月底之前大约{n}个"),
}


def rehearse(call: Call, number: int, language: Language) -> str:
    """The text of a specimen reply to one call of the quiz; `number` tells the calls of a plan apart.

    A question that passes every filter, the right letter where a text is shown, a wrong one in a blind trial: the
    plan is that of a run in which nothing goes wrong.
    """
    if call.stage == "quiz/write":
        question, option = _SPECIMEN[language]
        options = [option.format(n=number * 10 + i) for i in range(5)]
        return json.dumps(
            {
                "segments": "1",
                "question": question.format(n=f"{number}-{number * 7919 % 1000}"),
                "answer": _MARK + options[0],
                "hard_negative": options[1],
                "wrong": options[2:],
            }
        )
    letters = dict(re.findall(r"^([A-F])\) (.*)$", call.messages[-1].parts[-1], re.MULTILINE))
    is_blind = call.stage == "quiz/blind"
    return next((letter for letter, text in letters.items() if text.startswith(_MARK) != is_blind), "A")
