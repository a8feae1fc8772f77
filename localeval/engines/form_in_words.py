"""The form of a reply in words, for models that no grammar constrains."""

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
        return f"\n\n{_JSON}\n\n{output.schema}"
    return ""
