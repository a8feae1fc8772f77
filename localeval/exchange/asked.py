"""The calls of a run, each with what its store holds: found by driving the run's own flows."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from localeval.engines.verdicts import lasting_identity
from localeval.errors import CallMissing, StoreError
from localeval.flow import Engine, Store, is_final
from localeval.freezing import read_frozen
from localeval.gathering import gather
from localeval.inputs.wording import meant, problem, show
from localeval.keys import call_key
from localeval.ledger import Ledger
from localeval.measuring import Evaluation
from localeval.models import Model
from localeval.store.files import MANIFEST, RunFiles
from localeval.values import Call, Reply


@dataclass(frozen=True, slots=True)
class Asked:
    """A call that a run asks, and what answers it: None where nothing does, or only "absent".

    `row_key` is the key in files, which for a model of the engine `verdicts` does not hold the file's content.
    """

    key: str
    row_key: str
    call: Call
    reply: Reply | None


class FrozenRun:
    """The evaluation that a run folder holds, and its models: what its flows are driven with."""

    def __init__(self, files: RunFiles) -> None:
        """Raises StoreError where the folder is damaged."""
        self.evaluation: Evaluation
        self.evaluation, manifest = read_frozen(files)
        try:
            self.models = {name: _model(table) for name, table in manifest["models"].items()}
            self.identities = {name: str(table["identity"]) for name, table in manifest["models"].items()}
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            raise files.damaged(MANIFEST, error) from error

    def require(self, model: str) -> None:
        """Raises InputError where the run has no such model."""
        if model not in self.models:
            fix = f"{meant(model, self.models)}known: {', '.join(self.models)}"
            raise problem("--model", f"the run has no model {show(model)}", fix)

    def asked(self, store: Store) -> tuple[Asked, ...]:
        """The calls that `store` answers, and those that wait for an answer, in the order of asking.

        Calls that depend on answers which are not there yet are none of them.
        """
        noting = _Noting(self)
        with suppress(CallMissing):  # at the first model to be loaded: all that can be asked has been noted by then
            gather(self.evaluation, store, _Closed(self), noting)
        return tuple(noting.found.values())


@dataclass(frozen=True)
class Overlay:
    """Replies that are to come into a store, before what it holds. Nothing is appended."""

    get_stored: Callable[[str], Reply | None]
    added: Mapping[str, Reply]

    def get(self, key: str) -> Reply | None:
        """The added reply, or the stored one."""
        return self.added.get(key) or self.get_stored(key)

    def append(self, call: Call, reply: Reply) -> None:
        """Raises StoreError: nobody answers here."""
        raise StoreError(f"reply {reply.key} came from nowhere")


def is_absent(reply: Reply) -> bool:
    """Whether a file of verdicts had no answer: that is open still."""
    return reply.missing is not None and reply.missing.reason == "absent"


def _model(table: Mapping[str, Any]) -> Model:
    return Model.model_validate({name: value for name, value in table.items() if name != "identity"})


class _Noting(Ledger):
    """Notes each call of a run with its answer, or with none."""

    def __init__(self, run: FrozenRun) -> None:
        super().__init__()
        self.found: dict[str, Asked] = {}
        self._run = run

    def queued(self, call: Call) -> None:
        self._note(call, None)

    def answered(self, call: Call, reply: Reply, is_stored: bool) -> None:
        self._note(call, None if is_absent(reply) else reply)

    def _note(self, call: Call, reply: Reply | None) -> None:
        model = self._run.models[call.model]
        key = row_key = call_key(call, self._run.identities[call.model])
        if model.engine == "verdicts":
            row_key = call_key(call, lasting_identity(model))
        self.found.setdefault(key, Asked(key, row_key, call, reply))


@dataclass(frozen=True)
class _Closed:
    """Engines that answer nothing."""

    run: FrozenRun

    def identity(self, model: str) -> str:
        return self.run.identities[model]

    def stands(self, model: str, reply: Reply) -> bool:
        return is_final(reply, self.run.models[model].context)

    def open(self, model: str) -> Engine:
        raise CallMissing(f"a reply of model {model!r} is not in the store")
