"""`localeval.decision.measures` and `.sources`: values as scores.json and ledger.json have them, by source, too."""

import numpy as np
import pytest

from localeval.decision.contest import pair_p_values
from localeval.decision.leaving import LeftOut
from localeval.decision.measures import KINDS, MeasureName, absent_texts, read_systems, sources_of, to_json
from localeval.decision.rules import judge, parse_rule
from localeval.decision.sources import by_source, gaps
from localeval.methods.audit.score import score_audit
from localeval.methods.leaderboard import Measure, default_rank_by, leaderboard
from localeval.methods.panel.schemas import PanelSettings
from localeval.methods.panel.score import score_panel
from localeval.methods.quiz.schemas import GOLD, UNDETERMINED, Answered, QuizSettings, SourceQuiz, Trial
from localeval.methods.quiz.score import score_quiz
from tests.decision.made_scores import made_audit, made_ledger, made_panel, made_scores, wrote
from tests.methods.audit.findings import by_source as audits
from tests.methods.audit.findings import settings
from tests.methods.panel.made_panels import draw_panels
from tests.quiz_items import item


def test_every_measure_has_a_value_or_a_reason() -> None:
    """With interval and n where scores.json has them; cost and seconds from the ledger."""
    scores = made_scores(
        made_panel({"a": [80, 60], "b": [50, None]}),
        made_audit({"a": [1, 0]}),
        generate={"a": wrote(), "b": wrote(missing=["s1"])},
        incumbent="b",
    )
    found = read_systems(scores, made_ledger({"a": 7.15, "b": None}, {"a": 9.1, "b": 4.0}))
    a, b = (to_json(found[name].measures) for name in "ab")
    assert set(a) == set(b) == set(KINDS)
    assert a["consensus"] == {"value": 0.7, "low": pytest.approx(0.5), "high": pytest.approx(0.9), "n": 2}
    assert a["fabrications"]["value"] == 0.5
    assert a["fabrication_rate"]["value"] == pytest.approx(0.05)
    assert a["cost_per_1000"] == {"value": 7.15}
    assert (a["seconds"], a["tokens"], a["missing"]) == ({"value": 9.1, "n": 4}, {"value": 200.0}, {"value": 0.0})
    assert b["missing"] == {"value": 1.0}
    assert b["cost_per_1000"] == {"value": None, "reason": "no price"}
    assert b["fabrications"] == {"value": None, "reason": "not audited"}
    assert b["cap_f1"] == {"value": None, "reason": "no quiz in this run"}
    assert [(name, each.is_incumbent) for name, each in found.items()] == [("a", False), ("b", True)]


def test_candidates_that_came_in_files_have_no_cost_and_may_lack_texts() -> None:
    """Not written in this run is not free; a source that others have a text about is missing."""
    scores = made_scores(made_panel({"a": [80, 60, 70], "b": [50, None, None]}))
    found = read_systems(scores, made_ledger({}))
    assert found["b"].measures["cost_per_1000"].reason == "not written in this run"
    assert found["b"].measures["missing"].value == 2.0
    assert absent_texts(scores) == {"a": [], "b": ["s1", "s2"]}
    assert sources_of(scores) == ["s0", "s1", "s2"]
    scores["sources"] = {"chosen": ["s0", "s1", "s2", "s3"]}
    assert read_systems(scores, None)["a"].measures["missing"].value == 1.0


def test_a_system_that_wrote_nothing_is_there() -> None:
    """It is in no method, and stands last."""
    scores = made_scores(made_panel({"a": [80]}), generate={"a": wrote(), "mute": wrote(missing=["s0"])})
    found = read_systems(scores, None)
    assert list(found) == ["a", "mute"]
    assert found["mute"].rank is None
    assert found["mute"].measures["consensus"].reason == "no text that was judged"


def test_a_cost_of_which_a_part_is_not_known_is_not_known() -> None:
    """A lower bound must not fulfil a rule that asks for a bound from above."""
    scores, bills = made_scores(made_panel({"a": [80], "b": [70]})), made_ledger({"a": 1.0, "b": None})
    bills["systems"]["a"]["incomplete"] = bills["systems"]["b"]["incomplete"] = ["money_per_1000"]
    found = read_systems(scores, bills)
    a, b = (found[name].measures["cost_per_1000"] for name in ("a", "b"))
    assert (a.value, a.reason) == (None, "1 or more, a part is not known")
    assert (b.value, b.reason) == (None, "no price, or nobody counted")
    assert not judge(found["a"], [parse_rule("cost_per_1000 <= 4")]).passes


def test_a_run_of_before_sources_were_chosen_is_read() -> None:
    """Its sources are those that any system has a text about."""
    scores = made_scores(made_panel({"a": [80, 60], "b": [50, None]})) | {"sources": {}}
    assert sources_of(scores) == ["s0", "s1"]
    assert read_systems(scores, None)["b"].measures["missing"].value == 1.0


def test_disputed_claims_count_a_text() -> None:
    """Over the texts of which enough is known."""
    part = score_audit(audits({str(n): {"x": ["ok", "ok"]} for n in range(2)}), settings("j"))
    part["systems"]["x"]["by_source"]["0"]["disputed"] = 3
    part["systems"]["x"]["by_source"]["1"] |= {"claims": 0, "missing": 2, "disputed": 0}
    scores = {"leaderboard": {"rank_by": [], "systems": {"x": {"rank": 1}}}, "methods": {"audit": part}}
    value = read_systems(scores, None)["x"].measures["disputed"]
    assert (value.value, value.n) == (3.0, 1)


def test_values_by_source_are_those_of_the_scorers() -> None:
    """Real panel, audit and quiz: the mean over sources, or the pooled share, gives the value of the whole back."""
    rng = np.random.default_rng(4)
    panels = draw_panels(rng, 5, ["a", "b"], ["j", "k"], lambda s, system, *_: 0.2 if system == "a" else 0.0)
    lengths = {(source, system): 100 for source in panels for system in "ab"}
    given = {source: {system: list(rng.choice(["ok", "absent"], 5)) for system in "ab"} for source in panels}
    quizzes = {}
    for source in panels:
        items = tuple(item(each, source=source) for each in range(1, 7))
        answers = {
            system: tuple(
                Answered(i.id, chosen, False, (Trial(chosen, 0, 0),))
                for i, chosen in zip(items, map(int, rng.choice([GOLD, UNDETERMINED, 2], 6)), strict=True)
            )
            for system in "ab"
        }
        quizzes[source] = SourceQuiz(source, items, answers=answers, asked_for=6)
    methods = {
        "panel": score_panel(panels, PanelSettings(judges=("j", "k")), {}, lengths, dict.fromkeys(panels), ()),
        "audit": score_audit(audits(given), settings("j")),
        "quiz": score_quiz(quizzes, QuizSettings(writer="m", answerer="m")),
    }
    scores = {"leaderboard": leaderboard(methods, default_rank_by(methods)), "methods": methods}
    whole = read_systems(scores, None)
    left_out = LeftOut(scores, whole)
    again = left_out.systems(None)
    measures: list[MeasureName] = ["consensus", "disagreement", "fabrications", "fabrication_rate"]
    measures += ["disputed", "cap_f1", "cap_p", "cap_r"]
    for measure in measures:
        for system in "ab":
            value = whole[system].measures[measure].value
            assert value is not None
            assert again[system].measures[measure].value == pytest.approx(value), measure
    told, made = pair_p_values(methods), left_out.p_values(None)
    tested: list[Measure] = ["consensus", "fabrications"]
    for each in tested:
        assert 0 < told(each, "a", "b") < 1
        assert made(each, "b", "a") == pytest.approx(told(each, "a", "b"), rel=0.05), each
    assert made("consensus", "a", "nobody") == told("consensus", "a", "nobody") == 1.0
    first = next(iter(panels))
    values = by_source(methods, "consensus", "a")
    assert left_out.systems(first)["a"].measures["consensus"].value == pytest.approx(
        np.mean([value for source, value in values.items() if source != first])
    )


def test_gaps_are_of_the_sources_that_both_have() -> None:
    """First minus second; fabrications as counts, an unreadable audit left out."""
    scores = made_scores(
        made_panel({"a": [80, 60, 70], "b": [50, None, 75]}), made_audit({"a": [2, 0, 1], "b": [0, 0, 4]})
    )
    methods = scores["methods"]
    assert gaps(methods, "consensus", "a", "b") == pytest.approx([0.3, -0.05])
    assert gaps(methods, "fabrications", "a", "b") == pytest.approx([2, 0, -3])
    methods["audit"]["systems"]["a"]["by_source"]["s0"] |= {"claims": 1, "missing": 9}
    assert gaps(methods, "fabrications", "a", "b") == pytest.approx([0, -3])
    assert len(gaps(methods, "consensus", "a", "nobody")) == 0
