"""Drift, variance and groups of elicited texts, against what was planted."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import stats

from localeval.methods.affect.drift import cells_of, readings_by_cell, wording_drift
from localeval.methods.affect.readings import AffectStudy, Item, TextAffect
from localeval.methods.affect.schemas import AffectSettings
from localeval.methods.affect.score import score_affect
from localeval.methods.affect.tally import tally
from localeval.values import Missing
from tests.methods.affect.readings import VAD, Design, Score, portrait, study

LOST = Missing("invalid", "not valid JSON")


def judge_of(design: Design, score: Score, **given: Any) -> dict[str, Any]:
    """The numbers of the one judge over a design."""
    judge: dict[str, Any] = score_affect(design.study(score), design.settings(**given))["judges"]["judge"]
    return judge


def drawn(design: Design, seed: int, **sd: float) -> Score:
    """Values about 0.5 with a normal effect of each factor that is named, and of each single reading (`noise`)."""
    rng = np.random.default_rng(seed)
    shape = (design.targets, design.systems, design.wordings, design.samples, design.repeats)
    reach = {"target": 0, "system": 1, "wording": 2}
    values = np.full(shape, 0.5)
    for factor, axis in reach.items():
        size = [n if k == axis else 1 for k, n in enumerate(shape)]
        values = values + rng.normal(0, sd.get(factor, 0.0), size)
    values = values + rng.normal(0, sd.get("sample", 0.0), (*shape[:4], 1)) + rng.normal(0, sd.get("noise", 0.0), shape)
    return lambda *cell: float(values[cell])


def test_shift_is_of_the_target_means() -> None:
    """Second minus first, one value for each target, with the paired t test over targets."""
    design = Design(targets=8, systems=2, wordings=2)
    rng = np.random.default_rng(4)
    values = rng.uniform(0.3, 0.6, (8, 2, 2, 3))
    values[:, :, 1] += 0.1
    found = judge_of(design, lambda t, s, w, n, r: float(values[t, s, w, n]))["drift"]
    assert [(row["first"], row["second"], row["contract"]) for row in found] == [
        ("wording0", "wording1", "target"),
        ("wording0", "wording1", "whole"),
    ]
    first, second = values.mean((1, 3)).T
    body = found[0]["axes"]["valence"]
    assert body["shift"]["value"] == pytest.approx((second - first).mean())
    assert body["shift"]["p_value"] == pytest.approx(stats.ttest_rel(second, first).pvalue)
    assert (body["shift"]["n"], body["shift"]["sources"]) == (8, 8)
    assert body["rank_correlation"]["value"] == pytest.approx(stats.spearmanr(first, second).statistic)
    assert body["mae"] == pytest.approx(np.abs(second - first).mean())
    assert body["moved"] == {"share": None, "threshold": None}
    assert found[0]["profile"]["distance"] == pytest.approx(np.sqrt(3) * abs((second - first).mean()))
    assert found[0]["profile"]["targets"]["target3"] == pytest.approx(np.sqrt(3) * abs(second[3] - first[3]))
    assert found[0]["profile"]["low"] <= found[0]["profile"]["distance"] <= found[0]["profile"]["high"]


def test_wordings_are_compared_over_the_same_cells() -> None:
    """A system that lacks one wording about a target leaves the other one too: what systems differ by is no drift."""
    design = Design(targets=6, systems=2, wordings=2)

    def score(t: int, s: int, w: int, n: int, r: int) -> float | Missing:
        if s == 1 and w == 1 and t < 3:
            return LOST
        return 0.2 + 0.5 * s + 0.01 * t + 0.001 * n

    row = judge_of(design, score)["drift"][0]
    assert row["axes"]["valence"]["shift"]["value"] == pytest.approx(0.0)
    assert row["axes"]["valence"]["shift"]["missing"] == 0
    assert row["profile"]["n"] == 6


def test_targets_without_a_common_cell_are_missing() -> None:
    """A target that no system wrote about under both wordings is counted, and in no number."""
    design = Design(targets=6, systems=2, wordings=2)

    def score(t: int, s: int, w: int, n: int, r: int) -> float | Missing:
        return LOST if t == 0 and s == w else 0.4 + 0.1 * w + 0.01 * t

    row = judge_of(design, score)["drift"][0]
    assert (row["axes"]["valence"]["shift"]["n"], row["axes"]["valence"]["shift"]["missing"]) == (5, 1)
    assert "target0" not in row["profile"]["targets"]
    assert row["axes"]["valence"]["shift"]["value"] == pytest.approx(0.1)


def test_every_two_wordings_are_compared() -> None:
    """Three wordings are three comparisons, the first wording of the study first."""
    rows = judge_of(Design(wordings=3), lambda t, s, w, n, r: 0.3 + 0.1 * w + 0.02 * t, contracts=["target"])["drift"]
    shifts = {(row["first"][-1], row["second"][-1]): row["axes"]["arousal"]["shift"]["value"] for row in rows}
    assert shifts == {("0", "1"): pytest.approx(0.1), ("0", "2"): pytest.approx(0.2), ("1", "2"): pytest.approx(0.1)}


def test_repeats_give_the_noise_of_one_reading() -> None:
    """What the two readings differ by: its mean is the shift of their order, its spread over sqrt 2 the noise."""
    design = Design(targets=40, systems=2, repeats=2)
    noisy = drawn(design, 10, target=0.1, noise=0.04)
    found = judge_of(design, lambda *cell: float(noisy(*cell)) + 0.03 * (1 - cell[4]))  # type: ignore[arg-type]
    body = found["repeat"]["target"]["valence"]
    assert body["n"] == 40 * 2 * 2 * 3
    assert body["sd"] == pytest.approx(0.04, rel=0.12)
    assert body["order_shift"]["low"] < 0.03 < body["order_shift"]["high"]
    assert body["order_shift"]["p_value"] < 0.001
    assert body["order_shift"]["sources"] == 40
    assert judge_of(Design(), drawn(Design(), 7, noise=0.04))["repeat"] == {}


def test_moved_share_is_beside_the_judges_own_noise() -> None:
    """The targets whose shift is more than two means of so many readings may differ by: here of twelve."""
    design = Design(targets=10, systems=2, repeats=2)

    def score(t: int, s: int, w: int, n: int, r: int) -> float:
        return 0.3 + 0.02 * t + (0.3 if w == 1 and t < 4 else 0.0) + 0.02 * (-1.0) ** (t + s + w + n + r)

    found = judge_of(design, score)
    moved = found["drift"][0]["axes"]["valence"]["moved"]
    sd = found["repeat"]["target"]["valence"]["sd"]
    assert moved["threshold"] == pytest.approx(1.96 * np.sqrt(2) * sd / np.sqrt(2 * 3 * 2))
    assert (moved["share"]["value"], moved["share"]["n"]) == (0.4, 10)


def test_noise_alone_moves_few_targets() -> None:
    """Without any drift one target in twenty is beyond the noise, also where some have half the texts only."""
    design = Design(targets=400, systems=2, repeats=2)
    noisy = drawn(design, 21, target=0.1, noise=0.05)

    def score(t: int, s: int, w: int, n: int, r: int) -> float | Missing:
        return LOST if t % 2 and n and s else noisy(t, s, w, n, r)

    moved = judge_of(design, score, contracts=["target"])["drift"][0]["axes"]["valence"]["moved"]["share"]
    assert moved["low"] < 0.05 < moved["high"]
    assert moved["n"] == 400


def test_equal_shifts_of_draws_are_not_certain() -> None:
    """Two targets whose drawn scores shift by the same single step: on so coarse a scale that may well be chance."""
    design = Design(targets=2, systems=1)
    made = design.study(lambda t, s, w, n, r: 0.5 + (0.1 if w and not n else 0.0))
    coarse = replace(made, read=tuple(map(_as_drawn, made.read)))
    settings = design.settings(samples=5)
    exact, drawn_ = (score_affect(each, settings)["judges"]["judge"]["drift"][0] for each in (made, coarse))
    assert exact["axes"]["valence"]["shift"]["p_value"] == 0.0
    assert drawn_["axes"]["valence"]["shift"]["p_value"] > 0.05


def _as_drawn(read: TextAffect) -> TextAffect:
    """The same values as means of draws."""

    def of(items: Sequence[Item]) -> tuple[Item, ...]:
        return tuple(replace(each, readings=tuple(replace(one, shares=()) for one in each.readings)) for each in items)

    portraits = tuple(replace(each, items=of(each.items)) for each in read.portraits)
    return replace(read, whole=of(read.whole), portraits=portraits)


def test_other_targets_of_an_elicited_text_stay_out() -> None:
    """A text that was asked for about one target says nothing of the drift of another that it portrays besides."""
    design = Design()
    made = design.study(lambda t, s, w, n, r: 0.5 + 0.02 * t)
    rows = [
        replace(each, portraits=(portrait("target0", dict.fromkeys(VAD, 0.9)), *each.portraits))
        if each.text.group != "target0" and each.text.wording == "wording1"
        else each
        for each in made.read
    ]
    judge = score_affect(study(rows, made.wordings), design.settings())["judges"]["judge"]
    assert judge["drift"][0]["axes"]["valence"]["shift"]["value"] == pytest.approx(0.0)
    assert judge["targets"]["target0"]["texts"] == 18 + 5 * 9


def test_variance_split_recovers_what_was_planted() -> None:
    """The planted shares lie in their intervals, and the components are those that the design has."""
    design = Design(targets=60, systems=6, wordings=5, repeats=2)
    planted = {"target": 0.1, "system": 0.03, "wording": 0.05, "sample": 0.04, "noise": 0.03}
    body = judge_of(design, drawn(design, 3, **planted), contracts=["target"])["variance"]["target"]["valence"]
    assert set(body["components"]) == {"target", "system", "wording", "interactions", "sample", "repeat"}
    assert body["design"] == {"targets": 60, "systems": 6, "wordings": 5, "samples": 3, "repeats": 2}
    total = sum(sd**2 for sd in planted.values())
    for name, key in (("target", "target"), ("system", "system"), ("wording", "wording"), ("sample", "sample")):
        share = body["components"][name]["share"]
        assert share["low"] <= planted[key] ** 2 / total <= share["high"]
    assert body["components"]["repeat"]["variance"] == pytest.approx(0.03**2, rel=0.1)
    assert body["components"]["interactions"]["share"]["value"] < 0.02


@pytest.mark.parametrize(("wording", "system", "answer"), [(0.15, 0.005, "wording"), (0.005, 0.15, "system")])
def test_answer_is_what_moves_scores_more(wording: float, system: float, answer: str) -> None:
    """With systems and wordings enough, the one that was planted stronger."""
    design = Design(targets=10, systems=8, wordings=8)
    made = drawn(design, 11, wording=wording, system=system, target=0.02, sample=0.01)
    found = judge_of(design, made, contracts=["target"])
    assert found["answers"]["wording_or_system"]["target"]["valence"] == {"answer": answer, "reason": ""}


def test_answer_is_refused_with_few_systems() -> None:
    """Two systems and two wordings cannot tell, and it is said why; nor can one system, or no spread."""
    found = judge_of(Design(systems=2), drawn(Design(systems=2), 2, wording=0.1, sample=0.02))["answers"]
    answer = found["wording_or_system"]["target"]["valence"]
    assert answer["answer"] == "cannot tell"
    assert "holds 0; fewer than 3 systems; fewer than 3 wordings" in answer["reason"]
    alone = judge_of(Design(systems=1), drawn(Design(systems=1), 2, wording=0.1, sample=0.02))["answers"]
    assert alone["wording_or_system"]["target"]["valence"] == {
        "answer": "cannot tell",
        "reason": "it takes two systems",
    }
    flat = judge_of(Design(), lambda *cell: 0.5)
    assert flat["answers"]["wording_or_system"]["target"]["valence"]["reason"] == "the readings do not vary"
    assert flat["variance"]["target"]["valence"] == {"reason": "the readings do not vary"}


def _grouped(sizes: Sequence[int]) -> tuple[Design, dict[str, str]]:
    design = Design(targets=30, systems=sum(sizes))
    names = ["old"] * sizes[0] + ["new"] * sizes[1]
    return design, {f"system{n}": name for n, name in enumerate(names)}


def test_unit_of_groups_is_the_system() -> None:
    """Thirty targets make no more of four systems in each group: the p-value is that of the 70 assignments."""
    design, groups = _grouped([4, 4])
    level = [0.40, 0.44, 0.42, 0.46, 0.50, 0.54, 0.52, 0.56]
    found = judge_of(design, lambda t, s, w, n, r: level[s] + 0.001 * t, elicit={"groups": groups})
    body = found["groups"]["target"]["valence"]
    assert body["difference"] == pytest.approx(np.mean(level[:4]) - np.mean(level[4:]))
    assert body["p_value"] == pytest.approx(2 / 70)
    assert (body["first"], body["second"], body["systems"], body["reason"]) == ("old", "new", [4, 4], "")


def test_groups_are_refused_or_said_to_show_nothing() -> None:
    """One system in a group is none to compare; three in each can reach no small p-value, and it is said."""
    for sizes, words in (([3, 1], "two systems in each"), ([3, 3], "no p-value below 0.1")):
        design, groups = _grouped(sizes)
        found = judge_of(design, lambda t, s, w, n, r: 0.4 + 0.02 * s, elicit={"groups": groups})
        body = found["groups"]["whole"]["valence"]
        assert words in body["reason"]
        assert (body["p_value"] is None) is (sizes == [3, 1])
    assert judge_of(Design(), lambda *cell: 0.5)["groups"] == {}


def test_groups_are_compared_over_the_cells_of_all_their_systems() -> None:
    """A system that lacks the good targets is not the worse for it."""
    design, groups = _grouped([2, 2])

    def score(t: int, s: int, w: int, n: int, r: int) -> float | Missing:
        return LOST if s == 3 and t < 15 else (0.8 if t < 15 else 0.3) + 0.01 * s

    body = judge_of(design, score, elicit={"groups": groups})["groups"]["target"]["valence"]
    assert body["difference"] == pytest.approx(-0.02)


def _null_p_values(made: AffectStudy, asked: AffectSettings) -> list[float]:
    """The p-values of shift and profile between two wordings under the contract `target`."""
    found = tally(made, asked)
    block = found.sheets["judge"].blocks["target"]
    row = wording_drift(found, "target", block, cells_of(readings_by_cell(found, block)))[0]
    return [row["axes"]["valence"]["shift"]["p_value"], row["profile"]["p_value"]]


@pytest.mark.slow
def test_drift_of_nothing_is_rarely_significant() -> None:
    """Of 1,000 studies whose wordings do nothing, 3 to 7 % show a shift, on an axis and of the whole profile."""
    design = Design(targets=9, systems=1, samples=1)
    asked = design.settings(contracts=["target"])
    rng = np.random.default_rng(9)
    axes = dict(enumerate(VAD))
    found = []
    made = design.study(lambda *cell: 0.5)
    for _ in range(1000):
        effects = rng.normal(0, 0.1, (9, 3))
        rows = []
        for each in made.read:
            noise = rng.normal(0, 0.05, 3)
            values = 0.5 + effects[int(each.text.group[-1])] + noise
            own = portrait(each.text.group, {axes[a]: float(values[a]) for a in axes})
            rows.append(replace(each, portraits=(own,)))
        found.append(_null_p_values(replace(made, read=tuple(rows)), asked))
    rates = (np.array(found) < 0.05).mean(0)
    assert (rates >= 0.03).all()
    assert (rates <= 0.07).all()
