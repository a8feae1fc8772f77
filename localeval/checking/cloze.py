"""Questions made by rule from planted errors: which words stand in the gap?

So the answer to each question is known of every text: the true words in the trusted text, the planted ones where the
error is, none where the sentence is gone. What an answerer makes of that is what the quiz takes it to be.
"""

from dataclasses import dataclass

from localeval.methods.quiz.schemas import N_WRITTEN, Kind, QuizItem
from localeval.planting.schemas import Edit, ErrorKind, Trusted
from localeval.prompts import Prompts, one_line
from localeval.texts import Segment

GAP = "____"
_KINDS: dict[ErrorKind, Kind] = {
    "number": "attribute",
    "date": "setting",
    "unit": "attribute",
    "name": "entity",
    "name completion": "entity",
    "false precision": "attribute",
}


@dataclass(frozen=True, slots=True)
class Cloze:
    """A question whose right answer, its first option, stands in the trusted text; the second is the planted error."""

    trusted: Trusted
    edit: Edit
    item: QuizItem


def cloze_of(trusted: Trusted, edit: Edit, number: int, prompts: Prompts) -> Cloze | None:
    """The question to an edit that puts words in the place of words; None for other edits, and where five different
    options cannot be had."""
    kind = _KINDS.get(edit.kind)
    options = tuple(one_line(each) for each in (edit.before, edit.after, *edit.others))
    if kind is None or len(edit.others) != N_WRITTEN - 2 or len({each.casefold() for each in options}) < N_WRITTEN:
        return None
    if not all(options):
        return None
    text, segment = trusted.candidate.text, _segment_at(trusted, edit)
    if segment is None:
        return None
    gapped = text[segment.start : edit.start] + GAP + text[edit.end : segment.end]
    language = trusted.source.language
    question = prompts.render("check/cloze", language, sentence=one_line(gapped))
    item = QuizItem(
        source=trusted.source.id,
        number=number,
        kind=kind,
        language=language,
        question=question,
        options=options,
        segments=(1,),
    )
    return Cloze(trusted, edit, item)


def _segment_at(trusted: Trusted, edit: Edit) -> Segment | None:
    """The sentence that holds the whole edit."""
    found = (each for each in trusted.candidate.segments if each.start <= edit.start and edit.end <= each.end)
    return next(found, None)
