"""A finished evaluation by quiz, panel and audit, with two scripted models that judge and audit differently."""

import json
from pathlib import Path

from localeval.evaluation import run
from localeval.report.rows import Scope
from localeval.texts import Candidate, Segment, Source
from tests.audit_rules import Rule, accuses, auditor, claims_of
from tests.projects import RULES

SOURCE = Source("s", "One. Two.", (Segment(1, 0, 4, 61.0, 63.0, "Ann"), Segment(2, 5, 9)), "en")
CANDIDATE = Candidate("s", "x", "A. B.", "", (Segment(1, 0, 2), Segment(2, 3, 5)))
CHOSEN = Scope({"s": SOURCE}, ("x",), {("s", "x"): CANDIDATE})
"""One small text about one small source, for rows that are made by hand."""

TALK = """WEBVTT

0:00.000 --> 0:04.000
<v Anna>We bought twenty machines from ComFAC in the spring.

0:04.000 --> 0:09.000
<v Ben>They came in May, and the boxes were red.

1:05.000 --> 1:09.000
<v Anna>Then forty people came to see them.
"""
NOTES = "The lift was broken for a week.\n\nOlga mended it on Friday.\n"

TEXTS = {
    "good": ("Twenty machines were bought. Forty people came to see them.", "The lift was mended on Friday."),
    "bad": ("Twenty machines were bought from Compaq. They were made in Peru.", "Olga broke the lift."),
    "[bold]": ("The boxes were red. The machines came in May.", "The lift was broken for a week."),
}

_PERU = ("They were made in Peru.", {"made in Peru": "The twenty machines were made in Peru."})


def grade(words: str, criterion: str, score: str, cites: tuple[str, str] = ("none", "none"), lacks: str = "") -> Rule:
    """A judge's verdict on every candidate that holds these words, by a criterion whose statement holds those."""
    reply = {"candidate": cites[0], "source": cites[1], "score": score} | ({"lacks": lacks} if lacks else {})
    return {
        "match": rf"<candidate \w+>\n[^§]*{words}[^§]*</candidate \w+>[^§]*Criterion: [^\n]*{criterion}",
        "reply": json.dumps(reply, separators=(",", ":")),
    }


BIG = [
    claims_of(*_PERU),
    accuses("Compaq", "not found", "name completion", look="any"),
    accuses("made in Peru", "not found", "invented entity", look="any"),
    accuses("The boxes were red", "not found", "other", look="any"),
    {"match": r"Check this claim:\n<claim \w+>\n[^\n]*mended on Friday", "reply": "?"},
    grade("Compaq", "", "0", ("1 2", "1")),
    grade("red", "", "2", ("1", "2")),
]
SMALL = [
    claims_of(*_PERU),
    accuses("made in Peru", "contradicted", "wrong attribution", "1 2", look="any"),
    accuses("Forty people", "not found", "wrong number, date or unit"),
    grade("Compaq", "", "2", ("2", "1 2")),
    {"match": r"<candidate \w+>\n[^§]*Olga broke[^§]*Criterion:", "reply": "?"},
]
JUDGES = [
    grade("", "Decisions|decisions", "NA", lacks="any decision"),
    {"match": r"Criterion:", "reply": '{"candidate":"1","source":"none","score":"1"}'},
]

METHODS = {
    "audit": "audit: {auditors: [big, small], quorum: 2}",
    "panel": "panel: {judges: [big, small], families: {bad: qwen, good: gemma}, quorum: 2}",
    "quiz": "quiz: {writer: big, answerer: small, questions: 3}",
}


def make_judged(
    folder: Path, methods: tuple[str, ...] = ("audit", "panel", "quiz"), changed: tuple[str, ...] = ()
) -> Path:
    """The config file of an evaluation of three systems by these methods; `changed` gives a method other settings."""
    (folder / "talk.vtt").write_text(TALK)
    (folder / "notes.txt").write_text(NOTES)
    for system, texts in TEXTS.items():
        for source, text in zip(("talk", "notes"), texts, strict=True):
            (folder / f"{source}.{system}.md").write_text(text)
    for name, own in (("big", BIG), ("small", SMALL)):
        rules = [*RULES, *own, *auditor([]), *JUDGES]
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(rule) + "\n" for rule in rules))
    settings = [METHODS[name] for name in methods if not any(each.startswith(f"{name}:") for each in changed)]
    config = folder / "eval.yaml"
    config.write_text(
        "name: judged\n"
        "sources: [{path: talk.vtt, category: meeting}, {path: notes.txt, category: weather}]\n"
        'candidates: [{path: "{source}.{system}.md"}]\n'
        "models:\n"
        "  big: {engine: scripted, script: big.jsonl, family: qwen}\n"
        "  small: {engine: scripted, script: small.jsonl, family: llama}\n"
        "methods:\n" + "".join(f"  {line}\n" for line in (*settings, *changed))
    )
    return config


def judge(folder: Path, methods: tuple[str, ...] = ("audit", "panel", "quiz"), changed: tuple[str, ...] = ()) -> Path:
    """Runs it; returns the run's folder."""
    run(make_judged(folder, methods, changed), folder / "run")
    return folder / "run"
