"""A contest as a table for the terminal, and what must hold beside what was measured."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rich.table import Table

from benchmarks.speed.contest import Part
from benchmarks.speed.results import (
    LOCALEVAL,
    NAIVE,
    RAW,
    Contest,
    Spread,
    above_rounding,
    cached_share,
    calls_a_second,
    computed_per_unique,
    spread_of,
)
from localeval.report.console import NOTHING, titled_table

COLUMNS = (
    "contestant",
    "time /\nraw",
    "time /\nlocaleval",
    "seconds",
    "start-up,\ns",
    "calls",
    "calls/s",
    "computed /\nunique",
    "above\nrounding",
    "cached, %",
    "output\ntokens",
    "invalid",
)

MOST_OF_RAW, MOST_COMPUTED, LEAST_NAIVE, LEAST_PEER = 1.05, 1.03, 5.0, 3.0


class Expectation(NamedTuple):
    """What must hold, and what was measured."""

    what: str
    holds: bool
    measured: str


def cells(contest: Contest, name: str) -> list[str]:
    """A contestant's line: medians of its runs, ratios with lowest and highest; "-" for what it does not tell."""

    def number(spread: Spread | None, form: str, scale: float = 1.0) -> str:
        return NOTHING if spread is None else format(spread.value * scale, form)

    seconds = spread_of(contest.seconds(run) for run in contest.runs(name))
    return [
        name,
        _against(contest, name, RAW),
        _against(contest, name, LOCALEVAL),
        number(seconds, ".1f"),
        number(contest.over(name, lambda run: run.start_s), ".1f"),
        number(contest.over(name, lambda run: run.calls), ".0f"),
        number(contest.over(name, calls_a_second), ".2f"),
        number(contest.over(name, computed_per_unique), ".3f"),
        number(contest.over(name, above_rounding), ".3f"),
        number(contest.over(name, cached_share), ".1f", 100),
        number(contest.over(name, lambda run: run.output_tokens), ".0f"),
        number(contest.over(name, lambda run: run.invalid), ".0f"),
    ]


def _against(contest: Contest, name: str, to: str) -> str:
    return "1" if name == to else ratio_text(contest.ratio(name, to))


def ratio_text(ratio: Spread | None) -> str:
    """The median with the lowest and highest, the median alone where there was one run."""
    if ratio is None:
        return NOTHING
    return f"{ratio.value:.2f}" + (f" [{ratio.low:.2f}-{ratio.high:.2f}]" if ratio.n > 1 else "")


def table_of(contest: Contest) -> Table:
    """The contest as a table, contestants from the fastest to the slowest as far as they ran."""
    table = titled_table(contest.title)
    for column in COLUMNS:
        table.add_column(column, justify="left" if column == COLUMNS[0] else "right", no_wrap=True)
    for name in ordered(contest):
        table.add_row(*cells(contest, name))
    return table


def ordered(contest: Contest) -> list[str]:
    """The contestants that ran, from the fastest to the slowest."""
    found = {name: spread_of(contest.seconds(run) for run in contest.runs(name)) for name in contest.results}
    times = {name: seconds.value for name, seconds in found.items() if seconds is not None}
    return sorted(times, key=lambda name: times[name])


def notes(contest: Contest) -> Iterator[str]:
    """What must be said beneath a table."""
    for name, result in contest.results.items():
        if result.note:
            yield f"{name}: {result.note}"
        runs = result.runs
        if runs and runs[0].share < contest.share * 0.999:
            of = round(runs[0].calls * contest.share / runs[0].share)
            yield f"{name}: made {runs[0].calls} of {of} calls in each run; its seconds are scaled to all of them"


def expectations(contests: Sequence[Contest]) -> Iterator[Expectation]:
    """What must hold of the contests in which it was measured."""
    for contest in contests:
        yield from _of_parts(contest, ("a", "b"), LOCALEVAL, RAW, MOST_OF_RAW)
        computed = contest.over(LOCALEVAL, above_rounding)
        unique = contest.over(LOCALEVAL, computed_per_unique)
        if computed is not None and unique is not None:
            what = f"({contest.part}) computed / unique <= {MOST_COMPUTED} beside what blocks explain"
            measured = f"{computed.value:.3f}; {unique.value:.3f} of unique tokens"
            yield Expectation(what, computed.value <= MOST_COMPUTED, measured)
        yield from _of_parts(contest, ("b",), NAIVE, LOCALEVAL, LEAST_NAIVE)
        yield from _of_peers(contest)


def _of_parts(contest: Contest, parts: tuple[Part, ...], name: str, to: str, bar: float) -> Iterator[Expectation]:
    """A ratio that is to be at most the bar for localeval itself, at least the bar for others."""
    ratio = contest.ratio(name, to)
    if contest.part in parts and ratio is not None:
        is_ours = name == LOCALEVAL
        holds = ratio.value <= bar if is_ours else ratio.value >= bar
        yield Expectation(f"({contest.part}) {name} / {to} {'<=' if is_ours else '>='} {bar}", holds, ratio_text(ratio))


def _of_peers(contest: Contest) -> Iterator[Expectation]:
    ours = {LOCALEVAL, RAW, NAIVE}
    ratios = {name: contest.ratio(name, LOCALEVAL) for name in contest.results if name not in ours}
    found = {name: ratio for name, ratio in ratios.items() if ratio is not None}
    if found:
        best = min(found, key=lambda name: found[name].value)
        what = f"({contest.part}) the best peer, {best}, / localeval >= {LEAST_PEER}"
        yield Expectation(what, found[best].value >= LEAST_PEER, ratio_text(found[best]))
