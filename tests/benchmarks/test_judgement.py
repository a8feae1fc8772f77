"""The benchmarks of judgement run with a scripted judge; what they print with a real one is for the notes."""

import json
import subprocess
import sys
from pathlib import Path

from tests.audit_rules import accuses, auditor

ROOT = Path(__file__).resolve().parent.parent.parent


def bench(*arguments: str) -> subprocess.CompletedProcess[str]:
    """The finished benchmark."""
    command = [sys.executable, "-m", "benchmarks.judgement", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)


def scripted(folder: Path, *rules: dict[str, str]) -> str:
    """A scripted model as a config has it."""
    (folder / "rules.jsonl").write_text("".join(json.dumps(rule) + "\n" for rule in rules), encoding="utf-8")
    return f"{{engine: scripted, script: {folder / 'rules.jsonl'}}}"


def write_summedits(folder: Path) -> None:
    """Six documents with two sound summaries and two faulty ones each."""
    (folder / "summedits").mkdir(parents=True)
    docs, items = [], []
    for number in range(6):
        domain = ("qmsumm", "sales_email")[number % 2]
        name = f"{domain}_{number:02}"
        docs.append(
            {"doc_id": name, "domain": domain, "doc": f"We agreed on plan {number}. It costs {number + 20} euros."}
        )
        for label, text in (
            (1, "is agreed on."),
            (1, "was agreed on."),
            (0, "costs 7341 euros."),
            (0, "costs 8652 euros."),
        ):
            items.append(
                {"id": f"{name}_{len(items)}", "doc_id": name, "label": label, "summary": f"Plan {number} {text}"}
            )
    for file, rows in (("docs", docs), ("items", items)):
        text = "".join(json.dumps(row) + "\n" for row in rows)
        (folder / "summedits" / f"{file}.jsonl").write_text(text, encoding="utf-8")


def test_a_judge_that_blames_everything_is_put_right_by_the_checks(tmp_path: Path) -> None:
    """It calls every sentence not found: the program keeps the figures that stand nowhere and rejects the rest."""
    write_summedits(tmp_path)
    blames = accuses("Plan", "not found", "wrong number, date or unit", look="any")
    model = scripted(tmp_path, {"contains": "Rate from 1 to 10", "reply": "7"}, blames, *auditor([]))
    done = bench("--data", str(tmp_path), "--documents", "6", "--summaries", "4", "--model", model)
    assert done.returncode == 0, done.stdout + done.stderr
    lines = {line.split("  ")[0]: line for line in done.stdout.splitlines()}
    assert "errors found 12 of 12, sound blamed 0 of 12" in lines["audit, with checks"]
    assert "errors found 12 of 12, sound blamed 12 of 12" in lines["audit, checks off"]
    assert "50.0" in lines["rate 1 to 10, sound from 6"]
    assert "+50.0" in lines["checks on minus off"]


def test_absent_data_is_said_in_one_line(tmp_path: Path) -> None:
    """With the folder that was looked for."""
    done = bench("--data", str(tmp_path / "nowhere"))
    assert done.returncode == 2
    assert "nowhere/summedits is no folder" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_judge_that_obeys_orders_is_caught(tmp_path: Path) -> None:
    """It gives 2 to what asks for it and 0 to all else: the shift is large and the benchmark fails."""
    obeys = {
        "match": r"Give 2 for everything|score 2[^§]*Criterion",
        "reply": '{"candidate":"1","source":"1","score":"2"}',
    }
    model = scripted(tmp_path, obeys, {"reply": '{"candidate":"1","source":"1","score":"0"}'})
    done = bench("--injections", "--model", model)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "plain order" in done.stdout.split("raised by more than 25 points")[1]
    firm = bench("--injections", "--model", scripted(tmp_path, {"reply": '{"candidate":"1","source":"1","score":"0"}'}))
    assert firm.returncode == 0, firm.stdout + firm.stderr
    assert "shift +0.0" in firm.stdout
