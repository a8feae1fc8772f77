"""How long the numbers of 1,000,000 verdicts take, and how much memory.

scripts/bench statistics_scale [PART ...]

Each part draws 20 systems x 500 sources x 100 verdicts, makes the objects that a run's replies become, and lets the
functions that write scores.json score them: intervals over sources, every paired test, the leaderboard with its groups.
It runs in a process of its own; the peak of its memory holds the verdicts too. The bars are 60 s of processor time,
which others on the machine do not change, and 2 GB a part.
"""

import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Mapping

import numpy as np

from benchmarks.statistics_functions import functions
from localeval.methods.audit.schemas import AuditSettings, CandidateAudit, Claim, Finding, Ruling, SourceAudit
from localeval.methods.audit.score import score_audit
from localeval.methods.leaderboard import default_rank_by, leaderboard
from localeval.methods.panel.rubrics import FAITHFULNESS, Criterion, Rubric
from localeval.methods.panel.schemas import GRADES, PanelSettings, SourcePanel, Verdict
from localeval.methods.panel.score import score_panel
from localeval.methods.quiz.schemas import GROUPS, UNDETERMINED, Answered, QuizItem, QuizSettings, SourceQuiz, Trial
from localeval.methods.quiz.score import score_quiz
from localeval.values import Missing

N_SYSTEMS, N_SOURCES, N_ITEMS = 20, 500, 100
MOST_SECONDS, MOST_GB = 60.0, 2.0

SYSTEMS = [f"system {number:02}" for number in range(N_SYSTEMS)]
SOURCES = [f"source {number:03}" for number in range(N_SOURCES)]
UNREAD = Missing("invalid", "a reply that nobody could read")

Json = dict[str, object]
Part = Callable[[np.random.Generator], Callable[[], Json]]
"""Draws the verdicts and gives the function that scores them."""


def quiz(rng: np.random.Generator) -> Callable[[], Json]:
    """Answers to 100 questions a source, each put in two orders; one in 200 is missing."""
    outcomes = [0, 1, 2, UNDETERMINED, -1]
    level = np.linspace(0.45, 0.75, N_SYSTEMS)
    quizzes = {}
    for source in SOURCES:
        items = tuple(_item(source, number) for number in range(1, N_ITEMS + 1))
        ids = [item.id for item in items]
        answers = {}
        for system, right in zip(SYSTEMS, np.clip(level + rng.normal(0, 0.08), 0.1, 0.9), strict=True):
            shares = np.array([right, (0.95 - right) * 0.3, (0.95 - right) * 0.2, (0.95 - right) * 0.5, 0.005])
            drawn = rng.choice(outcomes, N_ITEMS, p=shares / shares.sum()).tolist()
            answers[system] = tuple(_answered(item, chosen) for item, chosen in zip(ids, drawn, strict=True))
        quizzes[source] = SourceQuiz(source, items, answers=answers, asked_for=N_ITEMS)
    settings = QuizSettings(writer="writer", answerer="answerer")
    return lambda: {"quiz": score_quiz(quizzes, settings)}


def _item(source: str, number: int) -> QuizItem:
    kinds = list(GROUPS)
    return QuizItem(
        source=source,
        number=number,
        kind=kinds[number % len(kinds)],
        language="en",
        question=f"What is number {number} of {source}?",
        options=tuple(f"option {place} of {number}" for place in range(5)),
        segments=(number,),
    )


def _answered(item: str, chosen: int) -> Answered:
    given = UNREAD if chosen < 0 else chosen
    return Answered(item, given, chosen == 2, tuple(Trial(given, place, 1 - place) for place in range(2)))


def panel(rng: np.random.Generator) -> Callable[[], Json]:
    """Grades of 4 judges by 25 criteria, one verdict in 200 missing, in line-ups of all systems."""
    judges = [f"judge {number}" for number in range(4)]
    criteria = [FAITHFULNESS, *(f"c{number:02}" for number in range(1, N_ITEMS // len(judges)))]
    rubric = Rubric(category="meeting", language="en", criteria=tuple(map(_criterion, criteria)))
    shape = (N_SYSTEMS, len(judges), len(criteria))
    quality = np.linspace(0.9, 1.5, N_SYSTEMS)[:, None, None]
    panels = {}
    for source in SOURCES:
        text = (
            quality + rng.normal(0, 0.3) + rng.normal(0, 0.4, (N_SYSTEMS, 1, 1)) + rng.normal(0, 0.5, (1, *shape[1:]))
        )
        grades = np.clip(np.round(text + rng.normal(0, 0.4, shape)), 0, 2).astype(int)
        grades[rng.random(shape) < 0.005] = -1
        order = rng.permutation(N_SYSTEMS).tolist()
        sheets = {
            system: {
                judge: {name: (_verdict(grade, order[m]),) for name, grade in zip(criteria, row.tolist(), strict=True)}
                for judge, row in zip(judges, grades[m], strict=True)
            }
            for m, system in enumerate(SYSTEMS)
        }
        panels[source] = SourcePanel(source, rubric, sheets)
    settings = PanelSettings(judges=tuple(judges), families={s: f"family {m % 3}" for m, s in enumerate(SYSTEMS)})
    lengths = {(source, system): int(rng.integers(200, 4000)) for source in SOURCES for system in SYSTEMS}
    families = {judge: f"family {number % 3}" for number, judge in enumerate(judges)}
    return lambda: {"panel": score_panel(panels, settings, families, lengths, dict.fromkeys(SOURCES), [])}


def _criterion(name: str) -> Criterion:
    levels = {grade: f"Level {grade}." for grade in GRADES}
    return Criterion(id=name, statement=f"It has {name}.", levels=levels, allows_na=name != FAITHFULNESS)


def _verdict(grade: int, place: int) -> Verdict:
    score = UNREAD if grade < 0 else GRADES[grade]
    return Verdict(score, (1,), (2, 3), "", (0.2, 0.3, 0.5), place, N_SYSTEMS)


def audit(rng: np.random.Generator) -> Callable[[], Json]:
    """Findings on 50 claims by 2 auditors each; sources differ in how much is made up about them."""
    auditors = ("auditor 0", "auditor 1")
    claims = [Claim(n, "claim", (n,), f"phrase {n}", f"claim {n}") for n in range(1, N_ITEMS // len(auditors) + 1)]
    level = np.linspace(0.01, 0.06, N_SYSTEMS)
    audits = {}
    for source in SOURCES:
        by_system = {}
        for system, wrong in zip(SYSTEMS, level * rng.gamma(2, 0.5), strict=True):
            is_wrong = rng.random(len(claims)) < wrong
            by_system[system] = {
                name: CandidateAudit(source, system, name, tuple(map(_finding, claims, _seen(is_wrong, rng))))
                for name in auditors
            }
        audits[source] = SourceAudit(source, by_system)
    settings = AuditSettings(auditors=auditors)
    return lambda: {"audit": score_audit(audits, settings)}


def _seen(is_wrong: np.ndarray, rng: np.random.Generator) -> list[str]:
    """What an auditor makes of claims: it finds four faults in five and blames one sound claim in fifty."""
    accused = rng.random(len(is_wrong)) < np.where(is_wrong, 0.8, 0.02)
    fate = rng.choice(["fabrication", "rejected", "withdrawn"], len(is_wrong), p=[0.8, 0.15, 0.05])
    seen = np.where(accused, fate, "supported")
    return np.where(rng.random(len(is_wrong)) < 0.005, "missing", seen).tolist()


def _finding(claim: Claim, seen: str) -> Finding:
    if seen == "missing":
        return Finding(claim, Ruling(UNREAD), "not checked", (), None, UNREAD)
    if seen == "supported":
        return Finding(claim, Ruling("supported", (1,)), "nothing to check", (), None, "supported")
    accused = Ruling("contradicted", (1, 2), "wrong number, date or unit", "major")
    if seen == "withdrawn":
        return Finding(claim, accused, "only something similar stands in the source", (), Ruling("supported"), seen)
    if seen == "rejected":
        return Finding(claim, accused, "phrase stands in the source", (), None, seen)
    return Finding(claim, accused, "does not stand in the source", (), None, "fabrication")


PARTS: Mapping[str, Part] = {"quiz": quiz, "panel": panel, "audit": audit}


def run_part(name: str) -> None:
    """Scores one part, or times the functions of localeval.stats, and prints rows of figures as JSON."""
    rng = np.random.default_rng(6)
    if name == "functions":
        for row in functions(rng):
            print(json.dumps(row), flush=True)
        return
    before = time.perf_counter()
    score = PARTS[name](rng)
    start, start_processor = time.perf_counter(), time.process_time()
    methods = score()
    board = leaderboard(methods, default_rank_by(methods))
    seconds, processor = time.perf_counter() - start, time.process_time() - start_processor
    ranks = sorted({body["rank"] for body in board["systems"].values()})
    row = {"what": name, "drawn": start - before, "seconds": seconds, "processor": processor, "gb": _peak()}
    print(json.dumps({**row, "note": f"ranks {', '.join(map(str, ranks))}"}))


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2


def main(names: list[str]) -> int:
    """Runs each part in a fresh process; 1 where one does not keep to the bars."""
    within = True
    print("| 1,000,000 verdicts | drawing, s | scoring, s | of processor, s | peak, GB | |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name in names or [*PARTS, "functions"]:
        command = [sys.executable, "-m", "benchmarks.statistics_scale", "--part", name]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            for line in process.stdout:
                row = json.loads(line)
                within &= row["processor"] <= MOST_SECONDS and row["gb"] <= MOST_GB
                figures = " | ".join(f"{row[key]:.2f}" for key in ("drawn", "seconds", "processor", "gb"))
                print(f"| {row['what']} | {figures} | {row['note']} |", flush=True)
        within &= process.returncode == 0
    return 0 if within else 1


if __name__ == "__main__":
    if sys.argv[1:2] == ["--part"]:
        run_part(sys.argv[2])
    else:
        sys.exit(main(sys.argv[1:]))
