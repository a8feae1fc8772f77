"""Labels in JSONL files, from which the judges' weights are calibrated."""

import json
from pathlib import Path

import pytest

from localeval.errors import InputError
from localeval.inputs.labels import read_labels
from localeval.methods.panel.schemas import Label

CELLS = {("kick-off", "a"), ("kick-off", "b"), ("retro", "a")}
CRITERIA = {"kick-off": ("faithfulness", "decisions"), "retro": ("faithfulness",)}
FIRST = {"source": "kick-off", "system": "a", "criterion": "decisions", "score": 1}


def written(folder: Path, *rows: object) -> Path:
    """A label file with these rows."""
    path = folder / "labels.jsonl"
    path.write_text("\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows), encoding="utf-8")
    return path


def test_labels_are_read_in_file_order(tmp_path: Path) -> None:
    """All four scores; blank lines are skipped and unknown fields ignored."""
    rows = [
        FIRST | {"score": score, "system": system, "criterion": criterion, "by": "me"}
        for score, system, criterion in [(2, "a", "faithfulness"), ("NA", "b", "decisions"), (0, "b", "faithfulness")]
    ]
    assert read_labels(written(tmp_path, FIRST, "", *rows), CELLS, CRITERIA) == (
        Label("kick-off", "a", "decisions", 1),
        Label("kick-off", "a", "faithfulness", 2),
        Label("kick-off", "b", "decisions", "NA"),
        Label("kick-off", "b", "faithfulness", 0),
    )


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (
            "{",
            "line 2 column 2: is not JSON (Expecting property name enclosed in double quotes); correct the JSON there",
        ),
        ([1], "line 2: is a list; expected an object in braces"),
        ({"source": "kick-off"}, 'line 2: system: is missing; add `"system": "…"`'),
        (FIRST | {"source": "kickoff"}, "line 2: source: there is no source 'kickoff'; did you mean 'kick-off'? "),
        (
            FIRST | {"source": "retro", "system": "b"},
            "line 2: system: there is no text by 'b' about 'retro'; expected a",
        ),
        (
            FIRST | {"source": "retro"},
            "line 2: criterion: the rubric of 'retro' has no criterion 'decisions'; expected faithfulness",
        ),
        ({k: FIRST[k] for k in FIRST if k != "score"} | {"system": "b"}, "line 2: score: is missing; add `"),
        (FIRST | {"system": "b", "score": 3}, 'line 2: score: is a number (3); expected 0, 1, 2 or "NA"'),
        (FIRST | {"system": "b", "score": 1.0}, 'line 2: score: is a number (1.0); expected 0, 1, 2 or "NA"'),
        (FIRST | {"system": "b", "score": True}, 'line 2: score: is true or false (True); expected 0, 1, 2 or "NA"'),
        (FIRST | {"system": "b", "score": "2"}, "line 2: score: is a string ('2'); expected 0, 1, 2 or \"NA\""),
        (FIRST | {"system": "b", "score": None}, "line 2: score: is null"),
        (
            FIRST | {"criterion": "faithfulness", "score": "NA"},
            "line 2: score: is 'NA'; faithfulness applies to every text; give 0, 1 or 2",
        ),
        (FIRST | {"score": 2}, "line 2: criterion: 'decisions' of this text is also scored in "),
    ],
)
def test_a_bad_label_is_named(tmp_path: Path, row: object, message: str) -> None:
    """File, line, field, value and fix, in one line."""
    path = written(tmp_path, FIRST, row)
    with pytest.raises(InputError) as caught:
        read_labels(path, CELLS, CRITERIA)
    assert str(caught.value).startswith(f"{path.as_posix()} {message}")
    assert "\n" not in str(caught.value)


def test_a_label_file_is_there_and_holds_something(tmp_path: Path) -> None:
    """A file that is absent or empty is refused by name."""
    with pytest.raises(InputError, match="cannot be read"):
        read_labels(tmp_path / "none.jsonl", CELLS, CRITERIA)
    with pytest.raises(InputError, match="is empty"):
        read_labels(written(tmp_path, " "), CELLS, CRITERIA)
