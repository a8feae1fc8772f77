"""From an output type to the one compact pattern that every engine enforces.

Outlines compiles it: one regular expression without free white space, so that a model spends no tokens on
spaces and the backends (xgrammar, outlines, guidance) need not agree on how they read a JSON schema.
"""

from functools import lru_cache

from outlines.types.dsl import Choice as ChoiceTerm
from outlines.types.dsl import JsonSchema, to_regex

from localeval.values import Choice, JsonObject, Output


@lru_cache(maxsize=1024)
def pattern(output: Output) -> str | None:
    """The regular expression that a reply to `output` matches as a whole; None where it is free.

    Raises what Outlines raises on a schema that it cannot turn into a pattern.
    """
    if isinstance(output, Choice):
        return str(to_regex(ChoiceTerm(list(output.options))))
    if isinstance(output, JsonObject):
        return str(to_regex(JsonSchema(output.schema, whitespace_pattern="")))
    return None
