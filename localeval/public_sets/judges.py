"""The models that are named on a command line, one a `--model`."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from localeval.engines.house import check_scripts
from localeval.errors import ConfigError
from localeval.models import Model, resolve


def read_models(specs: Sequence[str], base: Path) -> dict[str, Model]:
    """The models by the name that a table calls them. Raises ConfigError, ModelError or InputError, one line.

    Each is a card, a folder of weights, a script of the scripted engine (.jsonl), or a table as under `models` in a
    config, `{card: NAME, dtype: float32}`.
    """
    models: dict[str, Model] = {}
    for text in specs:
        spec = _spec(text)
        name = _name(spec)
        if name in models:
            raise ConfigError(f"--model {text!r}: {name!r} is named twice; name each model once")
        models[name] = read_model(name, text, base)
    return models


def read_model(name: str, text: str, base: Path) -> Model:
    """One of them, called `name`; its weights are found and its script is read."""
    model = resolve(name, _spec(text), base)
    check_scripts({name: model})
    return model


def _spec(text: str) -> str | Mapping[str, object]:
    if text.endswith(".jsonl"):
        return {"engine": "scripted", "script": text}
    fix = "name a card or a folder, or write {card: NAME, ...}"
    try:
        spec = YAML(typ="safe").load(text)
    except YAMLError as error:
        raise ConfigError(f"--model {text!r}: is no YAML; {fix}") from error
    if not isinstance(spec, str | Mapping) or not spec:
        raise ConfigError(f"--model {text!r}: is no model; {fix}")
    return spec


def _name(spec: str | Mapping[str, object]) -> str:
    """The card, or the last part of a path."""
    if isinstance(spec, str):
        return spec.rstrip("/").rpartition("/")[2].removesuffix(".toml")
    named = next((str(spec[key]) for key in ("card", "path", "served", "script") if key in spec), "model")
    return named.rstrip("/").rpartition("/")[2].removesuffix(".toml").removesuffix(".jsonl")
