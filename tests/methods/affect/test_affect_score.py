"""`localeval.methods.affect.score`: affect's numbers in scores.json against numbers made by hand."""

import json
import time
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import stats

from localeval.methods.affect.axes import AxisSet
from localeval.methods.affect.readings import AffectStudy, Flags, Reading, TextAffect
from localeval.methods.affect.score import score_affect
from localeval.texts import Language
from localeval.values import Missing
from tests.methods.affect.readings import (
    UNNAMED,
    VAD,
    Design,
    by_judge,
    portrait,
    read,
    settings,
    study,
    text,
    vad,
)

LOW, HIGH = dict.fromkeys(VAD, 0.25), dict.fromkeys(VAD, 0.75)
CUT = Missing("truncated", "cut after 300 tokens")


def judge_of(made: AffectStudy, **given: Any) -> dict[str, Any]:
    """The numbers of the one judge."""
    judge: dict[str, Any] = score_affect(made, settings(**given))["judges"]["judge"]
    return judge


def sources_of(gaps: dict[str, list[float]], target: str = "Ada") -> list[TextAffect]:
    """Texts of one source each, whose target lies above the mood by a gap on every axis."""
    return [
        read(text(f"{name}{n}"), dict.fromkeys(VAD, 0.4), [portrait(name, dict.fromkeys(VAD, 0.4 + gap))])
        for name, each in gaps.items()
        for n, gap in enumerate(each)
    ]


def test_two_targets_in_one_text_get_two_profiles() -> None:
    """What the text does to one target is not what it does to another, nor its mood."""
    mood = {"valence": 0.5, "arousal": 0.9, "dominance": 0.4}
    found = judge_of(study([read(text("a"), mood, [portrait("Ada", HIGH), portrait("Bob", LOW)])]))
    assert {name: each["profile"]["target"]["valence"]["value"] for name, each in found["targets"].items()} == {
        "Ada": 0.75,
        "Bob": 0.25,
    }
    assert found["targets"]["Bob"]["whole"]["arousal"]["value"] == 0.9
    assert found["targets"]["Bob"]["difference"]["dominance"]["value"] == pytest.approx(-0.15)
    assert found["overall"]["target"]["valence"]["value"] == 0.5


def test_contracts_are_never_mixed() -> None:
    """Other moods change no number of targets, and favourability stands alone."""

    def made(mood: dict[str, float]) -> dict[str, Any]:
        rows = [read(text(f"t{n}"), mood, [portrait("Ada", HIGH, favourability=0.1)]) for n in range(4)]
        return judge_of(study(rows), contracts=["target", "whole", "favourability"])

    calm, stirred = made(LOW), made(HIGH)
    assert calm["overall"]["whole"] != stirred["overall"]["whole"]
    assert calm["overall"]["target"] == stirred["overall"]["target"]
    assert calm["targets"]["Ada"]["profile"] == stirred["targets"]["Ada"]["profile"]
    assert list(calm["overall"]["favourability"]) == ["favourability"]
    assert calm["overall"]["favourability"]["favourability"]["value"] == pytest.approx(0.1)


def test_judges_are_never_mixed() -> None:
    """One judge's numbers are the same whether or not another scores too."""
    first = study([read(text(f"t{n}"), LOW, [portrait("Ada", HIGH)], "one") for n in range(4)])
    second = study([read(text(f"t{n}"), HIGH, [portrait("Ada", LOW)], "two") for n in range(4)])
    alone = score_affect(first, settings(judges=["one"]))
    both = score_affect(by_judge(first, second), settings(judges=["one", "two"]))
    assert both["judges"]["one"] == alone["judges"]["one"]
    assert both["judges"]["two"]["overall"]["target"]["valence"]["value"] == 0.25
    assert (both["texts"], both["asked"]) == (4, 2 * alone["asked"])


def test_agreement_is_of_the_same_items() -> None:
    """r and MAE of two judges on what both have a value for; with one judge there is none."""
    values = [0.1, 0.3, 0.5, 0.7, 0.9, 0.2]
    rows = [read(text(f"t{n}"), dict.fromkeys(VAD, v), [], "one") for n, v in enumerate(values)]
    others = [read(text(f"t{n}"), dict.fromkeys(VAD, v + 0.05), [], "two") for n, v in enumerate(values)]
    others[-1] = read(text("t5"), dict.fromkeys(VAD, CUT), [], "two")
    asked = settings(judges=["one", "two"], targets=[], contracts=["whole"])
    found = score_affect(study(rows + others[::-1]), asked)["agreement"]
    assert [(row["first"], row["second"], row["contract"], row["axis"]) for row in found] == [
        ("one", "two", "whole", axis) for axis in VAD
    ]
    assert found[0]["r"]["value"] == pytest.approx(1.0)
    assert (found[0]["n"], found[0]["r"]["missing"]) == (5, 1)
    assert found[0]["mae"] == pytest.approx(0.05)
    assert score_affect(study(rows), settings(judges=["one"], targets=[], contracts=["whole"]))["agreement"] == []


def test_agreement_asks_no_axis_that_a_language_lacks() -> None:
    """What was not asked is not missing from what two judges have in common."""
    axes: dict[Language, AxisSet] = {"en": vad(more=["trust"]), "ru": vad(language="ru")}
    rows = [
        read(text(f"t{n}", language=language), {}, [portrait("Ada", {**LOW, "trust": 0.1 + n / 20})], judge)
        for judge in ("one", "two")
        for n, language in enumerate(["en"] * 6 + ["ru"] * 3)
    ]
    made = replace(study(rows), axes=axes)
    found = score_affect(made, settings(judges=["one", "two"], contracts=["target"]))["agreement"]
    trust = next(row for row in found if row["axis"] == "trust")
    assert (trust["n"], trust["r"]["missing"]) == (6, 0)


def test_single_text_has_the_spread_of_its_judge() -> None:
    """One text: value -+ 1.96 spreads, cut to [0, 1], and a note; the difference has no p-value."""
    found = judge_of(study([read(text("a"), {"valence": 0.95, "arousal": CUT}, [portrait("Ada", HIGH)])]))
    mood = found["overall"]["whole"]["valence"]
    assert (mood["value"], mood["low"], mood["high"]) == (0.95, pytest.approx(0.95 - 0.196), 1.0)
    assert (mood["n"], mood["sources"], mood["note"]) == (1, 1, "one source")
    gap = found["targets"]["Ada"]["difference"]["valence"]
    assert gap["value"] == pytest.approx(-0.2)
    assert gap["high"] - gap["value"] == pytest.approx(1.96 * np.hypot(0.1, 0.1))
    assert gap["p_value"] is None
    assert found["overall"]["whole"]["arousal"] == {
        "value": None,
        "reason": "no text has a value",
        "n": 0,
        "missing": 1,
        "sources": 0,
    }
    assert found["answers"]["whole_and_target"]["valence"]["answer"] == "cannot tell"


def test_targets_of_one_text_are_one_witness() -> None:
    """Two targets in one text: their mean has the judge's own spread, also where both have the same score."""
    portraits = [portrait(name, {"valence": 0.67}) for name in ("Ada", "Ben")]
    found = judge_of(study([read(text("a"), {"valence": 0.4}, portraits)]), targets=["Ada", "Ben"])
    both = found["overall"]["target"]["valence"]
    assert (both["value"], both["n"], both["sources"], both["note"]) == (pytest.approx(0.67), 2, 1, "one source")
    assert (both["low"], both["high"]) == (pytest.approx(0.67 - 0.196), pytest.approx(0.67 + 0.196))
    gap = found["answers"]["whole_and_target"]["valence"]["overall"]
    assert gap["high"] - gap["value"] == pytest.approx(1.96 * np.hypot(0.1, 0.1))
    assert gap["p_value"] is None


def test_equal_texts_of_one_source_are_not_certain() -> None:
    """Two systems that wrote the same have the same score: the judge's own spread, over the root of 2, is left."""
    rows = [read(text(f"a/{s}", "a", system=s), {"valence": 0.5}) for s in ("one", "two")]
    whole = judge_of(study(rows), targets=[], contracts=["whole"])["overall"]["whole"]["valence"]
    assert (whole["low"], whole["high"]) == (
        pytest.approx(0.5 - 0.196 / np.sqrt(2)),
        pytest.approx(0.5 + 0.196 / np.sqrt(2)),
    )


def test_texts_of_one_source_are_clustered() -> None:
    """Four texts of two sources are two witnesses; those of one source alone carry a note."""
    values = {"a": [0.2, 0.3], "b": [0.7, 0.6]}
    rows = [
        read(text(f"{source}/s{n}", source, system=f"s{n}"), dict.fromkeys(VAD, value))
        for source, each in values.items()
        for n, value in enumerate(each)
    ]
    asked = {"targets": [], "contracts": ["whole"]}
    whole = judge_of(study(rows), **asked)["overall"]["whole"]["valence"]
    half = stats.t.ppf(0.975, 1) * np.std([0.25, 0.65], ddof=1) / np.sqrt(2)
    assert (whole["value"], whole["sources"], whole["n"]) == (pytest.approx(0.45), 2, 4)
    assert (whole["low"], whole["high"]) == (max(0.0, whole["value"] - half), min(1.0, whole["value"] + half))
    alone = judge_of(study(rows[:2]), **asked)["overall"]["whole"]["valence"]
    assert (alone["sources"], alone["note"]) == (1, "one source")
    assert alone["low"] < 0.25 < alone["high"]


def test_systems_have_numbers_of_their_own() -> None:
    """Where systems wrote the texts; sources have none, and nothing but elicited texts has wordings."""
    rows = [read(text(f"{g}/{s}", g, system=s), v) for g in "abc" for s, v in (("one", LOW), ("two", HIGH))]
    found = score_affect(study(rows), settings(targets=[], contracts=["whole"]))
    judge = found["judges"]["judge"]
    assert {name: each["whole"]["valence"]["value"] for name, each in judge["systems"].items()} == {
        "one": 0.25,
        "two": 0.75,
    }
    assert found["of"] == "candidates"
    assert (judge["wordings"], judge["drift"], judge["variance"], judge["groups"]) == ({}, [], {}, {})
    assert (judge["targets"], judge["answers"]) == ({}, {"wording_or_system": {}, "whole_and_target": {}})
    plain = score_affect(study([read(text("a"), LOW)]), settings(targets=[], contracts=["whole"]))
    assert (plain["of"], plain["judges"]["judge"]["systems"]) == ("sources", {})


def test_every_missing_value_is_counted() -> None:
    """asked, missing and the reasons over all judges; what a score lacks stands beside it."""
    rows = [
        read(text("a"), LOW, [portrait("Ada", HIGH), portrait("Bob", {}, UNNAMED)]),
        read(text("b"), {**LOW, "arousal": CUT}, [portrait("Ada", HIGH, Flags(0.0))]),
        replace(read(replace(text("c"), text=CUT), {}), proposed=None),
    ]
    rows[1] = replace(rows[1], proposed=Missing("invalid", "not valid JSON"))
    found = score_affect(study(rows), settings(targets=["Ada", "Bob"]))
    assert (found["texts"], found["missing_texts"], found["missing_proposals"]) == (3, 1, 1)
    assert found["asked"] == 9 + (6 + 3 + 6)
    assert found["missing_by_reason"] == {"not covered": 6, "truncated": 1 + 3 + 6}
    assert found["missing"] == 16
    ada = found["judges"]["judge"]["targets"]["Ada"]
    assert (ada["texts"], ada["profile"]["target"]["valence"]["n"]) == (2, 1)
    assert ada["profile"]["target"]["valence"]["missing"] == 2
    assert (ada["whole"]["valence"]["n"], ada["whole"]["valence"]["missing"]) == (1, 2)
    assert found["judges"]["judge"]["targets"]["Bob"]["texts"] == 0


def test_difference_is_paired_by_text() -> None:
    """Mean, interval and p-value are those of the paired t test over sources."""
    gaps = [0.1, 0.2, 0.05, 0.3, 0.15]
    found = judge_of(study(sources_of({"Ada": gaps})))
    gap = found["targets"]["Ada"]["difference"]["valence"]
    expected = stats.ttest_1samp(gaps, 0.0)
    assert gap["value"] == pytest.approx(np.mean(gaps))
    assert gap["p_value"] == pytest.approx(expected.pvalue)
    assert (gap["low"], gap["high"]) == pytest.approx(tuple(expected.confidence_interval(0.95)))
    assert (gap["n"], gap["sources"]) == (5, 5)


def test_answer_names_the_targets_that_differ() -> None:
    """Holm over the targets: one that differs is named, others are not, and one with two texts is not tested."""
    gaps = {"Ada": [0.30, 0.31, 0.29, 0.30], "Bob": [0.1, -0.1, 0.05, -0.05], "Cid": [0.4, 0.4001]}
    answers = judge_of(study(sources_of(gaps)), targets=["Ada", "Bob", "Cid"])["answers"]["whole_and_target"]
    assert (answers["valence"]["answer"], answers["valence"]["targets"]) == ("differ", ["Ada"])
    assert answers["valence"]["overall"]["n"] == 10


def test_answer_may_come_from_many_targets_together() -> None:
    """Texts about a target each tell nothing of any of them, but of all of them together."""
    rng = np.random.default_rng(1)
    gaps = {f"T{n}": [0.1 + 0.05 * float(rng.normal())] for n in range(20)}
    answers = judge_of(study(sources_of(gaps)), targets=list(gaps))["answers"]["whole_and_target"]["valence"]
    assert (answers["answer"], answers["targets"]) == ("differ", [])


def test_answer_is_that_nothing_was_shown_or_can_be() -> None:
    """Texts enough without a difference are not texts too few."""
    even = sources_of({"Ada": [0.1, -0.1, 0.05, -0.05]})
    answer = judge_of(study(even))["answers"]["whole_and_target"]["valence"]
    assert (answer["answer"], answer["targets"], answer["reason"]) == ("no difference shown", [], "")
    few = judge_of(study(even[:2]))["answers"]["whole_and_target"]["valence"]
    assert few["answer"] == "cannot tell"
    assert few["reason"].startswith("it takes 3 texts with both scores")


def test_equal_differences_of_draws_are_not_certain() -> None:
    """Scores from draws move in steps: three texts that differ by the same step do not make a p-value of 0."""
    drawn = [
        replace(
            each,
            whole=tuple(replace(item, readings=(Reading(0.4, 0.0, (), (4,)),)) for item in each.whole),
            portraits=tuple(
                replace(p, items=tuple(replace(i, readings=(Reading(0.5, 0.0, (), (5,)),)) for i in p.items))
                for p in each.portraits
            ),
        )
        for each in sources_of({"Ada": [0.1, 0.1, 0.1]})
    ]
    gap = judge_of(study(drawn), reading="samples")["targets"]["Ada"]["difference"]["valence"]
    assert gap["p_value"] > 0.001
    assert gap["low"] < gap["value"] < gap["high"]


@pytest.mark.slow
def test_answer_rarely_finds_what_is_not_there() -> None:
    """Where nothing differs, about one answer in twenty is that something does, for all targets of an axis together."""
    rng = np.random.default_rng(5)
    names = [f"T{n}" for n in range(5)]
    found = 0
    for _ in range(200):
        rows = [
            read(
                text(f"{name}{n}"),
                dict.fromkeys(VAD, 0.5),
                [portrait(name, {axis: float(v) for axis, v in zip(VAD, rng.normal(0.5, 0.1, 3), strict=True)})],
            )
            for name in names
            for n in range(4)
        ]
        answers = judge_of(study(rows), targets=names)["answers"]["whole_and_target"]
        found += sum(each["answer"] == "differ" for each in answers.values())
    assert 0.03 <= found / 600 <= 0.07


def test_axes_of_ones_own_go_the_same_way() -> None:
    """An axis that the user adds has numbers, and a label; under `whole` it has none where it has no meaning there."""
    axes = vad(more=["trust"])
    rows = [read(text(f"t{n}"), LOW, [portrait("Ada", {**HIGH, "trust": 0.6})]) for n in range(3)]
    found = score_affect(study(rows, axes=axes), settings())
    assert found["axes"] == {
        "name": "vad",
        "hashes": {"en": axes.hash},
        "ids": {"target": [*VAD, "trust"], "whole": list(VAD)},
        "labels": {"valence": "Valence", "arousal": "Arousal", "dominance": "Dominance", "trust": "Trust"},
    }
    ada = found["judges"]["judge"]["targets"]["Ada"]
    assert ada["profile"]["target"]["trust"]["value"] == pytest.approx(0.6)
    assert set(ada["difference"]) == set(VAD)


def test_scores_are_json_and_say_how_they_were_read() -> None:
    """No NaN, every field of the format, and the judged readings by kind."""
    made = Design(repeats=2).study(lambda t, s, w, n, r: 0.5 + 0.05 * t - 0.02 * w + 0.01 * ((n + r) % 2))
    found = score_affect(made, Design(repeats=2).settings())
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert found["judged"] == {
        "reading": "auto",
        "scale": "words",
        "points": 3,
        "samples": 5,
        "repeats": 2,
        "evidence": True,
        "flags": True,
        "coverage": 0.5,
        "layout": "task first",
        "read_from": {"logprobs": 6 * 3 * 2 * 3 * 6 * 2, "samples": 0},
    }
    assert set(found["judges"]["judge"]) == {
        "flags", "repeat", "overall", "targets", "systems", "wordings", "drift", "variance", "groups", "answers",
    }  # fmt: skip
    assert found["of"] == "elicited"
    assert set(found["judges"]["judge"]["wordings"]) == {"wording0", "wording1"}


def test_order_of_readings_does_not_matter() -> None:
    """Texts that come in another order have the same numbers."""
    rng = np.random.default_rng(2)
    values = rng.uniform(0.2, 0.8, (6, 3, 2, 3))
    made = Design().study(lambda t, s, w, n, r: float(values[t, s, w, n]))
    turned = replace(made, read=made.read[::-1])
    first, second = (score_affect(each, Design().settings())["judges"]["judge"] for each in (made, turned))
    assert first["overall"]["target"]["valence"]["value"] == pytest.approx(
        second["overall"]["target"]["valence"]["value"]
    )
    for one, other in zip(first["drift"], second["drift"], strict=True):
        assert one["axes"]["valence"]["shift"]["value"] == pytest.approx(other["axes"]["valence"]["shift"]["value"])
        assert one["profile"]["targets"] == pytest.approx(other["profile"]["targets"])


def test_empty_study_has_no_number_and_no_mistake() -> None:
    """A study without a text is scored all the same, and says that there is nothing."""
    found = score_affect(study([]), settings())
    assert (found["texts"], found["asked"], found["missing"]) == (0, 0, 0)
    assert found["judges"]["judge"]["overall"]["target"]["valence"]["value"] is None
    assert found["judges"]["judge"]["answers"]["whole_and_target"]["valence"]["answer"] == "cannot tell"


@pytest.mark.slow
def test_large_study_is_scored_in_seconds() -> None:
    """150 targets, 6 systems, 3 wordings and 3 samples: 8,100 texts of six items each, at leisure in 20 s of CPU."""
    design = Design(targets=150, systems=6, wordings=3)
    rng = np.random.default_rng(3)
    values = rng.uniform(0.1, 0.9, (150, 6, 3, 3))
    made = design.study(lambda t, s, w, n, r: float(values[t, s, w, n]))
    begin = time.process_time()
    found = score_affect(made, design.settings())
    assert time.process_time() - begin < 20
    assert found["asked"] == 8_100 * 6
