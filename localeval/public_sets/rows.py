"""The rows of the public sets: one JSON object a line, and every problem in one line with file and line."""

import gzip
import math
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from localeval.inputs.decoding import decode, read_text
from localeval.inputs.fields import as_object, kind_of, rows_of, text_field
from localeval.inputs.wording import name_of, problem, show

_SEE = "the README of the set names its fields"

Parsed = TypeVar("Parsed")
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Fields:
    """One object of a file, and where it stands there. Each getter raises InputError naming that place."""

    place: str
    row: Mapping[str, object]

    def text(self, name: str) -> str:
        """A string."""
        return text_field(self.row, name, self.place)

    def optional_text(self, name: str) -> str | None:
        """A string, or None where the field is null or absent."""
        return None if self.row.get(name) is None else self.text(name)

    def number(self, name: str, low: float, high: float) -> float:
        """A finite number in [low, high]."""
        return self._number(self._value(name), f"{self.place}: {name}", low, high)

    def whole(self, name: str, low: int = 0, high: int = 10**9) -> int:
        """A whole number in [low, high]."""
        found = self.number(name, low, high)
        if found != int(found):
            raise self.problem(name, f"is {found}", "expected a whole number")
        return int(found)

    def yes(self, name: str) -> bool:
        """True or false."""
        value = self._value(name)
        if not isinstance(value, bool):
            raise self.problem(name, f"is {kind_of(value)}", "expected true or false")
        return value

    def one_of(self, name: str, options: Mapping[str, Value]) -> Value:
        """What stands for a string of `options`."""
        value = self.text(name)
        if value not in options:
            raise self.problem(name, f"is {show(value)}", f"expected {' or '.join(options)}")
        return options[value]

    def numbers(self, name: str, n: int, low: float, high: float) -> tuple[float, ...]:
        """A list of `n` numbers in [low, high]."""
        return self._numbers(self._value(name), f"{self.place}: {name}", n, low, high)

    def tuples(self, name: str, n: int, low: float, high: float) -> tuple[tuple[float, ...], ...]:
        """A list of lists of `n` numbers in [low, high]; empty where the field is null or absent."""
        value = self.row.get(name)
        if value is None:
            return ()
        lists = self._list(value, f"{self.place}: {name}")
        return tuple(
            self._numbers(each, f"{self.place}: {name}[{place}]", n, low, high) for place, each in enumerate(lists)
        )

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of strings."""
        found = self._list(self._value(name), f"{self.place}: {name}")
        wrong = [each for each in found if not isinstance(each, str)]
        if wrong:
            raise self.problem(name, f"holds {kind_of(wrong[0])}", "expected strings")
        return tuple(str(each) for each in found)

    def inner(self, name: str) -> "Fields":
        """An object within this one."""
        where = f"{self.place}: {name}"
        return Fields(where, as_object(self._value(name), where))

    def each(self, name: str) -> Iterator["Fields"]:
        """The objects of a list."""
        for place, value in enumerate(self.list(name)):
            where = f"{self.place}: {name}[{place}]"
            yield Fields(where, as_object(value, where))

    def list(self, name: str) -> Sequence[object]:
        """A list of anything."""
        return self._list(self._value(name), f"{self.place}: {name}")

    def problem(self, name: str, what: str, fix: str) -> Exception:
        """The error about a field."""
        return problem(f"{self.place}: {name}", what, f"{fix}; {_SEE}")

    def _value(self, name: str) -> object:
        if name not in self.row:
            raise self.problem(name, "is missing", "add it")
        return self.row[name]

    @staticmethod
    def _list(value: object, where: str) -> Sequence[object]:
        if not isinstance(value, list):
            raise problem(where, f"is {kind_of(value)}", f"expected a list; {_SEE}")
        return value

    @classmethod
    def _numbers(cls, value: object, where: str, n: int, low: float, high: float) -> tuple[float, ...]:
        found = cls._list(value, where)
        if len(found) != n:
            raise problem(where, f"has {len(found)} values", f"expected {n}; {_SEE}")
        return tuple(cls._number(each, where, low, high) for each in found)

    @staticmethod
    def _number(value: object, where: str, low: float, high: float) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise problem(where, f"is {kind_of(value)}", f"expected a number from {low:g} to {high:g}; {_SEE}")
        if not (math.isfinite(value) and low <= value <= high):
            raise problem(where, f"is {show(value)}", f"expected a number from {low:g} to {high:g}; {_SEE}")
        return float(value)


def read_rows(path: Path, parse: Callable[[Fields], Parsed]) -> tuple[Parsed, ...]:
    """What `parse` makes of each line of a JSONL file, plain or .gz. Raises InputError: `file line N: what; fix`."""
    text = _unpacked(path) if path.suffix == ".gz" else read_text(path)
    return tuple(parse(Fields(place, row)) for place, row in rows_of(text, name_of(path)))


def require_each_once(path: Path, ids: Iterable[str]) -> None:
    """Raises InputError where two rows of a file have one id."""
    seen: set[str] = set()
    for each in ids:
        if each in seen:
            raise problem(name_of(path), f"has {show(each)} twice", "keep one of the two rows")
        seen.add(each)


def _unpacked(path: Path) -> str:
    try:
        data = gzip.decompress(path.read_bytes())
    except (OSError, EOFError, zlib.error) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__
        raise problem(name_of(path), f"cannot be read ({reason})", "put the set there again") from None
    return decode(data, name_of(path))
