"""A check of judges from its config to check.json, with scripted judges whose answers are known."""

import json
from pathlib import Path

import pytest

from localeval.checking.checking import CheckOutcome, check_judges, load_check
from localeval.checking.registry import last_check
from localeval.errors import ConfigError, StoreError
from tests.checking.check_project import make_check_project


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def checked(tmp_path: Path, model: str, planted: int = 30, more: str = ", probes: []") -> CheckOutcome:
    """A check of one of the two judges in all methods."""
    return check_judges(make_check_project(tmp_path / model, model, planted, more), tmp_path / f"{model}.check")


def test_a_judge_that_sees_every_error_passes_every_method(tmp_path: Path) -> None:
    """All that can be seen is found, nothing that is right is blamed, and nothing is missing."""
    outcome = checked(tmp_path, "sharp")
    assert [judge["method"] for judge in outcome.check["judges"]] == ["quiz", "panel", "audit", "affect"]
    for judge in outcome.check["judges"]:
        assert judge["passed"], judge["reasons"]
        assert judge["detection"]["value"] == 1.0, judge
        assert judge["false_alarm"]["value"] == 0.0, judge
        assert judge["missing"] == 0.0
    assert outcome.all_passed


def test_a_judge_that_finds_everything_good_is_refused(tmp_path: Path) -> None:
    """It blames nothing and finds nothing: each method says by how much it is below which bar."""
    outcome = checked(tmp_path, "blunt")
    by_method = {judge["method"]: judge for judge in outcome.check["judges"]}
    assert not any(judge["passed"] for judge in by_method.values())
    for method in ("panel", "audit", "affect"):
        assert by_method[method]["detection"]["value"] == 0.0
        assert by_method[method]["false_alarm"]["value"] == 0.0
        assert "detection 0 % is below the bar of 50 %" in by_method[method]["reasons"]
    assert list(by_method["quiz"]["missing_by_reason"]) == ["unstable"], "the first letter is another option each time"
    assert by_method["quiz"]["missing"] == 1.0


def test_a_second_check_asks_nothing_and_says_the_same(tmp_path: Path) -> None:
    """What the folder holds is not asked again, and check.json is the same byte for byte."""
    path = make_check_project(tmp_path / "p")
    first = check_judges(path, tmp_path / "c")
    text = (tmp_path / "c" / "check.json").read_bytes()
    second = check_judges(path, tmp_path / "c")
    assert first.ledger.sent > 0
    assert second.ledger.sent == 0
    assert (tmp_path / "c" / "check.json").read_bytes() == text
    assert load_check(tmp_path / "c") == json.loads(text)


def test_every_judge_is_found_again_by_its_key(tmp_path: Path) -> None:
    """A run of any config with the same judge finds what the check found."""
    outcome = checked(tmp_path, "blunt")
    for judge in outcome.check["judges"]:
        found = last_check(judge["key"])
        assert found is not None
        assert found["detection"] == judge["detection"]
        assert found["test"]["planted"] == outcome.check["test"]["planted"]


def test_every_text_is_told_with_its_verdicts(tmp_path: Path) -> None:
    """Kind, words before and after, place in the source, and what each judge said; shares follow from these rows."""
    outcome = checked(tmp_path, "sharp")
    rows = [row for row in outcome.check["texts"] if row["view"] == "whole" and "audit sharp" in row["verdicts"]]
    planted = [row for row in rows if row["role"] == "planted"]
    audit = next(judge for judge in outcome.check["judges"] if judge["method"] == "audit")
    assert len(planted) == audit["detection"]["n"]
    assert all(row["verdicts"]["audit sharp"] == "found" for row in planted)
    assert all(row["before"] != row["after"] for row in planted)
    assert any(row["position"] is not None and row["position"] > 0.8 for row in planted)
    assert not any(row["kind"] == "dropped sentence" for row in planted), "an audit cannot see what is not there"


def test_what_a_shortened_source_would_have_done_is_told_apart(tmp_path: Path) -> None:
    """Texts against the first half enter no bar; what stands beyond it is counted by itself."""
    outcome = checked(tmp_path, "sharp")
    audit = next(judge for judge in outcome.check["judges"] if judge["method"] == "audit")
    shown = audit["shortened"]
    assert shown["share"] == 0.5
    assert shown["unseen"]["false_alarm"]["n"] > 0
    whole = [row for row in outcome.check["texts"] if row["role"] != "planted" and row["view"] == "whole"]
    assert audit["false_alarm"]["n"] == sum("audit sharp" in row["verdicts"] for row in whole)


def test_sources_are_cut_to_lengths_that_were_asked_for(tmp_path: Path) -> None:
    """A row of the heat map for each length, beside that of the whole sources."""
    outcome = checked(tmp_path, "sharp", 12, ", probes: [], shortened: null, lengths: [2000], methods: [audit]")
    audit = outcome.check["judges"][0]
    assert audit["shortened"] is None
    assert min(cell["characters"][0] for cell in audit["heat"]) <= 2000
    assert {row["view"] for row in outcome.check["texts"]} == {"whole", "first 2000"}


def test_only_the_methods_that_are_named_are_checked(tmp_path: Path) -> None:
    """`check: methods` leaves the others out."""
    outcome = checked(tmp_path, "sharp", 12, ", probes: [], methods: [panel]")
    assert [judge["method"] for judge in outcome.check["judges"]] == ["panel"]


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (", trusted: [nobody]", "check.trusted names 'nobody', which has no text among the candidates; known: "),
        (", trusted: [], excerpts: 0", "no error can be planted into any trusted text"),
    ],
)
def test_what_cannot_be_checked_is_told_in_one_line(tmp_path: Path, more: str, told: str) -> None:
    """Place, value and fix, before any folder is made."""
    path = make_check_project(tmp_path / "p")
    text = path.read_text(encoding="utf-8").replace("trusted: [faithful], ", "").replace(", probes: []", more)
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        check_judges(path, tmp_path / "c")
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "c").exists()


def test_a_folder_without_a_check_is_told(tmp_path: Path) -> None:
    """A path that is no check ends in one line."""
    with pytest.raises(StoreError):
        load_check(tmp_path)


def test_a_model_rewords_controls_as_far_as_it_keeps_what_must_be_kept(tmp_path: Path) -> None:
    """Its rewordings are controls, too; what changes a number is drawn again and then left out."""
    path = make_check_project(tmp_path / "p", more=", probes: [], methods: [audit], paraphraser: blunt")
    same = {
        "match": r"<text \w+>\n([^§]*?Joel starts on)([^§]*)\n</text[^§]*Write the text above anew",
        "template": r"\1\2 That is all.",
    }
    wrong = {"contains": "Write the text above anew", "reply": "Something else was said by 17 others."}
    script = path.parent / "blunt.jsonl"
    script.write_text("".join(json.dumps(rule) + "\n" for rule in (same, wrong)), encoding="utf-8")
    outcome = check_judges(path, tmp_path / "c")
    assert outcome.ledger.accounts["blunt"].sent > 4, "those that changed a number were asked again"
    paraphrases = [row for row in outcome.check["texts"] if row["role"] == "paraphrase" and row["view"] == "whole"]
    plain = check_judges(make_check_project(tmp_path / "q", more=", probes: [], methods: [audit]"), tmp_path / "d")
    before = [row for row in plain.check["texts"] if row["role"] == "paraphrase" and row["view"] == "whole"]
    assert outcome.check["test"]["hash"] != plain.check["test"]["hash"]
    assert len(paraphrases) == len(before), "as many controls as are wanted"
