"""A finished run of three systems whose true grades are known, before two scripted judges of known faults."""

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from localeval.evaluation import run
from localeval.inputs.judge_labels import JudgeLabel

SYSTEMS = ("alpha", "beta", "gamma")
GOOD = {"alpha": 0.9, "beta": 0.6, "gamma": 0.3}
"""How often a system's text deserves a 2; else a 0."""
FAITHFUL = "panel/faithfulness"

_RUBRIC = """category: talk
language: en
criteria:
  - id: faithfulness
    statement: Everything in the text is grounded in the source.
    levels: {0: No., 1: Nearly., 2: Yes.}
"""


@dataclass(frozen=True)
class JudgedRun:
    """The run's folder, and the true grade of each (source, system)."""

    folder: Path
    truth: dict[tuple[str, str], int]

    def labels(self, texts: Iterable[tuple[str, str]], rater: str = "Ann", item: str = FAITHFUL) -> list[JudgeLabel]:
        """What a person who knows the truth says of some texts."""
        return [JudgeLabel(source, system, item, rater, float(self.truth[source, system])) for source, system in texts]

    def some(self, n: int, seed: int = 1) -> list[tuple[str, str]]:
        """`n` random texts of each system."""
        rng = np.random.default_rng(seed)
        sources = sorted({source for source, _ in self.truth})
        return [(str(s), system) for system in SYSTEMS for s in rng.choice(sources, n, replace=False)]


def make_run(folder: Path, judges: Sequence[str] = ("sharp", "kind"), n_sources: int = 24, seed: int = 3) -> JudgedRun:
    """The run: "sharp" errs on a tenth of the texts, "kind" gives a third of the bad ones a 2 as well.

    Each says its grade with a probability of .9.
    """
    rng = np.random.default_rng(seed)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "rubric.yaml").write_text(_RUBRIC, encoding="utf-8")
    truth: dict[tuple[str, str], int] = {}
    rules: dict[str, list[dict[str, object]]] = {judge: [] for judge in judges}
    for number in range(n_sources):
        source = f"s{number:02d}"
        (folder / f"{source}.txt").write_text(f"Talk {number} is about bridges.", encoding="utf-8")
        for system in SYSTEMS:
            grade = 2 if rng.random() < GOOD[system] else 0
            truth[source, system] = grade
            word = f"zq{number:02d}{system}"
            (folder / f"{source}.{system}.md").write_text(f"It says {word}.", encoding="utf-8")
            errs = {"sharp": rng.random() < 0.1, "kind": grade == 0 and rng.random() < 0.33}
            for judge in judges:
                rules[judge].append(_rule(word, 2 - grade if errs[judge] else grade))
    for judge, given in rules.items():
        (folder / f"{judge}.jsonl").write_text("".join(json.dumps(rule) + "\n" for rule in given), encoding="utf-8")
    config = {
        "name": "judged",
        "sources": [{"path": "*.txt", "category": "talk"}],
        "candidates": [{"path": "{source}.{system}.md"}],
        "models": {judge: {"engine": "scripted", "script": f"{judge}.jsonl"} for judge in judges},
        "methods": {"panel": {"judges": list(judges), "rubric": "rubric.yaml"}},
    }
    (folder / "eval.yaml").write_text(json.dumps(config), encoding="utf-8")  # JSON is YAML
    run(folder / "eval.yaml", folder / "run")
    return JudgedRun(folder / "run", truth)


def _rule(word: str, grade: int) -> dict[str, object]:
    """A judge's grade of the text that holds a word."""
    reply = {"candidate": "1", "source": "1", "score": str(grade)}
    other = {str(each): math.log(0.05) for each in range(3) if each != grade}
    return {
        "match": word,
        "reply": json.dumps(reply, separators=(",", ":")),
        "logprobs": {str(grade): math.log(0.9), **other},
    }
