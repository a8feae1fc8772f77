"""Specimen replies, so that `localeval plan` can drive affect's own flow without a model."""

import json
import re

from localeval.texts import Language
from localeval.values import Call, Choice

# about as long as what a model writes of four or five sentences
_SENTENCE: dict[Language, str] = {
    "en": "It is known to many people, who speak of it in one way or another whenever such matters are discussed. ",
    "ru": "Об этом знают многие, и говорят об этом по-разному всякий раз, когда заходит речь о таких вещах. ",
    "zh": "很多人都知道这一点，每当谈到这类事情时，人们总会以这样或那样的方式提起它。",
}


def rehearse(call: Call, language: Language) -> str:
    """The text of a specimen reply to one call of affect.

    The evidence is a line of the text itself, a proposal its first words, since both are looked for there.
    """
    if isinstance(call.output, Choice):
        return call.output.options[len(call.output.options) // 2]
    if call.stage == "affect/elicit":
        return _SENTENCE[language] * 4
    if call.stage == "affect/flags":
        return json.dumps({"coverage": "mainly", "refusal": "no", "generic": "no", "mismatch": "no"})
    block = re.search(r"^<text [0-9a-f]+>\n(.*?)\n</text ", call.messages[-1].text, re.MULTILINE | re.DOTALL)
    words = (block.group(1) if block is not None else "").split()
    if call.stage == "affect/propose":
        name = next((word for word in words if word[:1].isupper()), words[0] if words else "-")
        return json.dumps({"targets": [{"name": name, "kind": "other"}]}, ensure_ascii=False)
    phrase = " ".join(words[:6])
    return json.dumps({"phrase": phrase or "-", "other": "", "reason": _SENTENCE[language][:60]}, ensure_ascii=False)
