"""Files to sources."""

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from localeval.inputs.decoding import read_text
from localeval.inputs.files import expand
from localeval.inputs.jsonl import SourceRow, read_source_rows
from localeval.inputs.language import detect_language
from localeval.inputs.names import checked_name
from localeval.inputs.passages import Passage
from localeval.inputs.segmenting import cut_passages, cut_text
from localeval.inputs.specs import SourceSpec
from localeval.inputs.subtitles import read_srt, read_vtt
from localeval.inputs.whisper import read_whisper
from localeval.inputs.wording import problem, show
from localeval.texts import Language, Source


def _srt(text: str, place: str) -> tuple[list[Passage], Language | None]:
    return read_srt(text, place), None


def _vtt(text: str, place: str) -> tuple[list[Passage], Language | None]:
    return read_vtt(text, place), None


_PLAIN = (".txt", ".md")
_TIMED: Mapping[str, Callable[[str, str], tuple[list[Passage], Language | None]]] = {
    ".srt": _srt,
    ".vtt": _vtt,
    ".json": read_whisper,
}
SOURCE_SUFFIXES = (*_PLAIN, *_TIMED, ".jsonl")


def read_sources(specs: Sequence[SourceSpec], base: Path) -> tuple[Source, ...]:
    """All sources that the specs name, each whole, in the order of the specs and then of paths and rows.

    Relative paths start at `base`. Raises InputError, one line, at the first file that cannot be used, and where two
    sources would have the same id.
    """
    sources: list[Source] = []
    places: dict[str, str] = {}
    files: set[Path] = set()
    for spec in specs:
        for file in expand(spec.path, base, SOURCE_SUFFIXES):
            if file.resolve() in files:
                raise problem(file.as_posix(), "is named by two entries of `sources`", "name each file once")
            files.add(file.resolve())
            for source, place in _read(file, spec, base):
                if source.id in places:
                    raise _same_id(source.id, places[source.id], place)
                places[source.id] = place
                sources.append(source)
    return tuple(sources)


def shown_path(file: Path, base: Path) -> str:
    """The path that a source or candidate keeps: relative to `base` where it lies within it, with forward slashes."""
    return (file.relative_to(base) if file.is_relative_to(base) else file).as_posix()


def _read(file: Path, spec: SourceSpec, base: Path) -> list[tuple[Source, str]]:
    """The sources in one file, each with its place for errors."""
    place, suffix = file.as_posix(), file.suffix.lower()
    if suffix not in SOURCE_SUFFIXES:
        raise problem(place, f"has the suffix {show(suffix)}", f"a source is one of {', '.join(SOURCE_SUFFIXES)}")
    if spec.id is not None and (suffix == ".jsonl" or file != base / os.path.expanduser(spec.path)):
        raise problem(place, f"cannot take the id {show(spec.id)}", "`id` goes with the path of one file, not of JSONL")
    text = read_text(file)
    if suffix == ".jsonl":
        return [(_from_row(row, spec, shown_path(file, base)), row.place) for row in read_source_rows(text, place)]
    written = file.stem if spec.id is None else spec.id
    identity = checked_name(written, place, "the source id", "rename the file or give it an `id`")
    if suffix in _PLAIN:
        language = spec.language or detect_language(text)
        cut = cut_text(text, language)
    else:
        passages, named = _TIMED[suffix](text, place)
        language = spec.language or named or _language_of(passages)
        cut = cut_passages(passages, language)
    return [(Source(identity, cut.text, cut.segments, language, spec.category, shown_path(file, base)), place)]


def _from_row(row: SourceRow, spec: SourceSpec, path: str) -> Source:
    """The source in a JSONL row; what the row says of language and category goes before the spec."""
    identity = checked_name(row.id, f"{row.place}: id", "the source id", "write it without")
    chosen = row.language or spec.language
    language = chosen or (_language_of(row.passages) if row.text is None else detect_language(row.text))
    cut = cut_passages(row.passages, language) if row.text is None else cut_text(row.text, language)
    return Source(identity, cut.text, cut.segments, language, row.category or spec.category, path)


def _language_of(passages: Sequence[Passage]) -> Language:
    return detect_language("\n".join(passage.text for passage in passages))


def _same_id(identity: str, first: str, second: str) -> Exception:
    what = f"has the same id {show(identity)} as {first}"
    return problem(second, what, "give one of them another id: `id:` beside its path, or another file name")
