"""A finished run in which nothing has changed: what it came to is read, and its calls are not gone through again.

`finished.json` says which run the results in the folder are of: digests over the manifest (config, inputs, prompts,
models, judges, what was served), the code, every stored reply and each file of results, and the versions of the
packages that the code rests on. Where one of them differs, the run goes the usual way, call by call.
"""

import hashlib
import re
from collections.abc import Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any, NamedTuple

from localeval.driver import Silent
from localeval.errors import StoreError
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
_NAME = re.compile(r"[\w.-]+")


class Finished(NamedTuple):
    """What a finished run came to, as its files hold it; `decision` is empty where there was nothing to decide."""

    scores: dict[str, Any]
    costs: dict[str, Any]
    decision: dict[str, Any]


class Maker(NamedTuple):
    """What computes a run's results: 64 hexadecimal digits over localeval's modules, versions of packages by name."""

    code: str
    packages: Mapping[str, str]


class Standing(Silent):
    """An observer that says whether every reply stands; one that does not is asked for again by the next sitting."""

    def __init__(self, models: Mapping[str, Model]) -> None:
        self._models = models
        self.are_final = True
        self.maker = _maker()  # now: code may be replaced on the disk while a long run goes on with what it has loaded

    def answered(self, call: Call, reply: Reply, is_stored: bool) -> None:
        if reply.missing is not None and not is_final(reply, self._models[call.model].context):
            self.are_final = False


def keep_finished(folder: RunFolder, manifest: Mapping[str, Any], ledger: Ledger, maker: Maker) -> None:
    """Notes that the folder's results are those of its replies. To be called when the results are written, and only
    where every reply stands."""
    folder.store.flush()
    answered = {name: list(counts) for name, counts in ledger.answered_by_model().items()}
    state = _small_state(folder, manifest, maker) | {"replies": folder.store.digest()}
    folder.save_finished(state | {"answered": answered})


def read_finished(
    folder: RunFolder, evaluation: Evaluation, models: Mapping[str, Model], ledger: Ledger
) -> Finished | None:
    """What the run came to, where it is finished and nothing has changed since; else None.

    `ledger` is told of the replies that are there, as if they had been looked up one by one.
    """
    try:
        kept = folder.finished()
    except StoreError:  # nothing but this file is lost, and it is written anew
        return None
    if kept is None:
        return None
    manifest = freeze(folder, evaluation, models)
    if any(kept.get(name) != value for name, value in _small_state(folder, manifest, _maker()).items()):
        return None
    if kept.get("replies") != folder.store.digest():
        return None
    answered, scores, costs = _answered(kept), folder.scores(), folder.ledger()
    if answered is None or scores is None or costs is None:
        return None
    for name, (stored, missing) in answered.items():
        ledger.looked_up(name, stored, missing)
    return Finished(scores, costs, folder.decision() or {})


def _answered(kept: Mapping[str, Any]) -> dict[str, tuple[int, int]] | None:
    """How many replies there are of each model, and how many of them are missing; None where that is not kept."""
    try:
        return {name: (int(stored), int(missing)) for name, (stored, missing) in kept["answered"].items()}
    except (KeyError, TypeError, ValueError, AttributeError):
        return None


def _small_state(folder: RunFolder, manifest: Mapping[str, Any], maker: Maker) -> dict[str, Any]:
    """All but the replies, which take seconds where there are a million."""
    paths = [folder.path / name for name in _RESULTS]
    return {
        "manifest": digest(canonical(manifest)),
        "code": maker.code,
        "packages": maker.packages,
        "files": {path.name: _digest_of(path) for path in paths if path.exists()},
    }


def _digest_of(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


@cache
def _maker() -> Maker:
    """Once a process: what it has loaded stays."""
    return Maker(_code(), _packages())


def _code() -> str:
    package = Path(__file__).parent
    modules = sorted(package.rglob("*.py"))
    return digest(canonical([[str(path.relative_to(package)), _digest_of(path)] for path in modules]))


def _packages() -> dict[str, str]:
    """Versions of the packages that this one cannot do without, and of those that they need, by name.

    They split sentences, find words and compute intervals. Engines are none of them: what they said is stored.
    """
    versions: dict[str, str] = {}
    waiting = ["localeval"]
    while waiting:
        try:
            found = distribution(waiting.pop())
        except PackageNotFoundError:  # needed on another system, or localeval runs without being installed
            continue
        if found.name in versions:
            continue
        versions[found.name] = found.version
        for requirement in found.requires or ():
            wanted, _, marker = requirement.partition(";")
            if "extra" not in marker and (name := _NAME.match(wanted)) is not None:
                waiting.append(name.group())
    return versions
