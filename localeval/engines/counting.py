"""Prompt tokens of calls by the model's own tokenizer and template, without loading its weights."""

from collections.abc import Collection, Mapping
from itertools import islice

from localeval.engines.process import Gone, start_worker
from localeval.engines.wire import Ask, Counted, Failed, PromptTokens
from localeval.errors import EngineError
from localeval.models.cards import Model
from localeval.values import Call

_CHUNK = 256


def count_tokens(model: Model, calls: Mapping[str, Call], hidden: Collection[str] = ()) -> dict[str, PromptTokens]:
    """Tokens of each call's prompt, by key: the same numbers that the engine will find.

    Runs in a process of its own that holds the tokenizer alone, and does not see the environment variables that
    `hidden` names. Raises EngineError when it cannot.
    """
    worker, _ = start_worker(model, None, "count", hidden)
    counts: dict[str, PromptTokens] = {}
    items = iter(calls.items())
    try:
        while chunk := dict(islice(items, _CHUNK)):
            worker.send(Ask(chunk))
            report = worker.receive()
            if not isinstance(report, Counted):
                reason = report.reason if isinstance(report, Failed) else "broke its protocol"
                raise EngineError(f"model {model.name!r}: counting tokens failed: {reason}")
            counts.update(report.counts)
    except Gone as death:
        raise EngineError(f"model {model.name!r}: counting tokens failed: its process {death}") from None
    finally:
        worker.stop()
    return counts
