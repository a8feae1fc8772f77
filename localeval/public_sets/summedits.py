"""SummEdits (Laban et al. 2023): summaries of documents, sound or with a small planted error."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from localeval.public_sets.rows import Fields, read_rows, require_each_once
from localeval.stats.detection import FAULTY, SOUND

DOCUMENTS, SUMMARIES = Path("summedits", "docs.jsonl"), Path("summedits", "items.jsonl")


@dataclass(frozen=True, slots=True)
class Document:
    """What is summarised."""

    id: str
    domain: str
    text: str


@dataclass(frozen=True, slots=True)
class Summary:
    """A summary of a document; `truth` is FAULTY or SOUND, `edits` what was done to it."""

    id: str
    document: str
    text: str
    truth: int
    edits: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SummEdits:
    """Documents by id, and the summaries of them."""

    documents: dict[str, Document]
    summaries: tuple[Summary, ...]


def read_summedits(data: Path) -> SummEdits:
    """The set as it lies in the folder `data`; raises InputError."""
    documents = read_rows(data / DOCUMENTS, _document)
    require_each_once(data / DOCUMENTS, [each.id for each in documents])
    by_id = {each.id: each for each in documents}
    summaries = read_rows(data / SUMMARIES, lambda row: _summary(row, by_id))
    require_each_once(data / SUMMARIES, [each.id for each in summaries])
    return SummEdits(by_id, summaries)


def domains(whole: SummEdits) -> tuple[str, ...]:
    """The domains of the documents, in file order."""
    return tuple(dict.fromkeys(each.domain for each in whole.documents.values()))


def draw_summaries(
    whole: SummEdits, of: Sequence[str], documents: int, summaries: int, seed: int, longest: int | None = None
) -> SummEdits:
    """As many documents of each domain in `of`, `documents` in all, and of each half sound and half faulty summaries.

    `longest` bounds the characters of a document that is drawn.
    """
    rng = random.Random(seed)
    chosen: dict[str, Document] = {}
    items: list[Summary] = []
    for domain in of:
        here = [each for each in whole.documents.values() if each.domain == domain]
        short = sorted(each.id for each in here if longest is None or len(each.text) <= longest)
        for name in rng.sample(short, min(documents // len(of), len(short))):
            chosen[name] = whole.documents[name]
            for truth in (SOUND, FAULTY):
                found = sorted(
                    (each for each in whole.summaries if each.document == name and each.truth == truth),
                    key=lambda each: each.id,
                )
                items += rng.sample(found, min(summaries // 2, len(found)))
    return SummEdits(chosen, tuple(items))


def _document(row: Fields) -> Document:
    return Document(row.text("doc_id"), row.text("domain"), row.text("doc"))


def _summary(row: Fields, documents: dict[str, Document]) -> Summary:
    document = row.text("doc_id")
    if document not in documents:
        raise row.problem(
            "doc_id", f"is {document!r}, no document of {DOCUMENTS.name}", "take both files of one version"
        )
    truth = SOUND if row.whole("label", 0, 1) else FAULTY
    edits = row.texts("edit_types") if "edit_types" in row.row else ()
    return Summary(row.text("id"), document, row.text("summary"), truth, edits)
