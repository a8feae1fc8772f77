"""`localeval.report.audit_view`: each claim of a finished audit as a row, most serious first."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from localeval.measuring import Evaluation, Results
from localeval.methods.audit.schemas import CandidateAudit, DroppedClaim, Finding, SourceAudit
from localeval.report.audit_view import AuditDetails, ClaimRow, FoundRow, audit_details
from localeval.report.rows import Proof, scope
from localeval.values import Missing
from tests.methods.audit.findings import CUT, accusation, claim, finding, settings
from tests.report.judged import CHOSEN

Loaded = tuple[Evaluation, Results]


def rows_of(by_auditor: Mapping[str, tuple[Finding, ...]], quorum: int | None = None) -> tuple[ClaimRow, ...]:
    """The rows of one candidate that these auditors found this of."""
    audits = {name: CandidateAudit("s", "x", name, found) for name, found in by_auditor.items()}
    given = {"s": SourceAudit("s", {"x": audits})}
    return audit_details(given, settings(*by_auditor, quorum=quorum), CHOSEN).claims


def of_run(judged: Loaded, system: str | None = None, source: str | None = None) -> AuditDetails:
    """The audit rows of the chosen systems and sources of the run by all methods."""
    evaluation, results = judged
    assert evaluation.config.methods.audit is not None
    return audit_details(results.audit, evaluation.config.methods.audit, scope(evaluation, system, source))


def test_the_most_serious_stand_first_and_what_counts_before_what_does_not(judged: Loaded) -> None:
    """Confirmed, disputed, rejected; then the same of sentences that are not counted; what nobody accused last."""
    rows = of_run(judged).claims
    accused = [(row.status, row.is_counted) for row in rows if row.is_accused]
    assert accused == [
        ("confirmed", True),
        ("disputed", True),
        ("rejected", True),
        ("rejected", True),
        ("confirmed", False),
        ("disputed", False),
        ("rejected", False),
        ("rejected", False),
    ]
    assert not any(row.is_accused for row in rows[len(accused) :])
    assert {row.status for row in rows[len(accused) :]} == {"supported", "missing"}


def test_major_before_minor_and_contradicted_before_not_found() -> None:
    """Among claims that came to the same."""
    found = (
        finding(claim(1), "absent", severity="minor"),
        finding(claim(2), "contradicted", severity="minor"),
        finding(claim(3), "absent", severity="major"),
    )
    assert [row.number for row in rows_of({"a": found})] == [3, 2, 1]


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (("absent", "contradicted"), "confirmed"),
        (("absent", "ok"), "disputed"),
        (("raised", "raised"), "confirmed"),
        (("rejected", "withdrawn"), "rejected"),
        (("withdrawn", "ok"), "withdrawn"),
        (("absent", "cut"), "missing"),
        (("ok", "cut"), "missing"),
        (("ok", "ok"), "supported"),
    ],
)
def test_the_status_says_what_became_of_a_claim(words: tuple[str, str], status: str) -> None:
    """With two auditors who must agree."""
    by_auditor = {name: (finding(claim(1), word),) for name, word in zip(("a", "b"), words, strict=True)}
    (row,) = rows_of(by_auditor, quorum=2)
    assert row.status == status
    assert row.is_accused == (words not in (("ok", "ok"), ("ok", "cut")))
    assert (row.verdict is None) == (not row.is_accused)


def test_an_accusation_that_fell_is_still_told() -> None:
    """Nobody's accusation holds, so the gravest of them is what the row says."""
    found = {
        "a": (finding(claim(1), "rejected", "other", "minor"),),
        "b": (finding(claim(1), "withdrawn", "name completion", "major"),),
    }
    (row,) = rows_of(found)
    assert (row.verdict, row.kind, row.severity) == ("not found", "name completion", "major")


def test_who_said_what_and_which_check_decided(judged: Loaded) -> None:
    """Each auditor with both of its rulings; the near word is there with the segment where it stands."""
    (row,) = [row for row in of_run(judged, "bad", "talk").claims if row.status == "disputed" and row.is_counted]
    big, small = row.findings
    assert (big.auditor, big.first.kind, big.outcome) == ("big", "name completion", "fabrication")
    assert big.second is not None
    assert big.second.opinion == "not found"
    assert (small.first.opinion, small.outcome) == ("supported", "supported")
    assert small.second is not None
    assert big.check == small.check == "only something similar stands in the source"
    assert FoundRow("Compaq", "near", "ComFAC", (1,)) in row.found
    assert len(row.found) == len(set(row.found))
    assert row.proof == (Proof(1, "0:00", "Anna", "We bought twenty machines from ComFAC in the spring."),)


def test_a_phrase_that_stands_in_the_source_is_shown_where_it_stands(judged: Loaded) -> None:
    """Nobody cited it, but it is what refutes the accusation."""
    rows = [row for row in of_run(judged, "[bold]", "talk").claims if row.is_accused and row.is_counted]
    assert [row.findings[0].check for row in rows] == ["phrase stands in the source"]
    assert [proof.segment for proof in rows[0].proof] == [2]


def test_cited_segments_are_shown_once_with_time_and_speaker() -> None:
    """Whoever cited them, in the first or the second look."""
    first = finding(claim(1), "withdrawn")
    again = replace(first, first=replace(accusation(), segments=(2, 1)))
    (row,) = rows_of({"a": (first,), "b": (again,)})
    assert row.proof == (Proof(1, "1:01", "Ann", "One."), Proof(2, "", "", "Two."))


def test_a_missing_verdict_keeps_its_reason(judged: Loaded) -> None:
    """With the auditor whose it is."""
    (row,) = [row for row in of_run(judged, "good", "notes").claims if row.is_counted]
    assert row.status == "missing"
    outcome = row.findings[0].outcome
    assert isinstance(outcome, Missing)
    assert outcome.reason == "invalid"
    (cut,) = rows_of({"a": (finding(claim(1), "cut"),)})
    assert cut.findings[0].outcome == CUT


def test_dropped_claims_are_listed_once_whoever_audits() -> None:
    """With reason, sentence and words."""
    drop = DroppedClaim("said before", 2, "The same again.")
    audits = {name: CandidateAudit("s", "x", name, (), (drop,)) for name in ("a", "b")}
    found = audit_details({"s": SourceAudit("s", {"x": audits})}, settings("a", "b"), CHOSEN)
    (row,) = found.dropped
    assert (row.source, row.system, row.reason, row.sentence, row.detail) == (
        "s", "x", "said before", 2, "The same again.",
    )  # fmt: skip


def test_who_was_not_audited_is_named() -> None:
    """A candidate that is no finalist has no rows, and does not look as if it had no faults."""
    found = audit_details({}, settings("a"), CHOSEN)
    assert found.claims == ()
    assert found.not_audited == (("s", "x"),)
