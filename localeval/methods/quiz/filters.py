"""Checks of written questions that a program can make, and near-duplicates."""

import re
import unicodedata
from collections.abc import Mapping, Sequence

from rapidfuzz import fuzz

from localeval.methods.quiz.schemas import GOLD, Dropped, Kind, QuizItem, WrittenQuestion
from localeval.outputs import read_json
from localeval.texts import Source
from localeval.values import Missing, Reply


def read_question(reply: Reply, source: Source, kind: Kind, number: int) -> QuizItem | Dropped:
    """The item that a writer's reply holds, or why it holds none."""
    written = read_json(reply, WrittenQuestion)
    if isinstance(written, Missing):
        return Dropped("unreadable", f"{written.reason}: {written.detail}")
    if not _folded(written.question):
        return Dropped("unreadable", "question: says nothing", written.question)
    options = (written.answer, written.hard_negative, *written.wrong)
    if faulty_options(options):
        return Dropped("options not distinct", " | ".join(options), written.question)
    segments = tuple(dict.fromkeys(int(number) for number in written.segments.split()))
    unknown = [number for number in segments if number > len(source.segments)]
    if unknown:
        detail = f"{', '.join(map(str, unknown))} of {len(source.segments)}"
        return Dropped("no such segment", detail, written.question)
    return QuizItem(
        source=source.id,
        number=number,
        kind=kind,
        language=source.language,
        question=written.question.strip(),
        options=tuple(option.strip() for option in options),
        segments=segments,
    )


def faulty_options(options: Sequence[str]) -> tuple[int, ...]:
    """Places, from 0, of the options that say nothing, or the same as an earlier one; empty where all are distinct."""
    folded = [_folded(option) for option in options]
    return tuple(place for place, text in enumerate(folded) if not text or text in folded[:place])


def split_repeats(items: Sequence[QuizItem], seen: set[str]) -> tuple[list[QuizItem], list[Dropped]]:
    """(new, dropped): an item that was written before to the letter costs no further call. Adds to `seen`."""
    new: list[QuizItem] = []
    dropped: list[Dropped] = []
    for item in items:
        if item.id in seen:
            dropped.append(Dropped("near-duplicate", "written before, to the letter", item.question))
        else:
            seen.add(item.id)
            new.append(item)
    return new, dropped


def split_duplicates(
    items: Sequence[QuizItem], blind_hits: Mapping[str, int], similarity: float
) -> tuple[list[QuizItem], list[Dropped]]:
    """(kept, dropped): of near-duplicates the one that is guessed least stays, the earlier one at a tie.

    Two items are near-duplicates when two of three hold: the questions are similar, the right answers are similar, both
    are proved by the same segment. Texts with different numbers are not similar. CapQuiz clusters by a model instead.
    """
    kept: list[QuizItem] = []
    dropped: list[Dropped] = []
    for item in sorted(items, key=lambda item: (blind_hits.get(item.id, 0), item.number)):
        twin = next((other for other in kept if _is_duplicate(item, other, similarity)), None)
        if twin is None:
            kept.append(item)
        else:
            dropped.append(Dropped("near-duplicate", f"of: {twin.question}", item.question))
    return sorted(kept, key=lambda item: item.number), dropped


def _is_duplicate(one: QuizItem, other: QuizItem, similarity: float) -> bool:
    signs = (
        _are_alike(one.question, other.question, similarity),
        _are_alike(one.options[GOLD], other.options[GOLD], similarity),
        bool(set(one.segments) & set(other.segments)),
    )
    return sum(signs) >= 2


def _are_alike(one: str, other: str, similarity: float) -> bool:
    one, other = _folded(one), _folded(other)
    return re.findall(r"\d+", one) == re.findall(r"\d+", other) and fuzz.token_sort_ratio(one, other) >= similarity


def _folded(text: str) -> str:
    """Case, width, punctuation and spacing aside; signs that change a number or an amount stay."""
    text = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(re.sub(r"[^\w\s%.,+/:€$£₽¥°-]|[.,:](?=\s|$)", " ", text).split())
