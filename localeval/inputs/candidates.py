"""Files to candidates."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from localeval.inputs.decoding import read_text
from localeval.inputs.files import expand
from localeval.inputs.jsonl import read_candidate_rows
from localeval.inputs.names import checked_name, normal
from localeval.inputs.patterns import PLACEHOLDER, PathPattern
from localeval.inputs.segmenting import cut_sentences
from localeval.inputs.sources import shown_path
from localeval.inputs.specs import CandidateSpec
from localeval.inputs.wording import meant, problem, show
from localeval.texts import Candidate, Source

CANDIDATE_SUFFIXES = (".txt", ".md", ".jsonl")


@dataclass(frozen=True, slots=True)
class _File:
    """One file with what the spec and its path say about it."""

    path: Path
    source_id: str | None
    system: str | None


def read_candidates(specs: Sequence[CandidateSpec], base: Path, sources: Sequence[Source]) -> tuple[Candidate, ...]:
    """All candidates that the specs name, each whole, in the order of their sources and then of system names.

    Relative paths start at `base`. {source} in a path matches the id of one of `sources` exactly, the longest that
    fits. Raises InputError, one line, at the first file that cannot be used, whose source is not among `sources`,
    or whose source and system another file has too; and where a path names no file.
    """
    order = {source.id: number for number, source in enumerate(sources)}
    languages = {source.id: source.language for source in sources}
    by_length = sorted(order, key=lambda identity: (-len(identity), identity))
    places: dict[tuple[str, str], str] = {}
    candidates: list[Candidate] = []
    for spec in specs:
        for file in _files(spec, base, by_length):
            for candidate, place in _read(file, base):
                _require_known(candidate.source_id, order, place)
                key = (candidate.source_id, candidate.system)
                if key in places:
                    raise _same_key(candidate, places[key], place)
                places[key] = place
                segments = cut_sentences(candidate.text, languages[candidate.source_id])
                candidates.append(replace(candidate, segments=segments))
    return tuple(sorted(candidates, key=lambda candidate: (order[candidate.source_id], candidate.system)))


def _files(spec: CandidateSpec, base: Path, by_length: Sequence[str]) -> Iterator[_File]:
    placeholders = set(PLACEHOLDER.findall(spec.path))
    if not placeholders:
        for path in expand(spec.path, base, CANDIDATE_SUFFIXES):
            yield _File(path, spec.source, spec.system)
        return
    pattern = PathPattern(spec.path, base)
    paths = pattern.files()
    if not paths:
        fix = "check the pattern; relative paths start at the config file"
        raise problem((base / spec.path).as_posix(), "no file matches", fix)
    for path in paths:
        named = pattern.named_by(path, [spec.source or ""] if "source" not in placeholders else by_length)
        if named is None:
            raise _unknown(pattern.source_of(path), by_length, path.as_posix())
        yield _File(path, named.source_id or None, named.system or spec.system)


def _read(file: _File, base: Path) -> Iterator[tuple[Candidate, str]]:
    """The candidates in one file, each with its place for errors."""
    place, suffix = file.path.as_posix(), file.path.suffix.lower()
    path = shown_path(file.path, base)
    if suffix not in CANDIDATE_SUFFIXES:
        raise problem(place, f"has the suffix {show(suffix)}", f"a candidate is one of {', '.join(CANDIDATE_SUFFIXES)}")
    if suffix == ".jsonl":
        for row in read_candidate_rows(read_text(file.path), place, file.source_id, file.system):
            system = checked_name(row.system, f"{row.place}: system", "the system name", "write it without")
            yield Candidate(normal(row.source_id), system, row.text, path), row.place
        return
    for name, value in (("source", file.source_id), ("system", file.system)):
        if value is None:
            raise problem(place, f"has no {name}", f"write {{{name}}} where it stands in the path, or give `{name}:`")
    system = checked_name(file.system or "", place, "the system name", "rename the file or give `system:`")
    yield Candidate(normal(file.source_id or ""), system, read_text(file.path), path), place


def _require_known(source_id: str, order: dict[str, int], place: str) -> None:
    if source_id not in order:
        raise _unknown(source_id, list(order), place)


def _unknown(source_id: str, known: Sequence[str], place: str) -> Exception:
    fix = f"{meant(source_id, known)}rename it, or add the source to `sources`"
    return problem(place, f"there is no source {show(source_id)}", fix)


def _same_key(candidate: Candidate, first: str, second: str) -> Exception:
    whose = f"of system {show(candidate.system)} for source {show(candidate.source_id)}"
    return problem(second, f"is a second candidate {whose}, after {first}", "remove one or name the systems apart")
