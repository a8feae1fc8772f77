"""Replies by hand for quiz flows: a writer with a plan, and a reader that knows what each text holds."""

import json
import math
import re
from collections.abc import Callable, Sequence

from localeval.assets import asset_folder
from localeval.flow import Flow, Result
from localeval.keys import call_key
from localeval.methods.quiz.schemas import QuizSettings
from localeval.prompts import Prompts, read_prompts
from localeval.texts import Segment, Source
from localeval.values import Call, Reply

FACTS = ("amber", "birch", "cedar", "dahlia", "elm", "fern", "ginkgo", "hazel", "iris", "juniper")


def prompts() -> Prompts:
    return read_prompts(asset_folder("prompts"))


def source(n_facts: int = 10, id: str = "s") -> Source:
    lines = [f"Plot {i} grows {FACTS[i]}." for i in range(n_facts)]
    text = "\n".join(lines)
    segments, start = [], 0
    for number, line in enumerate(lines, 1):
        segments.append(Segment(number, start, start + len(line), float(number), float(number + 1), "Ann"))
        start += len(line) + 1
    return Source(id, text, tuple(segments), "en")


def settings(**options: object) -> QuizSettings:
    return QuizSettings.model_validate({"writer": "w", "answerer": "a", "questions": 4} | options)


def written(number: int, **changes: object) -> str:
    """A writer's reply about plot `number`."""
    others = [fact for i, fact in enumerate(FACTS) if i != number]
    question = {
        "segments": str(number + 1),
        "question": f"What grows on plot {number}, next to the {FACTS[-number]} shed?",
        "answer": FACTS[number],
        "hard_negative": others[0],
        "wrong": others[1:4],
    }
    return json.dumps(question | changes)


def reader(call: Call) -> str:
    """The letter that a careful reader chooses: what the text says, else "cannot be determined", else the last."""
    prompt = call.messages[-1].text
    options = dict(re.findall(r"^([A-F])\) (.+)$", prompt, re.MULTILINE))
    asked = re.search(r"[Oo]n plot (\d+),", prompt)
    said = re.search(rf"Plot {asked[1]} grows (\w+)\.", prompt) if asked else None
    wanted = said[1] if said else "Cannot be determined from the text"
    return next((letter for letter, option in options.items() if option == wanted), max(options))


def reply(call: Call, text: str, sure: float = 0.0) -> Reply:
    """A reply; with `sure` > 0 that probability lies on `text` and the rest is spread over the other letters."""
    logprobs: tuple[tuple[tuple[str, float], ...], ...] = ()
    if sure:
        letters = [letter for letter in "ABCDEF" if f"\n{letter}) " in call.messages[-1].text]
        rest = (1 - sure) / (len(letters) - 1)
        logprobs = (tuple((letter, math.log(sure if letter == text else rest)) for letter in letters),)
    return Reply(call_key(call, call.model), text=text, logprobs=logprobs, output_tokens=1)


def play(flow: Flow[Result], answer: Callable[[Call], Reply]) -> tuple[Result, list[Sequence[Call]]]:
    """Drives one flow by hand: its result, and the calls of each round."""
    rounds: list[Sequence[Call]] = []
    try:
        calls = next(flow)
        while True:
            rounds.append(calls)
            calls = flow.send([answer(call) for call in calls])
    except StopIteration as stop:
        return stop.value, rounds
