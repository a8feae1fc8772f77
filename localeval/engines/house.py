"""The engines of a run, by the names that the config gives its models."""

from collections.abc import Collection, Mapping
from pathlib import Path

from localeval.engines.child import ChildEngine
from localeval.engines.command import CommandEngine
from localeval.engines.purse import Purse
from localeval.engines.scripted import ScriptedEngine, read_script
from localeval.engines.secrets import hidden_names
from localeval.engines.served import ServedEngine
from localeval.engines.verdicts import VerdictsEngine
from localeval.errors import CallMissing, EngineError
from localeval.flow import Engine, is_final
from localeval.models.cards import Model
from localeval.values import Reply


def check_scripts(models: Mapping[str, Model]) -> None:
    """Raises InputError where the script of a scripted model has a mistake: before anything is written or asked."""
    for model in models.values():
        if model.engine == "scripted":
            read_script(Path(model.folder))


class LocalEngines:
    """Opens each model as its engine says; what an engine's packages print goes to a file in `logs`."""

    def __init__(self, models: Mapping[str, Model], logs: Path | None = None, purse: Purse | None = None) -> None:
        """`purse` is what the models behind servers may cost together; None: no end to it."""
        self._models = models
        self._logs = logs
        self._purse = purse
        self._hidden = hidden_names(models.values())

    def identity(self, model: str) -> str:
        """Of the resolved model."""
        return self._models[model].identity

    def stands(self, model: str, reply: Reply) -> bool:
        """As `localeval.flow.is_final` for the model's context."""
        return is_final(reply, self._models[model].context)

    def open(self, model: str) -> Engine:
        """A model that is loaded here in a process of its own; any other engine in this one."""
        resolved = self._models[model]
        if resolved.engine == "openai":
            return ServedEngine(resolved, self._purse)
        if resolved.engine == "command":
            return CommandEngine(resolved, self._hidden)
        if resolved.engine == "verdicts":
            return VerdictsEngine(resolved)
        log = self._logs / f"engine-{model}.log" if self._logs is not None else None
        return engine_here(resolved, log, self._hidden)


def engine_here(model: Model, log: Path | None, hidden: Collection[str]) -> Engine:
    """The engine of a model that runs where this is called: scripted, or loaded in a process of its own, from which the
    environment's variables `hidden` are kept. What its packages print goes to `log`."""
    return ScriptedEngine(model) if model.engine == "scripted" else ChildEngine(model, log, hidden)


class StoredOnly:
    """No engine at all: what the store does not hold is an error that says so. For `score` and `show`."""

    def __init__(self, identities: Mapping[str, str], run: str) -> None:
        self._identities = identities
        self._run = run

    def identity(self, model: str) -> str:
        """As it was frozen in the run."""
        try:
            return self._identities[model]
        except KeyError as error:
            raise EngineError(f"{self._run}: run.json knows no model {model!r}; run the config again") from error

    def stands(self, model: str, reply: Reply) -> bool:
        """Always: whatever the run came to is what is scored."""
        return True

    def open(self, model: str) -> Engine:
        """Raises CallMissing."""
        raise CallMissing(
            f"{self._run}: a reply of model {model!r} is not in the store: the run is not finished, or another "
            "version of localeval made it (run.json says which); "
            "go on with `localeval run` and its config"
        )
