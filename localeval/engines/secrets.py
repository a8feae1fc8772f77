"""Keys: read from the environment, kept out of every text, and out of the environment of other processes."""

import os
from collections.abc import Iterable, Mapping
from urllib.parse import quote

from localeval.errors import ConfigError
from localeval.models.cards import Model

SHORTEST = 8
"""Characters from which a value is a secret. What is shorter guards nothing (servers without keys are given "x" or
"EMPTY") and stands in texts by chance: taking it out would change what a model said."""

_HIDDEN = "[key]"


class Scrubber:
    """Takes secrets out of texts that come from a server or a library; what is shorter than `SHORTEST` stays."""

    def __init__(self, secrets: Iterable[str]) -> None:
        long = [secret for secret in secrets if len(secret) >= SHORTEST]
        forms = {form for secret in long for form in (secret, quote(secret, safe=""), quote(secret))}
        self._forms = sorted(forms, key=len, reverse=True)  # a form that holds another goes first

    def __call__(self, text: str) -> str:
        """The text with every secret replaced."""
        for form in self._forms:
            text = text.replace(form, _HIDDEN)
        return text


def read_key(name: str, variable: str | None) -> str | None:
    """The key of the model called `name`, from the environment; None where its entry names no variable.

    Raises ConfigError that names the variable, never its value, where it is not set or cannot be a key.
    """
    if variable is None:
        return None
    key = os.environ.get(variable, "").strip()
    if not key:
        raise ConfigError(
            f"models.{name}.key_env: the environment variable {variable} is not set; export the key in it"
        )
    if not key.isascii() or not key.isprintable() or " " in key:
        raise ConfigError(
            f"models.{name}.key_env: what {variable} holds is no key: it has spaces or control characters"
        )
    return key


def hidden_names(models: Iterable[Model]) -> frozenset[str]:
    """Environment variables that no engine's process of a run may see: keys, and what `unset` names."""
    names: set[str] = set()
    for model in models:
        options: Mapping[str, object] = model.options
        key, unset = options.get("key_env"), options.get("unset")
        names.update([key] if isinstance(key, str) else [])
        names.update(each for each in (unset if isinstance(unset, tuple | list) else ()) if isinstance(each, str))
    return frozenset(names)
