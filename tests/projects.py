"""A whole evaluation on disk, with a scripted model that reads as well as its rules say."""

import json
from collections.abc import Mapping
from pathlib import Path

WRITE = {
    "match": r"Kind of question: (\w+)[^§]*segments (\d+) to (\d+)",
    "template": json.dumps(
        {
            "segments": r"\2",
            "question": r"Which \1 does stretch \2 to \3 give?",
            "answer": r"fact \2 of \1",
            "hard_negative": r"near fact \2",
            "wrong": [r"other \2", r"third \2", r"last \2"],
        },
        separators=(",", ":"),
    ).replace("\\\\", "\\"),  # the groups' backslashes are the template's, not JSON's
}
BLIND = {"match": r"without any text[^§]*?\n([A-F])\) near ", "template": r"\1"}
NOTHING = {
    "match": r"<text \w+>\n(?:\n|The tide tables|Nothing)[^§]*\n([A-F])\) Cannot be determined",
    "template": r"\1",
}
BENDS = {"match": r"Bent summary[^§]*\n([A-F])\) near ", "template": r"\1"}
KEEPS = {"match": r"\n([A-F])\) fact ", "template": r"\1"}
RULES = (BLIND, WRITE, NOTHING, BENDS, KEEPS)
"""What a text says decides: "Bent summary" takes the hard negative, "Nothing" knows nothing, others keep all."""


def make_project(
    folder: Path,
    n_sources: int = 2,
    n_segments: int = 30,
    questions: int = 4,
    rules: tuple[Mapping[str, object], ...] = RULES,
    model: str = "",
    quiz: str = "",
) -> Path:
    """The config file of an evaluation with three systems: keeps, bends, loses."""
    (folder / "sources").mkdir(parents=True)
    for number in range(n_sources):
        name = f"s{number}"
        lines = [
            f"Line {i} of source {number} says that item {i} costs {i * 7 + number} euros." for i in range(n_segments)
        ]
        (folder / "sources" / f"{name}.txt").write_text("\n\n".join(lines), encoding="utf-8")
        for system, text in (("bends", "Bent summary."), ("keeps", "Full summary."), ("loses", "Nothing much.")):
            path = folder / "summaries" / name / f"{system}.md"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"{text} It is about source {number}.", encoding="utf-8")
    script = folder / "rules.jsonl"
    script.write_text("".join(json.dumps(rule) + "\n" for rule in rules), encoding="utf-8")
    config = folder / "eval.yaml"
    config.write_text(
        f"""name: test
seed: 3
sources:
  - {{path: "sources/*.txt"}}
candidates:
  - {{path: "summaries/{{source}}/{{system}}.md"}}
models:
  m: {{engine: scripted, script: rules.jsonl{model}}}
methods:
  quiz: {{writer: m, answerer: m, questions: {questions}{quiz}}}
""",
        encoding="utf-8",
    )
    return config
