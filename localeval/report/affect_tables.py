"""The numbers of affect as tables within 80 columns: profiles, means, drift between wordings, shares of variance."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rich.console import Console
from rich.table import Table

from localeval.report.affect_answers import label_of
from localeval.report.console import (
    NOTHING,
    axis_text,
    counted,
    decimal_text,
    literal,
    p_text,
    plain_table,
    score_text,
    shift_text,
)

Json = Mapping[str, Any]

MOST_ROWS = 20
"""How many targets, and how many pairs of wordings, a table has at most."""

_ABOUT_TARGET = "favourability"
_DIFFERENCE = "target - whole"
_COMPONENTS = ("target", "system", "wording", "interactions", "sample", "repeat")
_BROKEN = {"interactions": "inter-\nactions", "rank correlation": "rank corre-\nlation"}
_LEAST_NAME = 16
"""Characters of a line of a name, at least."""


@dataclass(frozen=True, slots=True)
class Grid:
    """A table before it is fitted to a device: the first column has names, the others numbers with intervals.

    The title stands above the table, since rich would break it to a narrow table's width.
    """

    title: str
    headings: Sequence[str]
    rows: Sequence[tuple[str, ...]]

    def fitted(self, device: Console) -> Table:
        """With intervals beside the numbers; beneath them where the device has not the room. Long names fold."""
        roomy = device.options.update(max_width=10_000)
        with_short_names = replace(self, rows=[(name[:_LEAST_NAME], *cells) for name, *cells in self.rows])
        for padding in (1, 0):
            least = device.measure(with_short_names._table(padding, is_broken=False), options=roomy).maximum
            if least <= device.width:
                return self._table(padding, is_broken=False)
        return self._table(0, is_broken=True)

    def _table(self, padding: int, is_broken: bool) -> Table:
        table = plain_table(padding)
        table.add_column(self.headings[0], overflow="fold")
        for heading in self.headings[1:]:
            table.add_column(_BROKEN.get(heading, heading) if is_broken else heading, no_wrap=True)
        for name, *cells in self.rows:
            # literal: a target may be called "[bold]"; spaces before an axis are its place beneath the target
            table.add_row(literal(name), *(cell.replace(" [", "\n[") if is_broken else cell for cell in cells))
        return table


def grids(affect: Json, judge: str) -> Iterator[Grid]:
    """What one judge's numbers show: how each target is portrayed, and what else there is of means, drift, variance."""
    found = affect["judges"][judge]
    by = f", as {judge} reads them" if len(affect["judges"]) > 1 else ""
    if found["targets"]:
        yield Grid(
            f"how each target is portrayed{by}, 0 to 1 with 95 % intervals",
            ("about", *_columns(affect)),
            list(_targets(affect, found)),
        )
    columns = _columns(affect)[:2]
    rows: list[tuple[str, ...]] = []
    for name, by_contract in _means(affect, found):
        rows += [(name, *("" for _ in columns)), *_rows(affect, columns, by_contract)]
    yield Grid(f"means{by}, 0 to 1 with 95 % intervals", ("of", *columns), rows)
    if found["drift"]:
        headings = ("drift", "shift", "p", "rank correlation", "moved %")
        yield Grid(f"from wording to wording{by}", headings, list(_drift(affect, found["drift"])))
    split = list(_variance(affect, found["variance"]))
    if split:
        shares = ("variance %", *_components(found["variance"]))
        yield Grid(f"what moves the scores{by}, shares with 95 % intervals", shares, split)


def _means(affect: Json, judge: Json) -> Iterator[tuple[str, Json]]:
    """What means there are, and each by contract and axis."""
    yield f"all {counted(affect['texts'], 'text')}", judge["overall"]
    for kind, plural in (("system", "systems"), ("wording", "wordings")):
        yield from ((f"{kind} {name}", each) for name, each in judge[plural].items())


def _contracts(affect: Json) -> Sequence[str]:
    return [contract for contract, axes in affect["axes"]["ids"].items() if axes]


def _columns(affect: Json) -> tuple[str, ...]:
    """`target` also holds favourability, which is of the target as well and has rows of its own."""
    asked = _contracts(affect)
    first = ("target",) if "target" in asked or _ABOUT_TARGET in asked else ()
    second = ("whole",) if "whole" in asked else ()
    return (*first, *second, *((_DIFFERENCE,) if "target" in asked and second else ()))


def shown_targets(judge: Json) -> list[str]:
    """The targets of the table: at most so many, those with the most texts, in the order of the scores."""
    targets = judge["targets"]
    most = sorted(targets, key=lambda name: -int(targets[name]["texts"]))[:MOST_ROWS]
    return [name for name in targets if name in most]


def _targets(affect: Json, judge: Json) -> Iterator[tuple[str, ...]]:
    columns = _columns(affect)
    for name in shown_targets(judge):
        target = judge["targets"][name]
        by_contract = {**target["profile"], "whole": target["whole"], _DIFFERENCE: target["difference"]}
        yield (name, _texts_text(target), *("" for _ in columns[1:]))
        yield from _rows(affect, columns, by_contract)


def _texts_text(target: Json) -> str:
    """In how many texts the target stands, and how many of them have a score, from the axis with the fewest on."""
    n = [score["n"] for axes in (*target["profile"].values(), target["whole"]) for score in axes.values()]
    told = counted(target["texts"], "text")
    if not n or min(n) == target["texts"]:
        return told
    return f"{min(n)} of {told}" if min(n) == max(n) else f"{min(n)}-{max(n)} of {told}"


def _rows(affect: Json, columns: Sequence[str], by_contract: Json) -> Iterator[tuple[str, ...]]:
    """A row an axis; favourability last."""
    for axis in dict.fromkeys((*by_contract.get("target", {}), *by_contract.get("whole", {}))):
        scores = ((column, by_contract.get(column, {}).get(axis)) for column in columns)
        cells = (shift_text(score) if column == _DIFFERENCE else axis_text(score) for column, score in scores)
        yield (f"  {label_of(affect, axis)}", *cells)
    for axis, score in by_contract.get(_ABOUT_TARGET, {}).items():
        label = label_of(affect, axis)
        told = label if label.lower() == _ABOUT_TARGET else f"{_ABOUT_TARGET}: {label}"
        yield (f"  {told}", axis_text(score), *(NOTHING for _ in columns[1:]))


def _drift(affect: Json, drift: Sequence[Json]) -> Iterator[tuple[str, ...]]:
    """A row a pair of wordings with the length of the whole profile's shift, then one an axis."""
    for pair in drift[:MOST_ROWS]:
        profile = pair["profile"]
        length = NOTHING if profile["distance"] is None else f"{profile['distance']:.2f} long"
        name = f"{pair['first']} to {pair['second']}, `{pair['contract']}`"
        yield (name, length, p_text(profile["p_value"]), "", "")
        for axis, each in pair["axes"].items():
            yield (
                f"  {label_of(affect, axis)}",
                shift_text(each["shift"]),
                p_text(each["shift"].get("p_value")),
                decimal_text(each["rank_correlation"]),
                score_text(each["moved"]["share"]),
            )


def _splits(variance: Json) -> Iterator[tuple[str, str, Json]]:
    """Contract, axis and split, where there is one."""
    for contract, axes in variance.items():
        for axis, split in axes.items():
            if "components" in split:
                yield contract, axis, split


def _components(variance: Json) -> list[str]:
    given = {name for _, _, split in _splits(variance) for name in split["components"]}
    return [*(name for name in _COMPONENTS if name in given), *sorted(given - set(_COMPONENTS))]


def _variance(affect: Json, variance: Json) -> Iterator[tuple[str, ...]]:
    columns, headed = _components(variance), ""
    for contract, axis, split in _splits(variance):
        if contract != headed:
            headed = contract
            yield (f"`{contract}`", *("" for _ in columns))
        shares: Iterable[str] = (
            score_text(split["components"][name]["share"]) if name in split["components"] else NOTHING
            for name in columns
        )
        yield (f"  {label_of(affect, axis)}", *shares)
