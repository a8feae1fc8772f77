"""`localeval.inputs.judge_labels`: labels of people and judges in one form, from JSONL and from spreadsheets."""

import json
from pathlib import Path

import pytest

from localeval.errors import InputError
from localeval.inputs.judge_labels import JudgeLabel, blind_id, read_judge_labels, read_label_rows, resolved
from localeval.inputs.label_items import CLASSES, form_of

FIRST = {"source": "kick-off", "system": "a", "item": "panel/decisions", "rater": "Ann", "value": 1}


def written(folder: Path, *rows: object, name: str = "labels.jsonl") -> Path:
    """A label file with these rows."""
    path = folder / name
    path.write_text("\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows), encoding="utf-8")
    return path


def error_of(path: Path) -> str:
    """The one line that reading the file raises, without its path."""
    with pytest.raises(InputError) as caught:
        read_judge_labels(path)
    assert str(caught.value).isprintable()
    assert str(caught.value).startswith(path.as_posix())
    return str(caught.value).removeprefix(path.as_posix()).lstrip(" :")


def test_every_item_has_its_own_values(tmp_path: Path) -> None:
    """Grades and NA, shares, verdicts, counts, fates, scores and classes; numbers become floats."""
    given: list[tuple[str, object, float | str]] = [
        ("panel/decisions", 2, 2.0),
        ("panel/openings", "NA", "NA"),
        ("panel", 0.75, 0.75),
        ("audit", "Unfaithful", "unfaithful"),
        ("audit/fabrications", 3, 3.0),
        ("quiz/0123456789ab", "bent", "bent"),
        ("affect/Ferry Line/valence", 0.5, 0.5),
        ("affect/arousal", 1, 1.0),
        ("score/overall/q1", -3.5, -3.5),
        ("class/tone", "Harsh", "Harsh"),
    ]
    rows = [FIRST | {"item": item, "value": value} for item, value, _ in given]
    assert read_judge_labels(written(tmp_path, *rows)) == tuple(
        JudgeLabel("kick-off", "a", item, "Ann", value) for item, _, value in given
    )


def test_one_form_for_every_shape_of_file(tmp_path: Path) -> None:
    """A row a label, ratings by rater, a table with `value`, a table with a column a rater: the same labels."""
    two = [FIRST, FIRST | {"rater": "Ben", "value": 2}, FIRST | {"system": "b", "value": 0}]
    lines = written(tmp_path, *two)
    ratings = [
        {name: FIRST[name] for name in ("source", "system", "item")} | {"ratings": {"Ann": 1, "Ben": 2}},
        {"source": "kick-off", "system": "b", "item": "panel/decisions", "ratings": {"Ann": 0, "Ben": None}},
    ]
    long = "source,system,item,rater,value\n" + "".join(
        f"{row['source']},{row['system']},{row['item']},{row['rater']},{row['value']}\n" for row in two
    )
    wide = (
        "\ufeffSource;System;Item;Ann;Ben;note;_mine\n"
        "kick-off;a;panel/decisions;1;2;x;7\nkick-off;b;panel/decisions;0;;;\n"
    )
    expected = read_judge_labels(lines)
    assert len(expected) == 3
    for path in (
        written(tmp_path, *ratings, name="ratings.jsonl"),
        written(tmp_path, long, name="long.csv"),
        written(tmp_path, wide, name="wide.csv"),
    ):
        assert sorted(read_judge_labels(path), key=str) == sorted(expected, key=str)


def test_a_panels_labels_are_labels_too(tmp_path: Path) -> None:
    """`criterion` and `score` stand for item and value; without a rater it is the file's name."""
    path = written(tmp_path, {"source": "s", "system": "a", "criterion": "decisions", "score": 2}, name="team.jsonl")
    assert read_judge_labels(path) == (JudgeLabel("s", "a", "panel/decisions", "team", 2.0),)


def test_a_blank_cell_is_no_label(tmp_path: Path) -> None:
    """Half a sheet can be compared; an untouched one says so. Decimal commas are read."""
    sheet = "source;system;item;rater;value\ns;a;panel;Ann;'0,5\ns;b;panel;Ann;\n"
    assert read_judge_labels(written(tmp_path, sheet, name="half.csv")) == (JudgeLabel("s", "a", "panel", "Ann", 0.5),)
    untouched = written(tmp_path, "source,system,item,rater,value\ns,a,panel,Ann,\n", name="new.csv")
    assert error_of(untouched) == "holds no label yet; fill in at least one value"


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("{", "line 2 column 2: is not JSON (Expecting property name enclosed in double quotes); "),
        ({"system": "a", "item": "panel", "value": 1}, 'line 2: source: is missing; add `"source": "…"`'),
        (FIRST | {"source": " "}, "line 2: source: is blank; name the source"),
        ({k: FIRST[k] for k in FIRST if k != "value"}, 'line 2: value: is missing; add `"value": …`, or `"ratings"`'),
        (FIRST | {"item": "panels"}, "line 2: item: is a string ('panels'); expected panel/CRITERION, panel, audit, "),
        (FIRST | {"item": "quiz/"}, "line 2: item: is a string ('quiz/'); expected "),
        (FIRST | {"system": "b", "value": 3}, 'line 2: value: is a number (3); expected 0, 1, 2 or "NA"'),
        (FIRST | {"system": "b", "value": 1.5}, 'line 2: value: is a number (1.5); expected 0, 1, 2 or "NA"'),
        (FIRST | {"system": "b", "value": True}, 'line 2: value: is true or false (True); expected 0, 1, 2 or "NA"'),
        (
            FIRST | {"item": "panel/faithfulness", "value": "NA"},
            "line 2: value: is 'NA'; faithfulness applies to every text; give 0, 1 or 2",
        ),
        (FIRST | {"item": "panel", "value": 75}, "line 2: value: is a number (75); expected a number from 0 to 1"),
        (FIRST | {"item": "panel", "value": "nan"}, "line 2: value: is a string ('nan'); expected a number from 0 to "),
        (FIRST | {"item": "audit", "value": "yes"}, 'line 2: value: is a string (\'yes\'); expected "faithful" or "'),
        (FIRST | {"item": "audit/fabrications", "value": -1}, "line 2: value: is a number (-1); expected a whole numb"),
        (FIRST | {"item": "quiz/1", "value": "gone"}, 'line 2: value: is a string (\'gone\'); expected "kept", "bent"'),
        (FIRST | {"item": "score/x", "value": "high"}, "line 2: value: is a string ('high'); expected a number"),
        (FIRST | {"item": "class/x", "value": [1]}, "line 2: value: is a list; expected a word"),
        (FIRST | {"ratings": [1]}, "line 2: ratings: is a list; expected an object in braces"),
        (FIRST | {"system": "#id:1"}, "line 2: system: is '#id:1'; a name may not begin with #id:"),
    ],
)
def test_a_bad_label_is_named(tmp_path: Path, row: object, message: str) -> None:
    """File, line, field, value and fix, in one line."""
    assert error_of(written(tmp_path, FIRST, row)).startswith(message)


def test_nobody_rates_the_same_twice(tmp_path: Path) -> None:
    """The same rater, text and item in two rows: both lines are named, however the name is composed."""
    path = written(tmp_path, FIRST | {"rater": "Zoe\u0301"}, "", FIRST | {"rater": "Zoé", "value": 2})
    assert error_of(path) == (
        f"line 3: 'Zoé' also rated 'panel/decisions' of this text in {path.as_posix()} line 1; "
        "keep one of the two, or name another rater"
    )


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("source,system,item\ns,a,panel\n", "row 2: there is no column 'value' and none of a rater; add `value`, or"),
        ("source,system,item,Ann,Ann\ns,a,panel,1,1\n", "row 1: the column 'Ann' stands twice; remove or rename one"),
        ("source,system,item,Ann\ns,a,panel,1,1\n", "row 2: has 5 cells under 4 columns; put cells that hold the deli"),
        (
            "source,system,item,Ann,topic\ns,a,panel,1,boats\n",
            "row 2: column 'topic': is a string ('boats'); expected a number from 0 to 1; if 'topic' is no rat",
        ),
        ('source,system,item,Ann\ns,a,panel,"1\n', "row 2: is not CSV ("),
    ],
)
def test_a_bad_table_is_named(tmp_path: Path, table: str, message: str) -> None:
    """File, row, column, value and fix, in one line."""
    assert error_of(written(tmp_path, table, name="sheet.csv")).startswith(message)


def test_ids_of_a_blind_sheet_come_back(tmp_path: Path) -> None:
    """A row with an id and no system stands for the text that the id was made of; other ids are refused."""
    matters = [("s", "a", "panel"), ("s", "b", "panel")]
    sheet = f"id,source,item,rater,value\n{blind_id(*matters[1])},s,panel,Ann,1\n"
    rows = read_label_rows(written(tmp_path, sheet, name="sheet.csv"))
    assert [row.label for row in resolved(rows, matters)] == [JudgeLabel("s", "b", "panel", "Ann", 1.0)]
    with pytest.raises(InputError, match=r"sheet.csv row 2: id: no text of this run has the id '.*'; use the sheet"):
        resolved(rows, matters[:1])
    both = read_label_rows(written(tmp_path, FIRST | {"source": "s", "system": "b", "item": "panel"}))
    with pytest.raises(InputError, match=r"row 2: 'Ann' also rated this text in .*labels.jsonl line 1; keep one"):
        resolved((*both, *rows), matters)


def test_what_is_compared_as_one() -> None:
    """All questions of a quiz, all targets under one axis, all parts of a score; a target's name may hold a slash."""
    forms = {
        item: form_of(item) for item in ("quiz/1", "affect/A/B/valence", "affect/valence", "score/x/q1", "panel/y")
    }
    assert {item: form and form.group for item, form in forms.items()} == {
        "quiz/1": "quiz",
        "affect/A/B/valence": "affect/*/valence",
        "affect/valence": "affect/valence",
        "score/x/q1": "score/x",
        "panel/y": "panel/y",
    }
    assert CLASSES["grade"] == ("0", "1", "2", "NA")
