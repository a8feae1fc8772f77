"""The decision on the page: who is recommended and why, how each system stands, what would change it: pure."""

from collections.abc import Mapping
from typing import Any

from localeval.decision.measures import KINDS, MeasureName
from localeval.decision.rules import parse_rule
from localeval.decision.words import joined, name_of, plain
from localeval.report.console import NOTHING, some
from localeval.report.marks import decision_refused, mark_heading, mark_lines, mark_table
from localeval.report.measure_words import measure_heading, measure_text
from localeval.report.parts import Block, Part, marked
from localeval.report.pictures.picture import Table

Decision = Mapping[str, Any]
"""decision.json: docs/decision.md."""


def decision_part(decision: Decision, currency: str) -> Part | None:
    """The recommendation, its argument, the rules, the measures, what would change it, what to know before one acts.

    None where there is no system. Raises ValueError for a rule that is none.
    """
    if not decision["systems"]:
        return None
    lead, *argued = decision["text"] or ["Nothing is recommended."]
    changes = decision["would_change"]
    start = argued.index(changes[0]) if changes and changes[0] in argued else len(argued)
    refused = decision_refused(decision)
    lead, *argued = mark_lines([lead, *argued], bool(refused))
    warnings = Block("What to know before acting on it", tuple(mark_lines(decision["warnings"], bool(refused))))
    blocks = (
        *([warnings] if refused else []),
        Block(lines=tuple(argued[:start])),
        Block("Rules", table=_rules_table(decision)),
        Block("What would change it", tuple(argued[start:])),
        *([] if refused else [warnings]),
        Block("How the systems stand", tuple(_front_lines(decision)), _measures_table(decision, currency)),
    )
    shown = tuple(each for each in blocks if each.lines or each.table)
    return Part("decision", mark_heading("Decision", refused), shown, lead)


def system_name(decision: Decision, name: str) -> str:
    """With what marks it: the recommended one and the runner-up, the incumbent, the generic prompt."""
    places = {decision["runner_up"]: "runner-up", decision["recommended"]: "recommended"}
    return marked(name, decision["systems"][name], places.get(name, ""))


def shown_measures(decision: Decision) -> list[MeasureName]:
    """Those of which any system has a number, and those that a rule asks for."""
    ruled = {parse_rule(rule).measure for rule in decision["rules"]}
    systems = decision["systems"].values()
    known = (name for name in KINDS if any(each["measures"][name]["value"] is not None for each in systems))
    found = {*ruled, *known}
    return [name for name in KINDS if name in found]


def _rules_table(decision: Decision) -> Table | None:
    """A row a system, a column a rule, whether it is fulfilled and by what value."""
    rules = [parse_rule(rule) for rule in decision["rules"]]
    if not rules:
        return None
    rows = []
    for name, system in decision["systems"].items():
        cells = []
        for rule in rules:
            told = system["measures"][rule.measure]
            if told["value"] is None:
                cells.append(f"not known: {told['reason']}")
            else:
                verdict = "fulfilled" if rule.holds(told["value"]) else "NOT fulfilled"
                cells.append(f"{verdict}: {plain(rule.measure, told['value'])}")
        rows.append((system_name(decision, name), _verdict(system), *cells))
    table = Table(("system", "all rules", *decision["rules"]), tuple(rows), "The bars hold for the value")
    return _marked(decision, table, {str(rule): rule.measure for rule in rules})


def _verdict(system: Mapping[str, Any]) -> str:
    """What is not known has not failed, but does not pass."""
    if system["passes"]:
        return "passes"
    return "fails" if system["fails"] else "not known, so it does not pass"


def _measures_table(decision: Decision, currency: str) -> Table:
    measures = shown_measures(decision)
    rows = tuple(
        (
            system_name(decision, name),
            str(system["rank"] or NOTHING),
            standing(system),
            *(measure_text(measure, system["measures"][measure]) for measure in measures),
        )
        for name, system in decision["systems"].items()
    )
    headings = {measure_heading(measure, currency): measure for measure in measures}
    table = Table(("system", "rank", "front", *headings), rows, "Values with 95 % intervals where there are any")
    return _marked(decision, table, headings, "rank")


def _marked(decision: Decision, table: Table, columns: Mapping[str, MeasureName], *besides: str) -> Table:
    """The table with its marks: at the columns whose measure comes of a refused judge, and those besides."""
    refused = decision_refused(decision)
    touched = [column for column, measure in columns.items() if KINDS[measure].needs in refused]
    return mark_table(table, refused, (*touched, *besides))


def standing(system: Mapping[str, Any]) -> str:
    """Whether a system is on the front, or who is better all in all."""
    if system["on_front"]:
        return "on it"
    return f"dominated by {some(system['dominated_by'])}" if system["dominated_by"] else "not weighed"


def _front_lines(decision: Decision) -> list[str]:
    """What the front is of; nothing where nothing is weighed."""
    axes = [name_of(axis["measure"]) for axis in decision["front"]["axes"]]
    if not axes:
        return []
    return [
        f"On the front: nobody is at least as good in all of {joined(axes)} and better in one, by value."
        if len(axes) > 1
        else f"On the front: nobody is better in {axes[0]}, by value."
    ]
