"""One contestant's run in a process of its own, so that its memory and caches are new.

`python -m benchmarks.speed.child REQUEST`: a JSON file with what `Request` holds; the answer is written beside it.
"""

import json
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from benchmarks.speed.contest import Run

Kind = Literal["localeval", "raw", "naive"]


@dataclass(frozen=True, slots=True)
class Request:
    """What a child is to do. `run` is a run folder: a new one for localeval, a finished one for the others."""

    kind: Kind
    config: str
    run: str
    share: float
    n_calls: int = 0
    """naive alone: how many calls it makes."""
    turn: int = 0
    """naive alone: which of its turns it is; other calls in each."""


def answer_path(request: Path) -> Path:
    """Where the answer to a request is written."""
    return request.with_suffix(".answer.json")


def do(request: Request) -> tuple[Run, dict[str, str]]:
    """Runs the contestant in this process; imports what it needs and no more."""
    config, run = Path(request.config), Path(request.run)
    if request.kind == "localeval":
        from benchmarks.speed.ours import run_ours

        return run_ours(config, run, request.share)
    # imported here because they load vLLM, which localeval has in a process of its own
    from benchmarks.speed.bare import run_naive, run_raw

    if request.kind == "raw":
        return run_raw(config, run, request.share)
    return run_naive(config, run, request.share, request.n_calls, request.turn)


def main(path: Path) -> None:
    """Reads the request, runs it, writes the answer in one step."""
    run, parameters = do(Request(**json.loads(path.read_text(encoding="utf-8"))))
    answer = answer_path(path)
    text = json.dumps({"run": asdict(run), "parameters": parameters})
    answer.with_suffix(".part").write_text(text, encoding="utf-8")
    answer.with_suffix(".part").rename(answer)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
