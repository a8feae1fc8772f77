"""Calls out of a run, for others to answer."""

import json
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from localeval.exchange.asked import Asked, FrozenRun, Overlay
from localeval.keys import output_spec
from localeval.store.folder import RunReader
from localeval.values import JsonObject


@dataclass(frozen=True, slots=True)
class Exported:
    """Rows of a file for others to fill in, and how many calls of other models the run lacks as well."""

    rows: tuple[dict[str, Any], ...]
    n_others: int


def export_calls(run: Path, model: str, answered_too: bool = False) -> Exported:
    """The calls of a model that a run's store lacks, as rows; with `answered_too` also those that it has.

    A row has the call's `key`, who asks what (`model`, `stage`, `subject`, `item`), the `messages`, the form of the
    answer (`output`: {"choice": [...]}, {"schema": {...}} or {} for free text), the `sampling`, and an empty `text`.
    Which system wrote the text that is judged it does not say, as a prompt does not: people judge blind, too.

    Calls that depend on answers which are not there yet come once those are. Raises InputError for an unknown model,
    StoreError where the run cannot be read.
    """
    with RunReader.open(run) as files:
        frozen = FrozenRun(files)
        frozen.require(model)
        asked = frozen.asked(Overlay(files.store.get, {}))
    own = [each for each in asked if each.call.model == model and (answered_too or each.reply is None)]
    n_others = sum(each.call.model != model and each.reply is None for each in asked)
    sources = {source.id for source in frozen.evaluation.material.sources}
    return Exported(tuple(_row(each, sources) for each in own), n_others)


def dump_rows(exported: Exported) -> str:
    """The content of a file of exported calls."""
    # a control character in a prompt would make the file look binary
    rows = (json.dumps(row, ensure_ascii=False) for row in exported.rows)
    return "".join("".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in row) + "\n" for row in rows)


def _row(asked: Asked, sources: Collection[str]) -> dict[str, Any]:
    call = asked.call
    output = output_spec(call.output)
    if isinstance(call.output, JsonObject):
        output["schema"] = json.loads(call.output.schema)
    sampling = call.sampling
    return {
        "key": asked.row_key,
        "model": call.model,
        "stage": call.stage,
        "subject": _source_of(call.subject, sources),
        "item": call.item,
        "messages": [{"role": message.role, "content": message.text} for message in call.messages],
        "output": output,
        "sampling": {
            "max_tokens": sampling.max_tokens,
            "temperature": sampling.temperature,
            "top_p": sampling.top_p,
            "seed": sampling.seed,
            "logprobs": sampling.logprobs,
        },
        "text": "",
    }


def _source_of(subject: str, sources: Collection[str]) -> str:
    """The source that a call is about; of a text that nobody wrote about a source, what it is about."""
    source = subject
    while source and source not in sources:
        source = source.rpartition("/")[0]
    return source or subject.partition("/")[0]
