"""A finished run in which nothing has changed: what it came to is read, and its calls are not gone through again.

`finished.json` says which run the results in the folder are of: digests over the manifest (config, inputs, prompts,
models, judges, what was served), the code, every stored reply and each file of results. Where one of them differs, the
run goes the usual way, call by call.
"""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from localeval.driver import Silent
from localeval.flow import is_final
from localeval.freezing import freeze
from localeval.keys import canonical, digest
from localeval.ledger import Ledger
from localeval.measuring import Evaluation
from localeval.models import Model
from localeval.store.files import DECISION, LEDGER, PASSPORT, SCORES
from localeval.store.folder import RunFolder
from localeval.values import Call, Reply

_RESULTS = (SCORES, PASSPORT, LEDGER, DECISION)


class Finished(NamedTuple):
    """What a finished run came to, as its files hold it; `decision` is empty where there was nothing to decide."""

    scores: dict[str, Any]
    costs: dict[str, Any]
    decision: dict[str, Any]


class Standing(Silent):
    """An observer that says whether every reply stands; one that does not is asked for again by the next sitting."""

    def __init__(self, models: Mapping[str, Model]) -> None:
        self._models = models
        self.are_final = True

    def answered(self, call: Call, reply: Reply, is_stored: bool) -> None:
        if reply.missing is not None and not is_final(reply, self._models[call.model].context):
            self.are_final = False


def keep_finished(folder: RunFolder, manifest: Mapping[str, Any], ledger: Ledger) -> None:
    """Notes that the folder's results are those of its replies. To be called when the results are written, and only
    where every reply stands."""
    folder.store.flush()
    answered = {name: list(counts) for name, counts in ledger.answered_by_model().items()}
    folder.save_finished(_state(folder, manifest) | {"answered": answered})


def read_finished(
    folder: RunFolder, evaluation: Evaluation, models: Mapping[str, Model], ledger: Ledger
) -> Finished | None:
    """What the run came to, where it is finished and nothing has changed since; else None.

    `ledger` is told of the replies that are there, as if they had been looked up one by one.
    """
    kept = folder.finished()
    if kept is None:
        return None
    manifest = freeze(folder, evaluation, models)
    if {name: kept.get(name) for name in ("manifest", "code", "files")} != _small_state(folder, manifest):
        return None
    if kept.get("replies") != folder.store.digest():
        return None
    scores, costs = folder.scores(), folder.ledger()
    if scores is None or costs is None:
        return None
    for name, (stored, missing) in kept["answered"].items():
        ledger.found(name, stored, missing)
    return Finished(scores, costs, folder.decision() or {})


def _state(folder: RunFolder, manifest: Mapping[str, Any]) -> dict[str, Any]:
    return _small_state(folder, manifest) | {"replies": folder.store.digest()}


def _small_state(folder: RunFolder, manifest: Mapping[str, Any]) -> dict[str, Any]:
    """All but the replies, which take seconds where there are a million."""
    paths = [folder.path / name for name in _RESULTS]
    files = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in paths if path.exists()}
    return {"manifest": digest(canonical(manifest)), "code": _code(), "files": files}


def _code() -> str:
    """64 hexadecimal digits over this package's modules: other code may come to other results."""
    package = Path(__file__).parent
    modules = sorted(package.rglob("*.py"))
    return digest(canonical([[str(path.relative_to(package)), digest(path.read_text("utf-8"))] for path in modules]))
