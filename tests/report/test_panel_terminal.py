"""`localeval.report.panel_terminal`: sheets to the letter, and how far the judges can be believed."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from localeval.evaluation import load_run, load_scores
from localeval.methods.panel.schemas import PanelSettings
from localeval.methods.panel.score import score_panel
from localeval.report.panel_terminal import family_lines, panel_lines
from localeval.report.panel_view import CellRow, CriterionRow, GradeRow, PanelDetails
from localeval.report.rows import Proof
from localeval.report.terminal import print_details
from localeval.report.view import Details, details
from tests.methods.panel.made_panels import draw_panels
from tests.report.printing import TRICKS, printed, squeezed

JUDGES = ("qwen-big", "llama", "gemma", "early")
SYSTEMS = ("q", "l", "x", "y", "z")


@pytest.fixture
def panel(judged_run: Path) -> Any:
    """The panel's part of the scores of a run by all methods, to be changed at will."""
    return json.loads(json.dumps(load_scores(judged_run)["methods"]["panel"]))


@pytest.fixture(scope="module")
def leaning() -> Any:
    """The same of a drawn panel: one judge loves its family and marks high, one what stands first, one what is long."""
    rng = np.random.default_rng(2)
    lengths = {(f"s{n:02}", system): int(rng.integers(300, 3000)) for n in range(20) for system in SYSTEMS}

    def shift(source: int, system: str, judge: str, place: int) -> float:
        love = 0.3 + 0.9 * (system == "q") if judge == "qwen-big" else 0.0
        wordy = (lengths[f"s{source:02}", system] - 1650) / 1500 if judge == "gemma" else 0.0
        return love + wordy + (0.5 if place < 2 else -0.3) * (judge == "early")

    panels = draw_panels(np.random.default_rng(1), 20, SYSTEMS, JUDGES, shift, line_up=True)
    settings = PanelSettings(judges=JUDGES, mode="lineup", families={"q": "qwen", "x": "mistral", "y": "mistral"})
    families = {"qwen-big": "qwen", "llama": "llama", "gemma": "gemma"}
    return score_panel(panels, settings, families, lengths, dict.fromkeys(panels, "meeting"), ())


def shown(found: PanelDetails) -> list[str]:
    """The lines that are printed."""
    return printed(lambda: print_details(Details(panel=found)), columns=100).splitlines()


def test_a_sheet_shows_scores_grades_and_passages(judged_run: Path) -> None:
    """Consensus, disagreement, each judge; each criterion with each grade by number; each passage once, in words."""
    found = details(*load_run(judged_run), system="bad", source="talk", method="panel").panel
    assert found is not None
    lines = shown(found)
    assert lines[1:9] == [
        "talk / bad  consensus 50, disagreement 100",
        "  big 0, small 100  [rubric meeting]",
        "  faithfulness: Everything the candidate states is grounded in the source.",
        "   > big: 0; candidate [1] [2]; source [1]",
        "   > small: 2; candidate [2]; source [1] [2]",
        "  decisions: The decisions that the meeting took are given as they were taken.",
        "   > big: 0; candidate [1] [2]; source [1]",
        "   > small: 2; candidate [2]; source [1] [2]",
    ]
    assert lines[-4:] == [
        "     candidate [1] Twenty machines were bought from Compaq.",
        "     candidate [2] They were made in Peru.",
        "     source [1] 0:00 Anna: We bought twenty machines from ComFAC in the spring.",
        "     source [2] 0:04 Ben: They came in May, and the boxes were red.",
    ]


def test_na_and_missing_say_why(judged_run: Path) -> None:
    """What the source lacks; why a verdict cannot be read; how many judges a consensus needs."""
    evaluation = load_run(judged_run)
    good = details(*evaluation, system="good", source="talk", method="panel").panel
    assert good is not None
    assert "   > big: NA; the source lacks: any decision" in shown(good)
    bad = details(*evaluation, system="bad", source="notes", method="panel").panel
    assert bad is not None
    lines = shown(bad)
    assert lines[1] == "notes / bad  no consensus: 1 of 2 judges that it needs"
    assert lines[2].endswith("small -  [rubric default]")
    assert any(line.startswith("   > small: missing; invalid: reply: Invalid JSON") for line in lines)


def test_repeats_stand_beside_the_grade() -> None:
    """The mean, then each asking."""
    grade = GradeRow("a", 1.5, ("2", "1", "missing"), (), (), (), ("truncated: cut",))
    row = CellRow("s", "x", "meeting", 75.0, None, {"a": 75.0}, 1, 1, (CriterionRow("c", "It.", (grade,), (), ()),))
    assert "   > a: 1.5 (2 1 missing); truncated: cut" in shown(PanelDetails((row,)))


@pytest.mark.parametrize("trick", [*TRICKS, "two\x1b[2J", "\x9b31m"])
def test_judges_and_texts_are_printed_literally(trick: str) -> None:
    """Whatever a model, a text or a name says comes out letter by letter, and commands no terminal."""
    grade = GradeRow(f"judge {trick}", "NA", ("NA",), (1,), (7,), (f"lacks {trick}",), ())
    criterion = CriterionRow(
        "id", f"statement {trick}", (grade,), (Proof(1, "", "", f"sentence {trick}"),),
        (Proof(7, "1:01", f"speaker {trick}", f"words {trick}"),),
    )  # fmt: skip
    row = CellRow(
        f"source {trick}", f"system {trick}", f"rubric {trick}", 1.0, 2.0, {f"j {trick}": 1.0}, 2, 2, (criterion,)
    )
    out = "\n".join(shown(PanelDetails((row,))))
    assert not {"\x1b", "\x9b"} & set(out)
    visible = trick.replace("\x1b", "\\x1b").replace("\x9b", "\\x9b")
    words = ("judge", "lacks", "statement", "sentence", "speaker", "words", "source", "system", "rubric", "j")
    for word in words:
        assert squeezed(f"{word} {visible}") in squeezed(out), word


def test_beneath_the_leaderboard_stands_who_judged_by_what(panel: Any) -> None:
    """Texts, judges, rubrics; where the default rubric had to do; what is missing, and on which texts."""
    lines = list(panel_lines(panel))
    assert lines[:3] == [
        "6 texts judged each alone by big, small",
        "rubrics: meeting (1 source), default (1 source)",
        "default rubric, where the category has none of its own: notes",
    ]
    assert "missing: no consensus on 1 text: notes / bad (1 of 2 judges)" in lines
    assert "missing: 7 verdicts (small 7 invalid); in no number above" in lines
    assert not [line for line in lines if line.startswith("judges weighed")]
    panel["rubrics"]["talk"] = panel["rubrics"]["notes"]
    panel["settings"] |= {"rubric": "default", "mode": "lineup", "repeats": 3}
    del panel["systems"]["bad"]["by_source"]["talk"]
    lines = list(panel_lines(panel))
    assert lines[0] == "5 texts judged in line-ups by big, small, each verdict 3 times"
    panel["settings"]["mode"] = "batch"
    assert next(panel_lines(panel)) == "5 texts judged in line-ups of one call each by big, small, each verdict 3 times"
    panel["settings"] |= {"mode": "pointwise", "batch_judges": ["big"], "repeats": 1}
    line = "5 texts judged each alone by big, small; by big in line-ups of one call each"
    assert next(panel_lines(panel)) == line
    panel["settings"]["evidence"] = False
    assert list(panel_lines(panel))[1] == "scores alone, without the passages that decide them but in batches"
    assert lines[1] == "rubric: default", "it was asked for"
    assert not [line for line in lines if line.startswith("default rubric")]
    assert "bad: no text about 1 of 2 sources; its numbers are of other texts" in lines


def test_large_disagreements_are_for_a_person_to_read(panel: Any) -> None:
    """How many, and the worst three with each judge's score."""
    lines = list(panel_lines(panel))
    (line,) = [line for line in lines if line.startswith("judges lie")]
    assert line == (
        "judges lie 30 points or more apart on 2 texts, for you to read: "
        "talk / bad (big 0, small 100); talk / [bold] (big 100, small 50)"
    )
    panel["health"]["large_disagreements"] *= 3
    (line,) = [line for line in panel_lines(panel) if line.startswith("judges lie")]
    assert "on 6 texts" in line
    assert line.endswith("; and 3 more")
    panel["health"]["large_disagreements"] = []
    assert not [line for line in panel_lines(panel) if line.startswith("judges lie")]


def test_a_judge_of_its_own_family_is_warned_of(panel: Any, leaning: Any) -> None:
    """Plainly, with how far it leans to it, or why that cannot be told; whether or not it stands out."""
    (line,) = family_lines(leaning)
    assert line.startswith("warning: qwen-big judges its own family (qwen): q; leaning to it: +")
    (line,) = family_lines(panel)
    assert line.startswith("warning: big judges its own family (qwen): bad; leaning to it: ")
    panel["health"]["judges"]["big"]["own_family"] = {"value": None, "reason": "no text of a third family"}
    (line,) = family_lines(panel)
    assert line.endswith("leaning to it: not measured: no text of a third family")
    panel["settings"]["families"] = {}
    assert list(family_lines(panel)) == []


def test_what_stands_out_of_a_judge_is_told(leaning: Any) -> None:
    """Severity and place, where the interval leaves out 0, and nothing of judges of whom it does not."""
    lines = list(panel_lines(leaning))
    health = leaning["health"]["judges"]
    high = [line for line in lines if " marks higher than the panel: +" in line]
    assert [line.split()[0] for line in high] == ["qwen-big"]
    firsts = {line.split()[0] for line in lines if " gives the first half of a line-up +" in line}
    assert "early" in firsts
    assert firsts == {name for name in JUDGES if health[name]["position"]["first_half"]["low"] > 0}
    assert any(line.startswith("gemma: its scores, against the other judges', rise with the length") for line in lines)
    lengthy = [line for line in lines if "with the length of the text: Spearman" in line]
    assert len(lengthy) == sum(
        health[name]["length"][each]["low"] > 0 or health[name]["length"][each]["high"] < 0
        for name in JUDGES
        for each in ("score", "offset")
    )


def test_an_unusual_rate_of_na_is_told(panel: Any) -> None:
    """Where the judge's interval leaves out what the judges say on average."""
    panel["judges"]["big"]["na_rate"] = {"value": 0.5, "low": 0.4, "high": 0.6}
    panel["judges"]["small"]["na_rate"] = {"value": 0.1, "low": 0.0, "high": 0.35}
    lines = list(panel_lines(panel))
    assert "big says NA to 50 [40-60] % where it may, the judges on average to 30 %" in lines
    assert not [line for line in lines if line.startswith("small says NA")]


def test_agreement_is_not_certainty(panel: Any, leaning: Any) -> None:
    """Rule 8: how many independent judges they are worth, at least, or as labels tell; nothing of one judge."""
    (line,) = [line for line in panel_lines(leaning) if line.startswith("effective judges")]
    assert line.startswith("effective judges: at least 1.")
    assert line.endswith(" of 4; where judges err alike, their agreement confirms nothing")
    assert [line for line in panel_lines(leaning) if line.startswith("agreement on grades: alpha 0.")]
    panel["health"]["n_eff"]["from_labels"] = {"value": 1.5, "low": 1.2, "high": 2.0}
    (line,) = [line for line in panel_lines(panel) if line.startswith("effective judges")]
    assert line.startswith("effective judges: 1.50 [1.20 to 2.00] of 2")
    panel["settings"]["judges"] = ["big"]
    assert not [line for line in panel_lines(panel) if line.startswith(("effective", "agreement"))]


def test_weights_from_labels_are_told(panel: Any) -> None:
    """Each judge's share with how often it was right."""
    right = {"value": 0.7, "low": 0.6, "high": 0.8}
    panel["weights"] = {
        "kind": "labels",
        "labels": 60,
        "by_judge": {"big": 0.75, "small": 0.25},
        "judges": {name: {"accuracy": right, "chance": 0.5, "log_odds": 1.0} for name in ("big", "small")},
    }
    (line,) = [line for line in panel_lines(panel) if line.startswith("judges weighed")]
    assert line == (
        "judges weighed by 60 labels of people: big 0.75 (right 70 [60-80] %), small 0.25 (right 70 [60-80] %)"
    )
