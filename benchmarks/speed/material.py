"""The work as files: sources, candidates, a quiz, a rubric, and the config that puts them together."""

import math
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ruamel.yaml import YAML

from benchmarks.speed.contest import Part
from benchmarks.speed.words import length, meeting, sentences_of
from localeval.errors import InputError
from localeval.inputs.quiz_files import write_items
from localeval.inputs.rubric_files import rubric_for
from localeval.inputs.sources import SOURCE_SUFFIXES, read_sources
from localeval.inputs.specs import SourceSpec
from localeval.methods.quiz.schemas import QuizItem
from localeval.texts import Source

MODEL = "judge"
"""What the configs call the one model."""


@dataclass(frozen=True, slots=True)
class Shape:
    """How much of what there is: sources of so many tokens, and for each so many candidates of so many tokens."""

    sources: int
    candidates: int
    source_tokens: int
    candidate_tokens: int
    questions: int = 0
    criteria: int = 0

    def shared(self, share: float) -> "Shape":
        """About so much of it, in texts: fewer sources first, then fewer candidates, at least one of each."""
        texts = max(1.0, self.sources * self.candidates * share)
        sources = max(1, math.floor(self.sources * share + 0.5))
        return replace(self, sources=sources, candidates=max(1, min(self.candidates, round(texts / sources))))

    def share_of(self, whole: "Shape") -> float:
        """Which part of the texts of `whole` these are."""
        return self.sources * self.candidates / (whole.sources * whole.candidates)


SHAPES: dict[Part, Shape] = {
    "a": Shape(6, 8, 1_500, 220, questions=20),
    "b": Shape(4, 16, 5_000, 150, criteria=6),
    "c": Shape(4, 4, 2_500, 150),
    "d": Shape(2, 6, 2_500, 150, questions=10, criteria=6),
}


@dataclass(frozen=True, slots=True)
class Work:
    """A part's work, written down."""

    part: Part
    shape: Shape
    config: Path
    from_folder: bool

    @property
    def share(self) -> float:
        """Which part of the whole it is, in texts."""
        return self.shape.share_of(SHAPES[self.part])


def write_work(part: Part, shape: Shape, folder: Path, seed: int, model: object, given: Path | None = None) -> Work:
    """The files of a part in `folder`, which is made. `model` is what the config says of the model.

    Sources come from the folder `given`, else they are generated; candidates are sentences of their source, and
    questions ask for a word of it. Equal arguments give equal bytes. Raises InputError where `given` holds too little.
    """
    (folder / "sources").mkdir(parents=True)
    (folder / "candidates").mkdir()
    texts = _given(given, shape) if given is not None else _generated(part, shape, seed)
    for name, text in texts.items():
        (folder / "sources" / f"{name}.txt").write_text(text, encoding="utf-8")
    sources = read_sources([SourceSpec(path="sources")], folder)
    candidates: list[str] = []
    for source in sources:
        for number in range(1, shape.candidates + 1):
            rng = random.Random(f"{seed} candidate {source.id} {number}")
            candidates.append(extract(source, shape.candidate_tokens, rng))
            path = folder / "candidates" / f"{source.id}.system-{number:02d}.txt"
            path.write_text(candidates[-1], encoding="utf-8")
    if shape.questions:
        write_items(folder / "quiz.jsonl", [item for source in sources for item in gaps(source, shape.questions, seed)])
    if shape.criteria:
        _write_rubric(folder / "rubric.yaml", shape.criteria)
    config = folder / "speed.yaml"
    with config.open("w", encoding="utf-8") as file:
        YAML().dump(_config(part, seed, model, _commonest(candidates)), file)
    return Work(part, shape, config, given is not None)


def extract(source: Source, tokens: int, rng: random.Random) -> str:
    """Sentences of a source in their order, as many as make about so many tokens: a candidate without a writer."""
    sentences = [each for segment in source.segments for each in sentences_of(source.words_of(segment))]
    order = list(range(len(sentences)))
    rng.shuffle(order)
    chosen: list[int] = []
    have = 0
    for place in order:
        size = length(sentences[place])
        if have and have + size > tokens * 1.1:
            continue
        chosen.append(place)
        have += size
        if have >= tokens * 0.9:
            break
    return " ".join(sentences[place] for place in sorted(chosen)) + "\n"


def gaps(source: Source, count: int, seed: int) -> Iterator[QuizItem]:
    """Questions for a word that was taken out of a sentence of the source, with four other words of it.

    Raises InputError where the source has too few sentences or words.
    """
    rng = random.Random(f"{seed} quiz {source.id}")
    words = sorted({word for word in source.text.split() if word.isalpha() and word.islower() and len(word) > 4})
    places = [
        (segment.number, sentence, here)
        for segment in source.segments
        for sentence in sorted(set(sentences_of(source.words_of(segment))))
        if (here := [word for word in sentence.split() if word in words])
    ]
    if len(places) < count or len(words) < 12:
        raise InputError(f"source {source.id}: too short for {count} questions; name longer sources with --sources")
    for number, (segment, sentence, here) in enumerate(rng.sample(places, count), 1):
        right = rng.choice(here)
        gapped = " ".join("____" if word == right else word for word in sentence.split())
        others = rng.sample([word for word in words if word not in here], 4)
        yield QuizItem(
            source=source.id,
            number=number,
            kind="attribute",
            language="en",
            question=f'Which word is missing: "{gapped}"',
            options=(right, *others),
            segments=(segment,),
        )


def _generated(part: Part, shape: Shape, seed: int) -> dict[str, str]:
    return {
        f"meeting-{number}": meeting(f"{seed} {part} {number}", shape.source_tokens)
        for number in range(1, shape.sources + 1)
    }


def _given(folder: Path, shape: Shape) -> dict[str, str]:
    """Texts of the user's, each as much of its beginning as is wanted: how long it takes is what is measured."""
    files = sorted(path for path in folder.glob("*") if path.suffix in SOURCE_SUFFIXES)
    found = read_sources([SourceSpec(path=str(path)) for path in files], folder) if files else ()
    if len(found) < shape.sources:
        raise InputError(f"--sources {folder}: holds {len(found)} sources, {shape.sources} are needed; lower --share")
    return {f"source-{number}": _cut(source, shape.source_tokens) for number, source in enumerate(found, 1)}


def _cut(source: Source, tokens: int) -> str:
    lines: list[str] = []
    have = 0
    for segment in source.segments:
        if have >= tokens:
            break
        lines.append(" ".join(source.words_of(segment).split()))
        have += length(lines[-1])
    return "\n".join(lines) + "\n"


def _write_rubric(path: Path, criteria: int) -> None:
    """The first criteria of the shipped rubric for meetings."""
    rubric = rubric_for("meeting", None, "en", path.parent)
    table = {
        "category": "meeting",
        "language": "en",
        "criteria": [
            {"id": each.id, "na": each.allows_na, "statement": each.statement, "levels": dict(each.levels)}
            for each in rubric.criteria[:criteria]
        ],
    }
    with path.open("w", encoding="utf-8") as file:
        YAML().dump(table, file)


def _commonest(texts: Sequence[str]) -> str:
    """The long word that stands most often in the texts: what affect takes for its target."""
    words = Counter(word for text in texts for word in text.split() if word.isalpha() and len(word) > 5)
    return max(words, key=lambda word: (words[word], word), default="meeting")


def _config(part: Part, seed: int, model: object, target: str) -> dict[str, object]:
    quiz = {"answerer": MODEL, "items": "quiz.jsonl", "controls": False}
    panel = {"judges": [MODEL], "rubric": "./rubric.yaml"}
    audit = {"auditors": [MODEL]}
    affect = {"judges": [MODEL], "targets": [target], "contracts": ["target", "whole"]}
    methods: dict[Part, dict[str, object]] = {
        "a": {"quiz": quiz},
        "b": {"panel": panel},
        "c": {"audit": audit},
        "d": {"quiz": quiz, "panel": panel, "audit": audit, "affect": affect},
    }
    return {
        "name": f"speed-{part}",
        "seed": seed,
        "sources": [{"path": "sources", "language": "en"}],
        "candidates": [{"path": "candidates/{source}.{system}.txt"}],
        "models": {MODEL: model},
        "methods": methods[part],
    }


def parts_of(text: str) -> Sequence[Part]:
    """The parts that a list such as "a,b" names; raises InputError for another letter."""
    found: list[Part] = []
    for name in text.split(","):
        part = next((part for part in SHAPES if part == name.strip()), None)
        if part is None:
            raise InputError(f"--parts {text}: {name.strip()!r} is no part; choose from {', '.join(SHAPES)}")
        found.append(part)
    return found
