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
"""Judge, source id, "whole" rubric or "faithfulness", and the number of the line-up."""

MOST_IN_LINE = 6
"""Texts in a line-up of a check, where the panel has line-ups."""


def panel_flows(evaluation: Evaluation, test: CheckTest) -> Iterator[tuple[Name, Flow[dict[str, Sheet]]]]:
    """((judge, source id, rubric, number), its flow), source by source."""
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
        sheets: dict[str, Sheet] = {}
        for (judge_name, _, _, _), judged in found.items():
            if judge_name == model:
                sheets |= judged
        whole = _untouched(test, sheets)
        for text in test.texts:
            sheet, before = sheets.get(text.id), whole.get(_bed(text))
            if sheet is None:
                continue
            if text.edit is not None and text.edit.kind == "dropped sentence":
                if before is not None:
                    yield ruling("panel", model, text, _is_lower(sheet, before), weighs=False)
            else:
                yield ruling("panel", model, text, _is_marked_down(sheet))


def paraphrases_marked_lower(evaluation: Evaluation, test: CheckTest, found: Mapping[Name, Sheets]) -> Iterator[Ruling]:
    """The control of dropped sentences: paraphrases by the same measure as these."""
    for model in _settings(evaluation).judges:
        sheets: dict[str, Sheet] = {}
        for (judge_name, _, kind, _), judged in found.items():
            if judge_name == model and kind == "whole":
                sheets |= judged
        whole = _untouched(test, sheets)
        for text in test.texts:
            if text.role == "paraphrase" and text.id in sheets and _bed(text) in whole:
                yield ruling("panel", model, text, _is_lower(sheets[text.id], whole[_bed(text)]), weighs=False)


def _settings(evaluation: Evaluation) -> PanelSettings:
    """The panel's, but that each verdict is asked for once."""
    settings = evaluation.config.methods.panel
    assert settings is not None
    return settings.model_copy(update={"repeats": 1})


def _sheets(rubric: Rubric, texts: Sequence[CheckText]) -> Iterator[tuple[str, Rubric, list[CheckText]]]:
    """Which texts are judged by the whole rubric, on account of dropped sentences, and which by faithfulness alone."""
    whole = [each for each in texts if each.view == WHOLE and _needs_all(each)]
    rest = [each for each in texts if each not in whole and not _is_dropped(each)]
    if whole:
        yield "whole", rubric, whole
    if rest:
        alone = tuple(each for each in rubric.criteria if each.id == FAITHFULNESS)
        yield FAITHFULNESS, rubric.model_copy(update={"criteria": alone}), rest


def _needs_all(text: CheckText) -> bool:
    return text.role != "planted" or _is_dropped(text)


def _is_dropped(text: CheckText) -> bool:
    return text.edit is not None and text.edit.kind == "dropped sentence"


def _untouched(test: CheckTest, sheets: Mapping[str, Sheet]) -> dict[tuple[str, str], Sheet]:
    """The sheets of the trusted texts as they are, by what was made from them."""
    untouched = (text for text in test.texts if text.role == "untouched" and text.view == WHOLE)
    return {_bed(text): sheets[text.id] for text in untouched}


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
    """Whether a criterion other than faithfulness has a lower grade; one that is NA for either says nothing."""
    missing: Missing | None = None
    for criterion, (verdict, *_) in sheet.items():
        now, then = verdict.score, before[criterion][0].score
        if criterion == FAITHFULNESS:
            continue
        if isinstance(now, Missing) or isinstance(then, Missing):
            missing = now if isinstance(now, Missing) else then if isinstance(then, Missing) else None
        elif now != "NA" and then != "NA" and now < then:
            return True
    return missing if missing is not None else False
