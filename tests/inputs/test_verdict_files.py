"""`localeval.inputs.verdict_files`: verdicts of people and other machines, each mistake with its line."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from localeval.errors import InputError
from localeval.inputs.verdict_files import check_verdicts, read_verdicts
from localeval.methods.panel.rubrics import Rubric
from localeval.methods.panel.schemas import Graded, GradedOrNot, Inapplicable

RUBRIC = Rubric.model_validate(
    {
        "category": "meeting",
        "language": "en",
        "criteria": [
            {"id": name, "statement": f"It has {name}.", "levels": {0: "no", 1: "half", 2: "yes"}, "na": na}
            for name, na in (("faithfulness", False), ("owners", True), ("clarity", False))
        ],
    }
)
ROW = {"source": "clinic", "system": "long", "criterion": "owners", "score": 1}


def write(folder: Path, *rows: Mapping[str, object]) -> Path:
    path = folder / "people.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_a_score_becomes_the_reply_that_a_judge_would_have_given(tmp_path: Path) -> None:
    """Read by the very schema that reads judges: evidence as given, "none" where none is."""
    given = ROW | {"candidate": [3, 5], "evidence": "7", "score": 2, "annotator": "first"}
    full, bare = read_verdicts(write(tmp_path, given, ROW | {"criterion": "clarity"}))
    assert Graded.model_validate_json(full.text) == Graded(candidate="3 5", source="7", score="2")
    assert Graded.model_validate_json(bare.text) == Graded(candidate="none", source="none", score="1")
    assert (full.subject, full.item, full.score) == ("clinic/long", "owners", 2)


@pytest.mark.parametrize(
    ("lacks", "read"), [("owners of tasks", "owners of tasks"), (None, "not said"), (" ", "not said")]
)
def test_na_says_what_the_source_lacks_or_that_nobody_said(tmp_path: Path, lacks: str | None, read: str) -> None:
    """The schema wants the words; where a person gives none, that is what stands there."""
    (row,) = read_verdicts(write(tmp_path, ROW | {"score": "NA", "lacks": lacks, "source_segments": [1]}))
    found = GradedOrNot.model_validate_json(row.text).root
    assert found == Inapplicable(candidate="none", source="1", score="NA", lacks=read)


def test_a_row_by_key_gives_a_text_or_a_score(tmp_path: Path) -> None:
    """An exported row that was filled in; outer white space is nobody's answer. One left open is no mistake."""
    rows = read_verdicts(
        write(
            tmp_path,
            {"key": "a", "text": " yes\n", "messages": []},
            {"key": "b", "text": "", "score": 0, "item": "owners"},
            {"key": "c", "text": ""},
        )
    )
    assert [(row.key, row.text) for row in rows] == [
        ("a", "yes"),
        ("b", '{"candidate":"none","source":"none","score":"0"}'),
        ("c", ""),
    ]


def test_an_empty_file_holds_no_verdict_yet(tmp_path: Path) -> None:
    """A run may begin before anybody has judged."""
    assert read_verdicts(write(tmp_path)) == ()


def test_the_same_matter_may_be_judged_again_as_a_repeat(tmp_path: Path) -> None:
    """`repeat` counts from 1, which is the first."""
    rows = read_verdicts(write(tmp_path, ROW, ROW | {"repeat": 2}, ROW | {"system": "terse"}))
    assert [row.item for row in rows] == ["owners", "owners#2", "owners"]


MISTAKES = [
    ([{"score": 1}], "line 1: names no call; give `key` and `text`, or `source`, `system`, `criterion` and `score`"),
    (
        [ROW, {"source": "clinic", "system": "long", "score": 1}],
        'line 2: criterion: is missing; add `"criterion": "…"`',
    ),
    ([ROW | {"score": 3}], 'line 1: score: is a number (3); expected 0, 1, 2 or "NA"'),
    ([ROW | {"score": "1"}], "line 1: score: is a string ('1')"),
    ([ROW | {"score": True}], "line 1: score: is true or false (True)"),
    (
        [ROW | {"criterion": "faithfulness", "score": "NA"}],
        "line 1: score: is 'NA'; faithfulness applies to every text",
    ),
    ([ROW, ROW | {"score": 2}], "line 2: 'owners' of this text is also answered in "),
    ([{"key": "a", "text": "x"}, {"key": "a", "text": ""}], "line 2: its call is also answered in "),
    ([{"key": " ", "text": "x"}], "line 1: key: is blank"),
    ([{"key": "a"}], "line 1: text: is missing"),
    ([{"key": "a", "text": "x", "score": 1}], "line 1: gives both `text` and `score`"),
    ([ROW | {"candidate": "3, 5"}], "line 1: candidate: '3,' is no segment number; give up to 4 segment numbers"),
    ([ROW | {"candidate": [0]}], "line 1: candidate: 0 is no segment number"),
    ([ROW | {"evidence": [1, 2, 3, 4, 5]}], "line 1: evidence: cites 5 segments"),
    ([ROW | {"evidence": 3}], "line 1: evidence: is a number (3)"),
    ([ROW | {"evidence": "3", "source_segments": "3"}], "line 1: gives both `evidence` and `source_segments`"),
    ([ROW | {"repeat": 0}], "line 1: repeat: is a number (0); expected 1 for the first verdict"),
    ([ROW | {"score": "NA", "lacks": 5}], "line 1: lacks: is a number (5)"),
]


@pytest.mark.parametrize(("rows", "told"), MISTAKES)
def test_a_mistake_is_one_line_with_its_place(tmp_path: Path, rows: list[dict[str, object]], told: str) -> None:
    """File, line, field, value and fix."""
    path = write(tmp_path, *rows)
    with pytest.raises(InputError) as error:
        read_verdicts(path)
    assert str(error.value).startswith(f"{path.as_posix()} {told}")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"source": "clinik"}, "line 1: source: there is no source 'clinik'; did you mean 'clinic'? "),
        ({"system": "lang"}, "line 1: system: there is no system 'lang'; did you mean 'long'? "),
        (
            {"criterion": "owner"},
            "line 1: criterion: the rubric of 'clinic' has no criterion 'owner'; did you mean 'owners'",
        ),
        ({"criterion": "clarity", "score": "NA"}, "line 1: score: is 'NA', and 'clarity' applies to every text"),
    ],
)
def test_a_row_about_nothing_of_the_run_is_told(tmp_path: Path, changed: dict[str, object], told: str) -> None:
    """With the name that was meant."""
    path = write(tmp_path, ROW | changed)
    with pytest.raises(InputError) as error:
        check_verdicts(path, {"clinic", "left-out"}, {"long", "terse"}, {"clinic": RUBRIC})
    assert str(error.value).startswith(f"{path.as_posix()} {told}")


def test_sources_that_are_left_out_and_rows_by_key_are_no_mistake(tmp_path: Path) -> None:
    """People judged more than this run takes; whether a key is asked for shows as the run goes."""
    path = write(tmp_path, ROW, ROW | {"source": "left-out", "criterion": "whatever"}, {"key": "a", "text": "x"})
    check_verdicts(path, {"clinic", "left-out"}, {"long", "terse"}, {"clinic": RUBRIC})
