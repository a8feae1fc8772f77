"""One sitting of a run: what decides its results is written down, its flows are driven, what that took is kept."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from localeval.bill import spent_on_hosted
from localeval.cluster.engines import ClusterEngines
from localeval.cluster.joining import ClusterSettings
from localeval.driver import Observer, Together
from localeval.engines.hiding import secrets_of
from localeval.engines.house import LocalEngines
from localeval.engines.purse import Purse
from localeval.engines.secrets import hidden_names
from localeval.engines.served import check_served
from localeval.errors import ConfigError
from localeval.flow import Engines, Store
from localeval.freezing import freeze
from localeval.ledger import Ledger, merged_served
from localeval.measuring import Evaluation
from localeval.models import Model
from localeval.store.database import ChainedStore
from localeval.store.folder import RunFolder
from localeval.store.reader import StoreReader

Gathered = TypeVar("Gathered")


def check_models(evaluation: Evaluation, models: Mapping[str, Model]) -> None:
    """Raises ConfigError for a server that cannot be asked, and for a config that holds a key itself, which a run would
    keep: to be called before a run folder is made."""
    check_served(models.values(), evaluation.config.prices.budget)
    hidden, text = hidden_names(models.values()), evaluation.config_text.decode("utf-8", "replace")
    for value, name in secrets_of(os.environ, hidden).items():
        if name in hidden and value in text:
            fix = f"write the name {name} in its place, or let the program read the variable"
            raise ConfigError(f"config {evaluation.config.name!r}: holds what the variable {name} holds; {fix}")


def sit(
    folder: RunFolder,
    evaluation: Evaluation,
    models: Mapping[str, Model],
    gathering: Callable[[Store, Engines, Observer], Gathered],
    ledger: Ledger,
    observer: Observer,
    earlier: Sequence[StoreReader] = (),
    cluster: ClusterSettings | None = None,
) -> tuple[Gathered, dict[str, Any]]:
    """What `gathering` comes to, which drives flows against the folder's store and the models, and the run's manifest
    with what this sitting took. With `cluster` the models that are loaded have replicas there.

    A sitting that is stopped or fails keeps its replies and what they took, too.
    """
    manifest = freeze(folder, evaluation, models)
    prices = evaluation.config.prices
    # replies alone do not tell of answers that were lost, or that came without a count; a sitting that was killed wrote
    # down nothing else
    before = max(manifest["spent"], spent_on_hosted(folder.store, models))
    purse = Purse(prices.budget, before, prices.currency)
    with _engines(models, folder.path, purse, cluster) as engines:
        try:
            gathered = gathering(ChainedStore(folder.store, earlier), engines, Together(ledger, observer))
        except BaseException:
            if ledger.sent:
                folder.drop_ledger()
            raise
        finally:
            folder.store.flush()
            if ledger.sent or purse.spent > before:
                manifest = manifest | {"served": merged_served(manifest["served"], ledger), "spent": purse.spent}
                folder.save_manifest(manifest)
    return gathered, manifest


@contextmanager
def _engines(
    models: Mapping[str, Model], logs: Path, purse: Purse, cluster: ClusterSettings | None
) -> Iterator[Engines]:
    local = LocalEngines(models, logs, purse)
    if cluster is None:
        yield local
        return
    engines = ClusterEngines(local, models, cluster, logs)
    try:
        yield engines
    finally:
        engines.close()
