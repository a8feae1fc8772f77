"""A whole model selection on disk: systems of scripted models write, scripted models judge."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.projects import RULES


def write_rules(path: Path, rules: Sequence[Mapping[str, object]]) -> None:
    """A script of rules."""
    path.write_text("".join(json.dumps(rule) + "\n" for rule in rules), encoding="utf-8")


def verdict(score: int) -> str:
    """A judge's reply without evidence."""
    return json.dumps({"candidate": "1", "source": "1", "score": str(score)}, separators=(",", ":"))


def rules_of(model: str) -> list[dict[str, object]]:
    """What a model writes, and what it judges: texts of `long` are good, others less so."""
    return [
        {"match": r"^WRITE (\w+) about", "template": rf"Summary by \1 of {model}. It says that item 2 costs 14 euros."},
        *RULES,
        {"match": r"Summary by long", "reply": verdict(2), "logprobs": {"2": -0.1}},
        {"reply": verdict(1)},
    ]


def make_selection(
    folder: Path,
    systems: Mapping[str, str],
    judges: Sequence[str],
    models: Sequence[str] = ("a", "b"),
    n_sources: int = 2,
    more: str = "",
    methods: str = "",
) -> Path:
    """The config of systems (name to model) that write about sources, and of judges on a panel.

    Each model logs the keys that it serves in MODEL.log.
    """
    (folder / "sources").mkdir(parents=True, exist_ok=True)
    for number in range(n_sources):
        lines = [f"Line {i} of source {number} says that item {i} costs {i * 7 + number} euros." for i in range(8)]
        (folder / "sources" / f"s{number}.txt").write_text("\n\n".join(lines), encoding="utf-8")
    for name in systems:
        prompt = folder / "prompts" / name
        prompt.mkdir(parents=True, exist_ok=True)
        (prompt / "user.jinja").write_text(f"WRITE {name} about this:\n{{{{ text }}}}\n", encoding="utf-8")
    for model in models:
        write_rules(folder / f"{model}.jsonl", rules_of(model))
    config = folder / "eval.yaml"
    config.write_text(
        "\n".join(
            [
                "name: selection",
                "sources:",
                '  - {path: "sources/*.txt", category: meeting}',
                "systems:",
                *(f"  {name}: {{model: {model}, prompt: prompts/{name}}}" for name, model in systems.items()),
                "models:",
                *(f"  {name}: {{engine: scripted, script: {name}.jsonl, log: {name}.log}}" for name in models),
                "methods:",
                f"  panel: {{judges: [{', '.join(judges)}]}}",
                *([methods] if methods else []),
                *([more] if more else []),
            ]
        ),
        encoding="utf-8",
    )
    return config


def served(folder: Path, model: str) -> list[str]:
    """The keys of the calls that a model was asked, in order."""
    log = folder / f"{model}.log"
    return log.read_text(encoding="utf-8").split() if log.exists() else []
