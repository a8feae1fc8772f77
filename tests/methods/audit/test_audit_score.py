"""`localeval.methods.audit.score`: the audit's numbers in scores.json against sums made by hand."""

import json
from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as limits
from hypothesis import strategies as st

from localeval.methods.audit.schemas import DroppedClaim, SourceAudit
from localeval.methods.audit.score import score_audit
from tests.methods.audit.findings import audit_of, by_source, claim, settings, source_audit

WORDS = ("ok", "contradicted", "absent", "rejected", "withdrawn", "raised", "cut")
RATES = ("fabrication_rate", "disputed_rate", "contradicted_rate", "not_found_rate", "supported_rate")


def scored(audits: Mapping[str, SourceAudit], *auditors: str, quorum: int | None = None) -> dict[str, Any]:
    return score_audit(audits, settings(*(auditors or ("j",)), quorum=quorum))


TWO = {
    "a": source_audit(
        "a",
        {
            "x": audit_of(
                {
                    "p": ("contradicted", "absent", "absent", "ok", "rejected"),
                    "q": ("contradicted", "raised", "ok", "ok", "absent"),
                    "r": ("ok", "cut", "ok", "cut", "withdrawn"),
                }
            )
        },
    ),
    "b": source_audit("b", {"x": audit_of({"p": ("ok", "cut"), "q": ("ok", "absent"), "r": ("ok", "cut")})}),
}
"""By the quorum of two: contradicted, not found, disputed, supported, disputed; supported, missing."""


def test_the_headline_numbers_by_hand() -> None:
    """Over two sources 6 claims with a verdict: 2 confirmed, 2 disputed, 2 supported; 1 missing."""
    found = scored(TWO, "p", "q", "r")["systems"]["x"]
    names = ("claims", "fabrications", "disputed", "contradicted", "not_found", "supported", "missing")
    assert {name: found[name] for name in names} == {
        "claims": 6, "fabrications": 2, "disputed": 2, "contradicted": 1, "not_found": 1, "supported": 2, "missing": 1,
    }  # fmt: skip
    assert {name: found[name]["value"] for name in RATES} == pytest.approx(
        dict(zip(RATES, (2 / 6, 2 / 6, 1 / 6, 1 / 6, 2 / 6), strict=True))
    )
    assert found["by_source"]["b"]["supported"] == 1
    assert found["by_source"]["a"]["fabrications"] == 2


def test_every_number_has_an_interval_its_n_and_what_is_missing() -> None:
    """Rule 7: the interval is over the two sources, and the claim without a verdict is told beside it."""
    found = scored(TWO, "p", "q", "r")["systems"]["x"]
    for name in RATES:
        score = found[name]
        assert score["low"] < score["value"] < score["high"], name
        assert (score["n"], score["missing"], score["sources"]) == (6, 1, 2), name
    mean = found["per_candidate"]
    assert (mean["value"], mean["n"], mean["missing"], mean["note"]) == (1.0, 2, 0, "few sources")
    assert 0 < mean["low"] < 1 < mean["high"]


def test_a_system_without_fabrications_is_not_certain_to_have_none() -> None:
    """The interval of 0 has an upper end, for the share and for the number a candidate; with one source as well."""
    table = {name: {"x": ["ok"] * 12} for name in "abcde"}
    for audits in (by_source(table), by_source({"a": table["a"]})):
        found = scored(audits)["systems"]["x"]
        assert found["fabrication_rate"]["value"] == found["per_candidate"]["value"] == 0
        assert found["fabrication_rate"]["high"] > 0.02
        assert found["per_candidate"]["high"] > 0.5
        assert found["per_candidate"]["low"] == 0


def test_a_missing_verdict_is_in_no_number() -> None:
    """Rule 5: what is missing is counted, and leaves every share as it was."""
    holed = scored(by_source({"a": {"x": ["ok", "absent", "cut", "cut"]}}))
    full = scored(by_source({"a": {"x": ["ok", "absent"]}}))
    for name in RATES:
        one, other = (dict(each["systems"]["x"][name]) for each in (holed, full))
        assert one.pop("missing") == 2
        assert other.pop("missing") == 0
        assert one == other
    assert (holed["missing"], full["missing"]) == (2, 0)


def test_candidates_with_too_few_verdicts_are_missing_in_the_mean() -> None:
    """Source b has one verdict of three: its 0 fabrications would only say that little was judged."""
    found = scored(by_source({"a": {"x": ["ok", "absent"]}, "b": {"x": ["ok", "cut", "cut"]}}))["systems"]["x"]
    assert (found["per_candidate"]["value"], found["per_candidate"]["n"]) == (1.0, 1)
    assert found["per_candidate"]["missing"] == 1


UNREAD = tuple(DroppedClaim("unreadable", number, "invalid: x") for number in (1, 2))


def test_a_candidate_whose_claims_cannot_be_read_is_missing() -> None:
    """It counts as one, whether or not its sentences stand in; what was dropped is told by reason."""
    nothing = source_audit("a", {"x": audit_of({"j": ()}, UNREAD)})
    whole = [claim(1, "sentence", (1,)), claim(2, "sentence", (2,))]
    sentences = source_audit("b", {"x": audit_of({"j": ("absent", "ok")}, UNREAD, whole)})
    scores = scored({"a": nothing, "b": sentences})
    found = scores["systems"]["x"]
    assert scores["missing"] == 2
    assert (found["candidates"], found["unreadable"], found["dropped"]) == (2, 2, {"unreadable": 4})
    assert (found["per_candidate"]["value"], found["per_candidate"]["missing"]) == (1.0, 1)
    assert (found["by_source"]["a"]["unreadable"], found["by_source"]["a"]["claims"]) == (True, 0)


def test_a_text_that_states_nothing_fabricates_nothing_and_is_not_missing() -> None:
    """No claim, none dropped: the number of fabrications is 0, their share is not defined."""
    scores = scored(by_source({"a": {"x": []}}))
    found = scores["systems"]["x"]
    assert scores["missing"] == 0
    assert (found["per_candidate"]["value"], found["fabrication_rate"]["value"]) == (0.0, None)
    assert found["fabrication_rate"]["reason"] == "nothing to divide by"


def test_sentences_are_told_apart_from_claims() -> None:
    """A sentence that its claims speak for is in `sentences` alone; the one without claims is in both."""
    claims = [claim(1, "claim", (1,)), claim(2, "sentence", (1,)), claim(3, "sentence", (2,))]
    found = scored({"a": source_audit("a", {"x": audit_of({"j": ("ok", "absent", "contradicted")}, (), claims)})})
    system = found["systems"]["x"]
    assert (system["claims"], system["fabrications"], system["contradicted"]) == (2, 1, 1)
    sentences = system["sentences"]
    assert (sentences["claims"], sentences["contradicted"], sentences["not_found"]) == (2, 1, 1)
    assert found["auditors"]["j"]["verdicts"] == 3


def test_severities_and_kinds_are_of_confirmed_fabrications_alone() -> None:
    """The disputed claims of TWO are in neither."""
    found = scored(TWO, "p", "q", "r")["systems"]["x"]
    assert found["severity"] == {"major": 0, "minor": 2}
    assert found["kinds"] == {"other": 2}


def test_an_auditor_that_accuses_everything_hurts_itself_alone() -> None:
    """Rule 2: with the phrases in the source every accusation is rejected: no fabrication, 1.0 rejected, told by check.

    The other two auditors, who acquit, are not charged with anything.
    """
    words = {"liar": ["rejected"] * 4, "p": ["ok"] * 4, "q": ["ok"] * 4}
    scores = scored({n: source_audit(n, {"x": audit_of(words)}) for n in "abc"}, "liar", "p", "q", quorum=1)
    found = scores["systems"]["x"]
    assert (found["fabrications"], found["disputed"], found["supported"]) == (0, 0, 12)
    liar = scores["auditors"]["liar"]
    assert (liar["accusations"], liar["rejected"], liar["fabrications"]) == (12, 12, 0)
    assert (liar["rejected_rate"]["value"], liar["rejected_rate"]["n"]) == (1.0, 12)
    assert liar["rejected_by_check"] == {"phrase stands in the source": 12}
    assert liar["agreement"]["value"] == 0.0
    assert scores["auditors"]["p"]["agreement"]["value"] == 0.5
    assert scores["auditors"]["p"]["rejected_rate"]["value"] is None, "it made no accusation"
    assert scores["agreement"]["raw"]["value"] == pytest.approx(1 / 3)
    assert scores["agreement"]["after_checks"]["raw"]["value"] == 1.0


def test_what_became_of_each_auditors_accusations() -> None:
    """Of p's four one was rejected, three survive; r took its only one back; a second look may also raise one."""
    found = scored(TWO, "p", "q", "r")["auditors"]
    names = ("verdicts", "accusations", "fabrications", "rejected", "withdrawn", "second_looks", "missing")
    assert [found["p"][name] for name in names] == [6, 4, 3, 1, 0, 0, 1]
    assert [found["q"][name] for name in names] == [7, 4, 4, 0, 0, 1, 0]
    assert [found["r"][name] for name in names] == [4, 1, 0, 0, 1, 1, 3]
    assert [found[name]["raised_in_second_look"] for name in "pqr"] == [0, 1, 0]
    assert found["p"]["rejected_rate"]["value"] == 1 / 4
    assert found["r"]["missing_by_reason"] == {"truncated": 3}


def test_checks_tell_how_often_each_decided_and_to_what_end() -> None:
    """The findings of all auditors by check add up to all findings."""
    checks = scored(TWO, "p", "q", "r")["checks"]
    assert checks["phrase stands in the source"] == {
        "n": 1, "supported": 0, "fabrication": 0, "rejected": 1, "withdrawn": 0, "missing": 0,
    }  # fmt: skip
    assert checks["only something similar stands in the source"]["withdrawn"] == 1
    assert checks["not checked"]["missing"] == 4
    assert sum(each["n"] for each in checks.values()) == 21
    assert all(each["n"] == sum(each.values()) - each["n"] for each in checks.values())


def test_a_missing_auditor_leaves_claims_to_the_others_or_without_a_verdict() -> None:
    """With three auditors the other two decide; with two, the one left is no quorum, and all claims are missing."""
    words = {"p": ["absent", "ok"], "q": ["absent", "ok"], "gone": ["cut", "cut"]}
    three = {n: source_audit(n, {"x": audit_of(words)}) for n in "ab"}
    scores = scored(three, "p", "q", "gone")
    assert (scores["systems"]["x"]["fabrications"], scores["missing"]) == (2, 0)
    assert scores["auditors"]["gone"]["missing"] == 4
    two = {n: source_audit(n, {"x": audit_of({k: words[k] for k in ("p", "gone")})}) for n in "ab"}
    scores = scored(two, "p", "gone")
    found = scores["systems"]["x"]
    assert (found["claims"], found["missing"], scores["missing"]) == (0, 4, 4)
    assert (found["rank"], found["per_candidate"]["value"], found["fabrication_rate"]["value"]) == (None, None, None)


@limits(max_examples=25)
@given(
    st.lists(st.tuples(*[st.sampled_from(WORDS)] * 3), min_size=1, max_size=5),
    st.permutations(["p", "q", "r"]),
)
def test_the_order_of_auditors_changes_no_system(rows: list[tuple[str, str, str]], order: list[str]) -> None:
    """Systems, agreement and each auditor's own numbers are the same for every order in which auditors are named."""
    words: dict[str, Sequence[str]] = dict(zip("pqr", zip(*rows, strict=True), strict=True))
    audits = {n: source_audit(n, {"x": audit_of(words)}) for n in "ab"}
    turned = {n: source_audit(n, {"x": audit_of({name: words[name] for name in order})}) for n in "ab"}
    one, other = scored(audits, "p", "q", "r"), scored(turned, *order)
    for part in ("missing", "systems", "auditors", "checks", "agreement"):
        assert one[part] == other[part], part


def test_agreement_is_none_of_one_auditor_and_counts_claims_of_several() -> None:
    """A single auditor agrees with nobody; an item is a claim with two opinions."""
    alone = scored(by_source({"a": {"x": ["ok", "absent"]}}))
    assert alone["agreement"]["alpha"]["value"] is None
    assert alone["agreement"]["effective_auditors"]["reason"] == "one auditor"
    three = scored(TWO, "p", "q", "r")["agreement"]
    assert (three["raw"]["n"], three["raw"]["missing"]) == (6, 1)


def test_auditors_agree_by_what_they_say_in_the_end() -> None:
    """What p took back it agrees on with q, who acquits; what p raised in the second look, with q, who accuses."""
    words = {"p": ["withdrawn", "raised", "ok"], "q": ["ok", "absent", "ok"]}
    scores = scored({n: source_audit(n, {"x": audit_of(words)}) for n in "ab"}, "p", "q")
    assert scores["agreement"]["raw"]["value"] == 1.0
    assert scores["auditors"]["p"]["agreement"]["value"] == 1.0


def test_auditors_that_copy_each_other_are_worth_one() -> None:
    """Rule 8: full agreement is not more evidence than one auditor gives."""
    table = {name: [["ok", "absent", "ok"], ["absent", "ok", "ok"]][place % 2] for place, name in enumerate("abcd")}
    audits = {n: source_audit(n, {"x": audit_of({"p": words, "q": words})}) for n, words in table.items()}
    found = scored(audits, "p", "q")["agreement"]
    assert (found["raw"]["value"], found["alpha"]["value"]) == (1.0, 1.0)
    assert found["effective_auditors"]["value"] == pytest.approx(1.0)


def clean_and_dirty(n_sources: int, n_bad: int = 4) -> dict[str, SourceAudit]:
    table = {
        str(n): {"clean": ["ok"] * 10, "dirty": ["absent"] * (n_bad + n % 2) + ["ok"] * (10 - n_bad - n % 2)}
        for n in range(n_sources)
    }
    return by_source(table)


def test_systems_are_compared_on_the_same_sources() -> None:
    """Differences of first minus second; the rate's difference is that of the rates shown."""
    scores = scored(clean_and_dirty(8))
    [pair] = scores["pairs"]
    assert (pair["first"], pair["second"]) == ("clean", "dirty")
    assert pair["fabrications"]["value"] == pytest.approx(-4.5)
    assert pair["fabrication_rate"]["value"] == pytest.approx(-0.45)
    for name in ("fabrications", "fabrication_rate"):
        assert pair[name]["high"] < 0
        assert pair[name]["p_value"] < 0.001
    assert {name: each["rank"] for name, each in scores["systems"].items()} == {"clean": 1, "dirty": 2}
    assert list(scores["systems"]) == ["clean", "dirty"]


def test_sources_of_one_system_alone_are_in_no_pair() -> None:
    """Two sources are shared; the third, where dirty has no text, says nothing about the two."""
    audits = clean_and_dirty(2) | by_source({"only": {"clean": ["absent"] * 9}})
    [pair] = scored(audits)["pairs"]
    assert pair["fabrications"]["sources"] == 2
    assert pair["fabrications"]["value"] == pytest.approx(-4.5)


def test_what_cannot_be_told_apart_shares_a_rank() -> None:
    """One source allows no paired test; two with a small difference do not suffice."""
    for audits in (clean_and_dirty(1), clean_and_dirty(2, 1)):
        assert {each["rank"] for each in scored(audits)["systems"].values()} == {1}


def test_equal_systems_have_difference_0_and_share_a_rank() -> None:
    """p is 1, and the interval still has a width."""
    scores = scored(by_source({n: {"x": ["ok", "absent"], "y": ["absent", "ok"]} for n in "abcdef"}))
    [pair] = scores["pairs"]
    for name in ("fabrications", "fabrication_rate"):
        assert (pair[name]["value"], pair[name]["p_value"]) == (0.0, 1.0)
        assert pair[name]["low"] < 0 < pair[name]["high"]
    assert [each["rank"] for each in scores["systems"].values()] == [1, 1]


def test_a_difference_of_one_everywhere_is_not_infinitely_sure() -> None:
    """Three sources with one fabrication more: without a spread of their own they are still only three."""
    [pair] = scored(by_source({n: {"x": ["ok"] * 9, "y": ["absent", *["ok"] * 8]} for n in "abc"}))["pairs"]
    assert 0.05 < pair["fabrications"]["p_value"] < 1


@limits(max_examples=30)
@given(st.lists(st.tuples(*[st.lists(st.sampled_from(WORDS), max_size=4)] * 2), min_size=1, max_size=4))
def test_any_audit_gives_plain_json_and_the_same_twice(rows: list[tuple[list[str], list[str]]]) -> None:
    """Whatever came of the claims, the scores are finite JSON, counts partition the claims, and two runs agree."""
    audits = by_source({str(n): {"x": x, "y": y} for n, (x, y) in enumerate(rows)})
    scores = scored(audits)
    assert json.loads(json.dumps(scores, allow_nan=False)) == scores == scored(audits)
    for found in scores["systems"].values():
        assert found["fabrications"] == found["contradicted"] + found["not_found"]
        assert found["claims"] == found["supported"] + found["disputed"] + found["fabrications"]
        assert found["claims"] == sum(each["claims"] for each in found["by_source"].values())
        assert sum(found["severity"].values()) == sum(found["kinds"].values()) == found["fabrications"]


def test_sources_keep_their_order_and_systems_none() -> None:
    """Which system's text came first within a source decides nothing."""
    rows = {"b": {"x": ["ok"], "y": ["absent"], "z": ["ok", "ok"]}, "a": {"x": ["absent"], "y": ["ok"], "z": ["ok"]}}
    base = scored(by_source(rows))
    assert list(base["systems"]["x"]["by_source"]) == ["b", "a"]
    for order in permutations("xyz"):
        assert scored(by_source({n: {s: row[s] for s in order} for n, row in rows.items()})) == base


def test_no_audit_at_all_is_no_number() -> None:
    """A run without candidates has no system, and its auditors have said nothing."""
    scores = scored({"a": source_audit("a", {})})
    assert (scores["missing"], scores["systems"], scores["pairs"], scores["checks"]) == (0, {}, [], {})
    assert scores["auditors"]["j"]["verdicts"] == 0
