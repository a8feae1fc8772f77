"""Which sources of a pool a run takes: stratified by category, drawn with a seed, others with each rotation."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from localeval.inputs.specs import ChooseSettings
from localeval.keys import canonical, digest
from localeval.texts import Source


@dataclass(frozen=True, slots=True)
class Share:
    """Of the `pool` sources of one category so many are `chosen`."""

    chosen: int
    pool: int


@dataclass(frozen=True, slots=True)
class Chosen:
    """The sources of a run and those that it leaves out, each in the order of the pool.

    `categories` is by name, "" for the sources that have none. `note` says what a reader of the results must know of
    the choice, one line or empty.
    """

    sources: tuple[Source, ...]
    left_out: tuple[Source, ...]
    categories: Mapping[str, Share]
    note: str


def choose_sources(sources: Sequence[Source], settings: ChooseSettings | None, seed: int) -> Chosen:
    """The share of the pool that `settings` asks for; all of it where they are None or ask for as many as there are.

    Every category is a stratum, the sources without one together, too. Each stands in an order of its own, by a hash of
    seed and id, as a ring: rotation 0 takes the first of it, each further rotation those that follow, so that none is
    taken again before every other of its category was taken. The order of the pool decides nothing.

    A source that comes to the pool moves at most one other out of the choice as long as every category keeps its number
    and its ring has not come around. A new category, or one that can now give more, changes numbers, and so more.
    """
    pools: dict[str, list[Source]] = {}
    for source in sorted(sources, key=lambda each: _place(seed, "source", each.id)):
        pools.setdefault(source.category or "", []).append(source)
    names = sorted(pools, key=lambda name: _place(seed, "category", name))
    sizes = [len(pools[name]) for name in names]
    if settings is None or settings.sources >= len(sources):
        taken, quotas = {source.id for source in sources}, sizes
    else:
        starts, quotas = _windows(sizes, settings)
        taken = {
            pools[name][(start + step) % len(pools[name])].id
            for name, start, quota in zip(names, starts, quotas, strict=True)
            for step in range(quota)
        }
    shares = {name: Share(quota, len(pools[name])) for name, quota in sorted(zip(names, quotas, strict=True))}
    return Chosen(
        sources=tuple(source for source in sources if source.id in taken),
        left_out=tuple(source for source in sources if source.id not in taken),
        categories=shares,
        note=_note(shares),
    )


def choose_summary(chosen: Chosen) -> dict[str, Any]:
    """The part `sources` of scores.json: ids of both, the counts by category ("": none), the note."""
    return {
        "chosen": [source.id for source in chosen.sources],
        "left_out": [{"source": source.id, "category": source.category} for source in chosen.left_out],
        "categories": {name: {"chosen": share.chosen, "pool": share.pool} for name, share in chosen.categories.items()},
        "note": chosen.note,
    }


def _place(seed: int, what: str, name: str) -> str:
    """Where something stands in a drawn order: a hash, so that nothing else in the order moves it."""
    return digest(canonical(["choose", seed, what, name]))


def _windows(sizes: Sequence[int], settings: ChooseSettings) -> tuple[list[int], list[int]]:
    """(starts, quotas) by category: where on its ring the rotation begins, and how many it takes."""
    is_equal = settings.shares == "equal" or settings.sources < len(sizes)
    cycle = (_equal if is_equal else _proportional)(sizes, settings.sources)
    rounds, rest = divmod(settings.rotation, len(cycle))
    starts = [0] * len(sizes)
    for number, quotas in enumerate(cycle):
        times = rounds + (number < rest)
        starts = [start + times * quota for start, quota in zip(starts, quotas, strict=True)]
    return starts, cycle[rest]


def _equal(sizes: Sequence[int], n: int) -> list[list[int]]:
    """How many each category gives, rotation by rotation until that comes again, for `n` below the sum of sizes.

    The same for each, as far as it has so many; what is left over goes around among those that have more. With fewer
    sources than categories that is one each from `n` of them.
    """
    level = 0
    while sum(min(size, level + 1) for size in sizes) <= n:
        level += 1
    able = [place for place, size in enumerate(sizes) if size > level]
    left = n - sum(min(size, level) for size in sizes)
    cycle = []
    for rotation in range(len(able)):
        extra = {able[(rotation * left + step) % len(able)] for step in range(left)}
        cycle.append([min(size, level) + (place in extra) for place, size in enumerate(sizes)])
    return cycle


def _proportional(sizes: Sequence[int], n: int) -> list[list[int]]:
    """The same with one for each category, then one by one to that which has least for its size.

    Sainte-Laguë's divisors, with one guaranteed. Where several are equally short, each in its rotation goes first.
    """
    cycle = []
    for rotation in range(len(sizes)):
        turns = [*range(rotation, len(sizes)), *range(rotation)]
        quotas = [1] * len(sizes)
        for _ in range(n - len(sizes)):
            able = [place for place in turns if quotas[place] < sizes[place]]
            quotas[max(able, key=lambda place: sizes[place] / (2 * quotas[place] + 1))] += 1
        cycle.append(quotas)
    return cycle


def _note(shares: Mapping[str, Share]) -> str:
    """That all is of one category, that no category is given, that categories are left out."""
    said = []
    there = [name for name, share in shares.items() if share.chosen]
    if list(shares) == [""]:
        said.append("no source has a category")
    elif there == [""]:
        said.append("every chosen source is without a category")
    elif len(there) == 1:
        said.append(f"one category only: {there[0]}")
    absent = [name or "those without a category" for name, share in shares.items() if not share.chosen]
    if absent:
        said.append(f"categories left out whole: {', '.join(absent)} (`rotation` takes others)")
    return "; ".join(said)
