"""Affect from a config to scores and back: scripted judges, two targets, evidence by program, elicited texts."""

import json
import re
from pathlib import Path

import pytest

from localeval.errors import ConfigError, InputError, StoreError
from localeval.evaluation import load_run, n_missing, rescore, run
from localeval.methods.affect.readings import TextAffect
from localeval.planning import plan
from localeval.values import Missing
from tests.affect_project import FLAGS, evidence, make_study, score

TEXT = "Everyone praised Anna Weber for her speech. Nobody trusted Tom Hill, who had lied to the council."
ANNA, TOM = "Target: Anna Weber", "Target: Tom Hill"
RULES = (
    score(f"Valence:.*{ANNA}", 9),
    score(f"Valence:.*{TOM}", 1),
    score(ANNA, 5),
    score(TOM, 5),
    score("Nobody who is named", 4),
    evidence(ANNA, "praised Anna Weber for her speech"),
    evidence(TOM, "Nobody trusted Tom Hill"),
    evidence("Nobody who is named", "who had lied to the council"),
    FLAGS,
)
TARGETS = "targets: [{name: Anna Weber, kind: person}, {name: Tom Hill, kind: person}]"


def only(read: tuple[TextAffect, ...]) -> TextAffect:
    """The one text that was read."""
    (text,) = read
    return text


def test_two_targets_in_one_text_get_two_profiles(tmp_path: Path) -> None:
    """And the mood of the text is a third thing, which belongs to neither."""
    outcome = run(make_study(tmp_path, {"one": TEXT}, RULES, TARGETS), tmp_path / "run")
    affect = outcome.scores["methods"]["affect"]
    targets = affect["judges"]["judge"]["targets"]
    anna, tom = (targets[name]["profile"]["target"]["valence"]["value"] for name in ("Anna Weber", "Tom Hill"))
    whole = affect["judges"]["judge"]["overall"]["whole"]["valence"]["value"]
    assert anna > 0.9
    assert tom < 0.1
    assert tom < whole < anna
    assert affect["missing"] == 0


def test_an_axis_without_evidence_in_the_text_is_missing(tmp_path: Path) -> None:
    """A phrase that the text does not hold, or the bare name, takes the axis away; the other axes stay."""
    for number, phrase in enumerate(("she was cheered by the crowd", "Anna Weber", "Tom Hill")):
        folder = tmp_path / str(number)
        invented = evidence(f"Valence:.*{ANNA}", phrase)
        run(make_study(folder, {"one": TEXT}, (invented, *RULES), TARGETS), folder / "run")
        evaluation, results = load_run(folder / "run")
        assert results.affect is not None
        anna, tom = only(results.affect.read).portraits
        values = {item.axis: item.value for item in anna.items}
        assert isinstance(values["valence"], Missing)
        assert values["valence"].reason == "no evidence"
        assert isinstance(values["arousal"], float)
        assert all(isinstance(item.value, float) for item in tom.items)
        scores = rescore(folder / "run")["methods"]["affect"]
        assert scores["missing"] == 1
        assert scores["missing_by_reason"] == {"no evidence": 1}
        assert evaluation.config.name == "study"


@pytest.mark.parametrize(
    ("flags", "reason"),
    [
        ('"coverage":"mentioned","refusal":"no","generic":"no","mismatch":"no"', "not covered"),
        ('"coverage":"mainly","refusal":"yes","generic":"no","mismatch":"no"', "refused"),
        ('"coverage":"mainly","refusal":"no","generic":"no","mismatch":"yes"', "mismatch"),
    ],
)
def test_a_flag_takes_the_portrait_away(tmp_path: Path, flags: str, reason: str) -> None:
    """Below the coverage bar, refused, or of another of that name: every axis is missing with that reason."""
    rules = [rule for rule in RULES if rule is not FLAGS]
    told = {"match": r"(?s)- coverage:.*Target: Tom Hill", "reply": "{" + flags + "}"}
    scores = run(make_study(tmp_path, {"one": TEXT}, (*rules, told, FLAGS), TARGETS), tmp_path / "run").scores
    affect = scores["methods"]["affect"]
    assert affect["missing_by_reason"] == {reason: 3}
    assert affect["judges"]["judge"]["overall"]["whole"]["valence"]["missing"] == 0


def test_a_target_that_a_text_does_not_name_is_a_finding_and_no_failure(tmp_path: Path) -> None:
    """Nothing is asked of it there; its scores are missing with that reason, and the run is whole."""
    texts = {"one": TEXT, "two": "Everyone praised Anna Weber for her speech."}
    scores = run(make_study(tmp_path, texts, RULES, TARGETS), tmp_path / "run").scores
    affect = scores["methods"]["affect"]
    # three axes of Tom Hill, and in the second text the whole has no evidence
    assert affect["missing_by_reason"] == {"not covered": 3, "no evidence": 3}
    assert affect["judges"]["judge"]["flags"]["not_named"] == 1
    assert n_missing(scores) == 3


def test_without_probabilities_a_score_is_the_mean_of_draws(tmp_path: Path) -> None:
    """Each a call of its own with its own seed; the spread is that of the draws."""
    draws = [
        {"match": r"(?s)Valence:.*one number from 1 to 9", "reply": "3"},
        score("", 7, sure=False),
        *RULES[5:],
    ]
    config = make_study(tmp_path, {"one": TEXT}, draws, f"{TARGETS}, samples: 4")
    outcome = run(config, tmp_path / "run")
    _, results = load_run(tmp_path / "run")
    assert results.affect is not None
    anna, _ = only(results.affect.read).portraits
    valence = anna.items[0]
    assert valence.readings[0].draws == (3, 3, 3, 3)
    assert valence.value == pytest.approx(0.25)
    assert valence.readings[0].shares == ()
    # 9 scores asked once for probabilities, then four times each
    assert outcome.scores["methods"]["affect"]["judged"]["read_from"] == {"logprobs": 0, "samples": 9}
    assert outcome.ledger.accounts["judge"].sent == 9 + 9 * 4 + 9 + 2


def test_probabilities_that_do_not_come_are_not_made_up(tmp_path: Path) -> None:
    """Where the config insists on them, every score is missing and says what to set."""
    config = make_study(
        tmp_path, {"one": TEXT}, [score("", 7, sure=False), *RULES[5:]], f"{TARGETS}, reading: logprobs"
    )
    run(config, tmp_path / "run")
    _, results = load_run(tmp_path / "run")
    assert results.affect is not None
    value = only(results.affect.read).whole[0].value
    assert isinstance(value, Missing)
    assert "reading: samples" in value.detail


def test_targets_are_proposed_and_must_stand_in_the_text(tmp_path: Path) -> None:
    """An invented name is no target, nor is a sentence; two names of one are one; a given one is not proposed again."""
    order = "Anna Weber for her speech. Nobody trusted Tom Hill, who had lied"
    names = [
        (order, "other"),
        ("Anna Weber", "person"),
        ("Ms Weber", "person"),
        ("Olga Petrova", "person"),
        ("Tom Hill", "person"),
    ]
    reply = json.dumps({"targets": [{"name": name, "kind": kind} for name, kind in names]})
    propose = {"contains": "Name whom or what a text portrays", "reply": reply}
    text = TEXT + " Later Ms Weber thanked them."
    config = make_study(
        tmp_path, {"one": text}, (propose, *RULES), "targets: [{name: Tom Hill, kind: person}], propose: 3"
    )
    run(config, tmp_path / "run")
    _, results = load_run(tmp_path / "run")
    assert results.affect is not None
    found = [portrait.target for portrait in only(results.affect.read).portraits]
    assert [target.name for target in found] == ["Tom Hill", "Anna Weber"]
    assert found[1].aliases == ("Ms Weber",)


def test_an_alias_of_a_given_target_is_not_proposed_again(tmp_path: Path) -> None:
    """What a given target is also called is that target: it has one profile, not two."""
    propose = {
        "contains": "Name whom or what a text portrays",
        "reply": '{"targets":[{"name":"the Mayor","kind":"person"},{"name":"Tom Hill","kind":"person"}]}',
    }
    given = "targets: [{name: Anna Weber, kind: person, aliases: [the Mayor]}], propose: 3"
    config = make_study(tmp_path, {"one": f"{TEXT} Later the Mayor thanked them."}, (propose, *RULES), given)
    run(config, tmp_path / "run")
    _, results = load_run(tmp_path / "run")
    assert results.affect is not None
    assert [each.target.name for each in only(results.affect.read).portraits] == ["Anna Weber", "Tom Hill"]


def test_a_proposal_that_cannot_be_read_is_missing(tmp_path: Path) -> None:
    """No target is then asked about, so no score is missing, and yet the run has not done all that it was to do."""
    propose = {"contains": "Name whom or what a text portrays", "reply": "Anna Weber, Tom Hill"}
    scores = run(make_study(tmp_path, {"one": TEXT}, (propose, *RULES), "propose: 3"), tmp_path / "run").scores
    assert (scores["methods"]["affect"]["missing"], scores["methods"]["affect"]["missing_proposals"]) == (0, 1)
    assert n_missing(scores) == 1


def test_a_second_reading_lists_the_anchors_from_the_top(tmp_path: Path) -> None:
    """The two readings are the judge's own noise; a judge that follows the first anchor is seen to."""
    first_anchor = {"match": r"(?s)9 = .*5 = .*1 = .*one number from 1 to 9", "reply": "8", "logprobs": {"8": 0.0}}
    rules = (first_anchor, score("", 2), *RULES[5:])
    scores = run(make_study(tmp_path, {"one": TEXT}, rules, f"{TARGETS}, repeats: 2"), tmp_path / "run").scores
    body = scores["methods"]["affect"]["judges"]["judge"]
    shift = body["repeat"]["target"]["valence"]["order_shift"]
    assert shift["value"] == pytest.approx(2 / 9 - 8 / 9, abs=0.12)


def test_judges_never_read_a_system_name_and_share_elicited_texts(tmp_path: Path) -> None:
    """Each text is written once, whoever reads it; the prompts that read it name no system."""
    rules = [*RULES[:5], FLAGS, {"match": "", "reply": "Anna Weber is praised by all."}]
    settings = """targets: [Anna Weber, Tom Hill], evidence: false, elicit: {systems: [sysalpha, sysbeta]}"""
    config = make_study(tmp_path, {}, rules, settings, judges=("judge", "other", "sysalpha", "sysbeta"))
    text = config.read_text().replace("judges: [judge]", "judges: [judge, other]")
    config.write_text(text)
    outcome = run(config, tmp_path / "run")
    scores = outcome.scores["methods"]["affect"]
    assert scores["of"] == "elicited"
    assert scores["texts"] == 2 * 2 * 3 * 3
    assert set(scores["judges"]) == {"judge", "other"}
    assert set(scores["judges"]["judge"]["wordings"]) == {"neutral", "evaluative", "paraphrase"}
    assert outcome.ledger.accounts["sysalpha"].sent + outcome.ledger.accounts["sysbeta"].sent == 2 * 3 * 3
    assert b"sysalpha" not in b"".join(
        block for block in re.findall(rb"<text [^>]*>.*?</text", (tmp_path / "run" / "store.sqlite").read_bytes())
    )
    passport = json.loads((tmp_path / "run" / "passport.json").read_text())
    assert passport["schema"] == "localeval.passport/1"
    assert set(passport["systems"]) == {"sysalpha", "sysbeta"}
    assert passport["status"]["judge"]["target"]["arousal"] == "directional"


def test_scores_and_passport_are_made_anew_from_the_store_alone(tmp_path: Path) -> None:
    """The same bytes, with the user's axes and labels kept in the run and every original file gone."""
    axes = tmp_path / "own.yaml"
    axes.write_text(
        """name: own
language: en
axes:
  - id: trust
    label: Trust
    target:
      question: how far the text shows the target as one to be trusted.
      anchors: {0: not at all, 0.5: neither, 1: entirely}
""",
        encoding="utf-8",
    )
    labels = tmp_path / "labels.jsonl"
    labels.write_text(json.dumps({"text": "one", "target": "Anna Weber", "axis": "trust", "value": 0.9}) + "\n")
    settings = f"{TARGETS}, contracts: [target], axes: {axes}, labels: {labels}"
    config = make_study(tmp_path / "project", {"one": TEXT}, RULES, settings)
    first = run(config, tmp_path / "run").scores
    passport = (tmp_path / "run" / "passport.json").read_bytes()
    for path in (axes, labels, config, *(tmp_path / "project" / "texts").iterdir()):
        path.unlink()
    assert rescore(tmp_path / "run") == first
    assert (tmp_path / "run" / "passport.json").read_bytes() == passport
    assert set(first["methods"]["affect"]["judges"]["judge"]["overall"]["target"]) == {"trust"}
    assert first["methods"]["affect"]["human"]["judge"]["target"]["trust"]["n"] == 1


@pytest.mark.parametrize("lost", [{}, {"axes": {}, "wordings": {}, "labels": []}])
def test_a_run_that_lost_its_axes_is_damaged(tmp_path: Path, lost: dict[str, object]) -> None:
    """Without the axes and wordings that it was asked with a run cannot be read; the message says what lacks."""
    run(make_study(tmp_path, {"one": TEXT}, RULES, TARGETS), tmp_path / "run")
    manifest = json.loads((tmp_path / "run" / "run.json").read_text(encoding="utf-8"))
    manifest.pop("affect")
    more = {"affect": lost} if lost else {}
    (tmp_path / "run" / "run.json").write_text(json.dumps(manifest | more), encoding="utf-8")
    with pytest.raises(StoreError, match=r"run\.json is damaged \(no axes or wordings of affect in en\)"):
        rescore(tmp_path / "run")


def test_the_plan_asks_what_the_run_asks(tmp_path: Path) -> None:
    """Nothing is drawn where probabilities will come, and elicited texts are counted once."""
    config = make_study(tmp_path, {"one": TEXT}, RULES, TARGETS)
    planned = {stage.stage: stage.calls for stage in plan(config, tmp_path / "run").stages}
    assert planned == {"affect/target": 6, "affect/whole": 3, "affect/evidence": 9, "affect/flags": 2}
    assert run(config, tmp_path / "run").ledger.accounts["judge"].sent == sum(planned.values())


def test_a_long_text_stands_first_so_that_all_calls_share_it(tmp_path: Path) -> None:
    """Short texts stand behind the task, which is then the same for all of them."""
    long_text = TEXT + " The council met again." * 200
    short = run(make_study(tmp_path / "s", {"one": TEXT}, RULES, TARGETS), tmp_path / "s" / "run")
    whole = run(make_study(tmp_path / "l", {"one": long_text}, RULES, TARGETS), tmp_path / "l" / "run")
    assert short.scores["methods"]["affect"]["judged"]["layout"] == "task first"
    assert whole.scores["methods"]["affect"]["judged"]["layout"] == "text first"
    account = whole.ledger.accounts["judge"]
    assert account.cached_share > 0.8


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            "targets: [Anna Webber]",
            r"target 'Anna Webber': does not stand in the text 'one'; did you mean 'Anna Weber'",
        ),
        (
            "targets: [Anna Weber], scale: 1",
            r"study\.yaml:7: methods\.affect\.scale: must be 'words', 3, 5, 7 or 9, not 1",
        ),
        ("targets: []", r"study\.yaml:7: methods\.affect: needs `targets`"),
        ("targets: [1984]", r"study\.yaml:7: methods\.affect\.targets: names 1984, .* put the name in quotes"),
        ("targets: ['(!)']", r"target '\(!\)': has no letter or digit, .* add `aliases`"),
        ("targets: [Anna Weber, Anna Weber]", r"methods\.affect\.targets: names 'Anna Weber' twice"),
        ("targets: [Anna Weber], of: candidates", r"candidates: is required"),
        ("targets: [Anna Weber], contracts: [favourability], axes: own.yaml", r"own.* has no axis for 'favourability'"),
        ("targets: [A], elicit: {systems: [nobody]}", r"no model 'nobody' under `models`"),
        ("targets: [A], elicit: {systems: [judge], samples: 2}", r"elicit\.samples: .*greater than or equal to 3"),
        ("targets: [A], elicit: {systems: [judge], wordings: [neutrl]}", r"neutrl.*did you mean 'neutral'"),
    ],
)
def test_mistakes_are_told_in_one_line(tmp_path: Path, settings: str, message: str) -> None:
    """Before anything is asked or written."""
    config = make_study(tmp_path, {"one": TEXT}, RULES, settings)
    meaning = "{question: how., anchors: {0: a, 0.5: b, 1: c}}"
    (tmp_path / "own.yaml").write_text(f"name: own\nlanguage: en\naxes: [{{id: t, label: T, target: {meaning}}}]\n")
    with pytest.raises((ConfigError, InputError), match=message) as raised:
        run(config, tmp_path / "run")
    assert "\n" not in str(raised.value)
    assert not (tmp_path / "run").exists()


def test_an_empty_text_is_refused(tmp_path: Path) -> None:
    """A text without a word has no mood."""
    with pytest.raises(InputError, match="no letter or digit"):
        run(make_study(tmp_path, {"one": "... !!! ..."}, RULES, "contracts: [whole]"), tmp_path / "run")
