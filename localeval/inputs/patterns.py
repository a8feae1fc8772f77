"""Path patterns with {source} and {system}, as in `summaries/{source}/{system}.md`."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from localeval.inputs.files import files_of, glob_pattern
from localeval.inputs.names import normal

PLACEHOLDER = re.compile(r"\{([^{}/]*)\}")
_ANY = "[^/]+"
_PIECE = re.compile(r"\{(source|system)\}|(\*\*(?:/|$))|(\*+)|(\?)|(\[!?\]?[^\]/]*\])|(.)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Named:
    """What a path says of a candidate."""

    source_id: str
    system: str


@dataclass(frozen=True)
class PathPattern:
    """A path with placeholders, relative to `base`. {source} and {system} stand for one or more characters but "/"."""

    path: str
    base: Path

    def files(self) -> list[Path]:
        """The files whose path fits, sorted; a placeholder that comes twice stands for the same both times."""
        pattern = glob_pattern(PLACEHOLDER.sub("*", self.path), self.base)
        return [file for file in files_of(pattern) if self._match(file, _ANY)]

    def named_by(self, file: Path, source_ids: Iterable[str]) -> Named | None:
        """The first of `source_ids` that fits in a path, and the system; None where none of them does.

        The system is "" where the pattern has no {system}; where it has no {source}, any id fits.
        """
        name = normal(file.as_posix())
        for source_id in source_ids:
            # most ids fail here, without a regular expression
            if source_id not in name and "{source}" in self.path:
                continue
            match = self._regex(re.escape(source_id)).fullmatch(name)
            if match is not None:
                return Named(source_id, match.groupdict().get("system", ""))
        return None

    def source_of(self, file: Path) -> str:
        """What stands in the place of {source}, known or not; the longest reading."""
        match = self._match(file, _ANY)
        return "" if match is None else match.groupdict().get("source", "")

    def _match(self, file: Path, source: str) -> re.Match[str] | None:
        return self._regex(source).fullmatch(normal(file.as_posix()))

    @cache  # noqa: B019 - a pattern lives as long as one reading of the candidates
    def _regex(self, source: str) -> re.Pattern[str]:
        return re.compile("".join(self._parts(source)), re.DOTALL)

    def _parts(self, source: str) -> list[str]:
        text = normal(Path(glob_pattern(self.path, self.base)).as_posix())
        parts: list[str] = []
        seen: set[str] = set()
        for name, deep, star, one, group, literal in _PIECE.findall(text):
            if name:
                inner = source if name == "source" else _ANY
                parts.append(f"(?P={name})" if name in seen else f"(?P<{name}>{inner})")
                seen.add(name)
            else:
                parts.append(_translated(deep, star, one, group, literal))
        return parts


def _translated(deep: str, star: str, one: str, group: str, literal: str) -> str:
    if group:
        inside = group[1:-1].replace("\\", "\\\\").replace("[", "\\[").replace("^", "\\^")
        return f"[{'^' + inside[1:] if inside.startswith('!') else inside}]"
    if deep:
        return "(?:[^/]+/)*" if deep.endswith("/") else ".*"
    return "[^/]*" if star else "[^/]" if one else re.escape(literal)
