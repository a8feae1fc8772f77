"""Specimen replies, so that `localeval plan` can drive the panel's own flow without a model."""

import json


def rehearse() -> str:
    """The text of a specimen verdict: full marks, with evidence. Nothing depends on it but that it can be read."""
    return json.dumps({"candidate": "none", "source": "none", "score": "2"})
