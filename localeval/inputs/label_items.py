"""What labels are about: which sorts of items there are, and which values each may have."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from localeval.inputs.decoding import is_blank
from localeval.inputs.fields import kind_of
from localeval.inputs.wording import problem
from localeval.methods.panel.rubrics import FAITHFULNESS
from localeval.methods.panel.schemas import GRADES, NA

Scale = Literal["grade", "share", "verdict", "count", "fate", "score", "class"]
"""grade: 0, 1, 2 or NA. share: in [0, 1]. verdict: faithful or unfaithful. count: 0, 1, 2, ... fate: kept, bent or
lost. score: any number, on a scale of the file's own. class: any word."""

CLASSES: Mapping[Scale, tuple[str, ...]] = {
    "grade": (*map(str, GRADES), NA),
    "verdict": ("faithful", "unfaithful"),
    "fate": ("kept", "bent", "lost"),
}
"""The words of the scales that have given ones, in their order."""

STEPS: Mapping[Scale, float] = {"grade": 1.0, "verdict": 1.0, "count": 1.0, "fate": 1.0}
"""How far two neighbouring values lie apart, words counting 0 and 1; the other scales have no step of their own."""

FORMS = (
    "panel/CRITERION, panel, audit, audit/fabrications, quiz/QUESTION, affect/TARGET/AXIS, affect/AXIS, score/NAME or "
    "class/NAME"
)
"""The items that there may be, as messages name them."""


@dataclass(frozen=True, slots=True)
class ItemForm:
    """What an item is: the scale of its values, and the group of items that are compared as one.

    All questions of a quiz are one group, and so are all targets under one axis, and all parts of a score of one's own.
    """

    scale: Scale
    group: str


def form_of(item: str) -> ItemForm | None:
    """The form of an item, None where it has none of those that there are."""
    if item == "panel":
        return ItemForm("share", item)
    if item == "audit":
        return ItemForm("verdict", item)
    if item == "audit/fabrications":
        return ItemForm("count", item)
    method, _, rest = item.partition("/")
    if is_blank(rest):
        return None
    if method == "panel":
        return ItemForm("grade", item)
    if method == "quiz":
        return ItemForm("fate", "quiz")
    if method == "affect":
        target, slash, axis = rest.rpartition("/")
        return ItemForm("share", f"affect/*/{axis}" if slash and target else item) if axis else None
    if method in ("score", "class"):
        name = rest.partition("/")[0]
        return ItemForm("score" if method == "score" else "class", f"{method}/{name}") if name else None
    return None


def read_value(item: str, scale: Scale, written: object, place: str, hint: str = "") -> float | str:
    """The value of an item as it is written in a file, words in lower case but NA and classes of one's own.

    A number may be written as text, with a decimal comma too, since spreadsheets do. Raises InputError where the scale
    has no such value; `hint` ends its message.
    """
    if isinstance(written, str):
        written = written.strip()
    if item == f"panel/{FAITHFULNESS}" and isinstance(written, str) and written.upper() == NA:
        raise problem(place, f"is {NA!r}", f"{FAITHFULNESS} applies to every text; give 0, 1 or 2")
    value = _READERS[scale](written)
    if value is None:
        raise problem(place, f"is {kind_of(written)}", f"expected {_EXPECTED[scale]}{hint}")
    return value


def _grade(written: object) -> float | str | None:
    if isinstance(written, str) and written.upper() == NA:
        return NA
    number = _number(written)
    return number if number in GRADES else None


def _share(written: object) -> float | None:
    number = _number(written)
    return number if number is not None and 0.0 <= number <= 1.0 else None


def _count(written: object) -> float | None:
    number = _number(written)
    return number if number is not None and number >= 0 and number == int(number) else None


def _word_of(scale: Scale) -> Callable[[object], str | None]:
    def read(written: object) -> str | None:
        word = written.lower() if isinstance(written, str) else ""
        return word if word in CLASSES[scale] else None

    return read


def _class(written: object) -> str | None:
    if isinstance(written, bool | int):
        return str(written).lower()
    return written if isinstance(written, str) and not is_blank(written) else None


def _number(written: object) -> float | None:
    """A finite number, also where it is written as text; None for anything else."""
    if isinstance(written, bool) or not isinstance(written, int | float | str):
        return None
    try:
        number = float(written.replace(",", ".") if isinstance(written, str) else written)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


_READERS: Mapping[Scale, Callable[[object], float | str | None]] = {
    "grade": _grade,
    "share": _share,
    "verdict": _word_of("verdict"),
    "count": _count,
    "fate": _word_of("fate"),
    "score": _number,
    "class": _class,
}

_EXPECTED: Mapping[Scale, str] = {
    "grade": f'{", ".join(map(str, GRADES))} or "{NA}"',
    "share": "a number from 0 to 1",
    "verdict": " or ".join(f'"{word}"' for word in CLASSES["verdict"]),
    "count": "a whole number, 0 or more",
    "fate": '"kept", "bent" or "lost"',
    "score": "a number",
    "class": "a word",
}
