"""QMSum (Zhong et al. 2021): transcripts of meetings, questions, answers, and the turns that these rest on."""

from dataclasses import dataclass
from pathlib import Path

from localeval.public_sets.rows import Fields, read_rows, require_each_once

TRANSCRIPTS, QUERIES = Path("qmsum", "transcripts.jsonl"), Path("qmsum", "queries.jsonl")


@dataclass(frozen=True, slots=True)
class Meeting:
    """A transcript, turn by turn: (speaker, words)."""

    id: str
    domain: str
    turns: tuple[tuple[str, str], ...]

    @property
    def characters(self) -> int:
        """Of all that is said."""
        return sum(len(words) for _, words in self.turns)


@dataclass(frozen=True, slots=True)
class Query:
    """A question with its answer. `spans` are first and last turns, counted from 0; none for a general question."""

    id: str
    meeting: str
    is_general: bool
    question: str
    answer: str
    spans: tuple[tuple[int, int], ...]


def read_meetings(data: Path) -> tuple[Meeting, ...]:
    """The transcripts as they lie in the folder `data`; raises InputError."""
    meetings = read_rows(data / TRANSCRIPTS, _meeting)
    require_each_once(data / TRANSCRIPTS, [each.id for each in meetings])
    return meetings


def read_queries(data: Path) -> tuple[Query, ...]:
    """The questions as they lie in the folder `data`; raises InputError, also for turns that no meeting has."""
    turns = {meeting.id: len(meeting.turns) for meeting in read_meetings(data)}
    return read_rows(data / QUERIES, lambda row: _query(row, turns))


def _meeting(row: Fields) -> Meeting:
    turns = []
    for turn in row.list("turns"):
        if not (isinstance(turn, list) and len(turn) == 2 and all(isinstance(each, str) for each in turn)):
            raise row.problem("turns", f"holds {str(turn)[:40]!r}", "expected [speaker, words]")
        turns.append((turn[0], turn[1]))
    return Meeting(row.text("meeting_id"), row.text("domain"), tuple(turns))


def _query(row: Fields, turns: dict[str, int]) -> Query:
    meeting = row.text("meeting_id")
    if meeting not in turns:
        raise row.problem(
            "meeting_id", f"is {meeting!r}, no meeting of {TRANSCRIPTS.name}", "take both files of one version"
        )
    written = row.list("spans") if row.row.get("spans") is not None else ()
    spans = tuple(_span(row, span, turns[meeting]) for span in written)
    is_general = row.one_of("kind", {"general": True, "specific": False})
    return Query(row.text("id"), meeting, is_general, row.text("query"), row.text("answer"), spans)


def _span(row: Fields, span: object, turns: int) -> tuple[int, int]:
    """The set writes numbers within strings."""
    ends = [str(each) for each in span] if isinstance(span, list) else []
    if len(ends) != 2 or not all(each.isdecimal() for each in ends) or not int(ends[0]) <= int(ends[1]) < turns:
        raise row.problem("spans", f"holds {str(span)[:40]!r}", f"expected [first, last] of turns 0 to {turns - 1}")
    return int(ends[0]), int(ends[1])
