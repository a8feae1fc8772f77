"""Does a real model tell a garbled name spelt properly from a name turned into another? On the published cases.

Four inventions and three repairs, one sentence each, about one short talk. The tests put the same cases to scripted
auditors; a real one need not manage them, so nothing here must hold: it is printed what became of each.
"""

import json
from pathlib import Path
from typing import Any

from benchmarks.judgement.rows import write_rows
from localeval import evaluation
from localeval.cli.progress import Progress
from localeval.values import Missing

CASES = Path(__file__).resolve().parent.parent / "published_cases.jsonl"
TALK = """Anna: We bought twenty machines from ComFAC in the spring.

Ben: And Knight Ritter wrote about the purchase, the newspaper people.

Anna: I put the backups on true nass, over wire guard.

Ben: The engine was loud. Louis ignarro measured it, he found nitric oxide in the fumes.

Anna: Somewhere near forty people came to see it.
"""


def read_cases() -> list[dict[str, Any]]:
    """The cases, each with its sentence, the words that decide, and whether they are a fault."""
    return [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]


def write_project(folder: Path, sentences: dict[str, str], model: str, settings: str = "") -> Path:
    """The config file of an audit of each sentence, by system, about the talk."""
    (folder / "talk.txt").write_text(TALK, encoding="utf-8")
    rows = [{"source": "talk", "system": system, "text": text} for system, text in sentences.items()]
    write_rows(folder / "candidates.jsonl", rows)
    config = folder / "cases.yaml"
    config.write_text(
        f"""name: cases
sources: [{{path: talk.txt, language: en}}]
candidates: [{{path: candidates.jsonl}}]
models: {{judge: {model}}}
methods: {{audit: {{auditors: [judge]{settings}}}}}
""",
        encoding="utf-8",
    )
    return config


def measure(place: Path, model: str) -> bool:
    """Audits every case and prints what became of it."""
    cases = read_cases()
    sentences = {f"case-{n}": case["sentence"] for n, case in enumerate(cases)}
    config = write_project(place, sentences, model, ", units: [sentence]")
    with Progress() as progress:
        outcome = evaluation.run(config, place / "cases", (), progress)
    _, results = evaluation.load_run(outcome.folder)
    n_right = 0
    for n, case in enumerate(cases):
        (finding,) = results.audit["talk"].audits[f"case-{n}"]["judge"].findings
        said = finding.outcome.reason if isinstance(finding.outcome, Missing) else finding.outcome
        is_right = (said == "fabrication") == case["is_fault"]
        n_right += is_right
        wanted = case["kind"] if case["is_fault"] else "supported"
        first = finding.first.opinion if not isinstance(finding.first.opinion, Missing) else "missing"
        print(
            f"{'right' if is_right else 'WRONG'}: {case['sentence']} ({wanted}): at first {first}; {finding.check}; ",
            end="",
        )
        print(f"{said} {finding.final.kind or ''}".rstrip())
    print(f"{n_right} of {len(cases)} cases right")
    return True
