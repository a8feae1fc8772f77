"""The texts that judges are checked on, as values: planted errors and controls, each with what it is held against."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from localeval.inputs.segmenting import cut_sentences
from localeval.planting.schemas import Edit, ErrorKind, Trusted
from localeval.texts import Candidate, Language, Segment, Source

Role = Literal["planted", "untouched", "paraphrase"]

WHOLE = "whole"
SHORTENED = "shortened"


@dataclass(frozen=True, slots=True)
class CheckText:
    """One text that judges are shown.

    `source` is what it is held against: the user's own ("whole"), the first part of it ("shortened"), or its first so
    many characters ("first 10000"), as `view` says; `origin` is the id of the user's source in every case. `position`
    is where in the user's source (in the view, for a length) stands what the error is about, 0 its beginning, 1 its
    end; None where that is not known. For a control it is the last of its sentences' places.
    """

    id: str
    role: Role
    view: str
    origin: str
    source: Source
    trusted: Trusted
    candidate: Candidate
    edit: Edit | None = None
    position: float | None = None

    @property
    def language(self) -> Language:
        """Of the source."""
        return self.source.language

    @property
    def edited_sentences(self) -> frozenset[int]:
        """The numbers of the candidate's sentences that hold the planted words, or the place of those that were taken
        out; none where a sentence was dropped."""
        if self.edit is None or self.edit.kind == "dropped sentence":
            return frozenset()
        first, last = self.edit.start, self.edit.start + max(1, len(self.edit.after))
        return frozenset(each.number for each in self.candidate.segments if each.start < last and each.end > first)


@dataclass(frozen=True, slots=True)
class CheckTest:
    """All texts of a check, and why some kinds of error are not among them."""

    texts: tuple[CheckText, ...]
    trusted: tuple[Trusted, ...]
    not_planted: Mapping[ErrorKind, str]
    hash: str
    """Over every text and every source: two checks with the same hash asked about the same."""


def edited(trusted: Trusted, edit: Edit, name: str) -> Candidate:
    """The trusted text with the error in it; sentences that the error leaves alone stay cut as they were."""
    text, candidate = edit.applied_to(trusted.candidate.text), trusted.candidate
    before = [each for each in candidate.segments if each.end <= edit.start]
    after = [each for each in candidate.segments if each.start >= edit.end and each not in before]
    touched = [each for each in candidate.segments if each not in before and each not in after]
    moved = len(edit.after) - len(edit.before)
    start = min([edit.start, *(each.start for each in touched)])
    end = max([edit.end, *(each.end for each in touched)]) + moved
    if len(touched) == 1:
        new = [Segment(0, start, end)] if text[start:end].strip() else []
    else:
        cut = cut_sentences(text[start:end], trusted.source.language)
        new = [replace(each, start=each.start + start, end=each.end + start) for each in cut]
    later = [replace(each, start=each.start + moved, end=each.end + moved) for each in after]
    segments = tuple(replace(each, number=n) for n, each in enumerate([*before, *new, *later], 1))
    return Candidate(candidate.source_id, name, text, segments=segments)


def reworded(trusted: Trusted, text: str, name: str) -> Candidate:
    """Another wording of a trusted text, cut into sentences anew."""
    segments = cut_sentences(text, trusted.source.language)
    return Candidate(trusted.candidate.source_id, name, text, segments=segments)


def beginning_of(source: Source, characters: float, label: str) -> Source:
    """The first segments of a source that lie within so many characters; at least one. A source of its own, not to be
    taken for the whole."""
    kept = tuple(each for each in source.segments if each.end <= characters) or source.segments[:1]
    return replace(source, id=f"{source.id} ({label})", text=source.text[: kept[-1].end], segments=kept)
