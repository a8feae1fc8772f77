"""What the rows of every method share: which sources and systems are looked at, and the passages that are cited."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from localeval.errors import InputError
from localeval.measuring import Evaluation
from localeval.models.cards import suggestion
from localeval.prompts import clock
from localeval.texts import Candidate, Source
from localeval.values import Missing


@dataclass(frozen=True, slots=True)
class Proof:
    """A numbered passage that is cited: a segment of the source, or a sentence of a candidate."""

    segment: int
    time: str
    speaker: str
    words: str


@dataclass(frozen=True)
class Scope:
    """What is looked at. `candidates` is by source id and system, in the order of both."""

    sources: Mapping[str, Source]
    systems: tuple[str, ...]
    candidates: Mapping[tuple[str, str], Candidate]

    def chosen(self, about: Iterable[str]) -> Iterator[Source]:
        """The sources among `about`, in its order."""
        return (self.sources[name] for name in about if name in self.sources)


def require_known(what: str, name: str | None, known: Iterable[str]) -> None:
    """Raises InputError, with the nearest of `known`, for a name that is none of them; None stands for all."""
    names = list(dict.fromkeys(known))
    if name is not None and name not in names:
        raise InputError(f"no {what} {name!r} in this run{suggestion(name, names)}")


def scope(evaluation: Evaluation, system: str | None, source: str | None) -> Scope:
    """The chosen systems and sources of a run (None: all), nothing for a name that its material has not."""
    material = evaluation.material
    sources = {each.id: each for each in material.sources}
    systems = tuple(dict.fromkeys(each.system for each in material.candidates))
    kept_systems = tuple(name for name in systems if system in (None, name))
    texts = {(each.source_id, each.system): each for each in material.candidates}
    kept_sources = {name: each for name, each in sources.items() if source in (None, name)}
    places = ((name, each) for name in kept_sources for each in kept_systems)
    return Scope(kept_sources, kept_systems, {place: texts[place] for place in places if place in texts})


def proofs(text: Source | Candidate, numbers: Iterable[int]) -> tuple[Proof, ...]:
    """The segments of those numbers, in ascending order, each once."""
    return tuple(_proof(text, number) for number in sorted(set(numbers)))


def _proof(text: Source | Candidate, number: int) -> Proof:
    segment = text.segments[number - 1]
    time = clock(segment.begin_s) if segment.begin_s is not None else ""
    return Proof(number, time, segment.speaker or "", text.words_of(segment))


def why(missing: Missing) -> str:
    """The reason in words."""
    return f"{missing.reason}: {missing.detail}" if missing.detail else missing.reason
