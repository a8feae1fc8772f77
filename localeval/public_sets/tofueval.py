"""TofuEval (Tang et al. 2024), its meetings: sentences of models' summaries, right or wrong by the transcript.

The transcripts are not in the set, so nobody can be asked; what is left is how often models err, and how.
"""

import ast
from dataclasses import dataclass
from pathlib import Path

from localeval.public_sets.rows import Fields, read_rows

SENTENCES, KEY_POINTS = Path("tofueval", "sentences.jsonl"), Path("tofueval", "key_points.jsonl")
PUBLISHED_WRONG, PUBLISHED_SENTENCES = 440, 2401
"""In the whole half of the set that is about meetings."""


@dataclass(frozen=True, slots=True)
class SummarySentence:
    """One sentence of a summary by `system`. `faults` are the kinds of error, none where it is right."""

    document: str
    topic: str
    system: str
    text: str
    is_right: bool
    faults: tuple[str, ...]
    explanation: str


@dataclass(frozen=True, slots=True)
class KeyPoints:
    """What a person finds worth saying about a topic."""

    document: str
    topic: str
    points: tuple[str, ...]


def read_summary_sentences(data: Path) -> tuple[SummarySentence, ...]:
    """The sentences as they lie in the folder `data`; raises InputError."""
    return read_rows(data / SENTENCES, _sentence)


def read_key_points(data: Path) -> tuple[KeyPoints, ...]:
    """The key points as they lie in the folder `data`; raises InputError."""
    return read_rows(data / KEY_POINTS, _key_points)


def _sentence(row: Fields) -> SummarySentence:
    is_right = row.one_of("sent_label", {"yes": True, "no": False})
    faults = tuple(each.strip() for each in row.text("type").split(",") if each.strip())
    if is_right and faults:
        raise row.problem("type", f"names a fault of a sentence that is right ({faults[0]})", "correct one of the two")
    document, topic, system = row.text("doc_id"), row.text("topic"), row.text("model_name")
    return SummarySentence(document, topic, system, row.text("summ_sent"), is_right, faults, row.text("exp"))


def _key_points(row: Fields) -> KeyPoints:
    return KeyPoints(row.text("doc_id"), row.text("topic"), _points(row))


def _points(row: Fields) -> tuple[str, ...]:
    """A list of strings, which the set writes as Python does, within a string."""
    written = row.text("key_points")
    try:
        found = ast.literal_eval(written)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        found = None
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        raise row.problem("key_points", f"is {written[:40]!r}", "expected a list of strings within a string")
    return tuple(found)
