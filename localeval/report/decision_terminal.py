"""The decision on a terminal: how each system stands, and the recommendation in sentences."""

from collections.abc import Iterator, Mapping
from typing import Any

from rich.table import Table
from rich.text import Text

from localeval.decision.measures import KINDS, MeasureName
from localeval.decision.words import plain
from localeval.report.console import (
    ASIDE,
    DOUBTFUL,
    NOTHING,
    console,
    literal,
    print_hanging,
    titled_table,
    wide_console,
)
from localeval.report.marks import SIGN, decision_refused, mark_heading, mark_lines, mark_number

Decision = Mapping[str, Any]
"""decision.json: docs/decision.md."""

_HEADINGS: Mapping[MeasureName, str] = {
    "fabrications": "fabri-\ncations",
    "consensus": "consen-\nsus",
    "disagreement": "disagree-\nment",
    "fabrication_rate": "fabr.\nrate",
    "disputed": "dis-\nputed",
    "cap_f1": "CapF1",
    "cap_p": "CapP",
    "cap_r": "CapR",
    "cost_per_1000": "cost of\n1,000",
    "seconds": "seconds",
    "missing": "missing\ntexts",
    "tokens": "tokens",
}
_MOST_COLUMNS = 5


def print_decision(decision: Decision) -> None:
    """The table of systems and the argued recommendation; nothing where there is no system."""
    if not decision["systems"]:
        return
    wide_console().print(decision_table(decision))
    device = console()
    for line in decision_lines(decision):
        print_hanging(device, line)


def decision_table(decision: Decision) -> Table:
    """One row a system: whether it fulfils the rules, what it is weighed by, whether it is on the front."""
    measures = _measures(decision)
    refused = decision_refused(decision)
    table = titled_table(mark_heading("decision", refused), padding=0)
    table.add_column("system", overflow="fold")
    if decision["rules"]:
        table.add_column("rules\nmet", no_wrap=True)
    for measure in measures:
        sign = f"\n{SIGN}" if KINDS[measure].needs in refused else ""
        table.add_column(f"{_HEADINGS[measure]}{sign}", justify="right", no_wrap=True)
    table.add_column("on the\nfront", no_wrap=True)
    for name, system in decision["systems"].items():
        cells = [mark_number(_number(system, each), KINDS[each].needs in refused) for each in measures]
        passes = [_passes(system)] if decision["rules"] else []
        table.add_row(_name(decision, name), *passes, *cells, "yes" if system["on_front"] else "no")
    return table


def decision_lines(decision: Decision) -> Iterator[Text]:
    """The recommendation, a sentence a line, then what one must know before one acts on it. What a refused judge has a
    part in is marked, and then the warnings come first."""
    refused = decision_refused(decision)
    for warning in decision["warnings"] if refused else ():
        yield _note(warning)
    for number, sentence in enumerate(mark_lines(decision["text"], bool(refused))):
        yield literal(sentence, style="bold" if number == 0 else "")
    for warning in decision["warnings"] if not refused else ():
        yield _note(warning)


def _note(warning: str) -> Text:
    return Text("  note: ", style=DOUBTFUL).append_text(literal(warning))


def _measures(decision: Decision) -> list[MeasureName]:
    """What the table shows: what is weighed, then what rules ask, as far as there is room."""
    axes = [axis["measure"] for axis in decision["front"]["axes"]]
    ruled = [rule.split()[0] for rule in decision["rules"]]
    wanted = dict.fromkeys([*([decision["best"]] if decision["best"] else []), *axes, *ruled])
    return [measure for measure in KINDS if measure in list(wanted)[:_MOST_COLUMNS]]


def _name(decision: Decision, name: str) -> Text:
    """With what marks it beneath: literal, since a system may be called "[bold]"."""
    system = decision["systems"][name]
    said = {
        "recommended": name == decision["recommended"],
        "incumbent": system["incumbent"],
        "generic prompt": system["generic"],
    }
    marks = [mark for mark, is_so in said.items() if is_so]
    return literal(name).append("".join(f"\n{mark}" for mark in marks), style=ASIDE)


def _passes(system: Mapping[str, Any]) -> str:
    if system["passes"]:
        return "yes"
    return "no" if system["fails"] else "unknown"


def _number(system: Mapping[str, Any], measure: MeasureName) -> str:
    value = system["measures"][measure]["value"]
    return NOTHING if value is None else plain(measure, value)
