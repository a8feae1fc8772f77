"""`localeval.report.affect_terminal`: tables within 80 columns, answers and limits, each text to the letter."""

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from localeval.methods.affect.readings import Evidence, Flags, Item, Portrait, Reading, TextAffect
from localeval.methods.affect.schemas import Target
from localeval.methods.affect.score import score_affect
from localeval.report.affect_answers import answer_lines, limit_lines
from localeval.report.affect_terminal import print_affect
from localeval.report.affect_view import affect_details
from localeval.report.leaderboard_terminal import print_scores
from localeval.report.page_rows import about_lines
from localeval.report.terminal import print_details
from localeval.report.view import Details
from localeval.values import Missing
from tests.methods.affect.readings import Design
from tests.report.affect_rows import (
    ANNA,
    CANDIDATES,
    DRAWN,
    ELICITED,
    LOST,
    SETTINGS,
    UNGIVEN,
    answered,
    difference,
    no_difference,
    read,
    study,
    text,
)
from tests.report.affect_scores import TARGETS, Study, affect_scores
from tests.report.printing import TRICKS, printed, squeezed


@pytest.fixture
def elicited() -> Any:
    """The scores of a study of elicited texts, to be changed at will."""
    return answered(affect_scores())


def shown(*given: TextAffect) -> list[str]:
    """The lines that are printed of these texts, with space enough for each."""
    details = Details(affect=affect_details(study(*given), SETTINGS))
    return printed(lambda: print_details(details), columns=200).splitlines()


def told(affect: Any, columns: int = 80) -> list[str]:
    """The lines that are printed of these scores."""
    return [line.rstrip() for line in printed(lambda: print_affect("run", affect), columns).splitlines()]


def flat(affect: Any) -> str:
    """The same as one line, since long ones are wrapped."""
    return " ".join(" ".join(told(affect)).split())


def table(lines: list[str], title: str) -> list[list[str]]:
    """The rows beneath a title, in words, up to the end of the table."""
    start = next(n for n, line in enumerate(lines) if line.startswith(title))
    body = lines[next(n for n in range(start, len(lines)) if set(lines[n].strip()) == {"\u2500"}) + 1 :]
    return [line.split() for line in body[: body.index("")]]


def test_everything_fits_80_columns_and_nothing_is_cut(elicited: Any) -> None:
    """Whatever is asked, however many judges: no line is longer, no number shortened."""
    for study_of in (
        Study(),
        Study(contracts=("target", "whole", "favourability"), judges=("big", "small")),
        Study(contracts=("whole",)),
        Study(contracts=("favourability",)),
        Study(axes={"trustworthiness": "trustworthiness, as the public sees it", "initiative": "initiative"}),
        Study(systems=(), wordings=()),
    ):
        lines = told(affect_scores(study_of))
        assert max(len(line) for line in lines) <= 80
        assert "…" not in "".join(lines)
    assert max(len(line) for line in told(elicited, columns=40)) <= 80
    assert not {"\x1b"} & set("".join(told(elicited))), "plain where it is no terminal"


def test_a_target_has_both_contracts_and_their_difference_side_by_side(elicited: Any) -> None:
    """Each axis with intervals under `target`, `whole` and their difference, as the scores say."""
    target = elicited["judges"]["judge"]["targets"]["Anna Petrova"]
    target["profile"]["target"]["valence"] |= {"value": 0.625, "low": 0.5, "high": 0.75}
    target["whole"]["valence"] |= {"value": 0.5, "low": 0.4, "high": 0.6}
    target["difference"]["valence"] = difference(-0.001, -0.2, 0.1, 0.02)
    rows = table(told(elicited), "how each target is portrayed")
    assert rows[0] == ["Anna", "Petrova", "27", "texts"]
    assert rows[1] == ["valence", "0.62", "[0.50-0.75]", "0.50", "[0.40-0.60]", "+0.00", "[-0.20", "to", "+0.10]"]
    assert [row[0] for row in rows[2:4]] == ["arousal", "dominance"]
    assert sum("texts" in row for row in rows) == len(TARGETS)


def test_a_target_says_how_many_of_its_texts_have_a_score(elicited: Any) -> None:
    """What is missing is not counted among the texts of a mean; axes may lack different ones."""
    targets = elicited["judges"]["judge"]["targets"]
    first, second, third = list(targets.values())[:3]
    for scores in (*first["profile"].values(), first["whole"]):
        for score in scores.values():
            score["n"] = 20
    second["profile"]["target"]["valence"]["n"] = 0
    headings = [" ".join(row) for row in table(told(elicited), "how each target is portrayed") if "texts" in row]
    first_name, second_name, third_name = list(targets)[:3]
    assert headings[:3] == [
        f"{first_name} 20 of 27 texts",
        f"{second_name} 0-27 of 27 texts",
        f"{third_name} {third['texts']} texts",
    ]


def test_where_no_target_was_found_it_is_said() -> None:
    """Targets that were proposed and stand in no text leave no number, and the reader must not wonder why."""
    line = "no target was found in any text, so that nothing was asked of one"
    for contracts, is_told in ((("target", "whole"), True), (("favourability",), True), (("whole",), False)):
        affect = affect_scores(Study(contracts=contracts, systems=(), wordings=()))
        judge = affect["judges"]["judge"]
        judge |= {"targets": {}, "flags": dict.fromkeys(judge["flags"], 0)}
        judge["answers"]["whole_and_target"] = {}
        assert (line in told(affect)) == is_told
        assert (f"judge: {line}" in about_lines(affect)) == is_told, "the page"
    assert line not in told(affect_scores())


def test_favourability_is_asked_apart_and_stands_apart() -> None:
    """A row of its own beneath the axes, without a mood of the whole text; no column for what was not asked."""
    affect = affect_scores(Study(contracts=("target", "whole", "favourability")))
    rows = table(told(affect), "how each target is portrayed")
    assert [row[0] for row in rows[1:5]] == ["valence", "arousal", "dominance", "favourability"]
    assert rows[4][3:] == ["-", "-"]
    affect["axes"]["labels"]["favourability"] = "Favourability"
    assert table(told(affect), "how each target is portrayed")[4][0] == "Favourability", "not its contract besides"
    alone = told(affect_scores(Study(contracts=("target",), systems=(), wordings=())))
    (heading,) = [line for line in alone if line.split()[:1] == ["about"]]
    assert heading.split() == ["about", "target"]
    mood = told(affect_scores(Study(contracts=("whole",))))
    assert [line.split() for line in mood if line.split()[:1] == ["of"]] == [["of", "whole"]]


def test_at_most_twenty_targets_are_shown() -> None:
    """Those with the most texts, and the reader is told so."""
    names = [f"target {n:02}" for n in range(23)]
    affect = affect_scores(Study(targets=names, systems=(), wordings=()))
    for name in names[:3]:
        affect["judges"]["judge"]["targets"][name]["texts"] = 1
    lines = told(affect)
    assert "20 of 23 targets shown, those with the most texts; scores.json has all" in lines
    assert [row[1] for row in table(lines, "how each") if row[0] == "target"] == [f"{n:02}" for n in range(3, 23)]
    assert "targets shown" not in flat(affect_scores())


def test_means_of_systems_and_wordings(elicited: Any) -> None:
    """All texts, then each system, then each wording; neither where texts are sources."""
    names = [" ".join(row) for row in table(told(elicited), "means") if row[0] in ("all", "system", "wording")]
    assert names == [
        "all 108 texts",
        *(f"system {name}" for name in ("small", "big", "old")),
        *(f"wording {name}" for name in ("neutral", "evaluative", "paraphrase")),
    ]
    sources = table(told(affect_scores(Study(systems=(), wordings=()))), "means")
    assert not [row for row in sources if row[0] in ("system", "wording")]


def test_drift_has_shift_p_rank_correlation_and_moved_share(elicited: Any) -> None:
    """An axis a row beneath its pair of wordings, whose own row has the whole profile's shift."""
    pair = elicited["judges"]["judge"]["drift"][0]
    pair["profile"] |= {"distance": 0.123, "p_value": 0.0004}
    moved = {"value": 0.25, "low": 0.1, "high": 0.5}
    pair["axes"]["valence"] = {
        "shift": difference(0.1, 0.05, 0.15, 0.0123),
        "rank_correlation": {"value": 0.8, "low": -0.1, "high": 0.95},
        "mae": 0.1,
        "moved": {"share": moved, "threshold": 0.06},
    }
    rows = table(told(elicited), "from wording to wording")
    assert " ".join(rows[0][-3:]) == "0.12 long <0.001"
    assert " ".join(word for row in rows[:3] for word in row if word.isalpha() or "`" in word or "," in word) == (
        "neutral to long evaluative, `target`"
    )
    axis = next(row for row in rows if row[0] == "valence")
    assert " ".join(axis) == "valence +0.10 [+0.05 to +0.15] 0.012 0.80 [-0.10 to 0.95] 25 [10-50]"
    assert next(row for row in rows if row[0] == "arousal")[-1] == "-", "read once: no noise is known"


def test_a_drift_that_there_is_none_of_is_a_dash(elicited: Any) -> None:
    """Where targets are too few."""
    pair = elicited["judges"]["judge"]["drift"][0]
    pair["profile"] |= {"distance": None, "p_value": None}
    pair["axes"]["valence"]["shift"] = no_difference("one target")
    rows = table(told(elicited), "from wording to wording")
    assert rows[0][-2:] == ["-", "-"]
    assert next(row for row in rows if row[0] == "valence")[1:3] == ["-", "-"]


def test_shares_of_variance_or_why_there_are_none(elicited: Any) -> None:
    """Each component with its interval; the axes without a split with the reason, once."""
    split = elicited["judges"]["judge"]["variance"]
    split["whole"] = {axis: {"reason": "one system and one wording"} for axis in ("valence", "arousal")}
    lines = told(elicited)
    (heading,) = [line for line in lines if line.split()[:1] == ["variance"]]
    assert heading.split()[2:] == ["target", "system", "wording", "interactions", "sample"]
    rows = table(lines, "what moves the scores")
    assert rows[:2] == [
        ["`target`"],
        ["valence", "40", "[20-60]", "10", "[5-15]", "20", "[10-30]", "10", "[5-15]", "20", "[10-30]"],
    ]
    assert ["`whole`"] not in rows
    assert "no split of the variance of `whole` valence, arousal: one system and one wording" in flat(elicited)
    with_repeats = split["target"]["valence"]["components"]
    for name in (*with_repeats, "repeat"):
        with_repeats[name] = {"variance": 0.1, "share": {"value": 1.0, "low": 0.5, "high": 1.0}}
    assert max(len(line) for line in told(elicited)) <= 80
    assert "inter-" in squeezed("".join(told(elicited))), "intervals go beneath the numbers"


def test_judges_are_kept_apart() -> None:
    """Tables and lines of each under its own name; how far they agree is told, no mean of them."""
    affect = answered(affect_scores(Study(judges=("big", "small"))))
    r = {"value": 0.8, "low": 0.7, "high": 0.9}
    affect["agreement"] = [
        {"first": "big", "second": "small", "contract": "target", "axis": "valence", "r": r, "mae": 0.05, "n": 40}
    ]
    lines = told(affect)
    for title in ("how each target is portrayed", "means", "from wording to wording", "what moves the scores"):
        assert [line.split(",")[1] for line in lines if line.startswith(title)] == [
            " as big reads them", " as small reads them",
        ], title  # fmt: skip
    out = flat(affect)
    assert "read by big, small, each by itself" in out
    assert "small: 108 portraits: 2 generic" in out
    assert "big and small, `target` valence: r 0.80 [0.70 to 0.90], off by 0.05 on average, on 40" in out
    assert [line.split(": ")[0] for line in answer_lines(affect)] == ["big", "big", "small", "small"]


def test_what_was_read_and_from_what(elicited: Any) -> None:
    """Texts, contracts with their axes; probabilities or draws, and each that was read twice."""
    elicited["judged"] |= {"read_from": {"logprobs": 600, "samples": 1}, "repeats": 2}
    lines = told(elicited)
    assert lines[0] == "run: 108 texts (elicited) read by judge"
    out = " ".join(lines)
    assert "asked: `target` valence, arousal, dominance; `whole` valence, arousal, dominance (axes vad)" in out
    assert (
        "read from: 600 readings from the probabilities of the scores 1 to 9, 1 reading as the mean of 5 draws from "
        "the scores 1 to 9; each score read twice, in either order of the anchors"
    ) in out
    elicited["judged"] |= {"scale": "words", "points": 3, "read_from": {"logprobs": 2, "samples": 0}, "repeats": 1}
    assert "read from: 2 readings from the probabilities of the anchors' words" in told(elicited)


def test_what_is_missing_and_flagged_is_told(elicited: Any) -> None:
    """By reason; texts that a system did not give; nothing missing is told, too."""
    assert "missing: none of 648 scores" in flat(elicited)
    elicited |= {"missing": 7, "missing_by_reason": {"no evidence": 5, "not covered": 2}, "missing_texts": 1}
    elicited["judges"]["judge"]["flags"] |= {"not_named": 3, "below_bar": 4, "unreadable": 1}
    out = flat(elicited)
    assert "missing: 7 of 648 scores (5 no evidence, 2 not covered); in no number above" in out
    assert "missing: 1 text that a system did not give" in out
    assert "108 portraits: 3 not named in the text, 2 generic, 4 below the coverage bar, 1 with unreadable flags" in out


def test_noise_and_the_order_of_the_anchors(elicited: Any) -> None:
    """The noise of one reading; a shift with the order only where its interval leaves out 0."""
    elicited["judges"]["judge"]["repeat"] = {
        "target": {
            "valence": {"sd": 0.034, "order_shift": difference(0.02, 0.01, 0.03, 0.01), "n": 40},
            "arousal": {"sd": 0.05, "order_shift": difference(0.02, -0.01, 0.03, 0.4), "n": 40},
            "dominance": {"sd": None, "order_shift": no_difference("nothing was read twice"), "n": 0},
        }
    }
    out = flat(elicited)
    assert "noise of one reading, `target`: valence 0.03, arousal 0.05 listing" in out
    assert "listing the anchors from 0 up, not from 1 down, moves `target` valence: +0.02 [+0.01 to +0.03]" in out
    assert out.count("listing the anchors") == 1


def test_groups_are_compared_by_system_or_refused(elicited: Any) -> None:
    """How many systems each has; where there are too few, why nothing is told."""
    head = {"first": "open", "second": "closed"}
    elicited["judges"]["judge"]["groups"] = {
        "target": {
            "valence": {**head, "difference": 0.05, "p_value": 0.2, "systems": [3, 1], "reason": ""},
            "arousal": {**head, "difference": None, "p_value": None, "systems": [1, 1], "reason": "too few systems"},
            "dominance": {**head, "difference": 0.1, "p_value": 0.1, "systems": [3, 3], "reason": "so few cannot show"},
        }
    }
    out = flat(elicited)
    assert "open (3 systems) less closed (1 system), `target` valence: +0.05, p 0.200" in out
    assert "groups not compared in `target` arousal: too few systems" in out
    assert "`target` dominance: +0.10, p 0.100 (so few cannot show)" in out


def test_the_first_question_is_answered_in_one_line(elicited: Any) -> None:
    """Yes, no or cannot tell with the reason, each axis with the shares that the answer rests on."""
    first = answer_lines(elicited)[0]
    shares = "20 [10-30] % against 10 [5-15] %"
    assert first == (
        f"Does the wording move the profile more than the model does? Yes: `target` valence {shares}; no, the model "
        f"does more: `target` dominance {shares}; cannot tell (the interval holds 0): `target` arousal {shares}, "
        f"`whole` valence {shares}; cannot tell (one system): `whole` arousal {shares} (shares of the variance, "
        "wording against model)"
    )
    elicited["judges"]["judge"] |= {"variance": {"target": {"valence": {"reason": "one system"}}}}
    cannot = {"answer": "cannot tell", "reason": "one system"}
    elicited["judges"]["judge"]["answers"]["wording_or_system"] = {"target": {"valence": cannot}}
    assert answer_lines(elicited)[0].endswith("does? Cannot tell (one system): `target` valence")


def test_without_elicited_texts_the_first_question_is_open() -> None:
    """Since nobody varied the wording; the second one where only one contract was asked for."""
    first, second = answer_lines(affect_scores(Study(systems=(), wordings=(), contracts=("target",))))
    assert first.endswith("does? Cannot tell: no texts were elicited, so the wording never varied")
    assert second == "Do `whole` and `target` differ? Cannot tell: only one of the two was asked for"


def test_the_second_question_names_the_targets(elicited: Any) -> None:
    """Axis by axis: the targets that differ with their own numbers, and the overall difference with its p-value."""
    targets = elicited["judges"]["judge"]["targets"]
    targets["Anna Petrova"]["difference"]["valence"] = difference(0.3, 0.2, 0.4, 0.001)
    targets["Река Обь"]["difference"]["valence"] = difference(-0.2, -0.3, -0.1, 0.001)
    second = answer_lines(elicited)[1]
    assert second == (
        "Do `whole` and `target` differ? Valence: yes, for Anna Petrova +0.30 [+0.20 to +0.40], Река Обь -0.20 [-0.30 "
        "to -0.10] (overall `target` - `whole` +0.10 [+0.05 to +0.15], p <0.001); arousal: no difference shown "
        "(`target` - `whole` +0.00 [-0.05 to +0.05], p 0.500); dominance: cannot tell (no text has both)"
    )


def test_axes_of_which_the_same_is_said_stand_together(elicited: Any) -> None:
    """A study of one text cannot tell any axis, for one and the same reason: it is read once."""
    answers = elicited["judges"]["judge"]["answers"]["whole_and_target"]
    answers["valence"] = answers["arousal"] = answers["dominance"]
    second = answer_lines(elicited)[1]
    assert second.endswith("differ? Valence, arousal, dominance: cannot tell (no text has both)")


def test_many_targets_that_differ_are_counted() -> None:
    """The first five by name, then how many more; none alone is told, too."""
    names = [f"t{n}" for n in range(7)]
    affect = answered(affect_scores(Study(targets=names)))
    answer = affect["judges"]["judge"]["answers"]["whole_and_target"]["valence"]
    answer["targets"] = names
    second = answer_lines(affect)[1]
    assert "t4" in second
    assert "t5" not in second
    assert " and 2 more (overall" in second
    answer["targets"] = []
    assert "Valence: yes, over all targets, for none of them alone (overall" in answer_lines(affect)[1]


def test_limits_stand_beside_what_people_reach(elicited: Any) -> None:
    """Arousal and dominance are directional; the ceilings' source once; an axis without ceilings has its status."""
    elicited["status"]["judge"]["target"] = elicited["status"]["judge"]["target"] | {"trust": "directional"}
    lines = limit_lines(elicited)
    assert lines == [
        "valence: not calibrated; people reach alpha 0.34, reliability of their mean 0.73, so any judge's r at most "
        "0.85, writers with readers r 0.66",
        "arousal: directional; read which is higher, not by how much; people reach alpha 0.25, reliability of their "
        "mean 0.61, so any judge's r at most 0.78, writers with readers r 0.26",
        "dominance: directional; read which is higher, not by how much; people reach alpha 0.22, reliability of their "
        "mean 0.60, so any judge's r at most 0.77, writers with readers r 0.24",
        "trust: directional; read which is higher, not by how much",
        "what people reach: EmoBank (Buechel and Hahn 2017), readers",
    ]
    assert [line for line in told(elicited) if line.startswith("trust: directional")]
    elicited["status"]["judge"] = {"target": {"trust": "directional"}}
    assert limit_lines(elicited) == lines[3:4], "nobody's agreement on other axes"


def test_labels_say_how_far_each_judge_follows_people() -> None:
    """r, error, alpha among people, n; a status that differs by judge or contract says whose it is."""
    affect = affect_scores(Study(judges=("big", "small")))
    affect["status"] = {
        "big": {"target": {"arousal": "calibrated"}, "whole": {"arousal": "directional"}},
        "small": {"target": {"arousal": "directional"}},
    }
    r = {"value": 0.7, "low": 0.6, "high": 0.8}
    affect["human"] = {
        "big": {"target": {"arousal": {"r": r, "mae": 0.123, "alpha": r, "n": 60, "raters": 3}}},
        "small": {"target": {"arousal": {"r": no_difference("all the same"), "mae": None, "alpha": None, "n": 1}}},
    }
    lines = limit_lines(affect)
    assert lines[0].startswith(
        "arousal: calibrated (big `target`), directional (big `whole`, small `target`); read which is higher"
    )
    assert lines[-2:] == [
        "big, `target` arousal: r with people 0.70 [0.60 to 0.80], off by 0.12 on average, alpha among people 0.70 "
        "[0.60 to 0.80], on 60 items",
        "small, `target` arousal: r with people not measured: all the same, on 1 item",
    ]


def test_a_run_of_affect_alone_has_no_leaderboard(elicited: Any) -> None:
    """Its scores rank nobody: no empty table stands above them."""
    scores = {"name": "run", "methods": {"affect": elicited}, "leaderboard": {"rank_by": [], "systems": {}}}
    assert printed(lambda: print_scores(scores)) == printed(lambda: print_affect("run", elicited))


def test_what_intervals_must_not_be_taken_for(elicited: Any) -> None:
    """Of one text, and of few clusters, each thing once."""
    elicited["judges"]["judge"]["overall"]["target"]["valence"]["note"] = "one source"
    out = flat(elicited)
    assert out.count("does not speak of others") == 1
    assert out.count("few clusters: how much they differ is mostly assumed") == 1


def test_scores_as_they_are_made_are_printed() -> None:
    """Of a study with a planted shift by wording and mood, noisy repeats and groups too small to compare."""
    rng = np.random.default_rng(1)
    design = Design(targets=5, systems=4, wordings=4, repeats=2)

    def portrayed(target: int, system: int, wording: int, sample: int, repeat: int) -> float:
        return float(np.clip(0.3 + 0.02 * target + 0.1 * wording + rng.normal(0, 0.01), 0, 1))

    settings = design.settings(elicit={"groups": {"system0": "open", "system1": "closed"}})
    scores = score_affect(design.study(portrayed, lambda *_: float(rng.uniform(0.85, 0.95))), settings)
    affect = json.loads(json.dumps(scores))
    lines = told(affect)
    assert max(len(line) for line in lines) <= 80
    first, second = answer_lines(affect)
    assert first.startswith("Does the wording move the profile more than the model does? Yes: `target` Valence ")
    assert "Do `whole` and `target` differ? Valence, Arousal, Dominance: yes, for target0 -0." in second
    assert len([line for line in lines if line.lstrip().startswith("wording0 to wording1")]) == 2
    assert "5 targets shown" not in flat(affect)
    assert "240 portraits: no flag raised" in flat(affect)
    assert "noise of one reading, `target`: Valence 0.01" in flat(affect)
    assert "groups not compared in `target` Valence, Arousal, Dominance; `whole`" in flat(affect)
    assert "Arousal: directional; read which is higher" in flat(affect)
    assert "missing: none of 1440 scores" in flat(affect)


@pytest.mark.parametrize("trick", [*TRICKS, "two\x1b[2J", "\x9b31m"])
def test_names_in_scores_are_printed_literally(trick: str) -> None:
    """Targets, systems, wordings, judges, axes and reasons, letter by letter; none of them commands a terminal."""
    names = {each: f"{each} {trick}" for each in ("target", "system", "wording", "judge", "axis")}
    affect = affect_scores(
        Study(
            targets=(names["target"], "b", "c"),
            systems=(names["system"], "b"),
            wordings=(names["wording"], "b"),
            judges=(names["judge"], "b"),
            axes={"valence": names["axis"]},
        )
    )
    affect = answered(affect)
    affect |= {"missing": 1, "missing_by_reason": {f"reason {trick}": 1}}
    out = printed(lambda: print_affect(f"run {trick}", affect), columns=300)
    assert not {"\x1b", "\x9b"} & set(out)
    visible = trick.replace("\x1b", "\\x1b").replace("\x9b", "\\x9b")
    for word in (*names, "reason", "run"):
        assert squeezed(f"{word} {visible}") in squeezed(out), word


def test_a_text_is_shown_with_scores_flags_and_evidence() -> None:
    """Value, spread, readings, phrases found and rejected, and why something counts nowhere."""
    assert shown(read(text()))[1:] == [
        "talk / good",
        "  the whole text:",
        "   > brightness: 0.25; spread 0.05",
        "  Anna (person), coverage 1.00, generic:",
        "   > brightness: 0.80; spread 0.20; read as 0.75 0.85",
        '     "a brave woman"; She is praised.',
        '     does not count: "a hero"',
        "   > trust: missing; no evidence: no phrase of 1 stands in the text; spread 0.20",
        '     does not count: "so they say"',
        "   > trust (favourability): 0.50; spread 0.12; drawn 4 5 6",
        "  Ben & Co (organisation), coverage 0.33:",
        "   > counts nowhere; not covered: coverage 0.33 is below 0.5",
    ]


def test_several_judges_are_named() -> None:
    """Each before what it reads, beneath the text that they share."""
    found = Details(affect=affect_details(CANDIDATES, SETTINGS, "good", "talk"))
    lines = printed(lambda: print_details(found)).splitlines()
    assert lines.count("talk / good") == 1
    assert [line for line in lines if line.endswith("the whole text:")] == [
        "  big, the whole text:",
        "  small, the whole text:",
    ]


def test_an_elicited_text_is_quoted_and_a_long_one_is_shortened() -> None:
    """With its wording and sample; in a language without spaces, too."""
    lines = shown(ELICITED.read[0])
    assert lines[1:3] == ["Anna / writer, neutral, sample 1", "  Anna is a brave woman, says writer 1."]
    long = replace(ELICITED.read[0], text=replace(ELICITED.read[0].text, text="长江\n" + "长江" * 300))
    out = squeezed("".join(shown(long)))
    assert "..." in out
    assert 350 < out.count("长") + out.count("江") < 401


def test_what_is_missing_of_a_text_is_told() -> None:
    """A text that was not given, targets that could not be proposed, a reading that cannot be read."""
    assert shown(UNGIVEN)[1:] == ["Anna / poet, neutral, sample 3", "  no text: refused: I cannot"]
    lost = TextAffect(text(), "big", whole=(LOST,), proposed=Missing("truncated", "cut"))
    assert shown(lost)[2:] == [
        "  the whole text:",
        "   > brightness: missing; invalid: reply: 11; spread 0.10; read as missing 0.50",
        "  no further targets proposed: truncated: cut",
    ]
    unread = TextAffect(text(), "big", portraits=(Portrait(ANNA, Missing("invalid", "no JSON"), (DRAWN,)),))
    assert shown(unread)[2:4] == ["  Anna (person):", "   > counts nowhere; flags missing; invalid: no JSON"]


@pytest.mark.parametrize("trick", [*TRICKS, "two\x1b[2J", "\x9b31m"])
def test_texts_and_judges_are_printed_literally(trick: str) -> None:
    """Whatever a text, a model or a name says comes out letter by letter, and commands no terminal."""
    evidence = Evidence((f"phrase {trick}",), (f"rejected {trick}",), f"reason {trick}")
    items = (
        Item("target", "valence", (Reading(0.5),), evidence),
        Item("target", "trust", (Reading(Missing("invalid", f"detail {trick}")),)),
    )
    target = Target(name="x", kind="person").model_copy(update={"name": f"target {trick}"})
    given = replace(text(f"group {trick}", f"system {trick}", f"wording {trick}"), text=f"words {trick}")
    one = TextAffect(given, f"judge {trick}", portraits=(Portrait(target, Flags(1.0), items),))
    out = "\n".join(shown(one, replace(one, judge="b")))
    assert not {"\x1b", "\x9b"} & set(out)
    visible = trick.replace("\x1b", "\\x1b").replace("\x9b", "\\x9b")
    for word in ("phrase", "rejected", "reason", "detail", "target", "group", "system", "wording", "words", "judge"):
        assert squeezed(f"{word} {visible}") in squeezed(out), word


def test_flags_that_are_raised_are_named() -> None:
    """And a portrait without flags has none."""
    flags = Flags(1.0, refusal=True, mismatch=True)
    lines = shown(TextAffect(text(), "big", portraits=(Portrait(ANNA, flags), Portrait(ANNA, None))))
    assert lines[2:] == [
        "  Anna (person), coverage 1.00, refused, another of that name:",
        "   > counts nowhere; refused: the text declines to speak of the target",
        "  Anna (person):",
    ]
