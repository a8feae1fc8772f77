"""inspect_ai over a vLLM server: the quiz by its multiple-choice solver, the panel by its model-graded scorer."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.speed.contest import Judged, Part, Run, Task
from benchmarks.speed.peers.harness import LETTERS
from benchmarks.speed.peers.served import ServedPeer
from benchmarks.speed.peers.server import NAME, Meter

QUIZ_TOKENS = 16  # "ANSWER: A" and some room
PATTERN = r"(?is).*GRADE\s*:\s*(0|1|2|NA)\b"

# its own instructions for grades from C to I, with the rubric's grades in their place
INSTRUCTIONS = """
After assessing the submitted answer, reply with 'GRADE: $GRADE' (without quotes) where GRADE is one of 0, 1, 2 or NA, \
as the criterion says.

First, write out in a step by step manner your reasoning about the criterion to be sure that your conclusion is \
correct. Avoid simply stating the correct answers at the outset. Then, end with your answer formatted as \
'GRADE: $GRADE' (without quotes) where GRADE is one of 0, 1, 2 or NA.
"""


class Inspect(ServedPeer):
    """Its own prompts: the task's text first, then the submission, the criterion, the instructions."""

    name = "inspect_ai"
    parts: Sequence[Part] = ("a", "b")

    def __init__(self) -> None:
        super().__init__("inspect-ai")

    def why_not(self, part: Part) -> str:
        """Its scorers make one call for one text."""
        if part == "d":
            return "inspect_ai has no audit and no affect, so it cannot do all methods together"
        return "inspect_ai has no scorer that lists a text's claims and checks each against its source"

    def run(self, task: Task, scratch: Path) -> Run:
        """All samples in one evaluation, as many connections as the engine has places."""
        return run_of(*self._asked("inspecting.py", request_of(task), task.settings, scratch))


def request_of(task: Task) -> dict[str, Any]:
    """What its script is to do."""
    rows: list[dict[str, Any]]
    if task.part == "a":
        rows = [
            {"input": f"{each.text}\n\n{each.question}", "choices": list(each.options), "target": LETTERS[each.right]}
            for each in task.asked
        ]
    else:
        rows = [
            {"input": each.source_text, "candidate": each.text, "criterion": criterion(each)} for each in task.judged
        ]
    return {
        "part": task.part,
        "model": NAME,
        "rows": rows,
        "max_tokens": QUIZ_TOKENS if task.part == "a" else task.verdict_tokens,
        "instructions": INSTRUCTIONS,
        "pattern": PATTERN,
    }


def criterion(judged: Judged) -> str:
    """A criterion with its levels, as one text."""
    levels = [f"{level}: {text}" for level, text in enumerate(judged.levels)]
    return "\n".join([judged.statement, *levels, *(["NA: it does not apply"] if judged.allows_na else [])])


def run_of(told: Mapping[str, Any], used: Meter, start_s: float) -> Run:
    """What it took, of what its script and the server told; what it could read nothing in is invalid."""
    return used.run(told["wall_s"], start_s, invalid=sum(not each["read"] for each in told["texts"]))
