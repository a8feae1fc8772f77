"""The JSONL files of the projects that the benchmarks make."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path


def write_rows(path: Path, rows: Iterable[Mapping[str, object]]) -> None:
    """Writes one JSON object a line."""
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
