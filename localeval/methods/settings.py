"""What the settings of several methods share: frozen values, and models of which several play one role."""

import re
from collections.abc import Sequence
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, StringConstraints

from localeval.prompts import one_line


class Frozen(BaseModel):
    """A value that nothing changes, with no key that is not known and no number that is not finite."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


def _single_line(text: str) -> str:
    if not text:
        raise ValueError("must say something")
    if one_line(text) != text:
        raise ValueError("must be one line (in YAML, `>` joins lines)")
    return text


def _slug(name: str) -> str:
    if not re.fullmatch("[a-z][a-z0-9_]*", name):
        raise ValueError("must be lower-case letters a-z, digits and _, a letter first")
    return name


Line = Annotated[str, StringConstraints(strip_whitespace=True), AfterValidator(_single_line)]
"""Text on one line, with something in it."""

Slug = Annotated[str, AfterValidator(_slug)]
"""Lower-case letters, digits and _: an id that stands in files of results."""


def require_each_once(names: Sequence[str], fix: str) -> None:
    """Raises ValueError where a name stands twice."""
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ValueError(f"names {twice!r} twice; {fix}")


def require_reachable(quorum: int | None, names: Sequence[str], role: str) -> None:
    """Raises ValueError where more are needed than there are; `role` names them all."""
    if quorum is not None and quorum > len(names):
        raise ValueError(f"`quorum` {quorum} is more than the {len(names)} {role}; lower it")


def n_needed(quorum: int | None, names: Sequence[str]) -> int:
    """The quorum; more than half of the names where none is set."""
    return quorum if quorum is not None else len(names) // 2 + 1
