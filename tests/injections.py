"""Texts that try to leave their fence or to give orders to whoever reads them: those that the package ships."""

import json
from pathlib import Path

FILE = Path(__file__).resolve().parent.parent / "prompts" / "check" / "injections.jsonl"


def injections() -> dict[str, str]:
    """The texts by name."""
    table = [json.loads(line) for line in FILE.read_text(encoding="utf-8").split("\n") if line]
    texts = {row["name"]: row["text"] for row in table}
    assert len(texts) == len(table), "each name once"
    return texts
