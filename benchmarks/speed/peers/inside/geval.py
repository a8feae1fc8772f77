"""deepeval's GEval on the panel, over a vLLM server. Runs in the peer's environment.

`python geval.py REQUEST ANSWER`, both JSON files.
"""

import json
import sys
import time
from pathlib import Path
from typing import Any

from deepeval import evaluate
from deepeval.evaluate import AsyncConfig, CacheConfig, DisplayConfig, ErrorConfig
from deepeval.metrics import GEval
from deepeval.metrics.g_eval import Rubric
from deepeval.models import LocalModel
from deepeval.test_case import LLMTestCase, SingleTurnParams


def metric(criterion: dict[str, Any], model: LocalModel) -> GEval:
    """A criterion as one metric; with steps of its own, so that it does not ask the model to write some each time."""
    return GEval(
        name=criterion["name"],
        evaluation_steps=criterion["steps"],
        rubric=[
            Rubric(score_range=(level, level), expected_outcome=text) for level, text in enumerate(criterion["levels"])
        ],
        evaluation_params=[SingleTurnParams.INPUT, SingleTurnParams.ACTUAL_OUTPUT],
        model=model,
    )


def main(request: dict[str, Any], answer: Path) -> None:
    """Judges every text by every criterion once and writes how long that took, and how many scores there are."""
    model = LocalModel(
        model=request["model"],
        base_url=request["url"],
        api_key="none",
        temperature=0,
        generation_kwargs={"max_tokens": request["max_tokens"], "response_format": request["format"]},
    )
    cases = [LLMTestCase(input=row["source"], actual_output=row["candidate"]) for row in request["rows"]]
    metrics = [metric(each, model) for each in request["criteria"]]
    began = time.monotonic()
    found = evaluate(
        test_cases=cases,
        metrics=metrics,
        async_config=AsyncConfig(max_concurrent=request["in_flight"]),
        display_config=DisplayConfig(show_indicator=False, print_results=False, inspect_after_run=False),
        cache_config=CacheConfig(write_cache=False),
        error_config=ErrorConfig(ignore_errors=True),
    )
    wall_s = time.monotonic() - began
    told = [data for result in found.test_results for data in result.metrics_data or ()]
    errors = sorted({data.error for data in told if data.error})
    scores = [data.score for data in told if data.score is not None and not data.error]
    answer.write_text(json.dumps({"wall_s": wall_s, "scores": scores, "errors": errors}), encoding="utf-8")


if __name__ == "__main__":
    main(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")), Path(sys.argv[2]))
