"""Specimen replies, so that `localeval plan` can drive the panel's own flow without a model."""

import json

from localeval.values import Call, Choice, JsonObject

_SPECIMEN = {"candidate": "none", "source": "none", "score": "2"}


def rehearse(call: Call) -> str:
    """The text of a specimen reply: full marks in each verdict. Nothing depends on it but that it can be read."""
    if isinstance(call.output, Choice):  # a score alone
        return _SPECIMEN["score"]
    if call.item:  # one criterion, so one verdict
        return json.dumps(_SPECIMEN)
    assert isinstance(call.output, JsonObject)
    schema = json.loads(call.output.schema)
    sheets = {name: each["$ref"].rpartition("/")[2] for name, each in schema["properties"].items()}
    criteria = {sheet: schema["$defs"][sheet]["properties"] for sheet in sheets.values()}
    return json.dumps({name: dict.fromkeys(criteria[sheet], _SPECIMEN) for name, sheet in sheets.items()})
