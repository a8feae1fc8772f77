"""`localeval.methods.audit.tally`: what several auditors come to on one claim and on one candidate."""

from collections.abc import Sequence
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from localeval.methods.audit.schemas import DroppedClaim, FaultKind, Finding, Severity
from localeval.methods.audit.tally import ClaimTally, Counts, Fault, count, tally_candidate, tally_claim
from tests.methods.audit.findings import audit_of, claim, finding, settings

ONE = claim(1)
NAMES = ("p", "q", "r", "s", "t")
WORDS = ("ok", "contradicted", "absent", "rejected", "withdrawn", "raised", "cut")


def tallied(*words: str, n_needed: int = 2) -> ClaimTally:
    return tally_claim(ONE, {name: finding(ONE, w) for name, w in zip(NAMES, words, strict=False)}, n_needed)


@pytest.mark.parametrize(
    ("words", "standing"),
    [
        (("absent", "contradicted", "ok"), "confirmed"),
        (("absent", "raised", "absent"), "confirmed"),
        (("absent", "ok", "ok"), "disputed"),
        (("absent", "rejected", "withdrawn"), "disputed"),
        (("ok", "rejected", "withdrawn"), "supported"),
        (("rejected", "rejected", "rejected"), "supported"),
        (("absent", "absent", "cut"), "confirmed"),
        (("absent", "ok", "cut"), "disputed"),
        (("absent", "cut", "cut"), "missing"),
        (("ok", "cut", "cut"), "missing"),
        (("cut", "cut", "cut"), "missing"),
    ],
)
def test_a_quorum_confirms_and_fewer_dispute(words: Sequence[str], standing: str) -> None:
    """Of three auditors two confirm a fabrication; with one outcome only, there is no verdict either way."""
    assert tallied(*words).standing == standing


def test_the_quorum_is_more_than_half_unless_it_is_set() -> None:
    """Two of two, two of three, three of four; a set quorum of one makes every accusation a confirmed one."""
    assert [settings(*NAMES[:n]).n_needed for n in (1, 2, 3, 4, 5)] == [1, 2, 2, 3, 3]
    assert tallied("absent", "ok", "ok", n_needed=1).standing == "confirmed"
    assert tallied("absent", "cut", "cut", n_needed=1).standing == "confirmed"
    assert tallied("absent", "absent", "ok", n_needed=3).standing == "disputed"


@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=4), st.integers(1, 4))
def test_the_order_of_auditors_changes_nothing(words: list[str], n_needed: int) -> None:
    """Every permutation of the auditors gives the same standing and the same fault."""
    found = {(each.standing, each.fault) for p in permutations(words) for each in [tallied(*p, n_needed=n_needed)]}
    assert len(found) == 1


@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=5), st.integers(1, 5))
def test_a_verdict_takes_a_quorum_of_outcomes(words: list[str], n_needed: int) -> None:
    """A claim is missing exactly where fewer auditors than the quorum came to anything."""
    assert (tallied(*words, n_needed=n_needed).standing == "missing") == (len(words) - words.count("cut") < n_needed)


def fault(*named: tuple[str, FaultKind, Severity]) -> Fault | None:
    found: dict[str, Finding] = {
        name: finding(ONE, word, kind, severity) for name, (word, kind, severity) in zip(NAMES, named, strict=False)
    }
    return tally_claim(ONE, found, 1).fault


def test_kind_and_severity_are_those_of_most_accusers() -> None:
    """Two of three say name completion, minor, contradicted; who acquits has no say in it."""
    assert fault(
        ("contradicted", "name completion", "minor"),
        ("contradicted", "name completion", "minor"),
        ("absent", "invented entity", "major"),
        ("rejected", "other", "major"),
        ("rejected", "other", "major"),
    ) == Fault("contradicted", "name completion", "minor")


def test_a_tie_goes_to_the_graver() -> None:
    """major before minor, contradicted before not found, and of two kinds the one that an accuser calls major."""
    assert fault(("absent", "invented entity", "minor"), ("contradicted", "other", "major")) == Fault(
        "contradicted", "other", "major"
    )


def test_kinds_that_tie_in_all_go_by_the_list_of_kinds() -> None:
    """False precision stands before wrong attribution there, whoever names it first."""
    pair: list[tuple[str, FaultKind, Severity]] = [
        ("absent", "wrong attribution", "minor"),
        ("absent", "false precision", "minor"),
    ]
    assert fault(*pair) == fault(*reversed(pair)) == Fault("not found", "false precision", "minor")


def test_a_fault_is_named_only_where_someone_accuses() -> None:
    """A disputed claim tells what it is accused of; a supported or a missing one has no fault."""
    assert tallied("absent", "ok", "ok").fault == Fault("not found", "other", "minor")
    assert tallied("ok", "rejected", "ok").fault is None
    assert tallied("absent", "cut", "cut").fault is None


def test_counts_add_up_and_partition_the_claims() -> None:
    """Each claim is in one count; a confirmed one is a contradiction or was not found."""
    found = count(
        [
            tallied("contradicted", "contradicted"),
            tallied("absent", "raised"),
            tallied("absent", "ok"),
            tallied("ok", "rejected"),
            tallied("ok", "cut"),
        ]
    )
    assert found == Counts(supported=1, disputed=1, contradicted=1, not_found=1, missing=1)
    assert (found.n, found.fabrications) == (4, 2)


CLAIMS = (
    claim(1, "claim", (1,)),
    claim(2, "claim", (1,)),
    claim(3, "relation", (1, 2)),
    claim(4, "sentence", (1,)),
    claim(5, "sentence", (2,)),
)


def test_a_sentence_counts_only_where_no_claim_speaks_of_it() -> None:
    """Sentence 1 has claims of its own; sentence 2 has none and counts itself, though a relation names it."""
    found = tally_candidate(audit_of({"p": ("ok", "absent", "ok", "absent", "absent")}, claims=CLAIMS), 1)
    assert [each.claim.number for each in found.claims] == [1, 2, 3, 5]
    assert [each.claim.number for each in found.sentences] == [4, 5]
    assert [each.claim.number for each in found.everything] == [1, 2, 3, 4, 5]
    assert found.counts == Counts(supported=2, not_found=2)
    assert count(found.sentences) == Counts(not_found=2)


def test_with_sentences_alone_every_sentence_counts() -> None:
    """With units [sentence] the claims are the sentences."""
    found = tally_candidate(audit_of({"p": ("ok", "absent")}, claims=CLAIMS[3:]), 1)
    assert found.claims == found.sentences
    assert found.counts == Counts(supported=1, not_found=1)


def test_an_auditor_that_did_not_come_to_a_claim_is_no_vote() -> None:
    """Auditor q stopped before claim 2: there one outcome is left of the two that are needed."""
    audits = audit_of({"p": ("absent", "absent")}) | audit_of({"q": ("absent",)})
    found = tally_candidate(audits, 2)
    assert [each.standing for each in found.claims] == ["confirmed", "missing"]
    assert list(found.claims[1].findings) == ["p"]


UNREAD = (DroppedClaim("unreadable", 1, "truncated: cut after 400 tokens"), DroppedClaim("unreadable", 2, "invalid: x"))


def test_a_candidate_is_unreadable_where_no_sentence_gave_claims_that_can_be_read() -> None:
    """Also where its sentences stand in; one readable sentence, or a text without any claim, is not unreadable."""
    whole = CLAIMS[3:]
    assert tally_candidate(audit_of({"p": ()}, UNREAD), 1).is_unreadable
    assert tally_candidate(audit_of({"p": ("ok", "ok")}, UNREAD, whole), 1).is_unreadable
    assert not tally_candidate(audit_of({"p": ("ok", "ok")}, UNREAD[:1], whole), 1).is_unreadable
    assert not tally_candidate(audit_of({"p": ("ok",)}, UNREAD[1:], CLAIMS[:1]), 1).is_unreadable
    assert not tally_candidate(audit_of({"p": ()}), 1).is_unreadable


@pytest.mark.parametrize(
    ("words", "dropped", "is_known"),
    [
        (("ok", "cut"), (), True),
        (("ok", "cut", "cut"), (), False),
        ((), (), True),
        ((), UNREAD, False),
        (("cut",), (), False),
    ],
)
def test_a_candidate_is_known_where_half_of_it_has_a_verdict(
    words: Sequence[str], dropped: tuple[DroppedClaim, ...], is_known: bool
) -> None:
    """Else its few fabrications would only say that few claims were judged. A text that states nothing has none."""
    assert tally_candidate(audit_of({"p": words}, dropped), 1).is_known == is_known
