"""Keys of judges: what changes how a judge judges changes its key, and nothing else does."""

from pathlib import Path

import pytest

from localeval.checking.keys import judge_key, judges_of
from localeval.reading import read_evaluation
from tests.report.judged import make_judged

AFFECT = "affect: {judges: [small], targets: [Olga]}"


def keys(folder: Path, *changes: tuple[str, str]) -> dict[tuple[str, str], str]:
    """The keys of a project with all methods, by method and model, once its config is changed."""
    folder.mkdir(parents=True)
    config = make_judged(folder, changed=(AFFECT,))
    text = config.read_text()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    config.write_text(text)
    return {(judge.method, judge.model): judge.key for judge in judges_of(*read_evaluation(config))}


def test_every_judge_of_every_method_has_a_key(tmp_path: Path) -> None:
    """The quiz's is its answerer; a model has another key in each method."""
    found = keys(tmp_path / "a")
    assert list(found) == [
        ("quiz", "small"),
        ("panel", "big"),
        ("panel", "small"),
        ("audit", "big"),
        ("audit", "small"),
        ("affect", "small"),
    ]
    assert len(set(found.values())) == len(found)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("name: judged", "name: other\nseed: 9"),
        ("category: weather", "category: meeting"),
        ("questions: 3", "questions: 7, focus: dates, rounds: 2"),
        ("families: {bad: qwen, good: gemma}, quorum: 2", "quorum: 1, large_disagreement: 10.0"),
        ("auditors: [big, small], quorum: 2", "auditors: [big, small], quorum: 1"),
        ("targets: [Olga]", "targets: [Olga, Peru]"),
        ("methods:", "check: {planted: 5, bars: {audit: {detection: 0.9}}}\nmethods:"),
        ("family: qwen", "family: qwen, price_in: 3"),
    ],
)
def test_what_does_not_reach_a_verdict_leaves_the_keys(tmp_path: Path, old: str, new: str) -> None:
    """Names, seeds, sources, categories, quorums, bars, prices."""
    assert keys(tmp_path / "a") == keys(tmp_path / "b", (old, new))


@pytest.mark.parametrize(
    ("old", "new", "changed"),
    [
        ("questions: 3", "questions: 3, permutations: 4", {("quiz", "small")}),
        ("questions: 3", "questions: 3, undetermined: last", {("quiz", "small")}),
        ("judges: [big, small]", "judges: [big, small], mode: lineup", {("panel", "big"), ("panel", "small")}),
        ("judges: [big, small]", "judges: [big, small], verdict_tokens: 99", {("panel", "big"), ("panel", "small")}),
        ("judges: [big, small]", "judges: [big, small], evidence: false", {("panel", "big"), ("panel", "small")}),
        ("judges: [big, small]", "judges: [big, small], batch_judges: [big]", {("panel", "big")}),
        ("auditors: [big, small]", "auditors: [big, small], units: [claim]", {("audit", "big"), ("audit", "small")}),
        ("auditors: [big, small]", "auditors: [big, small], checks: false", {("audit", "big"), ("audit", "small")}),
        (
            "auditors: [big, small]",
            "auditors: [big, small], extractor: small",
            {("audit", "big"), ("audit", "small")},
        ),
        ("targets: [Olga]", "targets: [Olga], scale: 5", {("affect", "small")}),
        ("targets: [Olga]", "targets: [Olga], evidence: false", {("affect", "small")}),
        (
            "script: small.jsonl",
            "script: big.jsonl",
            {(m, "small") for m in ("quiz", "panel", "audit", "affect")},
        ),
    ],
)
def test_what_reaches_a_verdict_changes_the_keys_of_those_who_give_it(
    tmp_path: Path, old: str, new: str, changed: set[tuple[str, str]]
) -> None:
    """And of nobody else."""
    before, after = keys(tmp_path / "a"), keys(tmp_path / "b", (old, new))
    assert {name for name in before if before[name] != after[name]} == changed


def test_order_and_spelling_of_settings_leave_the_keys(tmp_path: Path) -> None:
    """Units in another order, and a set of axes in other letters, are the same."""
    units = "auditors: [big, small], units: [claim, sentence]", "auditors: [big, small], units: [sentence, claim]"
    first = keys(
        tmp_path / "a", ("auditors: [big, small]", units[0]), ("targets: [Olga]", "targets: [Olga], axes: vad")
    )
    other = keys(
        tmp_path / "b", ("auditors: [big, small]", units[1]), ("targets: [Olga]", "targets: [Olga], axes: VAD")
    )
    assert first == other


@pytest.mark.parametrize(
    ("prompt", "changed"),
    [
        ("audit/verify.en", {"audit"}),
        ("panel/criterion.en", {"panel"}),
        ("panel/batch.en", set()),
        ("panel/score.en", set()),
        ("quiz/answer.en", {"quiz"}),
        ("quiz/write.en", set()),
        ("affect/score.en", {"affect"}),
        ("affect/propose.en", set()),
        ("shared/system.en", {"quiz", "panel", "audit", "affect"}),
    ],
)
def test_a_prompt_of_ones_own_changes_the_keys_of_those_who_are_asked_with_it(
    tmp_path: Path, prompt: str, changed: set[str]
) -> None:
    """A panel judge that judges alone does not see the prompt of a batch."""
    before = keys(tmp_path / "a")
    own = tmp_path / "b" / "own" / f"{prompt}.jinja"
    after_folder = tmp_path / "c"
    own.parent.mkdir(parents=True)
    own.write_text("Another prompt.\n")
    after = keys(after_folder, ("methods:", f"prompts: {own.parents[1]}\nmethods:"))
    assert {method for method, model in before if before[method, model] != after[method, model]} == changed


def test_people_are_no_judges_to_check(tmp_path: Path) -> None:
    """What a file of verdicts says has no key."""
    (tmp_path / "a").mkdir()
    config = make_judged(tmp_path / "a", ("panel",))
    (tmp_path / "a" / "people.jsonl").write_text(
        '{"source": "talk", "system": "good", "criterion": "faithfulness", "score": 2}\n'
    )
    people = "  small: {engine: verdicts, file: people.jsonl, family: llama}\n"
    config.write_text(
        config.read_text().replace("  small: {engine: scripted, script: small.jsonl, family: llama}\n", people)
    )
    evaluation, models = read_evaluation(config)
    assert [judge.model for judge in judges_of(evaluation, models)] == ["big"]


def test_an_audit_by_itself_is_the_audit_by_default(tmp_path: Path) -> None:
    """The key of a judge that makes its own claims needs no extractor; a method that is not there has no key."""
    (tmp_path / "a").mkdir()
    config = make_judged(tmp_path / "a", (), ("audit: {auditors: [big]}", "panel: {judges: [big], mode: batch}"))
    evaluation, models = read_evaluation(config)
    found = {judge.method: judge.key for judge in judges_of(evaluation, models)}
    identity = models["big"].identity
    assert found == {method: judge_key(method, identity, evaluation) for method in ("panel", "audit")}
    with pytest.raises(ValueError, match="no quiz in the config"):
        judge_key("quiz", identity, evaluation)


OWN_RUBRIC = """category: own
language: en
criteria:
  - id: faithfulness
    na: false
    statement: All of it is true.
    levels: {0: Something is wrong., 1: A detail is inexact., 2: Nothing is wrong.}
  - id: tone
    na: true
    statement: It is friendly.
    levels: {0: It is rude., 1: It is cold., 2: It is warm.}
"""


@pytest.mark.parametrize(("old", "new", "is_same"), [("friendly", "polite", True), ("is wrong.", "is made up.", False)])
def test_what_a_rubric_of_ones_own_says_of_faithfulness_is_in_the_keys(
    tmp_path: Path, old: str, new: str, is_same: bool
) -> None:
    """A check finds errors by that criterion; what else stands in the rubric does not change how they are found."""
    found = []
    for name, text in (("a", OWN_RUBRIC), ("b", OWN_RUBRIC.replace(old, new))):
        rubric = tmp_path / f"{name}.yaml"
        rubric.write_text(text)
        found.append(keys(tmp_path / name, ("judges: [big, small]", f"judges: [big, small], rubric: {rubric}")))
    assert {name for name in found[0] if found[0][name] != found[1][name]} == (
        set() if is_same else {("panel", "big"), ("panel", "small")}
    )
