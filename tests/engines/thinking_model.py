"""The small lab model dressed as a reasoning model: its chat template opens a thought, and it can close one."""

import json
from pathlib import Path

from localeval.models import Model

OPENING, CLOSING = "<think>", "</think>"
_UNUSED = "<gh_stars>"
TEMPLATE = """{% for message in messages %}{{ '<|im_start|>' + message['role'] + '
' + message['content'] + '<|im_end|>
' }}{% endfor %}{{ '<|im_start|>assistant
' }}{% if enable_thinking is not defined or enable_thinking %}{{ '<think>
' }}{% else %}{{ '<think>

</think>

' }}{% endif %}"""


def dressed(model: Model, folder: Path, closing: str) -> Model:
    """The same weights in `folder`, with a tokenizer in which CLOSING stands where the token `closing` stood.

    So a small model that has never learnt to think closes its thoughts all the same, for real and repeatably.
    """
    origin = Path(model.folder)
    for path in origin.iterdir():
        if path.name not in ("tokenizer.json", "tokenizer_config.json", "chat_template.jinja"):
            (folder / path.name).symlink_to(path)
    table = json.loads((origin / "tokenizer.json").read_text(encoding="utf-8"))
    vocabulary = table["model"]["vocab"]
    place = vocabulary[closing]
    names = {_UNUSED: OPENING, closing: CLOSING}
    table["model"]["vocab"] = {names.get(token, token): number for token, number in vocabulary.items()}
    table["model"]["merges"] = [
        pair for pair in table["model"]["merges"] if closing not in (*_pair(pair), "".join(_pair(pair)))
    ]
    plain = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": False}
    table["added_tokens"] = [
        {**token, **plain, "content": OPENING} if token["content"] == _UNUSED else token
        for token in table["added_tokens"]
    ] + [{"id": place, "content": CLOSING, **plain}]
    (folder / "tokenizer.json").write_text(json.dumps(table), encoding="utf-8")
    settings = json.loads((origin / "tokenizer_config.json").read_text(encoding="utf-8"))
    for key in ("added_tokens_decoder", "additional_special_tokens", "extra_special_tokens", "chat_template"):
        settings.pop(key, None)
    (folder / "tokenizer_config.json").write_text(json.dumps(settings), encoding="utf-8")
    (folder / "chat_template.jinja").write_text(TEMPLATE, encoding="utf-8")
    card = model.card.model_copy(update={"reasoning_parser": "deepseek_r1"})
    return model.model_copy(update={"folder": str(folder), "card": card})


def _pair(merge: str | list[str]) -> list[str]:
    return merge.split(" ") if isinstance(merge, str) else merge
