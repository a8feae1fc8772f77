"""Numbers that may not be known, wholly or in part, and their sums."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Amount:
    """So much of something, as far as it is known.

    `value` is None where nothing is known or there is nothing of the kind; `is_whole` says that nothing is lacking. So
    a number that is not whole is "at least", None that is not whole is "not known", None that is whole is "none".
    """

    value: float | None
    is_whole: bool = True

    def times(self, factor: float) -> "Amount":
        """So many times as much."""
        return self if self.value is None else Amount(self.value * factor, self.is_whole)


NONE = Amount(None)
"""There is nothing of the kind: money for what has no price, device time of what needs no device."""

UNKNOWN = Amount(None, is_whole=False)

Sums = Mapping[str, Amount]
"""Amounts by name."""


def added(amounts: Iterable[Amount]) -> Amount:
    """The sum of what is known; whole where every part is. Of nothing: NONE."""
    parts = list(amounts)
    known = [part.value for part in parts if part.value is not None]
    is_whole = all(part.is_whole for part in parts)
    if not known:
        return Amount(None, is_whole)
    whole_numbers = all(isinstance(value, int) for value in known)
    # fsum: the same in every order
    return Amount(sum(known) if whole_numbers else math.fsum(known), is_whole)


def added_up(sums: Iterable[Sums], names: Sequence[str]) -> dict[str, Amount]:
    """The sums of several, name by name."""
    rows = list(sums)
    return {name: added(row[name] for row in rows) for name in names}


def per_thousand(amount: Amount, n: int) -> Amount:
    """What a thousand would take where `n` take `amount`; not known of none."""
    return amount.times(1000 / n) if n else UNKNOWN


def sums_json(sums: Sums) -> dict[str, Any]:
    """As it stands in ledger.json: the values, and under `incomplete` the names of those that lack a part."""
    return {name: amount.value for name, amount in sums.items()} | {
        "incomplete": [name for name, amount in sums.items() if not amount.is_whole]
    }
