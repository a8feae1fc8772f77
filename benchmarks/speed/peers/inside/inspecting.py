"""inspect_ai on the quiz or the panel, over a vLLM server. Runs in the peer's environment.

`python inspecting.py REQUEST ANSWER`, both JSON files.
"""

import json
import sys
import time
from pathlib import Path
from typing import Any

from inspect_ai import Task, eval
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import GenerateConfig, ModelOutput, get_model
from inspect_ai.scorer import choice, model_graded_qa
from inspect_ai.solver import Generate, Solver, TaskState, multiple_choice, solver


@solver  # type: ignore[untyped-decorator] # inspect_ai is not in the environment that is type-checked
def written_before() -> Solver:
    """The submission is the candidate: nothing is generated."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        state.output = ModelOutput.from_content("candidate", state.metadata["candidate"])
        return state

    return solve


def quiz(rows: list[dict[str, Any]]) -> Task:
    """Its multiple-choice solver with its own prompt and reading of answers."""
    samples = [Sample(input=row["input"], choices=row["choices"], target=row["target"]) for row in rows]
    return Task(dataset=MemoryDataset(samples), solver=multiple_choice(), scorer=choice())


def panel(rows: list[dict[str, Any]], instructions: str, pattern: str) -> Task:
    """Its model-graded scorer with its own template; instructions and grades are those of the rubric."""
    samples = [
        Sample(input=row["input"], target=row["criterion"], metadata={"candidate": row["candidate"]}) for row in rows
    ]
    scorer = model_graded_qa(instructions=instructions, grade_pattern=pattern)
    return Task(dataset=MemoryDataset(samples), solver=written_before(), scorer=scorer)


def main(request: dict[str, Any], answer: Path) -> None:
    """Does all of it once and writes how long that took, with the texts that were generated."""
    rows, in_flight = request["rows"], request["in_flight"]
    config = GenerateConfig(max_tokens=request["max_tokens"], temperature=0, seed=1, max_connections=in_flight)
    model = get_model(f"vllm/{request['model']}", base_url=request["url"], api_key="none", config=config)
    is_quiz = request["part"] == "a"
    task = quiz(rows) if is_quiz else panel(rows, request["instructions"], request["pattern"])
    began = time.monotonic()
    (log,) = eval(
        task,
        model=model,
        max_samples=in_flight,
        max_connections=in_flight,
        log_dir=str(answer.with_suffix(".logs")),
        display="none",
        log_level="error",
        score_display=False,
    )
    wall_s = time.monotonic() - began
    if log.status != "success" or not log.samples:
        raise SystemExit(f"inspect_ai ended as {log.status}: {log.error.message if log.error else 'no samples'}")
    texts = [outcome(sample, is_quiz) for sample in log.samples]
    answer.write_text(json.dumps({"wall_s": wall_s, "texts": texts}), encoding="utf-8")


def outcome(sample: Any, is_quiz: bool) -> dict[str, Any]:
    """What the model wrote for a sample, and what inspect_ai read in it, if anything."""
    (score,) = sample.scores.values()
    if is_quiz:
        return {"text": sample.output.completion, "read": score.answer}
    return {"text": score.explanation, "read": score.value if isinstance(score.value, str) else None}


if __name__ == "__main__":
    main(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")), Path(sys.argv[2]))
