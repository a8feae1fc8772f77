"""Specimen replies, so that `localeval plan` can drive the audit's own flow without a model."""

import json
import re

from localeval.values import Call

_LEAST_WORDS = 4


def rehearse(call: Call) -> str:
    """The text of a specimen reply to one call of the audit.

    Two claims a sentence, as models make of an ordinary one, each entailed and each supported; one relation. The plan
    is that of a run in which nobody is accused.
    """
    if call.stage == "audit/extract":
        return json.dumps({"claims": [{"phrase": half, "claim": half} for half in _halves(_shown(call))]})
    if call.stage == "audit/relations":
        return json.dumps({"relations": [{"sentences": "1", "claim": _shown(call, part=0)[:120]}]})
    if call.stage == "audit/entail":
        return "yes"
    return json.dumps({"segments": "none", "verdict": "supported"})


def _shown(call: Call, part: int = -1) -> str:
    """What stands in the fence of a part of the prompt."""
    found = re.search(r"<(\w+ \w+)>\n(.*)\n</\1>", call.messages[-1].parts[part], re.DOTALL)
    return found[2] if found else "-"


def _halves(sentence: str) -> list[str]:
    """A sentence in two, so that what is planned for is about as long as what will be sent."""
    words = sentence.split(" ")
    if len(words) < 2 * _LEAST_WORDS:
        return [sentence]
    middle = len(words) // 2
    return [" ".join(words[:middle]), " ".join(words[middle:])]
