"""The panel's judges on the texts of a check: is faithfulness graded down where an error was planted, and only there?

What a text leaves out is no fault of faithfulness: of a text without one of its sentences some other criterion must be
graded lower than in the whole text. That is shown and enters no bar: which criterion it is depends on the rubric.
"""

import random
from collections.abc import Iterator, Mapping, Sequence

from localeval.checking.asking.rulings import Ruling, ruling
from localeval.checking.building import by_source
from localeval.checking.texts import WHOLE, CheckTest, CheckText
from localeval.flow import Flow
from localeval.keys import derive_seed
from localeval.measuring import Evaluation
from localeval.methods.panel.flow import judge
from localeval.methods.panel.method import Sheets
from localeval.methods.panel.rubrics import FAITHFULNESS, Rubric
from localeval.methods.panel.schemas import GRADES, PanelSettings, Sheet
from localeval.values import Missing

Name = tuple[str, str, str, int]
"""Judge, source id, `FAITHFULNESS` or `OTHERS`, and the number of the line-up."""

OTHERS = "others"
"""All criteria but faithfulness: what a dropped sentence may show in."""
MOST_IN_LINE = 6
"""Texts in a line-up of a check, where the panel has line-ups."""


def panel_flows(evaluation: Evaluation, test: CheckTest) -> Iterator[tuple[Name, Flow[dict[str, Sheet]]]]:
    """((judge, source id, criteria, number), its flow), source by source."""
    settings, material = _settings(evaluation), evaluation.material
    for source_id, texts in by_source(test.texts).items():
        rubric = evaluation.rubrics[texts[0].origin]
        for kind, criteria, chosen in _sheets(rubric, texts):
            for model in settings.judges:
                for number, line in enumerate(_lines(evaluation, settings, model, chosen, source_id)):
                    candidates = [each.candidate for each in line]
                    flow = judge(line[0].source, candidates, model, criteria, settings, material.prompts, material.seed)
                    yield (model, source_id, kind, number), flow


def panel_rulings(evaluation: Evaluation, test: CheckTest, found: Mapping[Name, Sheets]) -> Iterator[Ruling]:
    """What each judge made of each text."""
    for model in _settings(evaluation).judges:
        graded, compared = _given(found, model, FAITHFULNESS), _given(found, model, OTHERS)
        before = _untouched(test, compared)
        for text in test.texts:
            if not _is_dropped(text):
                if text.id in graded:
                    yield ruling("panel", model, text, _is_marked_down(graded[text.id]))
            elif text.id in compared and _bed(text) in before:
                yield ruling("panel", model, text, _is_lower(compared[text.id], before[_bed(text)]), weighs=False)


def paraphrases_marked_lower(evaluation: Evaluation, test: CheckTest, found: Mapping[Name, Sheets]) -> Iterator[Ruling]:
    """The control of dropped sentences: paraphrases by the same measure as these."""
    for model in _settings(evaluation).judges:
        compared = _given(found, model, OTHERS)
        before = _untouched(test, compared)
        for text in test.texts:
            if text.role == "paraphrase" and text.id in compared and _bed(text) in before:
                yield ruling("panel", model, text, _is_lower(compared[text.id], before[_bed(text)]), weighs=False)


def _given(found: Mapping[Name, Sheets], model: str, criteria: str) -> dict[str, Sheet]:
    """One judge's sheets by text id."""
    given: dict[str, Sheet] = {}
    for (judge_name, _, kind, _), sheets in found.items():
        if (judge_name, kind) == (model, criteria):
            given |= sheets
    return given


def _settings(evaluation: Evaluation) -> PanelSettings:
    """The panel's, but that each verdict is asked for once."""
    settings = evaluation.config.methods.panel
    assert settings is not None
    return settings.model_copy(update={"repeats": 1})


def _sheets(rubric: Rubric, texts: Sequence[CheckText]) -> Iterator[tuple[str, Rubric, list[CheckText]]]:
    """Which criteria are asked of which texts about a source: faithfulness of all that may have an error in them, sound
    and planted ones side by side as systems are; the others of texts without a sentence, and of what they are compared
    with."""
    alone, others = (
        tuple(each for each in rubric.criteria if (each.id == FAITHFULNESS) is wanted) for wanted in (True, False)
    )
    graded = [each for each in texts if not _is_dropped(each)]
    if graded:
        yield FAITHFULNESS, rubric.model_copy(update={"criteria": alone}), graded
    compared = [each for each in texts if each.view == WHOLE and (each.role != "planted" or _is_dropped(each))]
    if others and any(_is_dropped(each) for each in compared):
        yield OTHERS, rubric.model_copy(update={"criteria": others}), compared


def _is_dropped(text: CheckText) -> bool:
    return text.edit is not None and text.edit.kind == "dropped sentence"


def _untouched(test: CheckTest, sheets: Mapping[str, Sheet]) -> dict[tuple[str, str], Sheet]:
    """The sheets of the trusted texts as they are, by what was made from them."""
    untouched = (text for text in test.texts if text.role == "untouched" and text.view == WHOLE)
    return {_bed(text): sheets[text.id] for text in untouched if text.id in sheets}


def _bed(text: CheckText) -> tuple[str, str]:
    """The trusted text that a text was made from."""
    return text.origin, text.trusted.origin


def _lines(
    evaluation: Evaluation, settings: PanelSettings, model: str, texts: Sequence[CheckText], source_id: str
) -> list[list[CheckText]]:
    """All texts at once where each is judged alone; else line-ups about as long as the config's own."""
    if settings.mode == "pointwise" and not settings.has_batches(model):
        return [list(texts)]
    systems = {each.system for each in evaluation.material.candidates} | set(evaluation.systems)
    most = min(max(len(systems), 2), MOST_IN_LINE)
    n_lines = -(-len(texts) // most)
    order = list(texts)
    random.Random(derive_seed(evaluation.config.seed, "check", "lines", source_id)).shuffle(order)
    return [order[number::n_lines] for number in range(n_lines)]


def _is_marked_down(sheet: Sheet) -> bool | Missing:
    score = sheet[FAITHFULNESS][0].score
    return score if isinstance(score, Missing) else score != GRADES[-1]


def _is_lower(sheet: Sheet, before: Sheet) -> bool | Missing:
    """Whether one of the criteria has a lower grade; one that is NA for either says nothing."""
    missing: Missing | None = None
    for criterion, (verdict, *_) in sheet.items():
        now, then = verdict.score, before[criterion][0].score
        if isinstance(now, Missing) or isinstance(then, Missing):
            missing = now if isinstance(now, Missing) else then if isinstance(then, Missing) else None
        elif now != "NA" and then != "NA" and now < then:
            return True
    return missing if missing is not None else False
