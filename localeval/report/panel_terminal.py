"""The panel on a terminal: how far its judges can be believed, and each candidate's sheet."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.text import Text

from localeval.methods.panel.schemas import Mode
from localeval.report.console import (
    LACKING,
    cited,
    counted,
    decimal_text,
    is_beyond_zero,
    listed,
    literal,
    note_lines,
    points_text,
    proof_lines,
    score_text,
    some,
    uneven_lines,
)
from localeval.report.panel_view import CellRow, GradeRow, PanelDetails

Json = Mapping[str, Any]

_DEFAULT_RUBRIC = "default"
_HOW: Mapping[Mode, str] = {
    "pointwise": "each alone",
    "lineup": "in line-ups",
    "batch": "in line-ups of one call each",
}


def panel_lines(panel: Json) -> Iterator[str]:
    """Beneath the leaderboard: who judged by what, how far they agree and lean, where to look, what is missing."""
    settings = panel["settings"]
    n_texts = sum(len(system["by_source"]) for system in panel["systems"].values())
    how = _HOW[settings["mode"]]
    repeats = f", each verdict {settings['repeats']} times" if settings["repeats"] > 1 else ""
    batches = settings.get("batch_judges") or ()  # a run from before there were batches has none
    apart = f"; by {', '.join(batches)} {_HOW['batch']}" if batches else ""
    yield f"{counted(n_texts, 'text')} judged {how} by {', '.join(settings['judges'])}{apart}{repeats}"
    if not settings.get("evidence", True):  # a run from before there was a choice has it
        yield f"scores alone, without the passages that decide them{' but in batches' if batches else ''}"
    yield from _rubrics(panel)
    yield from _weights(panel["weights"])
    if len(settings["judges"]) > 1:
        yield from _agreement(panel["health"])
    yield from family_lines(panel)
    yield from _leanings(panel)
    yield from _to_read(panel)
    yield from _lacking(panel)
    yield from uneven_lines(panel["systems"], panel["rubrics"], "texts")
    yield from note_lines((system["consensus"] for system in panel["systems"].values()), "criteria")


def _rubrics(panel: Json) -> Iterator[str]:
    by_category: dict[str, list[str]] = {}
    for source, rubric in panel["rubrics"].items():
        by_category.setdefault(rubric["category"], []).append(source)
    if len(by_category) > 1 or panel["settings"]["rubric"] is None:
        told = ", ".join(f"{name} ({counted(len(sources), 'source')})" for name, sources in by_category.items())
    else:
        told = ", ".join(by_category)
    yield f"{'rubrics' if len(by_category) > 1 else 'rubric'}: {told}"
    if panel["settings"]["rubric"] is None and (without := by_category.get(_DEFAULT_RUBRIC)):
        yield f"default rubric, where the category has none of its own: {', '.join(without)}"


def _weights(weights: Json) -> Iterator[str]:
    if weights["kind"] == "equal":
        return
    shares = ", ".join(
        f"{judge} {share:.2f} (right {score_text(weights['judges'][judge]['accuracy'])} %)"
        for judge, share in weights["by_judge"].items()
    )
    yield f"judges weighed by {counted(weights['labels'], 'label')} of people: {shares}"


def _agreement(health: Json) -> Iterator[str]:
    grades, worth = health["grades"], health["n_eff"]
    yield f"agreement on grades: alpha {decimal_text(grades['alpha'])}, AC1 {decimal_text(grades['ac1'])}"
    is_measured = worth["from_labels"]["value"] is not None
    found = worth["from_labels"] if is_measured else worth["from_scores"]
    if found["value"] is None:
        return
    least = "" if is_measured else "at least "
    yield (
        f"effective judges: {least}{decimal_text(found)} of {worth['judges']}; where judges err alike, their agreement "
        "confirms nothing"
    )


def family_lines(panel: Json) -> Iterator[str]:
    """A warning for each judge that judges systems of its own family."""
    families = panel["settings"]["families"]
    for name, judge in panel["judges"].items():
        own = [system for system in panel["systems"] if judge["family"] and families.get(system) == judge["family"]]
        if own:
            leaning = panel["health"]["judges"][name]["own_family"]
            told = (
                f"not measured: {leaning['reason']}" if leaning["value"] is None else f"{points_text(leaning)} points"
            )
            yield f"warning: {name} judges its own family ({judge['family']}): {', '.join(own)}; leaning to it: {told}"


def _leanings(panel: Json) -> Iterator[str]:
    """What stands out of each judge: only where the interval leaves out 0, or what the judges have in common.

    How it takes to its own family stands in `family_lines`, whether or not it stands out.
    """
    rates = [judge["na_rate"]["value"] for judge in panel["judges"].values() if judge["na_rate"]["value"] is not None]
    usual = sum(rates) / len(rates) if rates else 0.0
    for name, each in panel["health"]["judges"].items():
        if is_beyond_zero(each["severity"]):
            sign = "higher" if each["severity"]["value"] > 0 else "lower"
            yield f"{name} marks {sign} than the panel: {points_text(each['severity'])} points"
        rate = panel["judges"][name]["na_rate"]
        if rate["value"] is not None and not rate["low"] <= usual <= rate["high"]:
            yield f"{name} says NA to {score_text(rate)} % where it may, the judges on average to {usual * 100:.0f} %"
        if is_beyond_zero(each["position"]["first_half"]):
            first = points_text(each["position"]["first_half"])
            yield f"{name} gives the first half of a line-up {first} points more than the second"
        yield from _length(name, each["length"])


def _length(name: str, length: Json) -> Iterator[str]:
    """Scores may follow length because longer texts are better; an offset from the other judges may not."""
    for measure, what in (("score", "scores"), ("offset", "scores, against the other judges',")):
        if is_beyond_zero(length[measure]):
            way = "rise" if length[measure]["value"] > 0 else "fall"
            yield f"{name}: its {what} {way} with the length of the text: Spearman {decimal_text(length[measure])}"


def _to_read(panel: Json) -> Iterator[str]:
    """Where a person should look: texts that the judges see differently."""
    large = panel["health"]["large_disagreements"]
    if large:
        bar = f"{panel['settings']['large_disagreement']:g}"
        worst = [
            f"{cell['source']} / {cell['system']} ({_marks({j: 100 * x for j, x in cell['judges'].items()})})"
            for cell in large
        ]
        yield f"judges lie {bar} points or more apart on {counted(len(large), 'text')}, for you to read: {some(worst)}"


def _lacking(panel: Json) -> Iterator[str]:
    cells = [
        f"{cell['source']} / {system} ({cell['judges']} of {cell['needed']} judges)"
        for system, each in panel["systems"].items()
        for cell in each["missing_cells"]
    ]
    if cells:
        yield f"missing: no consensus on {counted(len(cells), 'text')}: {some(cells)}"
    if panel["missing"]:
        reasons = [
            f"{name} {listed(each['missing_reasons'])}" for name, each in panel["judges"].items() if each["missing"]
        ]
        yield f"missing: {counted(panel['missing'], 'verdict')} ({some(reasons)}); in no number above"


def _marks(judges: Mapping[str, float | None]) -> str:
    """Each judge's score of one text."""
    return ", ".join(f"{judge} {'-' if score is None else f'{score:.0f}'}" for judge, score in judges.items())


def panel_detail_lines(found: PanelDetails) -> Iterator[Text]:
    """Each candidate's score from each judge, and each criterion with the passages that decided it."""
    for cell in found.cells:
        yield from cell_lines(cell)


def cell_lines(cell: CellRow) -> Sequence[Text]:
    """One candidate, several lines."""
    head = Text("\n").append_text(literal(f"{cell.source} / {cell.system}  "))
    if cell.consensus is None:
        head.append(f"no consensus: {cell.n_judges} of {cell.needed} judges that it needs", style=LACKING)
    else:
        head.append(f"consensus {cell.consensus:.0f}", style="bold")
    if cell.disagreement is not None:
        head.append(f", disagreement {cell.disagreement:.0f}")
    lines = [head, literal(f"  {_marks(cell.judges)}  [rubric {cell.rubric}]")]
    for criterion in cell.criteria:
        lines.append(literal(f"  {criterion.id}: {criterion.statement}"))
        lines += [_grade_line(grade) for grade in criterion.grades]
    return [*lines, *_passages(cell)]


def _passages(cell: CellRow) -> Sequence[Text]:
    """What the grades cite, each passage once for all criteria."""
    said = sorted({proof for criterion in cell.criteria for proof in criterion.cited}, key=lambda each: each.segment)
    there = sorted({proof for criterion in cell.criteria for proof in criterion.proof}, key=lambda each: each.segment)
    return [*proof_lines(said, "candidate "), *proof_lines(there, "source ")]


def _grade_line(row: GradeRow) -> Text:
    """What one judge gave, why, and by which passages."""
    grade = f"{row.grade:.2g}" if isinstance(row.grade, float) else row.grade
    repeats = f" ({' '.join(row.repeats)})" if len(row.repeats) > 1 else ""
    parts = [f"{row.judge}: {grade}{repeats}"]
    if row.cited:
        parts.append(f"candidate {cited(row.cited)}")
    if row.proof:
        parts.append(f"source {cited(row.proof)}")
    parts += [f"the source lacks: {lacks}" for lacks in row.lacks] + list(row.missing)
    return literal(f"   > {'; '.join(parts)}", style=LACKING if row.grade == "missing" else "")
