"""`localeval.report.audit_terminal`: claims to the letter, and what one must know of an audit."""

import json
from pathlib import Path
from typing import Any

import pytest

from localeval.evaluation import load_run, load_scores
from localeval.methods.audit.schemas import CandidateAudit, Claim, DroppedClaim, Finding, Ruling, SourceAudit
from localeval.report.audit_terminal import audit_lines
from localeval.report.audit_view import AuditDetails, ClaimRow, DroppedClaimRow, FindingRow, FoundRow, audit_details
from localeval.report.rows import Proof
from localeval.report.terminal import print_details
from localeval.report.view import Details, details
from tests.methods.audit.findings import CUT, SUPPORT, claim, finding, settings
from tests.report.judged import CHOSEN, judge
from tests.report.printing import TRICKS, printed, squeezed


@pytest.fixture
def audit(judged_run: Path) -> Any:
    """The audit's part of the scores of a run by all methods, to be changed at will."""
    return json.loads(json.dumps(load_scores(judged_run)["methods"]["audit"]))


def shown(found: AuditDetails, with_supported: bool = False) -> list[str]:
    """The lines that are printed."""
    return printed(lambda: print_details(Details(audit=found), with_supported), columns=100).splitlines()


def of_findings(*findings: Finding, dropped: tuple[DroppedClaim, ...] = ()) -> AuditDetails:
    """The rows of one auditor's findings on one text."""
    audits = {"a": CandidateAudit("s", "x", "a", findings, dropped)}
    return audit_details({"s": SourceAudit("s", {"x": audits})}, settings("a"), CHOSEN)


def test_a_claim_shows_who_said_what_and_what_a_program_found(judged_run: Path) -> None:
    """Claim, phrase, verdict, kind, severity; the segment with time and speaker; both looks; the check."""
    found = details(*load_run(judged_run), system="bad", source="talk", method="audit").audit
    assert found is not None
    assert shown(found)[1:21] == [
        "talk / bad  confirmed: contradicted, invented entity, major",
        "  The twenty machines were made in Peru.  [claim 2]",
        "  phrase: made in Peru",
        "     [1] 0:00 Anna: We bought twenty machines from ComFAC in the spring.",
        "     [2] 0:04 Ben: They came in May, and the boxes were red.",
        '     absent: "Peru"',
        "   > big: not found, invented entity, major",
        "     fabrication (check: does not stand in the source)",
        "   > small: contradicted, wrong attribution, major [1] [2]",
        "     fabrication (check: does not stand in the source)",
        "",
        "talk / bad  disputed: not found, name completion, major",
        "  Twenty machines were bought from Compaq.  [claim 1]",
        "     [1] 0:00 Anna: We bought twenty machines from ComFAC in the spring.",
        '     exact: "Twenty" as "twenty" [1]',
        '     near: "Compaq" as "ComFAC" [1]',
        "   > big: not found, name completion, major",
        "     fabrication (check: only something similar stands in the source; second look: not found, name",
        "     completion, major)",
        "   > small: supported",
    ]


def test_supported_claims_are_one_line_unless_asked_for() -> None:
    """How many, how many of them accused in vain; with `--all` each of them, and each dropped claim."""
    drops = (DroppedClaim("said before", 2, "Again."), DroppedClaim("unreadable", 1, "truncated: cut"))
    found = of_findings(
        finding(claim(1), "ok"), finding(claim(2), "rejected"), finding(claim(3), "absent"), dropped=drops
    )
    lines = shown(found)
    assert "supported: 2 of 3 claims, 1 of them accused in vain" in lines
    assert "dropped before anyone was asked: 1 said before, 1 unreadable" in lines
    assert not [line for line in lines if "claim 1" in line or "Again." in line]
    every = shown(found, with_supported=True)
    assert "  claim 1  [claim 1]" in every
    assert "s / x  supported" in every
    assert "  s / x, sentence 2: said before: Again." in every


def test_missing_verdicts_and_texts_that_were_not_audited_are_told() -> None:
    """With the reason; silence would look like no fault."""
    assert f"missing: s / x, claim 1: a: {CUT.reason}: {CUT.detail}" in shown(of_findings(finding(claim(1), "cut")))
    none = audit_details({}, settings("a"), CHOSEN)
    assert "s / x: not audited, since it is not among the finalists" in shown(none)


def test_a_sentence_whose_claims_count_says_so() -> None:
    """So that nobody adds it to the claims."""
    atom, sentence = claim(1), Claim(2, "sentence", (1,), "A.", "A.")
    lines = shown(of_findings(finding(atom, "absent"), finding(sentence, "absent")))
    assert "  A.  [sentence 2, not counted: its claims are]" in lines
    assert "supported: 0 of 1 claim" in lines


@pytest.mark.parametrize("trick", [*TRICKS, "two\x1b[2J", "\x9b31m"])
def test_claims_and_transcripts_are_printed_literally(trick: str) -> None:
    """Whatever a model, a transcript or a name says comes out letter by letter, and commands no terminal."""
    told = FindingRow(f"auditor {trick}", Ruling("not found", (), "other", "minor"), "not checked", None, "fabrication")
    row = ClaimRow(
        f"source {trick}", f"system {trick}", 1, "claim", True, (1,), f"claim {trick}", f"phrase {trick}", "disputed",
        "not found", "other", "minor", (Proof(7, "1:01", f"speaker {trick}", f"words {trick}"),), (told,),
        (FoundRow(f"item {trick}", "near", f"there {trick}", (7,)),),
    )  # fmt: skip
    drop = DroppedClaimRow("s", "x", "said before", 1, f"dropped {trick}")
    out = "\n".join(shown(AuditDetails((row,), (drop,), ((f"absent {trick}", "x"),)), with_supported=True))
    assert not {"\x1b", "\x9b"} & set(out)
    visible = trick.replace("\x1b", "\\x1b").replace("\x9b", "\\x9b")
    words = ("auditor", "source", "system", "claim", "phrase", "speaker", "words", "item", "there", "dropped", "absent")
    for word in words:
        assert squeezed(f"{word} {visible}") in squeezed(out), word


def test_a_line_end_cannot_fake_another_line() -> None:
    """A phrase over two lines stands on one."""
    forged = Claim(1, "claim", (1,), "a\n   > judge: supported", "b\r\nsupported: 9 of 9")
    lines = shown(of_findings(Finding(forged, SUPPORT, "nothing to check", (), None, "supported")), with_supported=True)
    assert "  b supported: 9 of 9  [claim 1]" in lines
    assert "  phrase: a > judge: supported" in lines


def test_beneath_the_leaderboard_stands_what_became_of_the_accusations(audit: Any) -> None:
    """Claims, auditors, kinds, accusations held, rejected, withdrawn; dropped claims; what is missing."""
    lines = list(audit_lines(audit))
    assert lines[0] == "8 claims of 6 texts checked by big, small"
    assert set(lines[1].removeprefix("claims by system: ").split(", ")) == {"bad 3", "good 2", "[bold] 3"}
    assert "confirmed fabrications by kind: 1 invented entity" in lines
    assert "big: 6 accusations in 16 verdicts: 4 held, 2 rejected by a check (33 [10-70] % rejected)" in lines
    assert "claims dropped before anyone was asked: none" in lines
    assert "missing: 1 claim without a verdict, in no number above" in lines
    assert "missing: 2 verdicts of big: 2 invalid" in lines
    assert any(line.startswith("agreement on verdicts: alpha ") for line in lines)
    assert "few sources: how much sources differ is mostly assumed in these intervals" in lines


def test_what_weakens_an_audit_is_said(audit: Any) -> None:
    """No checks, one auditor, dropped claims, unread texts, texts that are not there."""
    audit["settings"] |= {"checks": False, "auditors": ["big"]}
    audit["auditors"] = {"big": audit["auditors"]["big"] | {"accusations": 0, "missing": 0}}
    audit["systems"]["bad"] |= {"dropped": {"said before": 2}, "unreadable": 1}
    audit["systems"]["good"]["dropped"] = {"said before": 1, "unreadable": 1}
    del audit["systems"]["good"]["by_source"]["talk"]
    lines = list(audit_lines(audit))
    assert "checks by program were off: auditors are believed as they stand" in lines
    assert "big: no accusation in 16 verdicts" in lines
    assert "claims dropped before anyone was asked: 3 said before, 1 unreadable" in lines
    assert "missing: no claims of 1 text could be read; their sentences were checked instead" in lines
    assert "good: no text about 1 of 2 sources; its numbers are of other claims" in lines
    assert not [line for line in lines if line.startswith(("agreement", "effective"))]


def test_a_text_without_claims_is_no_claim(audit: Any) -> None:
    """It counts in the audit's `missing`, and is told apart from the claims that have no verdict."""
    audit["systems"]["bad"] |= {"unreadable": 2}
    audit["missing"] += 2
    lines = list(audit_lines(audit))
    assert "missing: no claims of 2 texts could be read; their sentences were checked instead" in lines
    assert "missing: 1 claim without a verdict, in no number above" in lines


def test_the_worth_of_several_auditors_is_said(audit: Any) -> None:
    """Rule 8: agreement is not certainty."""
    audit["agreement"]["effective_auditors"] = {"value": 1.25, "low": 1.1, "high": 2.0}
    (line,) = [line for line in audit_lines(audit) if line.startswith("effective auditors")]
    assert line == (
        "effective auditors: at least 1.25 [1.10 to 2.00] of 2; "
        "where auditors err alike, their agreement confirms nothing"
    )


def test_finalists_are_named_with_how_they_came_in(tmp_path: Path) -> None:
    """The others have no number of fabrications, which is not none."""
    finalists = "audit: {auditors: [big, small], of: finalists, finalists: 1, incumbent: good, hardest: 1}"
    folder = judge(tmp_path, ("panel",), (finalists,))
    lines = list(audit_lines(load_scores(folder)["methods"]["audit"]))
    assert "of finalists alone: [bold], good; on talk" in lines
    assert "  system good: the incumbent" in lines
    found = details(*load_run(folder), system="bad", method="audit").audit
    assert found is not None
    assert found.not_audited == (("talk", "bad"), ("notes", "bad"))
