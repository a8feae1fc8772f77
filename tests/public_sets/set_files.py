"""Tiny sets of our own in the format of the public ones, for tests that must not carry the data."""

import gzip
import json
from collections.abc import Iterable, Mapping
from pathlib import Path

Row = Mapping[str, object]

JUDGES = ("GPT-4", "PaLM2", "LLaMA2", "ChatGPT", "Falcon")


def write_lines(path: Path, rows: Iterable[Row]) -> None:
    """A JSONL file, packed where its name says so."""
    path.parent.mkdir(parents=True, exist_ok=True)
    data = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)


def pair(number: int, subset: str = "Natural", label: int = 1) -> Row:
    """A pair whose first output is longer."""
    return {
        "id": f"{subset}_{number:03}",
        "subset": subset,
        "input": f"Say hello, number {number}.",
        "output_1": f"Hello there, number {number}, how are you?",
        "output_2": f"Bye {number}.",
        "label": label,
    }


def votes(row: Row, **by_judge: list[str | None]) -> Row:
    """Votes on a pair: of each judge by its prompt Vanilla; of judges that are not named, always the first output."""
    given = {f"{judge}|Vanilla": by_judge.get(judge.replace("-", ""), ["1", "1"]) for judge in JUDGES}
    return {"id": row["id"], "label": row["label"], "verdicts": given}


def write_llmbar(data: Path, n: int = 4) -> None:
    """`n` natural pairs whose first output is right, `n` misleading ones whose second is."""
    pairs = [pair(number, subset, label) for subset, label in (("Natural", 1), ("Neighbor", 2)) for number in range(n)]
    write_lines(data / "llmbar" / "items.jsonl", pairs)
    write_lines(
        data / "llmbar" / "judge_verdicts.jsonl",
        [votes(each, GPT4=[str(each["label"])] * 2, Falcon=["1", "2"], PaLM2=["1", None]) for each in pairs],
    )


def answer(meeting: str, number: int, model: str, **scores: float) -> Row:
    """An answer with its scores."""
    given = {"human_gold": 5.0, "gpt4": 6.0, "prometheus": 3.0, "human_silver": 5.5} | scores
    text = {"question": f"Who said {number}?", "gold": f"Anna said {number}.", "response": f"It was Anna, {number}."}
    return {"meeting": meeting, "qid": str(number), "model": model, **text, **given}


def write_elitr(data: Path) -> None:
    """Three meetings, four questions each, two answerers; GPT-4 gives one point too much, and two to Vicuna."""
    rows = [
        answer(f"m{meeting}", number, model, human_gold=gold, gpt4=gold + extra, prometheus=11.0 - gold)
        for meeting in range(3)
        for number in range(4)
        for model, extra, gold in (("GPT-4", 1.0, 5.0 + number), ("Vicuna", 2.0, 2.0 + number))
    ]
    write_lines(data / "elitr_bench" / "scored_responses.jsonl.gz", rows)


def rated(story: str, question: int, system: str, **by_rater: float) -> Row:
    """A text with the same rating by each rater on every aspect."""
    ratings = [
        {"rater": name, "correctness": points, "coverage": points, "overall": points, "rank": 1}
        for name, points in by_rater.items()
    ]
    return {"passage_id": story, "q": question, "system": system, "response": "Words.", "ratings": ratings, "spans": []}


def write_squality(data: Path) -> None:
    """Three stories; a person's text has 90 by both raters, a model's 10 and 30 in either order."""
    rows = []
    for story in range(3):
        rows.append(rated(f"s{story}", 0, "human", a=90, b=90))
        rows.append(rated(f"s{story}", 0, "bart", a=10, b=30))
        rows.append(rated(f"s{story}", 1, "bart", a=30, b=10))
    write_lines(data / "squality" / "human_eval.jsonl", rows)


def mood(document: str, place: int, text: str, readers: list[list[float]], writers: list[list[float]]) -> Row:
    """A sentence whose means are those of who rated."""
    means = [[sum(column) / len(column) for column in zip(*who, strict=True)] for who in (readers, writers)]
    both = [(one + other) / 2 for one, other in zip(*means, strict=True)]
    row = {"id": f"{document}_{place}_{place + 9}", "text": text, "vad": both, "reader": means[0], "writer": means[1]}
    return row | {"reader_raw": [*readers, [1, 1, 1]], "writer_raw": writers, "category": "fiction"}


def write_emobank(data: Path, n: int = 6) -> None:
    """Sad, plain and merry sentences; two readers and a writer each, and a reader who did not rate."""
    rows = []
    for number in range(n):
        word, valence = (("sad", 1), ("plain", 3), ("merry", 5))[number % 3]
        high = 2 + number % 2
        readers: list[list[float]] = [[valence, high, 3], [valence, high + 1, 3 + number % 2]]
        rows.append(mood(f"doc{number // 2}", number, f"A {word} tale {number}.", readers, [[valence, high, 4 - high]]))
    write_lines(data / "emobank" / "test.jsonl", rows)


def write_summedits(data: Path) -> None:
    """Four documents of two domains, each with two sound summaries and two that name a wrong price."""
    docs, items = [], []
    for number in range(4):
        domain = ("qmsumm", "sales_email")[number % 2]
        name = f"{domain}_{number:02}"
        docs.append(
            {"doc_id": name, "domain": domain, "doc": f"We agreed on plan {number}. It costs {number + 20} euros."}
        )
        for label, text in (
            (1, "is agreed on."),
            (1, "was agreed on."),
            (0, "costs 7341 euros."),
            (0, "costs 8652 euros."),
        ):
            row = {"id": f"{name}_{len(items)}", "domain": domain, "doc_id": name, "label": label}
            items.append(row | {"summary": f"Plan {number} {text}", "edit_types": [] if label else ["number"]})
    write_lines(data / "summedits" / "docs.jsonl", docs)
    write_lines(data / "summedits" / "items.jsonl", items)


def write_newsmtsc(data: Path, n: int = 6) -> None:
    """Sentences that praise Anna and blame Boris, and one about Clara alone."""
    rows = []
    for number in range(n):
        targets = [{"mention": "Anna", "label": "positive"}, {"mention": "Boris", "label": "negative"}]
        text = f"In year {number} Anna saved the town that Boris had ruined."
        rows.append({"id": f"s{number}", "set": "devtest_mt", "sentence": text, "targets": targets})
    alone = {
        "id": "alone",
        "set": "devtest_rw",
        "sentence": "Clara came.",
        "targets": [{"mention": "Clara", "label": "neutral"}],
    }
    write_lines(data / "newsmtsc" / "sentences.jsonl", [*rows, alone])


def write_tofueval(data: Path) -> None:
    """Two documents, three sentences each, of which one is wrong."""
    rows = [
        {
            "doc_id": f"d{document}",
            "annotation_id": "1",
            "topic": "Budget",
            "model_name": "model_A",
            "sent_idx": str(number),
            "summ_sent": f"Sentence {number}.",
            "sent_label": "no" if number == 2 else "yes",
            "exp": "Nobody said so." if number == 2 else "",
            "type": "Extrinsic Information, Contradiction" if number == 2 else "",
            "split": "dev",
        }
        for document in range(2)
        for number in range(3)
    ]
    write_lines(data / "tofueval" / "sentences.jsonl", rows)
    points = {"doc_id": "d0", "annotation_id": "1", "topic": "Budget", "key_points": "['1. It is cut.', '2. By half.']"}
    write_lines(data / "tofueval" / "key_points.jsonl", [points])


def write_qmsum(data: Path) -> None:
    """One meeting of three turns with a general and a specific question."""
    turns = [["Anna", "Let us begin."], ["Boris", "It costs 20 euros."], ["Anna", "Agreed."]]
    write_lines(data / "qmsum" / "transcripts.jsonl", [{"meeting_id": "m", "domain": "Product", "turns": turns}])
    rows = [
        {"id": "g", "meeting_id": "m", "kind": "general", "query": "Sum up.", "answer": "A price.", "spans": None},
        {
            "id": "s",
            "meeting_id": "m",
            "kind": "specific",
            "query": "How much?",
            "answer": "20.",
            "spans": [["1", "2"]],
        },
    ]
    write_lines(data / "qmsum" / "queries.jsonl", rows)


def write_all(data: Path) -> Path:
    """Every set."""
    for write in (
        write_llmbar,
        write_elitr,
        write_squality,
        write_emobank,
        write_summedits,
        write_newsmtsc,
        write_tofueval,
        write_qmsum,
    ):
        write(data)
    return data
