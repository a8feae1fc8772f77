"""The published cases end to end: a scripted auditor, the real flow, checks and store."""

import json
from pathlib import Path

import pytest

from localeval.evaluation import load_run, run
from localeval.methods.audit.schemas import Finding
from tests.audit_rules import Rule, accuses, auditor, claims_of

TRANSCRIPT = """Anna: We bought twenty machines from ComFAC in the spring.

Ben: And Knight Ritter wrote about it, the newspaper people.

Anna: I put the backups on true nass, over wire guard.

Ben: The engine was loud. Louis ignarro measured it, he found nitric oxide in the fumes.

Anna: Somewhere near forty people came to see it.
"""


def audited(tmp_path: Path, text: str, rules: list[Rule], settings: str = "") -> list[Finding]:
    """The findings of one scripted auditor on one candidate."""
    (tmp_path / "talk.txt").write_text(TRANSCRIPT)
    (tmp_path / "talk.x.md").write_text(text)
    (tmp_path / "rules.jsonl").write_text("".join(json.dumps(rule) + "\n" for rule in auditor(rules)))
    config = tmp_path / "eval.yaml"
    config.write_text(
        f"""name: cases
sources: [{{path: talk.txt}}]
candidates: [{{path: "{{source}}.{{system}}.md"}}]
models: {{a: {{engine: scripted, script: rules.jsonl}}}}
methods: {{audit: {{auditors: [a]{settings}}}}}
"""
    )
    run(config, tmp_path / "run")
    _, results = load_run(tmp_path / "run")
    return list(results.audit["talk"].audits["x"]["a"].findings)


def of_claims(findings: list[Finding]) -> list[tuple[str, str, str | None, str]]:
    """(phrase, outcome, kind, check) of each finding on a claim."""
    return [
        (each.claim.phrase, str(each.outcome), each.final.kind, each.check)
        for each in findings
        if each.claim.unit == "claim"
    ]


@pytest.mark.parametrize(
    ("sentence", "word", "kind", "check"),
    [
        (
            "Twenty machines were bought from Compaq.",
            "Compaq",
            "name completion",
            "only something similar stands in the source",
        ),
        (
            "Knight Ridder wrote about the purchase.",
            "Knight Ridder",
            "name completion",
            "only something similar stands in the source",
        ),
        (
            "The engine has a thrust of 440 newtons.",
            "440 newtons",
            "invented entity",
            "does not stand in the source",
        ),
        ("Exactly 42 people came.", "42 people", "false precision", "only something similar stands in the source"),
    ],
)
def test_inventions_are_fabrications_of_the_right_kind(
    tmp_path: Path, sentence: str, word: str, kind: str, check: str
) -> None:
    """Even where the auditor overlooks them at first: the program has it look again at what does not stand there."""
    (found,) = of_claims(
        audited(
            tmp_path,
            sentence,
            [accuses(word, "not found", kind, look="second")]
            if check.startswith("only")
            else [accuses(word, "not found", kind, look="any")],
        )
    )
    assert found == (sentence, "fabrication", kind, check)


@pytest.mark.parametrize(
    "sentence",
    [
        "The backups are kept on TrueNAS.",
        "The backups run over WireGuard.",
        "Louis Ignarro found nitric oxide in the fumes.",
    ],
)
@pytest.mark.parametrize("accused", [False, True])
def test_cleaned_up_speech_is_supported(tmp_path: Path, sentence: str, accused: bool) -> None:
    """A name that stands there but for spaces and capitals cannot be called invented; a merely similar one is looked at
    again, and the auditor takes it back."""
    rules = [accuses(sentence, "not found", "invented entity")] if accused else []
    (found,) = of_claims(audited(tmp_path, sentence, rules))
    assert found[1] in (("rejected", "withdrawn") if accused else ("supported",))


def test_a_pronoun_is_resolved_and_tied_to_its_phrase(tmp_path: Path) -> None:
    """The claim stands on its own; what is shown is the candidate's own phrase."""
    text = "Anna keeps the backups. She runs them over WireGuard."
    rules = [claims_of("She runs them over WireGuard.", {"runs them over WireGuard": "Anna runs the backups over it."})]
    findings = audited(tmp_path, text, rules)
    claim = next(each.claim for each in findings if each.claim.text == "Anna runs the backups over it.")
    assert (claim.phrase, claim.sentences) == ("runs them over WireGuard", (2,))
