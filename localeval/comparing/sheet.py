"""`localeval judges sheet`: which texts of a run people should label next, on a blind sheet that comes back."""

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from localeval.comparing.certainty import Chances, chances_of
from localeval.comparing.draws import SHEETS, Text, add_draw, drawn, read_draws
from localeval.comparing.verdicts import labels_of_run, texts_in_run
from localeval.errors import ConfigError
from localeval.evaluation import load_run
from localeval.inputs.judge_labels import JudgeLabel, blind_id
from localeval.inputs.label_items import CLASSES
from localeval.inputs.review_sheet import cell
from localeval.inputs.wording import meant
from localeval.inputs.writing import write_file
from localeval.keys import derive_seed
from localeval.measuring import Results
from localeval.methods.panel.rubrics import FAITHFULNESS
from localeval.stats.correction import FEWEST_LABELS
from localeval.stats.intervals import Floats
from localeval.stats.labelling import Pick, choose_labels
from localeval.texts import Language

Json = dict[str, Any]

COLUMNS = ("id", "source", "item", "question", "levels", "text", "rater", "value", "note")
"""Of the sheet; `rater` and `value` are to be filled in. None says whose text it is, or why it was picked."""

Delimiter = Literal[",", ";", "\t"]

_AUDIT, _FABRICATIONS = "audit", "audit/fabrications"
_ASKED: Mapping[str, Mapping[Language, str]] = {
    _AUDIT: {
        "en": "Is everything in the text borne out by the source?",
        "ru": "Всё ли в тексте подтверждается источником?",
        "zh": "文中所述是否都有原文依据？",
    },
    _FABRICATIONS: {
        "en": "How many statements of the text are not borne out by the source?",
        "ru": "Сколько утверждений текста не подтверждается источником?",
        "zh": "文中有多少处说法没有原文依据？",
    },
}
"""What people are asked about a text, in the language of its source."""
_LEVELS: Mapping[str, str] = {_AUDIT: " / ".join(CLASSES["verdict"]), _FABRICATIONS: "0, 1, 2, ..."}


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a sheet is to hold: so many texts, which items of each (none: faithfulness and the audit's verdict, as
    far as the run has them), and how much of the budget is a random sample, above 0 and at most 1."""

    budget: int
    items: tuple[str, ...] = ()
    random_share: float = 0.5
    delimiter: Delimiter = ","


@dataclass(frozen=True, slots=True)
class Sheet:
    """What stands on a sheet: how many texts, of which so many for doubt, and rows; `left` texts are on none yet.

    `few` are the systems with too few texts on all sheets for a correction of their own.
    """

    path: Path
    items: tuple[str, ...]
    texts: int
    doubt: int
    rows: int
    left: int
    few: tuple[str, ...]


def make_sheet(run: Path, path: Path, wanted: Wanted) -> Sheet:
    """Writes the sheet, and beside the run which texts stand on it and why (`sheets.json`).

    Texts that stood on an earlier sheet of the run are not asked for again. Raises ConfigError for an item that the run
    has not, a sheet that is there already and where no text is left, InputError or StoreError where a file cannot be
    read or written.
    """
    if path.exists():
        raise ConfigError(f"--csv {path}: is there already, and may hold labels; name another file")
    if wanted.budget < 1:
        raise ConfigError(f"--budget: {wanted.budget} is no number of texts; give 1 or more")
    evaluation, results = load_run(run)
    labels = labels_of_run(results, evaluation.config.methods)
    asked = _asked(results)
    items = _items(asked, wanted.items)
    texts_there = texts_in_run(results)
    every = [text for text in texts_there if any((*text, item) in asked for item in items)]
    draws = read_draws(run)
    texts = sorted(set(every) - drawn(draws))
    if not texts:
        fix = f"label those, or remove {SHEETS} from the run to begin anew"
        raise ConfigError(f"{run}: all {len(every)} texts stood on a sheet before; {fix}")
    doubt = doubts(labels, chances_of(results.panel), texts, items)
    seed = derive_seed("sheet", evaluation.config.seed, len(draws))
    picks = _picks(texts, doubt, wanted, seed)
    rows = [
        _row(matter, results, texts_there[matter[:2]])
        for pick in picks
        for item in items
        if (matter := (*texts[pick.index], item)) in asked
    ]
    _write(path, rows, wanted.delimiter)
    add_draw(run, {"seed": seed, "budget": wanted.budget, "items": list(items), "texts": _told(texts, doubt, picks)})
    n_doubt = sum(each.why == "doubt" for each in picks)
    few = _few(every, drawn(read_draws(run)))
    return Sheet(path, items, len(picks), n_doubt, len(rows), len(texts) - len(picks), few)


def doubts(labels: Sequence[JudgeLabel], chances: Chances, texts: Sequence[Text], items: Sequence[str]) -> Floats:
    """How much in doubt the judges are about each text [texts], in [0, 1]: the mean over the items.

    Of several judges how far the highest and the lowest lie apart, as a share of the scale; grade and NA are a whole
    scale apart. Of one judge how probable it is, by its own word, that the grade is another; 0 where it says nothing.
    """
    given: dict[tuple[str, str, str], list[float | str]] = {}
    for each in labels:
        given.setdefault((each.source, each.system, each.item), []).append(each.value)
    by_matter: dict[tuple[str, str, str], list[float]] = {}
    for of_judge in chances.values():
        for matter, shares in of_judge.items():
            by_matter.setdefault(matter, []).append(1 - float(shares.max()))
    found = [
        [_doubt(given.get((*text, item), ()), by_matter.get((*text, item), ())) for item in items] for text in texts
    ]
    return np.asarray(np.mean(found, axis=1), float)


def _doubt(values: Sequence[float | str], unsure: Sequence[float]) -> float:
    if len(values) < 2:
        return max(unsure, default=0.0)
    words = {each for each in values if isinstance(each, str)}
    numbers = [each for each in values if not isinstance(each, str)]
    if words:
        return float(len(words) > 1 or bool(numbers))
    return (max(numbers) - min(numbers)) / max(2.0, *numbers)


def _asked(results: Results) -> set[tuple[str, str, str]]:
    """The (source, system, item) that people can be asked, too."""
    graded = {
        (source, system, f"panel/{criterion}")
        for source, panel in results.panel.items()
        for system in panel.sheets
        for criterion in panel.rubric.criterion_ids
    }
    audited = {
        (source, system, item)
        for source, audit in results.audit.items()
        for system in audit.audits
        for item in (_AUDIT, _FABRICATIONS)
    }
    return graded | audited


def _items(asked: set[tuple[str, str, str]], wanted: Sequence[str]) -> tuple[str, ...]:
    """The items of the sheet; raises ConfigError for one that the run has not."""
    known = sorted({item for _, _, item in asked})
    if not known:
        raise ConfigError("judges sheet: the run has neither a panel nor an audit, of which people could label texts")
    for item in wanted:
        if item not in known:
            raise ConfigError(
                f"--item: no judge of the run was asked for {item!r}; {meant(item, known)}{', '.join(known)}"
            )
    usual = [each for each in (f"panel/{FAITHFULNESS}", _AUDIT) if each in known]
    return tuple(dict.fromkeys(wanted)) or tuple(usual)


def _picks(texts: Sequence[Text], doubt: Floats, wanted: Wanted, seed: int) -> tuple[Pick, ...]:
    names = [sorted({text[axis] for text in texts}) for axis in (0, 1)]
    source, system = ([names[axis].index(text[axis]) for text in texts] for axis in (0, 1))
    if not 0 < wanted.random_share <= 1:
        raise ConfigError(f"--random: {wanted.random_share} is no share; give more than 0, and at most 1")
    return choose_labels(doubt, system, source, wanted.budget, np.random.default_rng(seed), wanted.random_share)


def _told(texts: Sequence[Text], doubt: Floats, picks: Sequence[Pick]) -> list[Json]:
    return [
        {
            "source": texts[each.index][0],
            "system": texts[each.index][1],
            "why": each.why,
            "chance": each.chance,
            "doubt": float(doubt[each.index]),
        }
        for each in picks
    ]


def _few(every: Sequence[Text], shown: frozenset[Text]) -> tuple[str, ...]:
    systems = sorted({system for _, system in every})
    return tuple(
        each for each in systems if len({source for source, system in shown if system == each}) < FEWEST_LABELS
    )


def _row(matter: tuple[str, str, str], results: Results, text: str) -> list[str]:
    """The cells of one row, by column, those to be filled in empty."""
    source, system, item = matter
    if item in _ASKED:
        language = next(each.language for each in results.material.sources if each.id == source)
        question, levels = _ASKED[item][language], _LEVELS[item]
    else:
        criterion = results.panel[source].rubric.criterion(item.removeprefix("panel/"))
        told = [f"{level}: {words}" for level, words in criterion.levels.items()]
        question, levels = criterion.statement, "; ".join([*told, *(["NA"] if criterion.allows_na else [])])
    cells = (blind_id(source, system, item), source, item, question, levels, text)
    return [*map(cell, cells), "", "", ""]


def _write(path: Path, rows: Sequence[Sequence[str]], delimiter: Delimiter) -> None:
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, delimiter=delimiter)
    writer.writerow(COLUMNS)
    writer.writerows(rows)
    write_file(path, buffer.getvalue(), "utf-8-sig")
