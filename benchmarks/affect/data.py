"""The labelled sentences: NewsMTSC (how a target fares) and EmoBank (valence, arousal, dominance to readers)."""

import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from localeval.errors import InputError

AXES = ("valence", "arousal", "dominance")
"""In the order in which EmoBank lists its three numbers."""
LABELS = {"negative": -1, "neutral": 0, "positive": 1}
NEWSMTSC, EMOBANK = Path("newsmtsc", "sentences.jsonl"), Path("emobank", "test.jsonl")

_AROUND = ' \t"“”«»—–,;'
"""What surrounds some of NewsMTSC's mentions and is no part of a name."""

Row = TypeVar("Row")


@dataclass(frozen=True)
class Mention:
    """A target of a sentence, and how people say that it is spoken of: -1 badly, 0 neither, 1 well."""

    name: str
    label: int


@dataclass(frozen=True)
class Sentence:
    """A sentence of NewsMTSC."""

    id: str
    text: str
    mentions: tuple[Mention, ...]

    @property
    def is_mixed(self) -> bool:
        """Whether its targets carry different labels: no number for the whole sentence can then be right."""
        return len({each.label for each in self.mentions}) > 1


@dataclass(frozen=True)
class Mood:
    """A sentence of EmoBank with people's means in [0, 1] by axis: of its readers alone, and of both perspectives."""

    id: str
    text: str
    document: str
    reader: Mapping[str, float]
    both: Mapping[str, float]


def read_sentences(folder: Path) -> list[Sentence]:
    """NewsMTSC as it lies in `folder`. A sentence with two targets of one name is left out: which is meant?"""
    found = _read(folder / NEWSMTSC, _sentence)
    return [each for each in found if len({mention.name for mention in each.mentions}) == len(each.mentions)]


def read_moods(folder: Path) -> list[Mood]:
    """EmoBank as it lies in `folder`, as far as readers rated it."""
    return [each for each in _read(folder / EMOBANK, _mood) if each is not None]


def draw_sentences(sentences: Sequence[Sentence], n: int, seed: int) -> list[Sentence]:
    """`n` sentences, two of three mixed as far as there are any. A larger sample of a seed holds the smaller one."""
    mixed, others = ([each for each in sentences if each.is_mixed is kind] for kind in (True, False))
    rng = random.Random(seed)
    for stratum in (mixed, others):
        rng.shuffle(stratum)
    n_mixed = min(max(-(-2 * n // 3), n - len(others)), len(mixed))
    return mixed[:n_mixed] + others[: n - n_mixed]


def draw_moods(moods: Sequence[Mood], n: int, seed: int) -> list[Mood]:
    """`n` sentences of EmoBank. A larger sample of a seed holds the smaller one."""
    shuffled = list(moods)
    random.Random(seed).shuffle(shuffled)
    return shuffled[:n]


def _sentence(row: Mapping[str, Any]) -> Sentence:
    mentions = [Mention(str(each["mention"]).strip(_AROUND), LABELS[each["label"]]) for each in row["targets"]]
    return Sentence(str(row["id"]), str(row["sentence"]), tuple(mentions))


def _mood(row: Mapping[str, Any]) -> Mood | None:
    if row["reader"] is None:
        return None
    reader, both = (_by_axis(row[name]) for name in ("reader", "vad"))
    # "Bartok_7330_7450": a document and the place in it
    return Mood(str(row["id"]), str(row["text"]), str(row["id"]).rsplit("_", 2)[0], reader, both)


def _by_axis(means: Sequence[float]) -> dict[str, float]:
    """From 1 to 5 to [0, 1]."""
    return {axis: (float(mean) - 1) / 4 for axis, mean in zip(AXES, means, strict=True)}


def _read(path: Path, parse: Callable[[Mapping[str, Any]], Row]) -> list[Row]:
    """One value a line; raises InputError naming file and line."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read ({error}); put the data set there") from error
    rows = []
    for number, line in enumerate(lines, 1):
        try:
            rows.append(parse(json.loads(line)))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            what = f"{type(error).__name__}: {error}"
            raise InputError(f"{path} line {number}: {what}; the data set's README names its fields") from error
    return rows
