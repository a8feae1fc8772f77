"""What the probes work on, and the few texts of each source that they put to a judge."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from localeval.checking.cloze import Cloze
from localeval.inputs.segmenting import cut_sentences
from localeval.keys import derive_seed
from localeval.measuring import Evaluation
from localeval.methods.panel.schemas import PanelSettings
from localeval.planting.schemas import Edit, Trusted
from localeval.planting.settings import CheckedMethod, CheckSettings, Probe
from localeval.texts import Candidate, Source

Json = dict[str, Any]

CALLS_A_SOURCE = 6
"""What a probe asks of a judge about one source, by and large: two samples in three cases. The audit looks twice at
some of its sentences, and a quiz puts its question once for each letter."""
MOST_SOURCES = 20
"""Sources that the probes use at most, drawn by the seed."""


class Place(NamedTuple):
    """Names a flow of a probe. `text` numbers the samples (or clozes, or sources) that the probe puts to judges."""

    probe: Probe
    method: CheckedMethod
    model: str
    text: int
    case: str


@dataclass(frozen=True, slots=True)
class Sample:
    """A text that a probe changes. `sentence` is the one that an audit is asked about."""

    source: Source
    text: str
    sentence: str

    def copy(self, text: str) -> Candidate:
        """A changed copy as a candidate, cut like any other. It has no system: nobody wrote it."""
        return Candidate(self.source.id, "probe", text, segments=cut_sentences(text, self.source.language))


@dataclass(frozen=True)
class ProbeContext:
    """An evaluation, its trusted texts, and cloze questions to errors that can be planted in them."""

    evaluation: Evaluation
    trusted: Sequence[Trusted]
    clozes: Sequence[Cloze]
    settings: CheckSettings

    @property
    def seed(self) -> int:
        """The evaluation's."""
        return self.evaluation.material.seed

    @cached_property
    def sources(self) -> tuple[Source, ...]:
        """The sources of trusted texts, in their order, as many as the probes use."""
        known = {each.source.id: each.source for each in self.trusted}
        drawn = sorted(known, key=lambda name: derive_seed(self.seed, "probes", name))[:MOST_SOURCES]
        return tuple(source for name, source in known.items() if name in drawn)

    @cached_property
    def trusted_samples(self) -> tuple[Sample, ...]:
        """The first trusted text of each source."""
        return tuple(next(self._sound(source)) for source in self.sources)

    @cached_property
    def samples(self) -> tuple[Sample, ...]:
        """Two samples a source: a trusted text and one with a planted error, or where none can be, a second text."""
        found: list[Sample] = []
        for source in self.sources:
            pool = [*self._sound(source)]
            found += [pool[0], *[*self._faulty(source), *pool[1:]][:1]]
        return tuple(found)

    @cached_property
    def faulty(self) -> tuple[tuple[Sample, Cloze], ...]:
        """One sample a source with a planted error, and the question to it; none of a source without."""
        clozes = (self.first_cloze(source) for source in self.sources)
        return tuple((_planted(each.trusted, each.edit), each) for each in clozes if each is not None)

    def first_cloze(self, source: Source) -> Cloze | None:
        """The first question about a text of a source; None where there is none."""
        return next((each for each in self.clozes if each.trusted.source.id == source.id), None)

    def judges(self, method: CheckedMethod) -> tuple[str, ...]:
        """The models that judge by a method; none where the config does not name it or leaves it out of the check."""
        methods = self.evaluation.config.methods
        if self.settings.methods and method not in self.settings.methods:
            return ()
        named: dict[CheckedMethod, tuple[str, ...]] = {
            "quiz": (methods.quiz.answerer,) if methods.quiz is not None else (),
            "panel": methods.panel.judges if methods.panel is not None else (),
            "audit": methods.audit.auditors if methods.audit is not None else (),
            # elicited texts are about no source: there is nothing to change a copy of
            "affect": methods.affect.judges if methods.affect is not None and methods.affect.elicit is None else (),
        }
        return named[method]

    def places(self, probe: Probe, method: CheckedMethod, cases: Sequence[str], n_texts: int) -> Iterator[Place]:
        """A place for every judge, text and case."""
        for model in self.judges(method):
            for text in range(n_texts):
                for case in cases:
                    yield Place(probe, method, model, text, case)

    @property
    def panel(self) -> PanelSettings:
        """The panel's settings for texts that are judged alone, once each."""
        settings = self.evaluation.config.methods.panel
        assert settings is not None
        return settings.model_copy(update={"mode": "pointwise", "repeats": 1, "batch_judges": ()})

    def lines(self, name: str, source: Source) -> list[str]:
        """The lines of a file of sentences in a source's language, such as "check/fillers"."""
        text = self.evaluation.material.prompts.render(name, source.language)
        return [line for line in text.split("\n") if line]

    def _sound(self, source: Source) -> Iterator[Sample]:
        for each in self.trusted:
            if each.source.id == source.id:
                text = each.candidate
                yield Sample(source, text.text, text.words_of(text.segments[0]) if text.segments else text.text)

    def _faulty(self, source: Source) -> Iterator[Sample]:
        cloze = self.first_cloze(source)
        if cloze is not None:
            yield _planted(cloze.trusted, cloze.edit)


def _planted(trusted: Trusted, edit: Edit) -> Sample:
    text = trusted.candidate.text
    segment = trusted.candidate.segments[edit.sentence - 1]
    sentence = text[segment.start : edit.start] + edit.after + text[edit.end : segment.end]
    return Sample(trusted.source, edit.applied_to(text), sentence)


Found = Mapping[Hashable, Any]
"""Results of a drive by the names of its flows."""
