"""Values of environment variables that must not be written down."""

import re
from collections.abc import Collection, Mapping

from localeval.engines.secrets import SHORTEST

_NAMES = re.compile(r"KEY|TOKEN|SECRET|PASSW|CREDENTIAL", re.IGNORECASE)
_PLACES = ("/", ".", "~")


def secrets_of(environment: Mapping[str, str], removed: Collection[str]) -> dict[str, str]:
    """Names of variables by their secret values, longest value first.

    A value is taken for a secret from eight characters on, where the variable's name says so or where it is one of
    `removed`, unless that one holds a path or several words.
    """
    found = {
        value: name
        for name, value in environment.items()
        if len(value) >= SHORTEST and (_NAMES.search(name) or (name in removed and _is_opaque(value)))
    }
    return dict(sorted(found.items(), key=lambda each: -len(each[0])))


def _is_opaque(value: str) -> bool:
    return not value.startswith(_PLACES) and not any(c.isspace() for c in value)
