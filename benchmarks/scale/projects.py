"""Made-up evaluations of any size: real files, a real config, and a scripted model that answers at once."""

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from localeval.methods.quiz.schemas import GROUPS

ORDERS = 2
"""In which every question is put: the fewest that a quiz allows."""

_KINDS = tuple(GROUPS)
_LETTERS = "ABCDEF"
_LOGPROBS = (-0.15, -2.5, -3.5, -4.5, -5.5, -6.5)
"""Of the chosen letter first: what an answerer sends back with every letter."""

Row = Mapping[str, object]


def quiz(folder: Path, calls: int) -> Path:
    """50 candidates and 100 questions a source, of few calls fewer candidates: the plain large run. Returns the config
    file."""
    candidates = min(50, calls // (100 * ORDERS))
    return _quiz(folder, calls // (candidates * 100 * ORDERS), candidates, 100)


def one_flow(folder: Path, calls: int) -> Path:
    """All calls in one round of one flow: one source, 10 candidates, as many questions as it takes."""
    return _quiz(folder, 1, 10, calls // (10 * ORDERS))


def many_flows(folder: Path, calls: int) -> Path:
    """20 calls a flow: as many sources as it takes, each with one candidate and 10 questions."""
    return _quiz(folder, calls // (10 * ORDERS), 1, 10)


def panel(folder: Path, calls: int) -> Path:
    """10 candidates a source, judged one by one by five criteria."""
    _write_texts(folder, calls // (10 * 5), 10)
    names = ("faithfulness", "decisions", "numbers", "owners", "dates")
    criteria = [
        f"- {{id: {name}, statement: The text is right about {name}., levels: {{0: No., 1: In part., 2: Fully.}}}}\n"
        for name in names
    ]
    (folder / "rubric.yaml").write_text(f"category: talk\nlanguage: en\ncriteria:\n{''.join(criteria)}", "utf-8")
    reply = {"candidate": "1", "source": "2", "score": "1"}
    best = {"reply": json.dumps(reply | {"score": "2"}), "contains": "about numbers"}
    _write_lines(folder / "rules.jsonl", (best, {"reply": json.dumps(reply)}))
    return _write_config(folder, {"panel": {"judges": ["m"], "rubric": "rubric.yaml"}})


SHAPES: Mapping[str, Callable[[Path, int], Path]] = {
    "quiz": quiz,
    "one flow": one_flow,
    "many flows": many_flows,
    "panel": panel,
}


def _quiz(folder: Path, sources: int, candidates: int, questions: int) -> Path:
    _write_texts(folder, sources, candidates)
    items = (_item(source, number) for source in range(sources) for number in range(1, questions + 1))
    _write_lines(folder / "items.jsonl", items)
    # questions of each kind get a letter of their own: outcomes differ, and every question is answered
    rules = [
        {"contains": f"Which {kind} ", "reply": (letter := _LETTERS[place % 6]), "logprobs": _logprobs(letter)}
        for place, kind in enumerate(_KINDS)
    ]
    _write_lines(folder / "rules.jsonl", rules)
    return _write_config(folder, {"quiz": {"answerer": "m", "items": "items.jsonl", "controls": False}})


def _write_texts(folder: Path, sources: int, candidates: int) -> None:
    """Short ones: what a long text costs is the engine's to bear, the driver handles it once a source."""
    folder.mkdir(parents=True)
    lines = [f"Line {line} says that item {line} costs {7 * line} euros." for line in range(1, 21)]
    _write_lines(
        folder / "sources.jsonl",
        (
            {"id": _source(number), "language": "en", "text": f"Talk {number}.\n" + "\n".join(lines)}
            for number in range(sources)
        ),
    )
    _write_lines(
        folder / "candidates.jsonl",
        (
            {
                "source": _source(number),
                "system": f"system {system:05}",
                "text": f"Talk {number}, told by {system}. It was long.",
            }
            for number in range(sources)
            for system in range(candidates)
        ),
    )


def _source(number: int) -> str:
    return f"talk-{number:06}"


def _item(source: int, number: int) -> Row:
    kind = _KINDS[number % len(_KINDS)]
    return {
        "source": _source(source),
        "number": number,
        "kind": kind,
        "language": "en",
        "question": f"Which {kind} does point {number} of talk {source} give?",
        "options": [f"{word} {kind} of point {number}" for word in ("right", "near", "other", "third", "last")],
        "segments": [number % 20 + 1],
    }


def _logprobs(first: str) -> dict[str, float]:
    letters = (first, *(letter for letter in _LETTERS if letter != first))
    return dict(zip(letters, _LOGPROBS, strict=True))


def _write_config(folder: Path, methods: Mapping[str, object]) -> Path:
    config = {
        "name": "scale",
        "seed": 1,
        "sources": [{"path": "sources.jsonl"}],
        "candidates": [{"path": "candidates.jsonl"}],
        "models": {"m": {"engine": "scripted", "script": "rules.jsonl"}},
        "methods": methods,
    }
    path = folder / "eval.yaml"
    path.write_text(json.dumps(config, indent=1), encoding="utf-8")
    return path


def _write_lines(path: Path, rows: Iterable[Row]) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
