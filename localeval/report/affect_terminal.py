"""Affect on a terminal: profiles and what one must know to believe them, and each text with its scores and evidence."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.text import Text

from localeval.methods.affect.readings import Flags
from localeval.report.affect_answers import (
    NO_TARGET,
    Place,
    answer_lines,
    finds_no_target,
    label_of,
    limit_lines,
    places_text,
)
from localeval.report.affect_tables import MOST_ROWS, Grid, grids
from localeval.report.affect_view import AffectDetails, AxisRow, JudgeRow, PortraitRow, TextRow
from localeval.report.console import (
    ASIDE,
    LACKING,
    counted,
    decimal_text,
    is_beyond_zero,
    listed,
    literal,
    p_text,
    print_lines,
    shift_text,
    wide_console,
)
from localeval.report.marks import NOTHING_REFUSED, Marks, mark_heading, mark_lines, mark_number

Json = Mapping[str, Any]

_SHOWN_CHARACTERS = 400
_FLAGS = {
    "not_named": "not named in the text",
    "refusal": "refused by its writer",
    "mismatch": "of another of that name",
    "generic": "generic",
    "below_bar": "below the coverage bar",
    "unreadable": "with unreadable flags",
}
_DRIFT_KEY = (
    "drift: the length is that of the mean shift over all axes at once; rank correlation: whether targets keep their "
    "order; moved: targets that moved by more than the judge's own noise, where it read each twice (`repeats: 2`)"
)
_NOTES = {
    "one source": "an interval over texts of one source, or of one system and wording, does not speak of others",
    "few sources": "few clusters: how much they differ is mostly assumed in these intervals",
}


def print_affect(name: str, affect: Json, marks: Marks = NOTHING_REFUSED) -> None:
    """What a run called `name` has of affect in scores.json: the tables of each judge, then what holds of all of them
    and the answers. What comes of a refused judge is marked; what is said of all judges, as soon as one is refused."""
    device = wide_console()
    has_any = marks.has("affect")
    print_lines(mark_lines(_head(name, affect), has_any))
    for judge_name, judge in affect["judges"].items():
        is_marked = marks.has("affect", judge_name)
        for grid in grids(affect, judge_name):
            shown = mark_grid(grid) if is_marked else grid
            device.print()
            device.print(literal(shown.title, style="italic"))
            device.print(shown.fitted(device))
        print_lines(mark_lines(judge_lines(affect, judge_name, judge), is_marked))
    print_lines(mark_lines(["", *_common(affect), *limit_lines(affect), "", *answer_lines(affect)], has_any))


def mark_grid(grid: Grid) -> Grid:
    """A table of a refused judge: the sign at each number, words in its title."""
    rows = [(name, *map(mark_number, cells)) for name, *cells in grid.rows]
    return Grid(mark_heading(grid.title, ("affect",)), grid.headings, rows)


def _head(name: str, affect: Json) -> Iterator[str]:
    """What was read by whom, and how."""
    judged, of = affect["judged"], affect["of"]
    apart = ", each by itself" if len(affect["judges"]) > 1 else ""
    yield f"{name}: {counted(affect['texts'], 'text')} ({of}) read by {', '.join(affect['judges'])}{apart}"
    axes = "; ".join(
        f"`{contract}` {', '.join(label_of(affect, axis) for axis in ids)}"
        for contract, ids in affect["axes"]["ids"].items()
    )
    yield f"asked: {axes} (axes {affect['axes']['name']})"
    yield f"read from: {_read_from(judged)}"


def _read_from(judged: Json) -> str:
    read = judged["read_from"]
    scale = "the anchors' words" if judged["scale"] == "words" else f"the scores 1 to {judged['points']}"
    how = {
        "logprobs": f"from the probabilities of {scale}",
        "samples": f"as the mean of {judged['samples']} draws from {scale}",
    }
    told = [f"{counted(read[name], 'reading')} {words}" for name, words in how.items() if read.get(name)]
    twice = "; each score read twice, in either order of the anchors" if judged["repeats"] == 2 else ""
    return f"{', '.join(told) or 'nothing'}{twice}"


def judge_lines(affect: Json, name: str, judge: Json) -> Iterator[str]:
    """Beneath one judge's tables: what they leave out, flags, noise, why there is no split, groups."""
    whose = f"{name}: " if len(affect["judges"]) > 1 else ""
    if (n := len(judge["targets"])) > MOST_ROWS:
        yield f"{whose}{MOST_ROWS} of {n} targets shown, those with the most texts; scores.json has all"
    if (n := len(judge["drift"])) > MOST_ROWS:
        yield f"{whose}{MOST_ROWS} of {n} pairs of wordings shown; scores.json has all"
    if judge["drift"]:
        yield f"{whose}{_DRIFT_KEY}"
    if finds_no_target(affect, judge):
        yield f"{whose}{NO_TARGET}"
    flags = judge["flags"]
    if flags["portraits"]:
        counts = {words: flags[flag] for flag, words in _FLAGS.items()}
        raised = listed(counts) if any(counts.values()) else "no flag raised"
        yield f"{whose}{counted(flags['portraits'], 'portrait')}: {raised}"
    for told in (_noise, _unsplit, _groups):
        for line in told(affect, judge):
            yield f"{whose}{line}"
    yield from (f"{whose}{_NOTES[note]}" for note in sorted(_notes(judge)))


def _noise(affect: Json, judge: Json) -> Iterator[str]:
    """What the judge's second reading says of the first."""
    for contract, axes in judge["repeat"].items():
        noise = [f"{label_of(affect, axis)} {each['sd']:.2f}" for axis, each in axes.items() if each["sd"] is not None]
        if noise:
            yield f"noise of one reading, `{contract}`: {', '.join(noise)}"
        for axis, each in axes.items():
            if each["order_shift"] is not None and is_beyond_zero(each["order_shift"]):
                shift = shift_text(each["order_shift"])
                place = places_text(affect, [(contract, axis)])
                yield f"listing the anchors from 0 up, not from 1 down, moves {place}: {shift}"


def _unsplit(affect: Json, judge: Json) -> Iterator[str]:
    reasons: dict[str, list[Place]] = {}
    for contract, axes in judge["variance"].items():
        for axis, split in axes.items():
            if "components" not in split:
                reasons.setdefault(split["reason"], []).append((contract, axis))
    for reason, places in reasons.items():
        yield f"no split of the variance of {places_text(affect, places)}: {reason}"


def _groups(affect: Json, judge: Json) -> Iterator[str]:
    """Two groups of systems, compared with the system as the unit; where that is refused, why."""
    refused: dict[str, list[Place]] = {}
    for contract, axes in judge["groups"].items():
        for axis, each in axes.items():
            if each["difference"] is None:
                refused.setdefault(each["reason"], []).append((contract, axis))
                continue
            first, second = (counted(n, "system") for n in each["systems"])
            place = places_text(affect, [(contract, axis)])
            gap = f"{each['difference']:+.2f}, p {p_text(each['p_value'])}"
            gap += f" ({each['reason']})" if each["reason"] else ""
            yield f"{each['first']} ({first}) less {each['second']} ({second}), {place}: {gap}"
    for reason, places in refused.items():
        yield f"groups not compared in {places_text(affect, places)}: {reason}"


def _notes(judge: Json) -> set[str]:
    """What the intervals of the means must not be taken for."""
    by_contract = [judge["overall"], *judge["systems"].values(), *judge["wordings"].values()]
    by_contract += [{**target["profile"], "whole": target["whole"]} for target in judge["targets"].values()]
    scores = (score for each in by_contract for axes in each.values() for score in axes.values())
    return {note for score in scores if (note := score.get("note"))}


def _common(affect: Json) -> Iterator[str]:
    """What holds of all judges: how far they agree, and what is missing."""
    for each in affect["agreement"]:
        off = "" if each["mae"] is None else f", off by {each['mae']:.2f} on average"
        place = places_text(affect, [(each["contract"], each["axis"])])
        yield f"{each['first']} and {each['second']}, {place}: r {decimal_text(each['r'])}{off}, on {each['n']}"
    if affect["missing_texts"]:
        yield f"missing: {counted(affect['missing_texts'], 'text')} that a system did not give"
    if affect.get("missing_proposals"):
        yield f"missing: {counted(affect['missing_proposals'], 'proposal')} of further targets"
    if affect["missing"]:
        reasons = listed(affect["missing_by_reason"])
        yield f"missing: {affect['missing']} of {affect['asked']} scores ({reasons}); in no number above"
    else:
        yield f"missing: none of {counted(affect['asked'], 'score')}"


def affect_detail_lines(found: AffectDetails) -> Iterator[Text]:
    """Each text: whose it is, what it says where it was elicited, and what each judge reads in it."""
    for row in found.texts:
        yield from text_lines(row)


def text_lines(row: TextRow) -> Iterator[Text]:
    """One text, several lines."""
    place = f"{row.group} / {row.system}" if row.system else row.group
    condition = f", {row.wording}, sample {row.sample}" if row.is_elicited else ""
    yield Text("\n").append_text(literal(f"{place}{condition}", style="bold"))
    if row.missing:
        yield literal(f"  no text: {row.missing}", style=LACKING)
    elif row.is_elicited:
        yield literal(f"  {_shortened(row.text)}", style=ASIDE)
    for judge in row.judges:
        yield from _judge_lines(judge, len(row.judges) > 1)


def _shortened(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= _SHOWN_CHARACTERS else f"{words[:_SHOWN_CHARACTERS].rstrip()} ..."


def _judge_lines(row: JudgeRow, is_one_of_several: bool) -> Iterator[Text]:
    whose = f"{row.judge}, " if is_one_of_several else ""
    if row.whole:
        yield literal(f"  {whose}the whole text:")
        yield from _axis_lines(row.whole)
    if row.missing:
        yield literal(f"  {whose}no further targets proposed: {row.missing}", style=LACKING)
    for portrait in row.portraits:
        yield literal(f"  {whose}{_portrait(portrait)}")
        if portrait.missing:
            # what the target was asked about has axes: then it is the flags that could not be read
            what = "flags missing; " if portrait.flags is None and portrait.axes else ""
            yield literal(f"   > counts nowhere; {what}{portrait.missing}", style=LACKING)
        yield from _axis_lines(portrait.axes)


def _portrait(row: PortraitRow) -> str:
    """The target, and what holds of the text as a text about it."""
    parts = [f"{row.target} ({row.kind})"]
    if row.flags is not None:
        parts += [f"coverage {row.flags.coverage:.2f}", *_raised(row.flags)]
    return f"{', '.join(parts)}:"


def _raised(flags: Flags) -> Sequence[str]:
    raised = {"refused": flags.refusal, "generic": flags.generic, "another of that name": flags.mismatch}
    return [words for words, is_raised in raised.items() if is_raised]


def _axis_lines(rows: Sequence[AxisRow]) -> Iterator[Text]:
    """Each score with its spread, its readings and its evidence."""
    for row in rows:
        contract = f" ({row.contract})" if row.contract == "favourability" != row.label.lower() else ""
        told = f"missing; {row.missing}" if row.value is None else f"{row.value:.2f}"
        yield literal(
            f"   > {row.label}{contract}: {'; '.join([told, *_readings(row)])}",
            style=LACKING if row.value is None else "",
        )
        if row.evidence is not None:
            reason = f"; {row.evidence.reason}" if row.evidence.reason else ""
            phrases = ", ".join(f'"{phrase}"' for phrase in row.evidence.phrases)
            if phrases or reason:
                yield literal(f"     {phrases}{reason}" if phrases else f"     {row.evidence.reason}", style=ASIDE)
            for phrase in row.evidence.rejected:
                yield literal(f'     does not count: "{phrase}"', style=LACKING)


def _readings(row: AxisRow) -> Iterator[str]:
    if row.spread is not None:
        yield f"spread {row.spread:.2f}"
    if len(row.repeats) > 1:
        yield f"read as {' '.join('missing' if each is None else f'{each:.2f}' for each in row.repeats)}"
    draws = [" ".join(map(str, each)) for each in row.draws if each]
    if draws:
        yield f"drawn {' | '.join(draws)}"
