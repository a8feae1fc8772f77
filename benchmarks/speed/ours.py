"""localeval's own run: a config and a new run folder, as `localeval run` would have them, with a stopwatch."""

import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.speed.calls import calls_of, is_valid
from benchmarks.speed.contest import Run
from benchmarks.speed.tokens import count
from localeval.engines.prompting import Prompter
from localeval.engines.tokenizer import load_tokenizer
from localeval.errors import EngineError, InputError
from localeval.evaluation import run_evaluation
from localeval.flow import EngineInfo
from localeval.ledger import Ledger
from localeval.models import Model
from localeval.reading import read_evaluation
from localeval.store.reader import Stored
from localeval.values import Call, Reply


class Stopwatch(Ledger):
    """A ledger that tells the seconds from when the model was ready to when it had left its device.

    So the work includes the end of every flow and of the engine, and every reply is durable by then, but not scores
    and files, which no other contestant makes.
    """

    def __init__(self) -> None:
        super().__init__()
        self.info = EngineInfo("not loaded")
        self.wall_s = self.last_reply_s = 0.0
        self._ready_at = 0.0

    def loaded(self, model: str, info: EngineInfo) -> None:
        super().loaded(model, info)
        self.info = info
        self._ready_at = time.monotonic()

    def answered(self, call: Call, reply: Reply, is_stored: bool) -> None:
        super().answered(call, reply, is_stored)
        self.last_reply_s = time.monotonic() - self._ready_at

    def unloaded(self, model: str) -> None:
        self.wall_s += time.monotonic() - self._ready_at
        super().unloaded(model)


def run_ours(config: Path, out: Path, share: float) -> tuple[Run, dict[str, str]]:
    """One run of a config in the new folder `out`, and what its engine says of itself.

    Raises InputError where a prompt does not fit the model's context, EngineError where calls failed.
    """
    evaluation, models = read_evaluation(config)
    watch = Stopwatch()
    run_evaluation(evaluation, models, out, ledger=watch, force=True)
    (model,) = models.values()
    answered = calls_of(out)
    _require_answers(answered, out)
    counted = count(prompts_of(model, answered), int(watch.info.facts.get("block_size", 1)))
    run = Run(
        wall_s=watch.wall_s,
        start_s=sum(account.load_s for account in watch.accounts.values()),
        calls=len(answered),
        prompt_tokens=counted.prompt,
        cached_tokens=sum(each.reply.cached_tokens for each in answered),
        unique_tokens=counted.unique,
        rounded_tokens=counted.rounded,
        output_tokens=sum(each.reply.output_tokens for each in answered),
        invalid=sum(not is_valid(each.call, each.reply.text, each.reply.finish) for each in answered),
        share=share,
    )
    told = {"served": watch.info.description, "last_reply_s": f"{watch.last_reply_s:.3f}", **watch.info.facts}
    return run, told


def prompts_of(model: Model, answered: Sequence[Stored]) -> Iterator[list[int]]:
    """The token ids of each call's prompt."""
    prompter = Prompter(load_tokenizer(model), model.card)
    return (prompter.token_ids(each.call.messages) for each in answered)


def _require_answers(answered: Sequence[Stored], out: Path) -> None:
    for each in answered:
        missing = each.reply.missing
        if missing is not None and missing.reason == "too long":
            raise InputError(f"{out}: {missing.detail}; name a model of a longer context with --model")
        if missing is not None and missing.reason == "engine error":
            raise EngineError(f"{out}: {missing.detail}; see the engine's log there")
