"""What several tests share: scripted models, an in-memory store, engines by name."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from localeval.engines.scripted import ScriptedEngine
from localeval.flow import is_final
from localeval.models import Card, Model
from localeval.values import Call, Reply


def scripted_model(folder: Path, rules: Sequence[Mapping[str, object]], name: str = "m", **options: object) -> Model:
    """A scripted model with its rules in a file of its own."""
    path = folder / f"{name}.jsonl"
    path.write_text("".join(json.dumps(rule) + "\n" for rule in rules), encoding="utf-8")
    context = int(str(options.pop("context", 0)))
    return Model(
        name=name,
        card=Card(name=name, family="scripted"),
        engine="scripted",
        folder=str(path),
        revision=name,
        context=context,
        options=options,
    )


class MemoryStore:
    """A store without a file."""

    def __init__(self) -> None:
        self.replies: dict[str, Reply] = {}
        self.appended: list[str] = []

    def get(self, key: str) -> Reply | None:
        return self.replies.get(key)

    def append(self, call: Call, reply: Reply) -> None:
        self.replies[reply.key] = reply
        self.appended.append(reply.key)


class ScriptedEngines:
    """Scripted models by name; remembers which were opened, in order."""

    def __init__(self, *models: Model) -> None:
        self.models = {model.name: model for model in models}
        self.opened: list[str] = []

    def identity(self, model: str) -> str:
        return self.models[model].identity

    def stands(self, model: str, reply: Reply) -> bool:
        return is_final(reply, self.models[model].context)

    def open(self, model: str) -> ScriptedEngine:
        self.opened.append(model)
        return ScriptedEngine(self.models[model])
