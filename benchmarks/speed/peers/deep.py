"""deepeval's GEval over a vLLM server: the panel, a metric for each criterion."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.speed.contest import CannotDo, Part, Run, Task
from benchmarks.speed.peers.served import ServedPeer
from benchmarks.speed.peers.server import NAME, Meter

_VERDICT = {
    "type": "object",
    "properties": {"reason": {"type": "string"}, "score": {"type": "integer", "enum": [0, 1, 2]}},
    "required": ["reason", "score"],
    "additionalProperties": False,
}
_QUOTED = 300


class DeepEval(ServedPeer):
    """Its own prompts: instructions, steps and rubric first, then the source as input and the candidate as output."""

    name = "deepeval"
    parts: Sequence[Part] = ("b",)

    def __init__(self) -> None:
        super().__init__("deepeval")

    def why_not(self, part: Part) -> str:
        """Its metrics are verdicts on one text."""
        if part == "a":
            return "deepeval's multiple choice is in its own benchmarks alone, not for questions of one's own"
        if part == "c":
            return "deepeval's metrics of hallucination give one number for a text, not each claim with its verdict"
        return "deepeval has no quiz and no affect, so it cannot do all methods together"

    def run(self, task: Task, scratch: Path) -> Run:
        """All criteria for all texts in one evaluation."""
        told, used, start_s = self._asked("geval.py", request_of(task), task.settings, scratch)
        return run_of(told, len(task.judged), used, start_s)


def request_of(task: Task) -> dict[str, Any]:
    """What its script is to do: every metric for every text. Raises CannotDo where a text lacks a criterion."""
    texts = {(each.source, each.system): (each.source_text, each.text) for each in task.judged}
    criteria = {
        each.criterion: {
            "name": each.criterion,
            "steps": ["Read the input, then the actual output, which is about it.", each.statement],
            "levels": list(each.levels),
        }
        for each in task.judged
    }
    if len(texts) * len(criteria) != len(task.judged):
        raise CannotDo("it puts every criterion to every text, and this work has other criteria for some of them")
    return {
        "model": NAME,
        "rows": [{"source": source, "candidate": candidate} for source, candidate in texts.values()],
        "criteria": list(criteria.values()),
        "max_tokens": task.verdict_tokens,
        # without a grammar a small model hardly ever writes the JSON that it asks for
        "format": {"type": "json_schema", "json_schema": {"name": "verdict", "schema": _VERDICT}},
    }


def run_of(told: Mapping[str, Any], wanted: int, used: Meter, start_s: float) -> Run:
    """What it took, of what its script and the server told; a verdict without a score is invalid.

    Raises CannotDo where none has one: then nothing was judged, and its time is that of failing.
    """
    if not told["scores"]:
        raise CannotDo(f"none of its {wanted} verdicts has a score: {'; '.join(told['errors'])[:_QUOTED]}")
    return used.run(told["wall_s"], start_s, invalid=wanted - len(told["scores"]))
