"""An evaluation of the demo's meetings on disk, with a judge that sees every planted error and one that sees none."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

from localeval.checking.building import build_test
from localeval.checking.checking import checked_evaluation
from localeval.checking.cloze import cloze_of
from localeval.checking.texts import CheckTest, CheckText
from localeval.measuring import Evaluation
from localeval.prompts import one_line
from localeval.reading import read_evaluation
from tests.audit_rules import Rule, accuses, auditor

DEMO = Path(__file__).resolve().parent.parent.parent / "demo"
SOUND, FAULTY = (json.dumps({"candidate": "none", "source": "none", "score": each}) for each in "20")
CONFIG = """name: meetings
seed: 1
sources: [{{path: "{demo}/transcripts/*", category: meeting}}]
candidates: [{{path: "{demo}/summaries/{{source}}/{{system}}.md"}}]
models:
  sharp: {{engine: scripted, script: sharp.jsonl}}
  blunt: {{engine: scripted, script: blunt.jsonl}}
methods:
  quiz: {{writer: {model}, answerer: {model}}}
  panel: {{judges: [{model}]}}
  audit: {{auditors: [{model}], units: [sentence]}}
  affect: {{judges: [{model}], targets: [Marcus, Dev]}}
check: {{trusted: [faithful], planted: {planted}, controls: 8{more}}}
"""


def make_check_project(folder: Path, model: str = "sharp", planted: int = 30, more: str = ", probes: []") -> Path:
    """The config's file; its models answer by rules that know every planted text, and by rules that find all good."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "check.yaml"
    path.write_text(CONFIG.format(demo=DEMO, model=model, planted=planted, more=more), encoding="utf-8")
    for name in ("sharp", "blunt"):
        (folder / f"{name}.jsonl").write_text('{"reply": "A"}\n', encoding="utf-8")
    evaluation, models = read_evaluation(path)
    test = build_test(checked_evaluation(evaluation, models))
    write_rules(folder / "sharp.jsonl", sharp(evaluation, test))
    write_rules(folder / "blunt.jsonl", blunt())
    return path


def write_rules(path: Path, rules: Iterator[Rule]) -> None:
    """A script of a model."""
    path.write_text("".join(json.dumps(rule) + "\n" for rule in rules), encoding="utf-8")


def sharp(evaluation: Evaluation, test: CheckTest) -> Iterator[Rule]:
    """A judge that knows the planted texts, whatever it is asked."""
    yield from _of_affect()
    yield from _of_quiz(evaluation, test)
    sentences = [one_line(each) for text in test.texts for each in planted_sentences(text)]
    criterion = r"[^§]*Criterion:[^§]*"
    yield from ({"match": re.escape(each) + criterion, "reply": FAULTY} for each in sentences)
    yield {"match": criterion, "reply": SOUND}
    yield from auditor([accuses(each, "contradicted", "other", "none", "any") for each in sentences])


def blunt() -> Iterator[Rule]:
    """A judge that finds everything good, and answers every question with its first option."""
    yield {"contains": "Target:", "reply": "neutral"}
    yield {"contains": "Criterion:", "reply": SOUND}
    yield {"contains": "Question:", "reply": "A"}
    yield from auditor([])


def planted_sentences(text: CheckText) -> Iterator[str]:
    """What of a text was made false."""
    numbers = text.edited_sentences
    return (text.candidate.words_of(each) for each in text.candidate.segments if each.number in numbers)


def _of_quiz(evaluation: Evaluation, test: CheckTest) -> Iterator[Rule]:
    """Reads off the planted words where they stand, the true ones where these do, and says where neither does."""
    planted: list[Rule] = []
    lacking: list[Rule] = []
    kept: list[Rule] = []
    for text in test.texts:
        cloze = cloze_of(text.trusted, text.edit, 1, evaluation.material.prompts) if text.edit is not None else None
        if cloze is None or text.edit is None:
            continue
        asked, before, after = (re.escape(each) for each in (one_line(cloze.item.question), *cloze.item.options[:2]))
        sentence = re.escape(next(planted_sentences(text)))
        planted.append({"match": rf"{sentence}[^§]*{asked}[^§]*\n([A-F])\) {after}\n", "template": r"\1"})
        lacks = rf"<text \w+>\n(?:(?!{re.escape(text.edit.before)}).)*</text"
        lacking.append({"match": rf"{lacks}[^§]*{asked}[^§]*\n([A-F])\) Cannot be determined", "template": r"\1"})
        kept.append({"match": rf"{asked}[^§]*\n([A-F])\) {before}\n", "template": r"\1"})
    yield from (*planted, *lacking, *kept)


def _of_affect() -> Iterator[Rule]:
    """Moves with the sentences that praise and blame."""
    from localeval.planting.portraits import portraits

    for target in ("Marcus", "Dev"):
        for light, word in (("praise", "good"), ("blame", "bad")):
            for each in portraits(target, "en")[light]:
                yield {"match": re.escape(each) + r"[^§]*Target:", "reply": word}
    yield {"contains": "Target:", "reply": "neutral"}
