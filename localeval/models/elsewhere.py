"""Models of which no weights are here: behind a server, behind a program, or verdicts in a file."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

from localeval.errors import ConfigError
from localeval.keys import canonical
from localeval.models.cards import Card, EngineKind, Model
from localeval.models.packages import sha256_of

ELSEWHERE: frozenset[EngineKind] = frozenset({"openai", "command", "verdicts"})

ENTRY_FIELDS = ("context", "family", "revision")
"""What an entry may say besides the engine and its options. `revision` tells two states of one served name apart."""

FORM_WORDING = 1
"""Raise it when `localeval.engines.form_in_words` says it otherwise: what was asked in other words is asked anew."""

_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})

_VARIABLE = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_SECRET = re.compile(r"(api|access|auth)[_-]?(key|token)|authorization|password|secret|credential", re.IGNORECASE)
_FOR_A_KEY = "put the key in an environment variable and its name in key_env"


def elsewhere(
    name: str, table: Mapping[str, object], engine: EngineKind, options: dict[str, object], base: Path
) -> Model:
    """The model of an entry for one of the engines of `ELSEWHERE`; its options are checked already.

    Raises ConfigError for an address that is none, for a file that is not there, for an ill-typed field.
    """
    folder = ""
    if engine == "verdicts":
        file = (base / Path(str(options["file"])).expanduser()).resolve()
        if not file.is_file():
            raise ConfigError(f"models.{name}.file: {file} does not exist")
        folder, told = str(file), sha256_of(file)
        options = options | {"file": str(file)}
    elif engine == "command":
        told = f"{canonical(options['command'])}, form {FORM_WORDING}"
    else:
        _refuse_secrets(name, options)
        told = f"{options['served']}@{_host(name, str(options['base_url']))}"
        told += f", form {FORM_WORDING}" if options.get("constraint") == "prompt" else ""
    context = context_in(name, table)
    own = text_in(name, table, "revision", "")
    return Model(
        name=name,
        card=Card(name=name, family=text_in(name, table, "family", "unknown"), context=context, source=engine),
        engine=engine,
        folder=folder,
        revision=f"{told} {own}" if own else told,
        context=context,
        options=options,
    )


def is_loopback(base_url: str) -> bool:
    """Whether an address is of this machine alone."""
    return (urlsplit(base_url).hostname or "") in _LOOPBACK


def context_in(name: str, table: Mapping[str, object]) -> int:
    """The `context` of an entry in tokens, 0 where it has none; raises ConfigError where it is no such number."""
    context = table.get("context", 0)
    if not isinstance(context, int) or isinstance(context, bool) or context < 0:
        raise ConfigError(f"models.{name}.context: {context!r} is not a number of tokens")
    return context


def text_in(name: str, table: Mapping[str, object], field: str, default: str) -> str:
    """A text field of an entry; raises ConfigError where it is something else."""
    text = table.get(field, default)
    if not isinstance(text, str):
        raise ConfigError(f"models.{name}.{field}: {text!r} is not a name; put it in quotes")
    return text


def address(name: str, base_url: str) -> SplitResult:
    """An address in its parts; raises ConfigError where it is none or holds a secret, for a run keeps its config."""
    place = f"models.{name}.base_url"
    try:
        parts = urlsplit(base_url)
        is_address = bool(parts.hostname) and parts.scheme in ("http", "https") and parts.port != 0
        is_address = is_address and base_url.isprintable() and " " not in base_url
    except ValueError:
        parts, is_address = urlsplit(""), False
    if "@" in base_url:
        raise ConfigError(f"{place}: holds a user name or a password; {_FOR_A_KEY}")
    if "?" in base_url or "#" in base_url:
        raise ConfigError(f"{place}: holds more than an address, behind ? or #; leave that out; {_FOR_A_KEY}")
    if not is_address:
        raise ConfigError(f"{place}: {base_url!r} is not an http address; write it like http://127.0.0.1:8000/v1")
    return parts


def _refuse_secrets(name: str, options: Mapping[str, object]) -> None:
    """Raises ConfigError, which does not repeat it, for a key that stands in the config: a run keeps its config."""
    variable = options.get("key_env")
    if isinstance(variable, str) and not _VARIABLE.fullmatch(variable):
        what = "is no name of an environment variable (letters, digits and _)"
        raise ConfigError(f"models.{name}.key_env: {what}; {_FOR_A_KEY}")
    for field in _secrets_in(options.get("extra")):
        raise ConfigError(f"models.{name}.extra: {field!r} looks like a key, and a run keeps its config; {_FOR_A_KEY}")


def _secrets_in(fields: object) -> Iterator[str]:
    """Names of fields, however deep, that are called like a secret and hold a text."""
    for field, value in fields.items() if isinstance(fields, Mapping) else ():
        if isinstance(value, str) and _SECRET.search(str(field)):
            yield str(field)
        yield from _secrets_in(value)


def _host(name: str, base_url: str) -> str:
    """The host, by which one served name is told from another's; "here" for a server on this machine."""
    host = address(name, base_url).hostname or ""
    return "here" if host in _LOOPBACK else host
