"""The pictures of affect: what is drawn, what is said with it, and the files."""

import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from localeval.methods.affect.score import score_affect
from localeval.report.page_rows import judge_tables
from localeval.report.pictures.affect import PAIRS_A_PICTURE, TARGETS_A_PICTURE, TARGETS_IN_PLANE, affect_pictures, slug
from localeval.report.pictures.charts import shift_domain
from localeval.report.pictures.files import letters_without_font, write_pictures
from localeval.report.pictures.picture import NoPicture, Picture
from localeval.values import Missing
from tests.methods.affect.readings import VAD, Design, portrait, read, settings, study, text
from tests.report.affect_scores import TARGETS, Study, affect_scores

HIGH = dict.fromkeys(VAD, 0.75)
PLAIN = Study(wordings=(), systems=())
UNKNOWN = {"value": None, "reason": "no text counts", "n": 0, "missing": 5, "sources": 0}


def pictures(affect: Mapping[str, Any]) -> list[Picture]:
    """Those that are drawn."""
    return [each for found in affect_pictures(affect).values() for each in found if isinstance(each, Picture)]


def left_out(affect: Mapping[str, Any]) -> dict[str, str]:
    """Why each of the others is not, by the first word of its title."""
    found = [each for of_judge in affect_pictures(affect).values() for each in of_judge]
    return {each.title.split()[0]: each.why for each in found if isinstance(each, NoPicture)}


def picture(affect: Mapping[str, Any], name: str) -> Picture:
    """The only one whose name begins so."""
    (found,) = (each for each in pictures(affect) if each.name.startswith(name))
    return found


def data(chart: Picture) -> list[dict[str, Any]]:
    """The points of a chart: the largest data set in its specification."""
    found: list[dict[str, Any]] = max(chart.spec["datasets"].values(), key=lambda each: (len(each), len(each[0])))
    return found


def scales(part: Any, channel: str) -> list[list[float]]:
    """Every domain that a specification gives a channel."""
    if isinstance(part, list):
        return [each for inner in part for each in scales(inner, channel)]
    if not isinstance(part, dict):
        return []
    found = [each for key, inner in part.items() if key != "datasets" for each in scales(inner, channel)]
    scale = part.get("encoding", {}).get(channel, {}).get("scale", {})
    return found + ([scale["domain"]] if "domain" in scale else [])


def test_a_full_study_has_every_picture() -> None:
    """Profiles, a plane, drift of each contract and shares of variance, of each judge under a name of its own."""
    names = [each.name for each in pictures(affect_scores(Study(judges=("a/b", "a-b", "裁判"))))]
    assert names[:5] == ["profile-a-b", "plane-a-b", "drift-a-b-target", "drift-a-b-whole", "variance-a-b"]
    assert names[5:7] == ["profile-a-b_2", "plane-a-b_2"]
    assert names[10] == "profile-x"
    assert len({name.casefold() for name in names}) == 15


def test_titles_name_judge_contract_and_n() -> None:
    """A picture that is cut out and sent around still says whose scores of what these are, and of how many."""
    for each in pictures(affect_scores()):
        assert "by judge judge" in each.title
        assert "target" in each.title or "whole" in each.title
        assert "n = " in each.title


def test_profiles_show_the_scores() -> None:
    """Each score of each target stands in the chart and in its table, `target` beside `whole`, from 0 to 1."""
    affect = affect_scores()
    profile = picture(affect, "profile")
    drawn = {(each["target"], each["contract"], each["axis"].split()[0]): each for each in data(profile)}
    for name, target in affect["judges"]["judge"]["targets"].items():
        for contract, axes in (("target", target["profile"]["target"]), ("whole", target["whole"])):
            for axis, score in axes.items():
                point = drawn.pop((name, contract, axis))
                assert [point[key] for key in ("value", "low", "high")] == [score[k] for k in ("value", "low", "high")]
    assert drawn == {}
    assert len(profile.table.rows) == len(TARGETS) * 2 * 3
    assert scales(profile.spec, "x") == [[0, 1]]


def test_favourability_is_a_contract_of_its_own() -> None:
    """It stands beside the two others in the profile, and has a drift of its own."""
    affect = affect_scores(Study(contracts=("target", "whole", "favourability")))
    assert {each["contract"] for each in data(picture(affect, "profile"))} == {"target", "whole", "favourability"}
    assert picture(affect, "drift-judge-favourability")


@pytest.mark.parametrize(
    ("status", "label"),
    [
        ({"target": "directional", "whole": "directional"}, "arousal (directional)"),
        ({"target": "calibrated", "whole": "calibrated"}, "arousal"),
        ({"target": "directional", "whole": "calibrated"}, "arousal (directional target)"),
    ],
)
def test_axes_that_tell_a_direction_alone_are_marked(status: Mapping[str, str], label: str) -> None:
    """By their status in the scores, contract by contract."""
    affect = affect_scores(PLAIN)
    for contract, each in status.items():
        affect["status"]["judge"][contract]["arousal"] = each
    labels = {each["axis"] for each in data(picture(affect, "profile"))}
    assert label in labels
    assert "valence" in labels


def test_scores_of_a_whole_study_are_drawn() -> None:
    """What `score_affect` makes of readings is what pictures are made of: nothing of it is called otherwise here."""
    design = Design(targets=5, systems=3, wordings=3, repeats=2)
    noise = np.random.default_rng(5).normal(0, 0.05, (5, 3, 3, 3, 2))

    def score(t: int, s: int, w: int, n: int, r: int) -> float | Missing:
        if (t, s) == (1, 1):
            return Missing("truncated", "cut")
        return float(0.3 + 0.05 * t + 0.1 * (w == 1) + noise[t, s, w, n, r])

    groups = {"system0": "open", "system1": "open", "system2": "closed"}
    affect = score_affect(design.study(score), design.settings(elicit={"groups": groups}))
    found = pictures(affect)
    kinds = ["profile-judge", "plane-judge", "drift-judge-target", "drift-judge-whole", "variance-judge"]
    assert [each.name for each in found] == kinds
    assert "5 of 5 targets. n = 18 to 27 texts each, 54 missing over all." in found[0].caption
    assert all(row[3].startswith("r ") for row in found[2].table.rows)
    assert {"Means, 0 to 1", "The judge's own noise, from a second reading"} <= {
        each.title for each in judge_tables(affect, "judge")
    }


def test_targets_without_a_score_are_named() -> None:
    """A target that was only mentioned has no place in the chart, and is not passed over."""
    texts = [read(text("a"), HIGH, [portrait("Ada", HIGH), portrait("Bob", dict.fromkeys(VAD, Missing("refused")))])]
    affect = score_affect(study(texts), settings(targets=["Ada", "Bob"]))
    profile = picture(affect, "profile")
    assert "1 of 2 targets. n = 1 text each, 0 missing over all. Without any score: Bob." in profile.caption
    assert "Where there is one text, the interval is the judge's own spread." in profile.caption
    assert left_out(score_affect(study([]), settings()))["Profiles"] == "no text names a target"


def test_what_is_missing_is_counted() -> None:
    """Items without a value are in the caption; a score without a number is in the table with its reason, not drawn."""
    affect = affect_scores(Study(missing=2, samples=27, wordings=(), systems=()))
    affect["judges"]["judge"]["targets"][TARGETS[0]]["profile"]["target"]["valence"] = UNKNOWN
    profile = picture(affect, "profile")
    assert "n = 0 to 27 texts each, 27 missing over all; 1 of 24 have no score." in profile.caption
    assert (TARGETS[0], "target", "valence", "none: no text counts", "0", "5") in profile.table.rows
    assert len(data(profile)) == 23
    assert TARGETS[0] not in {each["target"] for each in data(picture(affect, "plane"))}


def test_many_targets_are_paged_and_limited() -> None:
    """Eight a picture, five pictures at most, each of which says which targets it shows; the plane says how many."""
    affect = affect_scores(Study(targets=[f"target {n}" for n in range(50)], wordings=(), systems=()))
    profiles = [each for each in pictures(affect) if each.name.startswith("profile")]
    assert [each.name for each in profiles] == [f"profile-judge-{n}" for n in range(1, 6)]
    assert {len({point["target"] for point in data(each)}) for each in profiles} == {TARGETS_A_PICTURE}
    assert "Targets 9 to 16 of 50." in profiles[1].caption
    assert "Targets 33 to 40 of 50; the others are in scores.json alone." in profiles[4].caption
    plane = picture(affect, "plane")
    assert f"{TARGETS_IN_PLANE} of 50 targets." in plane.caption
    assert len(plane.table.rows) == 50
    labels = {each["label"]: each["target"] for each in data(plane)}
    assert labels["3"] == "target 2"
    assert {"number": 3, "words": "3. target 2"} in [
        each for found in plane.spec["datasets"].values() for each in found
    ]


def test_few_targets_are_named_in_the_plane() -> None:
    """Where there is room, a point has its target's name and no key is needed."""
    plane = picture(affect_scores(PLAIN), "plane")
    assert {each["label"] for each in data(plane)} == set(TARGETS)
    assert "hconcat" not in plane.spec


def test_plane_takes_valence_and_dominance_or_the_first_two() -> None:
    """A user's own axes get a plane, too; a single axis gets none, and the reason."""
    plane = picture(affect_scores(), "plane")
    assert plane.table.columns[1:3] == ("valence [95 % interval]", "dominance (directional) [95 % interval]")
    affect = affect_scores(Study(axes={"trust": "trust", "drive": "initiative", "wit": "wit"}))
    plane = picture(affect, "plane")
    assert plane.table.columns[1] == "trust (directional) [95 % interval]"
    target = affect["judges"]["judge"]["targets"][TARGETS[0]]["profile"]["target"]
    (point,) = (each for each in data(plane) if each["target"] == TARGETS[0])
    assert (point["x"], point["y"]) == (target["trust"]["value"], target["drive"]["value"])
    assert "less than two axes" in left_out(affect_scores(Study(axes={"trust": "trust"})))["Targets"]


def test_drift_shows_each_pair_on_each_axis() -> None:
    """Shifts with intervals on a scale that is the same to both sides of 0, and the rank correlation beside them."""
    affect = affect_scores()
    drift = picture(affect, "drift-judge-target")
    found = next(each for each in affect["judges"]["judge"]["drift"] if each["second"] == "evaluative")
    (point,) = (
        each for each in data(drift) if each["axis"] == "valence" and each["wordings"] == "neutral → evaluative"
    )
    assert point["value"] == found["axes"]["valence"]["shift"]["value"]
    assert point["rank correlation"] == f"r {found['axes']['valence']['rank_correlation']['value']:.2f}"
    assert len(drift.table.rows) == 3 * 3
    assert {(-low, high) == (high, high) for low, high in scales(drift.spec, "x")} == {True}


def test_drift_of_many_wordings_is_limited() -> None:
    """The first pairs are drawn, the table has all."""
    drift = picture(affect_scores(Study(wordings=[f"w{n}" for n in range(7)])), "drift-judge-whole")
    assert f"{PAIRS_A_PICTURE} of 21 pairs of wordings." in drift.caption
    assert len({each["wordings"] for each in data(drift)}) == PAIRS_A_PICTURE
    assert len(drift.table.rows) == 21 * 3


@pytest.mark.parametrize(("high", "reach"), [(0.0, 0.1), (0.1, 0.1), (0.11, 0.2), (0.52, 0.6), (1.0, 1.0)])
def test_shifts_have_room(high: float, reach: float) -> None:
    """The scale of shifts reaches over all intervals, in whole tenths."""
    assert shift_domain([{"low": -high / 2, "high": high}]) == pytest.approx(reach)


def test_shares_of_variance_are_stacked_in_one_order() -> None:
    """Components stand in the same order in every bar, as the split has them; an axis without a split is named."""
    affect = affect_scores()
    affect["judges"]["judge"]["variance"]["whole"]["arousal"] = {"reason": "all scores are the same"}
    shares = picture(affect, "variance")
    orders = {(each["component"], each["order"]) for each in data(shares)}
    assert orders == {("target", 0), ("system", 1), ("wording", 2), ("interactions", 3), ("sample", 4)}
    assert "Left out: whole, arousal (directional): all scores are the same." in shares.caption
    assert sum(each["value"] for each in data(shares)) == pytest.approx(5.0)


def test_what_was_not_asked_is_left_out_with_its_reason() -> None:
    """No wordings, one wording, or no targets: the picture is not there, and words say why."""
    plain = left_out(affect_scores(Study(wordings=(), systems=())))
    assert plain == {
        "Drift": "no texts were elicited by wordings",
        "Shares": "no texts were elicited from several systems by several wordings",
    }
    assert left_out(affect_scores(Study(wordings=("neutral",))))["Drift"] == "there is one wording alone"
    whole = affect_scores(Study(contracts=("whole",)))
    whole["judges"]["judge"]["targets"] = {}
    assert left_out(whole)["Targets"] == "the contract target was not asked for"
    assert left_out(whole)["Profiles"] == "only the mood of whole texts was asked for"


@pytest.mark.parametrize(
    ("words", "part"), [("qwen3-32b", "qwen3-32b"), ("../b", "b"), ("Ü ß/", "U"), ("река", "x"), ("", "x")]
)
def test_names_of_files_are_plain(words: str, part: str) -> None:
    """Whatever a judge is called, its files lie in the folder and can be typed."""
    assert slug(words) == part


def test_files_are_png_and_svg_with_every_name(tmp_path: Path) -> None:
    """Names in any script, with quotes and markup, stand in the pictures as they are."""
    names = ("长江大桥", "Река Обь", "</script><script>", 'quo"te \\ {{x}} datum.y', "it's")
    affect = affect_scores(Study(targets=names, wordings=("a'b", 'c"d\\'), contracts=("target",)))
    written = list(write_pictures(pictures(affect), tmp_path))
    assert len(written) == 2 * 4
    assert set(written) == set(tmp_path.iterdir())
    svg = (tmp_path / "profile-judge.svg").read_text(encoding="utf-8")
    for name in ("长江大桥", "Река Обь", "&lt;/script&gt;&lt;script&gt;", "datum.y", "it's"):
        assert name in svg
    assert "<script" not in svg
    assert "Profiles of targets, by judge judge" in svg
    png = (tmp_path / "profile-judge.png").read_bytes()
    assert png.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", png[16:24])
    assert width > 900
    assert height > 900


def test_letters_that_no_font_has_are_told() -> None:
    """A name whose letters would be boxes in a PNG file is not passed over; what can be drawn is not told."""
    found = pictures(affect_scores(Study(targets=("Anna 𐕰𐕱", "Жанна", "Zoë"), wordings=())))
    assert letters_without_font(found) == "𐕰𐕱"
