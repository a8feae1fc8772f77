"""People's scores in a JSONL file, from which the judges' weights are calibrated. Unknown fields are ignored."""

from collections.abc import Collection, Mapping
from pathlib import Path

from localeval.inputs.decoding import read_text
from localeval.inputs.fields import kind_of, rows_of, text_field
from localeval.inputs.wording import meant, name_of, problem, show
from localeval.methods.panel.rubrics import FAITHFULNESS
from localeval.methods.panel.schemas import GRADES, NA, Grade, Label, NotApplicable

_SCORES = f"expected {', '.join(map(str, GRADES))} or {NA!r}".replace("'", '"')


def read_labels(
    path: Path, cells: Collection[tuple[str, str]], criteria: Mapping[str, Collection[str]]
) -> tuple[Label, ...]:
    """Labels `{source, system, criterion, score}` in file order, `score` 0, 1, 2 or "NA"; never empty.

    `cells` are the (source, system) that have a text, `criteria` the ids of each source's rubric. Raises InputError
    with file, line and field where a row is not JSON, lacks a field, names a text or criterion that there is not, has
    another score, NA on faithfulness, or scores what a row before scored.
    """
    lines: dict[tuple[str, str, str], str] = {}
    labels: list[Label] = []
    for where, row in rows_of(read_text(path), name_of(path)):
        label = _label(row, where, cells, criteria)
        matter = (label.source, label.system, label.criterion)
        if matter in lines:
            what = f"{show(label.criterion)} of this text is also scored in {lines[matter]}"
            raise problem(f"{where}: criterion", what, "keep one row, the score that people settled on")
        lines[matter] = where
        labels.append(label)
    return tuple(labels)


def _label(
    row: Mapping[str, object],
    where: str,
    cells: Collection[tuple[str, str]],
    criteria: Mapping[str, Collection[str]],
) -> Label:
    source, system, criterion = (text_field(row, name, where) for name in ("source", "system", "criterion"))
    if source not in criteria:
        raise problem(f"{where}: source", f"there is no source {show(source)}", f"{meant(source, criteria)}correct it")
    if (source, system) not in cells:
        known = sorted(each for name, each in cells if name == source)
        what = f"there is no text by {show(system)} about {show(source)}"
        raise problem(f"{where}: system", what, f"expected {', '.join(known) or 'a source with candidates'}")
    if criterion not in criteria[source]:
        what = f"the rubric of {show(source)} has no criterion {show(criterion)}"
        raise problem(f"{where}: criterion", what, f"expected {', '.join(criteria[source])}")
    return Label(source, system, criterion, score_field(row, where, criterion))


def score_field(row: Mapping[str, object], where: str, criterion: str) -> Grade | NotApplicable:
    """The field `score` of a row; raises InputError where it is no score, or NA on faithfulness."""
    if "score" not in row:
        raise problem(f"{where}: score", "is missing", 'add `"score": 0, 1, 2 or "NA"`')
    value = row["score"]
    if value == NA and criterion == FAITHFULNESS:
        raise problem(f"{where}: score", f"is {NA!r}", f"{FAITHFULNESS} applies to every text; give 0, 1 or 2")
    if value == NA:
        return NA
    grade = next((grade for grade in GRADES if type(value) is int and value == grade), None)
    if grade is None:
        raise problem(f"{where}: score", f"is {kind_of(value)}", _SCORES)
    return grade
