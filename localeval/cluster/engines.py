"""The engines of a run on a cluster: models that are loaded have replicas there, all others are asked from here."""

from collections.abc import Mapping
from pathlib import Path

from localeval.cluster.engine import ClusterEngine
from localeval.cluster.joining import ClusterSettings, RayCluster
from localeval.engines.house import LocalEngines
from localeval.engines.secrets import hidden_names
from localeval.flow import Engine
from localeval.models.cards import Model
from localeval.models.options import LOCAL
from localeval.values import Reply


class ClusterEngines:
    """Wraps the local engines. Ray starts with the first model that is loaded, and runs until `close`."""

    def __init__(
        self, local: LocalEngines, models: Mapping[str, Model], settings: ClusterSettings, logs: Path | None = None
    ) -> None:
        self._local = local
        self._models = models
        self._logs = logs
        self._hidden = frozenset(hidden_names(models.values()))
        self._cluster = RayCluster(settings)

    def identity(self, model: str) -> str:
        """As locally: replies of a cluster and of one machine stand for one another."""
        return self._local.identity(model)

    def stands(self, model: str, reply: Reply) -> bool:
        """As locally."""
        return self._local.stands(model, reply)

    def open(self, model: str) -> Engine:
        """Replicas of a model that is loaded or scripted; servers, programs and files of verdicts as locally."""
        resolved = self._models[model]
        if resolved.engine in LOCAL or resolved.engine == "scripted":
            return ClusterEngine(resolved, self._cluster, self._hidden, self._logs)
        return self._local.open(model)

    def close(self) -> None:
        """Ends the replicas and leaves Ray."""
        self._cluster.close()
