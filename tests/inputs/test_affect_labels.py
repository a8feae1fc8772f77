"""People's scores of affect in JSONL files, against which the judges are held."""

import json
import random
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from localeval.errors import InputError, LocalevalError
from localeval.inputs.affect_labels import read_affect_labels
from localeval.methods.affect.axes import Contract
from localeval.methods.affect.readings import AffectLabel
from tests.inputs.damaging import damaged

TEXTS = ("kick-off/a", "kick-off/b", "retro")
TARGETS = dict.fromkeys(TEXTS, ("Anna", "Bob Smith"))
AXES: dict[Contract, tuple[str, ...]] = {"target": ("valence", "trust"), "whole": ("valence",)}
FIRST = {"text": "kick-off/a", "target": "Anna", "axis": "valence", "value": 0.75}
WHOLE = {"text": "retro", "contract": "whole", "axis": "valence", "value": 0}


def written(folder: Path, *rows: object) -> Path:
    """A label file with these rows."""
    path = folder / "labels.jsonl"
    path.write_text("\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows), encoding="utf-8")
    return path


def read(path: Path) -> tuple[AffectLabel, ...]:
    """The labels about the texts above."""
    return read_affect_labels(path, TEXTS, TARGETS, AXES)


def test_labels_are_read_in_file_order(tmp_path: Path) -> None:
    """Both contracts, target being the one that need not be said; several raters; blank lines and unknown fields."""
    rows = [
        {**FIRST, "rater": "r1", "note": "sure"},
        "",
        {**FIRST, "rater": "r2", "value": 1},
        {**FIRST, "contract": "target", "target": " Bob Smith "},
        WHOLE,
        {**WHOLE, "text": "kick-off/b", "target": "", "rater": None, "value": 0.5},
    ]
    assert read(written(tmp_path, *rows)) == (
        AffectLabel("kick-off/a", "target", "valence", 0.75, "Anna", "r1"),
        AffectLabel("kick-off/a", "target", "valence", 1.0, "Anna", "r2"),
        AffectLabel("kick-off/a", "target", "valence", 0.75, "Bob Smith", ""),
        AffectLabel("retro", "whole", "valence", 0.0, "", ""),
        AffectLabel("kick-off/b", "whole", "valence", 0.5, "", ""),
    )


def test_texts_that_are_yet_to_be_written_have_any_id(tmp_path: Path) -> None:
    """No texts known: any id and, where no targets are told for it, any target; but no blank id."""
    rows = [{**FIRST, "text": "Anna/neutral/system/1", "target": "Whoever"}, {**WHOLE, "text": "elsewhere"}]
    labels = read_affect_labels(written(tmp_path, *rows), (), {}, AXES)
    assert [(label.text, label.target) for label in labels] == [("Anna/neutral/system/1", "Whoever"), ("elsewhere", "")]
    with pytest.raises(InputError, match="text: there is no text ' '; give a source's id"):
        read_affect_labels(written(tmp_path, {**FIRST, "text": " "}), (), {}, AXES)


def without(row: Mapping[str, object], field: str) -> dict[str, object]:
    """The row less one field."""
    return {name: value for name, value in row.items() if name != field}


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (
            "{",
            "line 2 column 2: is not JSON (Expecting property name enclosed in double quotes); correct the JSON there",
        ),
        ([1], "line 2: is a list; expected an object in braces"),
        (without(FIRST, "text"), 'line 2: text: is missing; add `"text": "…"`'),
        ({**FIRST, "text": 3}, "line 2: text: is a number (3); expected a string"),
        ({**FIRST, "text": "kickoff/b"}, "line 2: text: there is no text 'kickoff/b'; did you mean 'kick-off/b' or "),
        ({**FIRST, "text": "zzz"}, "line 2: text: there is no text 'zzz'; give a source's id, or SOURCE/SYSTEM for a"),
        (without(FIRST, "target"), 'line 2: target: is missing; add `"target": "NAME"`, or `"contract": "whole"` for'),
        ({**FIRST, "target": " "}, "line 2: target: is missing; add "),
        ({**FIRST, "target": "Ana"}, "line 2: target: there is no target 'Ana' in this text; did you mean 'Anna'? exp"),
        ({**FIRST, "target": "Zed"}, "line 2: target: there is no target 'Zed' in this text; expected Anna, Bob Smith"),
        ({**WHOLE, "target": "Anna"}, "line 2: target: is 'Anna', but 'whole' is about the text alone; leave it out, "),
        ({**FIRST, "contract": "targt"}, "line 2: contract: there is no contract 'targt'; did you mean 'target'? exp"),
        ({**FIRST, "contract": 1}, "line 2: contract: is a number (1); expected a string"),
        (
            {**FIRST, "contract": "favourability"},
            "line 2: contract: 'favourability' is not asked; asked are target, whole; add it to `contracts` or remove",
        ),
        (without(FIRST, "axis"), 'line 2: axis: is missing; add `"axis": "…"`'),
        ({**FIRST, "axis": "valance"}, "line 2: axis: there is no axis 'valance' under 'target'; did you mean 'valenc"),
        ({**WHOLE, "axis": "trust"}, "line 2: axis: there is no axis 'trust' under 'whole'; expected valence"),
        (without(WHOLE, "value"), 'line 2: value: is missing; add `"value": NUMBER`, from 0 to 1'),
        ({**WHOLE, "value": "0.5"}, "line 2: value: is a string ('0.5'); expected a number from 0 to 1, without quot"),
        ({**WHOLE, "value": True}, "line 2: value: is true or false (True); expected a number from 0 to 1"),
        ({**WHOLE, "value": None}, "line 2: value: is null"),
        ({**WHOLE, "value": 1.01}, "line 2: value: is 1.01; expected a number from 0 to 1"),
        ({**WHOLE, "value": -1}, "line 2: value: is -1; expected a number from 0 to 1"),
        ({**WHOLE, "value": 10**400}, "line 2: value: is 1000"),
        (json.dumps({**WHOLE, "value": float("nan")}), "line 2: value: is nan; expected a number from 0 to 1"),
        (json.dumps({**WHOLE, "value": float("inf")}), "line 2: value: is inf; expected a number from 0 to 1"),
        ({**WHOLE, "rater": 4}, "line 2: rater: is a number (4); expected a string"),
        (FIRST, "line 2: axis: 'valence' of 'Anna' is also scored in "),
        ({**FIRST, "rater": "r2"}, "line 2: rater: is given here and not in "),
    ],
)
def test_a_bad_label_is_named(tmp_path: Path, row: object, message: str) -> None:
    """File, line, field, value and fix, in one line."""
    path = written(tmp_path, FIRST, row)
    with pytest.raises(InputError) as caught:
        read(path)
    assert str(caught.value).startswith(f"{path.as_posix()} {message}")
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < len(path.as_posix()) * 2 + 250
    assert caught.value.exit_code == 2


def test_raters_score_a_matter_once_each_and_all_by_name(tmp_path: Path) -> None:
    """The same rater twice, or a row without rater among those that name theirs; other matters are not concerned."""
    one, other = {**WHOLE, "rater": "r1"}, {**WHOLE, "rater": "r2"}
    assert len(read(written(tmp_path, one, other, {**one, "text": "kick-off/a"}, FIRST))) == 4
    with pytest.raises(InputError) as caught:
        read(written(tmp_path, one, other, {**one, "value": 1}))
    assert re.search(r"line 3: rater: 'r1' scored 'valence' of this text also in \S+ line 1; keep", str(caught.value))
    with pytest.raises(InputError, match=r"line 3: rater: is missing here and given in \S+ line 1, for 'valence' of "):
        read(written(tmp_path, one, other, WHOLE))


def test_a_label_file_is_there_and_holds_something(tmp_path: Path) -> None:
    """A file that is absent or empty is refused by name."""
    with pytest.raises(InputError, match="cannot be read"):
        read(tmp_path / "none.jsonl")
    with pytest.raises(InputError, match="is empty"):
        read(written(tmp_path, " "))


def test_a_damaged_file_is_refused_in_one_line_or_sound(tmp_path: Path) -> None:
    """300 files with slips: nothing but a LocalevalError of one printable line that names the file is raised."""
    rng = random.Random(4)
    sound = "\n".join(json.dumps(row) for row in (FIRST, WHOLE, {**FIRST, "target": "Bob Smith", "rater": "r1"}))
    messages: list[str] = []
    for _ in range(300):
        path = written(tmp_path, damaged(rng, sound))
        try:
            labels = read(path)
        except LocalevalError as error:
            messages.append(str(error))
        else:
            assert labels
            assert all(0 <= label.value <= 1 and label.axis in AXES[label.contract] for label in labels)
    assert 150 < len(messages) < 300
    assert not [told for told in messages if not (told.startswith(path.as_posix()) and told.isprintable())]
