"""The calls of the panel: the source first, then the task, the candidate, and last the criterion."""

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from localeval.keys import derive_seed, digest
from localeval.methods.asking import RETRY_TEMPERATURE
from localeval.methods.panel.rubrics import Criterion
from localeval.methods.panel.schemas import (
    GRADES,
    NA,
    NA_LETTER,
    Graded,
    GradedOrNot,
    Inapplicable,
    PanelSettings,
    Verdict,
)
from localeval.outputs import (
    choice_probabilities,
    cited_pattern,
    closing_probabilities,
    json_output,
    read_choice,
    read_cited,
    read_json,
)
from localeval.prompts import Prompts, fenced, numbered, one_line, source_block
from localeval.texts import Candidate, Source
from localeval.values import Call, Choice, Message, Missing, Output, Reply, Sampling

_LOGPROBS = 5
"""The three grades, NA, and one more."""


class Wanted(NamedTuple):
    """A verdict to be asked for: one criterion for one candidate, for the so-manieth time."""

    candidate: Candidate
    criterion: Criterion
    repeat: int


class PanelCalls:
    """Builds the calls of one source's panel. Pure: prompts and settings in, frozen calls out."""

    def __init__(
        self, source: Source, candidates: Sequence[Candidate], settings: PanelSettings, prompts: Prompts, seed: int
    ) -> None:
        self._source = source
        self._candidates = candidates
        self._settings = settings
        self._prompts = prompts
        self._seed = seed
        self._block = source_block(source)
        self._citable = cited_pattern(len(source.segments))
        self._blocks = (
            {} if settings.mode == "lineup" else {each.system: block("candidate", each) for each in candidates}
        )
        self._system = prompts.render("shared/system", source.language)
        self._questions: dict[tuple[str, int], str] = {}
        self._tasks = tuple(self._task(repeat) for repeat in range(settings.repeats))

    def judge(self, model: str, wanted: Wanted) -> Call:
        """Asks one judge for one verdict."""
        candidate, criterion, repeat = wanted
        settings = self._settings
        position = self.position(wanted)
        shown = () if position >= 0 else (self._blocks[candidate.system],)
        parts = (self._block, *self._tasks[repeat], *shown, self._question(criterion, position))
        sampling = Sampling(
            max_tokens=settings.verdict_tokens if settings.evidence else 1,
            temperature=temperature(settings, repeat),
            seed=derive_seed(self._seed, "panel", self._source.id, criterion.id, repeat),
            logprobs=_LOGPROBS,
        )
        return Call(
            model,
            (Message("system", (self._system,)), Message("user", parts)),
            self._output(wanted),
            sampling,
            "panel/judge",
            f"{self._source.id}/{candidate.system}",
            criterion.id if repeat == 0 else f"{criterion.id}#{repeat + 1}",
        )

    def read(self, reply: Reply, wanted: Wanted) -> Verdict:
        """One reply as a verdict. NA where it is not allowed is no verdict, whatever an engine let through."""
        verdict = self._read(reply, wanted)
        if self._settings.mode == "pointwise":
            return verdict
        return replace(verdict, position=self.position(wanted), line_up=len(self._candidates))

    def _read(self, reply: Reply, wanted: Wanted) -> Verdict:
        """The verdict without its place."""
        if not self._settings.evidence:
            return _read_score(reply, wanted.criterion)
        read = read_json(reply, _output_of(wanted.criterion))
        if isinstance(read, Missing):
            return Verdict(read)
        found = read.root if isinstance(read, GradedOrNot) else read
        cited = read_cited(found.candidate, len(wanted.candidate.segments))
        proof = read_cited(found.source, len(self._source.segments))
        if isinstance(cited, Missing):
            return Verdict(cited)
        if isinstance(proof, Missing):
            return Verdict(proof)
        if isinstance(found, Inapplicable):
            return Verdict(NA, cited, proof, found.lacks)
        options = (*map(str, GRADES), NA) if wanted.criterion.allows_na else tuple(map(str, GRADES))
        shares = closing_probabilities(reply, Choice(options)) or {}
        return Verdict(GRADES[int(found.score)], cited, proof, "", tuple(shares.values()))

    def position(self, wanted: Wanted) -> int:
        """The candidate's place in the line-up from 0; -1 where it is judged alone."""
        if self._settings.mode == "pointwise":
            return -1
        return self._line_up(wanted.repeat).index(wanted.candidate)

    def _question(self, criterion: Criterion, position: int) -> str:
        """What is asked last: rendered once for all candidates that stand there."""
        key = criterion.id, position
        if key not in self._questions:
            self._questions[key] = self._prompts.render(
                "panel/criterion" if self._settings.evidence else "panel/score_criterion",
                self._source.language,
                letter=letter(position) if position >= 0 else "",
                statement=one_line(criterion.statement),
                levels=[(grade, one_line(criterion.levels[grade])) for grade in GRADES],
                not_applicable=(NA if self._settings.evidence else NA_LETTER) if criterion.allows_na else "",
            )
        return self._questions[key]

    def _output(self, wanted: Wanted) -> Output:
        """What a reply may be: evidence and score, or the score alone."""
        if not self._settings.evidence:
            return _scores_of(wanted.criterion)
        cited = cited_pattern(len(wanted.candidate.segments))
        return json_output(_output_of(wanted.criterion), (("candidate", cited), ("source", self._citable)))

    def _task(self, repeat: int) -> tuple[str, ...]:
        """What every call of a repeat says between the source and the criterion, but for the candidate judged alone."""
        language = self._source.language
        if self._settings.mode == "pointwise":
            return (self._prompts.render("panel/judge" if self._settings.evidence else "panel/score", language),)
        task = self._prompts.render("panel/lineup" if self._settings.evidence else "panel/score_lineup", language)
        return (task, lettered(self._line_up(repeat)))

    def _line_up(self, repeat: int) -> list[Candidate]:
        return line_up(self._source, self._candidates, repeat, self._seed)


def line_up(source: Source, candidates: Sequence[Candidate], repeat: int, seed: int) -> list[Candidate]:
    """The candidates of a repeat in the order of their letters: shuffled by the source's id, so that no system has a
    place of its own.

    From an order of the texts: what a system is called must not change what is asked.
    """
    order = sorted(candidates, key=lambda candidate: digest(candidate.text))
    random.Random(derive_seed(seed, "line-up", source.id, repeat)).shuffle(order)
    return order


def lettered(candidates: Sequence[Candidate]) -> str:
    """A line-up as the judge sees it, each candidate under its letter."""
    return "".join(block(f"candidate {letter(place)}", candidate) for place, candidate in enumerate(candidates))


def temperature(settings: PanelSettings, repeat: int) -> float:
    """Of the first asking what is set; of repeats 0.5 or more, since at 0 they would only repeat it."""
    return max(settings.temperature, RETRY_TEMPERATURE) if repeat else settings.temperature


def _output_of(criterion: Criterion) -> type[Graded] | type[GradedOrNot]:
    return GradedOrNot if criterion.allows_na else Graded


def _scores_of(criterion: Criterion) -> Choice:
    """The scores of a criterion, each of one character and so of one token."""
    grades = tuple(map(str, GRADES))
    return Choice((*grades, NA_LETTER) if criterion.allows_na else grades)


def _read_score(reply: Reply, criterion: Criterion) -> Verdict:
    """A reply that is a score alone."""
    scores = _scores_of(criterion)
    read = read_choice(reply, scores)
    if isinstance(read, Missing):
        return Verdict(read)
    if read == NA_LETTER:
        return Verdict(NA)
    return Verdict(GRADES[int(read)], probabilities=tuple((choice_probabilities(reply, scores) or {}).values()))


def letter(place: int) -> str:
    """A, B, ... Z, AA, AB, ..."""
    name = ""
    place += 1
    while place:
        place, rest = divmod(place - 1, 26)
        name = chr(ord("A") + rest) + name
    return name


def block(tag: str, candidate: Candidate) -> str:
    """A candidate's sentences, numbered and fenced. Its system's name is nowhere."""
    return fenced(tag, numbered(candidate, candidate.segments))
