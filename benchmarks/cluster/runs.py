"""One run on a Ray of its own, timed; with one of its replicas killed in the middle where that is wanted."""

import json
import os
import re
import shutil
import signal
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.speed.ours import Stopwatch
from localeval.cluster.joining import ClusterSettings
from localeval.evaluation import run_evaluation
from localeval.flow import EngineInfo
from localeval.reading import read_evaluation
from localeval.values import Call, Reply


@dataclass(frozen=True, slots=True)
class Timed:
    """A run: seconds from when all replicas were ready to the last reply, start-up, tokens, and what came out."""

    seconds: float
    start_s: float
    prompt_tokens: int
    computed_tokens: int
    output_tokens: int
    n_lost: int
    texts: dict[str, str] = field(repr=False)
    """Each reply's text, by key."""
    scores: Any = field(repr=False)
    """scores.json."""

    def figures(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "seconds": round(self.seconds, 3),
            "start_s": round(self.start_s, 3),
            "calls": len(self.texts),
            "calls_per_second": round(len(self.texts) / self.seconds, 3),
            "prompt_tokens": self.prompt_tokens,
            "computed_tokens": self.computed_tokens,
            "output_tokens": self.output_tokens,
        }


class Watch(Stopwatch):
    """A stopwatch that keeps every reply, and kills a replica once so many have come (0: none)."""

    def __init__(self, kill_at: int) -> None:
        super().__init__()
        self.replies: list[Reply] = []
        self._kill_at = kill_at

    def answered(self, call: Call, reply: Reply, is_stored: bool) -> None:
        super().answered(call, reply, is_stored)
        self.replies.append(reply)
        if len(self.replies) == self._kill_at:
            kill_a_replica(self.info)


def kill_a_replica(info: EngineInfo) -> None:
    """Kills the process of one actor, as the system does when memory runs out."""
    first, *_ = re.findall(r"as process (\d+)", info.facts["replicas"])
    os.kill(int(first), signal.SIGKILL)


def one_run(config: Path, out: Path, workers: int, kill_at: int = 0) -> Timed:
    """Runs a config in the new folder `out` with so many replicas on a Ray that is started for it."""
    shutil.rmtree(out, ignore_errors=True)
    evaluation, models = read_evaluation(config)
    watch = Watch(kill_at)
    run_evaluation(evaluation, models, out, ledger=watch, force=True, cluster=ClusterSettings("auto", workers))
    log = out / "cluster.log"
    return Timed(
        seconds=watch.last_reply_s,
        start_s=sum(account.load_s for account in watch.accounts.values()),
        prompt_tokens=sum(reply.prompt_tokens for reply in watch.replies),
        computed_tokens=sum(reply.prompt_tokens - reply.cached_tokens for reply in watch.replies),
        output_tokens=sum(reply.output_tokens for reply in watch.replies),
        n_lost=len(log.read_text("utf-8").splitlines()) if log.exists() else 0,
        texts={reply.key: reply.text for reply in watch.replies if reply.missing is None},
        scores=json.loads((out / "scores.json").read_bytes()),
    )
