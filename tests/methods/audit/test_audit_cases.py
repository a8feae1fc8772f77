"""The published cases end to end: a scripted auditor, the real flow, checks and store."""

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.judgement.cases import TALK, read_cases, write_project
from localeval.evaluation import load_run, run
from localeval.methods.audit.schemas import Finding
from tests.audit_rules import Rule, accuses, auditor, claims_of

CASES = read_cases()


def audited(tmp_path: Path, text: str, rules: list[Rule], settings: str = "") -> list[Finding]:
    """The findings of one scripted auditor on one candidate."""
    (tmp_path / "rules.jsonl").write_text("".join(json.dumps(rule) + "\n" for rule in auditor(rules)))
    config = write_project(tmp_path, {"x": text}, "{engine: scripted, script: rules.jsonl}", settings)
    run(config, tmp_path / "run")
    _, results = load_run(tmp_path / "run")
    return list(results.audit["talk"].audits["x"]["judge"].findings)


def of_claims(findings: list[Finding]) -> list[tuple[str, str, str | None, str]]:
    """(phrase, outcome, kind, check) of each finding on a claim."""
    return [
        (each.claim.phrase, str(each.outcome), each.final.kind, each.check)
        for each in findings
        if each.claim.unit == "claim"
    ]


@pytest.mark.parametrize("case", [case for case in CASES if case["is_fault"]], ids=lambda case: case["words"])
def test_inventions_are_fabrications_of_the_right_kind(tmp_path: Path, case: dict[str, Any]) -> None:
    """Even where the auditor overlooks them at first: the program has it look again at what does not stand there."""
    rules = [accuses(case["words"], "not found", case["kind"], look="second")]
    (found,) = of_claims(audited(tmp_path, case["sentence"], rules))
    check = "only something similar stands in the source" if case["said"] else "does not stand in the source"
    assert found == (case["sentence"], "fabrication", case["kind"], check)


@pytest.mark.parametrize("case", [case for case in CASES if not case["is_fault"]], ids=lambda case: case["words"])
@pytest.mark.parametrize("accused", [False, True])
def test_cleaned_up_speech_is_supported(tmp_path: Path, case: dict[str, Any], accused: bool) -> None:
    """A name that stands there but for spaces and capitals cannot be called invented; a merely similar one is looked at
    again, and the auditor takes it back."""
    rules = [accuses(case["words"], "not found", "invented entity")] if accused else []
    (found,) = of_claims(audited(tmp_path, case["sentence"], rules))
    assert found[1] in (("rejected", "withdrawn") if accused else ("supported",))


def test_a_pronoun_is_resolved_and_tied_to_its_phrase(tmp_path: Path) -> None:
    """The claim stands on its own; what is shown is the candidate's own phrase."""
    text = "Anna keeps the backups. She runs them over WireGuard."
    rules = [claims_of("She runs them over WireGuard.", {"runs them over WireGuard": "Anna runs the backups over it."})]
    findings = audited(tmp_path, text, rules)
    claim = next(each.claim for each in findings if each.claim.text == "Anna runs the backups over it.")
    assert (claim.phrase, claim.sentences) == ("runs them over WireGuard", (2,))


def test_who_accuses_everything_is_rejected_wherever_the_phrase_stands(tmp_path: Path) -> None:
    """Every accusation of words that were said falls and counts against the auditor, whatever it is called."""
    said = [line.partition(": ")[2] for line in TALK.splitlines() if line]
    for verdict, kind in (("not found", "other"), ("contradicted", "wrong attribution")):
        folder = tmp_path / verdict.replace(" ", "-")
        folder.mkdir()
        findings = audited(folder, "\n\n".join(said), [accuses("", verdict, kind, segments="1", look="any")])
        assert findings
        assert {each.outcome for each in findings} == {"rejected"}
        assert {each.check for each in findings} == {"phrase stands in the source"}
        auditors = json.loads((folder / "run" / "scores.json").read_text())["methods"]["audit"]["auditors"]["judge"]
        assert auditors["accusations"] == auditors["rejected"]


def test_an_accusation_in_the_second_look_is_checked_too(tmp_path: Path) -> None:
    """At first it is how things hang together, then a name that stands there: that falls as it would have at first."""
    rules = [
        accuses("Louis Ignarro", "not found", "wrong attribution"),
        accuses("Louis Ignarro", "not found", "invented entity", look="second"),
    ]
    (found,) = of_claims(audited(tmp_path, "Louis Ignarro made the noise.", rules))
    assert found[1:] == ("rejected", "invented entity", "everything stands in the source")


def test_without_checks_an_auditor_is_believed(tmp_path: Path) -> None:
    """For measuring alone: the same accusations are then fabrications, and nothing is looked at twice."""
    findings = audited(
        tmp_path, "Somewhere near forty people came to see it.", [accuses("", "not found", "other")], ", checks: false"
    )
    assert {(each.outcome, each.check, each.second) for each in findings} == {("fabrication", "not checked", None)}
