"""The form of a reply in words, for models that no grammar constrains."""

import json
from collections.abc import Mapping
from functools import lru_cache

from localeval.values import Choice, JsonObject, Output

_CHOICE = "Answer with exactly one of the following lines, as it stands, and nothing else: no quotes, no explanation."
_JSON = (
    "Answer with exactly one JSON object that satisfies the following JSON schema, and nothing else: no code fence, no "
    "explanation before or after it. Give the fields in the order in which the schema names them. A `pattern` holds "
    "for the whole value."
)


def describe(output: Output) -> str:
    """What is put behind a prompt: which form the answer must have. Empty for free text.

    Begins with an empty line where it is not empty, and says the same of equal outputs. Always in English: in which
    language the values are written the prompt before it has said.
    """
    if isinstance(output, Choice):
        return "\n\n" + "\n".join((_CHOICE, "", *output.options))
    if isinstance(output, JsonObject):
        return f"\n\n{_JSON}\n\n{_without_notes(output.schema)}"
    return ""


@lru_cache(maxsize=1024)
def _without_notes(schema: str) -> str:
    """The schema without titles and descriptions, which are notes of its author and cost tokens."""
    return json.dumps(_plain(json.loads(schema)), ensure_ascii=False, separators=(",", ":"))


def _plain(schema: object) -> object:
    if isinstance(schema, list):
        return [_plain(each) for each in schema]
    if not isinstance(schema, Mapping):
        return schema
    plain: dict[str, object] = {}
    for name, value in schema.items():
        if name in ("properties", "$defs") and isinstance(value, Mapping):  # names of fields, which may be any
            plain[name] = {field: _plain(inner) for field, inner in value.items()}
        elif name not in ("title", "description"):
            plain[name] = _plain(value)
    return plain
