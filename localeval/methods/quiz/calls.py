"""The calls of the quiz: their prompts, laid out from what most of them share to what one alone says."""

from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate
from typing import Literal, NamedTuple

from localeval.keys import derive_seed
from localeval.methods.quiz.answers import LETTERS, arrangement, choice_of, undetermined_for
from localeval.methods.quiz.schemas import Kind, QuizItem, QuizSettings, WrittenQuestion
from localeval.outputs import json_output
from localeval.prompts import Prompts, fenced, numbered, one_line, source_block
from localeval.texts import Segment, Source
from localeval.values import Call, Choice, Message, Sampling

Purpose = Literal["ceiling", "blind", "answer", "control"]


class Wanted(NamedTuple):
    """A trial to be made: `text` is a fenced block, empty for a blind trial; `subject` says whose text it is."""

    item: QuizItem
    purpose: Purpose
    text: str
    trial: int
    subject: str


class _Asked(NamedTuple):
    """What the trials of one question in one order of its options share, whatever text they are about."""

    instruction: str
    question: str
    order: tuple[int, ...]
    choice: Choice
    sampling: Sampling


_PASSAGE_CHARACTERS = 700

_WRITTEN = json_output(WrittenQuestion)


class QuizCalls:
    """Builds the calls of one source's quiz. Pure: prompts and settings in, frozen calls out."""

    def __init__(self, source: Source, settings: QuizSettings, prompts: Prompts, seed: int) -> None:
        self._source = source
        self._settings = settings
        self._prompts = prompts
        self._seed = seed
        self._block = source_block(source)
        self._asked: dict[tuple[str, int, Purpose, int], _Asked] = {}

    @property
    def source_text(self) -> str:
        """The source as every prompt shows it."""
        return self._block

    def write(self, kind: Kind, attempt: int, region: tuple[int, int], asked: tuple[str, ...]) -> Call:
        """Asks for one question of a kind about a region of segments, first to last.

        The writer sees the whole source; the region stands once more at the end, where a weak model looks first.
        """
        settings, language = self._settings, self._source.language
        assert settings.writer is not None
        passage = self._passage(*region, attempt)
        item = self._prompts.render(
            "quiz/write_item",
            language,
            kind=kind,
            first=passage[0].number,
            last=passage[-1].number,
            passage=fenced("passage", numbered(self._source, passage)),
            focus=settings.focus,
            difficulty=settings.difficulty,
            asked=[one_line(question) for question in asked],
        )
        sampling = Sampling(
            max_tokens=settings.write_tokens,
            temperature=settings.write_temperature,
            seed=derive_seed(self._seed, "write", self._source.id, attempt),
        )
        parts = (self._block, self._prompts.render("quiz/write", language), item)
        return Call(settings.writer, self._messages(parts), _WRITTEN, sampling, "quiz/write", self._source.id)

    def answer(self, model: str, wanted: Wanted) -> Call:
        """Asks one question about a text; the options stand as `order` says."""
        asked = self._of(wanted)
        block = () if wanted.purpose == "blind" else (wanted.text,)
        messages = self._messages((*block, asked.instruction, asked.question))
        return Call(model, messages, asked.choice, asked.sampling, f"quiz/{wanted.purpose}", wanted.subject)

    def order(self, wanted: Wanted) -> tuple[int, ...]:
        """In which order the options of `answer` stand, as places in the item's list (the sixth: undetermined)."""
        return self._of(wanted).order

    def _of(self, wanted: Wanted) -> _Asked:
        """Made once for all texts that are asked: a source has many candidates, and a template takes its time."""
        key = (wanted.item.id, wanted.item.number, wanted.purpose, wanted.trial)
        asked = self._asked.get(key)
        if asked is None:
            asked = self._asked[key] = self._made(wanted.item, wanted.purpose, wanted.trial)
        return asked

    def _made(self, item: QuizItem, purpose: Purpose, trial: int) -> _Asked:
        language = item.language
        undetermined = undetermined_for(self._settings, purpose)
        label = "" if undetermined == "none" else self._prompts.render("quiz/undetermined", language)
        options = (*item.options, label)
        order = arrangement(item, _orders_of(purpose), trial, self._seed, undetermined)
        question = self._prompts.render(
            "quiz/question",
            language,
            question=one_line(item.question),
            options=[(LETTERS[shown], one_line(options[place])) for shown, place in enumerate(order)],
        )
        if purpose == "blind":
            instruction = self._prompts.render("quiz/blind", language)
        else:
            instruction = self._prompts.render("quiz/answer", language, undetermined=label)
        seed = derive_seed(self._seed, "answer", item.id, _orders_of(purpose), trial)
        sampling = Sampling(max_tokens=1, seed=seed, logprobs=len(order) + 2)
        return _Asked(instruction, question, order, choice_of(len(order)), sampling)

    def _passage(self, first: int, last: int, attempt: int) -> Sequence[Segment]:
        """The segments of a region, or where it is long a few of them that stand together, anywhere in it."""
        segments = self._source.segments[first - 1 : last]
        if segments[-1].end - segments[0].start > _PASSAGE_CHARACTERS:
            segments = segments[derive_seed(self._seed, "passage", self._source.id, attempt) % len(segments) :]
        room = accumulate(segment.end - segment.start for segment in segments)
        return segments[: max(1, sum(characters <= _PASSAGE_CHARACTERS for characters in room))]

    def _messages(self, parts: tuple[str, ...]) -> tuple[Message, ...]:
        return (self._system, Message("user", parts))

    @cached_property
    def _system(self) -> Message:
        return Message("system", (self._prompts.render("shared/system", self._source.language),))


def _orders_of(purpose: Purpose) -> str:
    """Whose orders of the options a purpose uses.

    A control is put exactly like a candidate. The filters see other orders: the source as a control would otherwise
    only repeat what they selected.
    """
    return "answer" if purpose == "control" else purpose
