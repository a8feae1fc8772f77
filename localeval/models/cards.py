"""Model cards (models/*.toml), and a model as a run uses it."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from localeval.keys import canonical, digest

EngineKind = Literal["vllm", "transformers", "scripted"]

SPEED_ONLY = frozenset(
    {"gpu_memory_utilization", "tensor_parallel", "cache_gib", "block_size", "max_in_flight", "device"}
)
"""Engine options that change how fast a model answers, not what."""


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
    packages: tuple[str, ...] = Field(min_length=1)
    """Requirement strings with exact versions, in the order in which their files are joined."""
    files: str
    """Glob, inside each wheel, of the data files to join (sorted by name within a package)."""
    gguf: str
    """Name of the joined file."""
    size: int
    sha256: str


Place = PathPlace | HubPlace | PackagePlace


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
        """64 hexadecimal digits over revision, engine kind, dtype and the options that change what it says."""
        telling = {k: v for k, v in self.options.items() if k not in SPEED_ONLY}
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
                }
            )
        )
