"""variables.yaml in a system's folder: what its templates need besides the source."""

import math

from localeval.errors import InputError
from localeval.methods.generate.schemas import Scalar
from localeval.yaml_files import Kind, parse_document

_KIND = Kind("file of variables", "name: value", InputError)


def parse_variables(text: str, name: str) -> tuple[dict[str, Scalar], dict[str, int]]:
    """The variables in a file's text, and the line of each; `name` stands for the file in messages.

    Raises InputError with file, line and variable for what is no text, number, true or false.
    """
    document = parse_document(text, name, _KIND)
    values: dict[str, Scalar] = {}
    for key, value in document.tree.items():
        if not isinstance(key, str):
            raise document.fault((key,), f"{key}: the name of a variable is text; begin it with a letter")
        if not isinstance(value, str | bool | int | float) or (isinstance(value, float) and not math.isfinite(value)):
            what = "has no value" if value is None else "is no text, number, true or false"
            raise document.fault((key,), f"{key}: {what}; write it after the colon, text in quotes")
        values[str(key)] = _plain(value)
    return values, {key: document.line_of((key,)) for key in values}


def _plain(value: str | bool | int | float) -> Scalar:
    """`value` without what the reader of YAML keeps of how it was written."""
    if isinstance(value, bool):
        return bool(value)
    kind = next(kind for kind in (int, float, str) if isinstance(value, kind))
    return kind(value)
