"""From an entry under `models` in the config to a model that an engine can load."""

import importlib.util
from collections.abc import Mapping
from pathlib import Path

from localeval.errors import ConfigError, ModelError
from localeval.models.cards import Card, EngineKind, Model, PathPlace, is_repository, load_card, suggestion
from localeval.models.elsewhere import ELSEWHERE, ENTRY_FIELDS, context_in, elsewhere, text_in
from localeval.models.hardware import has_fast_half, has_gpu
from localeval.models.options import check_options, engine_of, option_names
from localeval.models.packages import sha256_of
from localeval.models.places import find_weights
from localeval.models.verify import read_json

_CARD_FIELDS = tuple(field for field in Card.model_fields if field != "name")


def resolve(name: str, spec: str | Mapping[str, object], base: Path) -> Model:
    """The model that the config calls `name`, with its weights found on this machine and its options checked.

    `spec` is the name of a card, a folder with config.json, a card file, a repository of the model hub
    ("owner/name"), or a table: `card` (any of these names), `path` (a folder) or `script` (rules of the scripted
    engine), `engine`, any field of a card, and options of the engine. Relative paths count from `base`. Raises
    ConfigError for a table that cannot be used, ModelError for an unknown card or for weights that are not here.
    """
    table = _as_table(spec, base)
    engine = _engine(name, table)
    _refuse_unknown(name, table, engine)
    if engine == "scripted":
        return _scripted(name, table, base)
    if engine in ELSEWHERE:
        return elsewhere(name, table, engine, _options(name, table, engine), base)
    card = _card(name, table, base)
    options = _options(name, table, engine)
    if "dtype" not in table:
        card = _computable(card, options)
    weights = find_weights(card)
    return Model(
        name=name,
        card=card,
        engine=engine,
        folder=str(weights.folder),
        revision=weights.revision,
        context=_context(card, weights.folder),
        options=options,
    )


def card_of_folder(folder: Path) -> Card:
    """A card for a bare folder of weights: what its config.json says, and nothing more."""
    if not (folder / "config.json").is_file():
        raise ModelError(f"{folder}: no config.json; give a folder with config, tokenizer and safetensors")
    family = read_json(folder / "config.json").get("model_type")
    return Card(
        name=folder.name,
        family=str(family or "unknown"),
        dtype="auto",
        system_role=_knows_system_role(folder),
        places=(PathPlace(path=str(folder)),),
        source="config.json",
    )


def context_of(config: Mapping[str, object]) -> int:
    """The longest context that a config.json names, in tokens; 0 where it names none."""
    inner = config.get("text_config")
    for table in (config, inner if isinstance(inner, Mapping) else {}):
        value = table.get("max_position_embeddings")
        if isinstance(value, int) and value > 0:
            return value
    return 0


def _knows_system_role(folder: Path) -> bool:
    """Whether the chat template of a folder takes a system message, as far as its text tells; True without one.

    Templates that do not take one either say so in an error of their own or never mention the role.
    """
    template = ""
    for name in ("tokenizer_config.json", "chat_template.json"):
        if (folder / name).is_file():
            template = str(read_json(folder / name).get("chat_template", template))
    if (folder / "chat_template.jinja").is_file():
        template = (folder / "chat_template.jinja").read_text(encoding="utf-8")
    return not template or ("system" in template and "system role not supported" not in template.lower())


def _as_table(spec: str | Mapping[str, object], base: Path) -> dict[str, object]:
    if not isinstance(spec, str):
        return dict(spec)
    path = base / Path(spec).expanduser()
    is_folder = path.is_dir() or ("/" in spec and not spec.endswith(".toml") and not is_repository(spec))
    return {"path": spec} if is_folder else {"card": spec}


def _engine(name: str, table: Mapping[str, object]) -> EngineKind:
    if "engine" in table:
        return engine_of(f"models.{name}.engine", table["engine"])
    if "script" in table:
        return "scripted"
    return "vllm" if importlib.util.find_spec("vllm") else "transformers"


def _refuse_unknown(name: str, table: Mapping[str, object], engine: EngineKind) -> None:
    selects: tuple[str, ...] = ("engine", "card", "path", *_CARD_FIELDS)
    if engine == "scripted":
        selects = ("engine", "script", "context", "family")
    elif engine in ELSEWHERE:
        selects = ("engine", *ENTRY_FIELDS)
    known = sorted({*selects, *option_names(engine)})
    for key in table:
        if key not in known:
            hint = suggestion(str(key), known)
            raise ConfigError(f"models.{name}.{key}: unknown with engine {engine}{hint} (known: {', '.join(known)})")


def _options(name: str, table: Mapping[str, object], engine: EngineKind) -> dict[str, object]:
    given = {key: value for key, value in table.items() if key in option_names(engine)}
    return check_options(f"models.{name}", engine, given)


def _computable(card: Card, options: Mapping[str, object]) -> Card:
    """The card, with float32 for a half precision that the processor would only emulate, several times slower.

    The dtype is part of a model's identity, so replies of the two are never mixed. `dtype` in the config overrides.
    """
    on_gpu = has_gpu() and options.get("device") != "cpu"
    if on_gpu or card.quantization or card.dtype == "float32" or has_fast_half():
        return card
    return card.model_copy(update={"dtype": "float32"})


def _card(name: str, table: Mapping[str, object], base: Path) -> Card:
    """The card that the table points at, with the card fields that the table sets itself."""
    if "card" in table and "path" in table:
        raise ConfigError(f"models.{name}: `card` and `path` are both given; keep one")
    own = {key: value for key, value in table.items() if key in _CARD_FIELDS}
    if "card" in table:
        chosen = str(table["card"])
        start = _named(chosen, base)
    elif "path" in table:
        start = card_of_folder((base / Path(str(table["path"])).expanduser()).resolve())
    elif "places" in table:
        start = Card(name=name, family="unknown")
    else:
        raise ConfigError(f"models.{name}: give `card`, `path`, `script` or `places`")
    if not own:
        return start
    try:
        merged = load_card({**start.model_dump(), **own})
    except ModelError as error:
        raise ConfigError(f"models.{name}: {str(error).removeprefix('model card: ')}") from None
    limits = [limit for limit in (start.context, merged.context) if limit]
    return merged.model_copy(update={"context": min(limits, default=0)})


def _named(chosen: str, base: Path) -> Card:
    card = load_card(base / Path(chosen).expanduser() if chosen.endswith(".toml") else chosen)
    if not is_repository(chosen) or card.name != chosen:
        return card
    told = card_of_folder(find_weights(card).folder)  # a repository without a card: its own files tell what they can
    return told.model_copy(update={"name": chosen, "places": card.places})


def _context(card: Card, folder: Path) -> int:
    """The smallest of what entry, card and config.json allow; 0 where none of them says."""
    limits = [limit for limit in (card.context, context_of(read_json(folder / "config.json"))) if limit]
    return min(limits, default=0)


def _scripted(name: str, table: Mapping[str, object], base: Path) -> Model:
    if "script" not in table:
        raise ConfigError(f"models.{name}: the scripted engine needs `script`, a JSONL file of rules")
    script = (base / Path(str(table["script"])).expanduser()).resolve()
    if not script.is_file():
        raise ConfigError(f"models.{name}.script: {script} does not exist")
    context = context_in(name, table)
    family = text_in(name, table, "family", "scripted")
    options = _options(name, table, "scripted")
    if options.get("log"):
        options["log"] = str((base / Path(str(options["log"])).expanduser()).resolve())
    return Model(
        name=name,
        card=Card(name=name, family=family, context=context, source=script.name),
        engine="scripted",
        folder=str(script),
        revision=sha256_of(script),
        context=context,
        options=options,
    )
