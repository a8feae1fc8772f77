"""What a tally comes to at a model's prices: tokens, device seconds, energy, money."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from localeval.bill.amounts import NONE, UNKNOWN, Amount, added
from localeval.bill.tally import Paid, Tally
from localeval.models import Model
from localeval.models.options import LOCAL
from localeval.models.prices import Prices, call_cost
from localeval.values import Reply

Kind = Literal["local", "hosted", "scripted"]

COUNTED = ("calls", "reused", "missing", "prompt_tokens", "cached_tokens", "output_tokens", "thinking_tokens")
COSTS = ("device_s", "energy_j", "money")
FIELDS = (*COUNTED, *COSTS)
"""What every sum of ledger.json has."""

_HOUR_S = 3600.0


def kind_of(model: Model) -> Kind:
    """Where a model works: on a device of this machine, elsewhere for money, or nowhere (rules, verdicts in a file)."""
    if model.engine in LOCAL:
        return "local"
    return "hosted" if model.engine in ("openai", "command") else "scripted"


@dataclass(frozen=True, slots=True)
class Rate:
    """What a model's work costs.

    `per_hour` is the price of an hour of its device, None where there is none. Its device used `energy_j` in the
    `worked_s` that its replies took together; None where no meter told.
    """

    kind: Kind
    per_hour: float | None
    options: Mapping[str, Any]
    energy_j: float | None = None
    worked_s: float = 0.0

    @property
    def by_token(self) -> bool:
        """Whether tokens have a price."""
        return call_cost(self.options, 0, 0, 0) is not None

    def sums(self, paid: Paid) -> dict[str, Amount]:
        """Every field of a sum: what this run asked for, and how much it copied."""
        own = paid.own
        return {
            "calls": Amount(own.calls),
            "reused": Amount(paid.reused.calls),
            "missing": Amount(own.missing + paid.reused.missing),
            **{name: self._tokens(own, name) for name in COUNTED if name.endswith("_tokens")},
            **self.costs(own),
        }

    def costs(self, tally: Tally) -> dict[str, Amount]:
        """Device seconds, energy and money of a tally."""
        device = self._device(tally)
        return {"device_s": device, "energy_j": self._energy(device), "money": self._money(tally, device)}

    def hour(self, seconds: Amount) -> Amount:
        """The money for so much time of the device."""
        if self.per_hour is not None:
            return seconds.times(self.per_hour / _HOUR_S)
        if self.kind != "local":
            return NONE
        return Amount(0.0) if seconds == Amount(0.0) else UNKNOWN

    def _tokens(self, tally: Tally, name: str) -> Amount:
        value: int = getattr(tally, name)
        if self.kind == "scripted" or not tally.uncounted:
            return Amount(value)
        return UNKNOWN if tally.uncounted == tally.sent else Amount(value, is_whole=False)

    def _device(self, tally: Tally) -> Amount:
        if not tally.untimed:
            return Amount(tally.device_s)
        needed = self.kind == "local" or self.per_hour is not None
        return Amount(None if tally.untimed == tally.sent else tally.device_s, is_whole=not needed)

    def _energy(self, device: Amount) -> Amount:
        if self.kind != "local":
            return NONE
        if self.energy_j is None or not self.worked_s:
            return Amount(0.0) if device == Amount(0.0) else UNKNOWN
        return device.times(self.energy_j / self.worked_s)

    def _money(self, tally: Tally, device: Amount) -> Amount:
        """By the hour, by the token, or both, as far as there are prices."""
        if not tally.sent:
            return NONE if self.kind == "scripted" else Amount(0.0)
        parts = [] if self.per_hour is None else [self.hour(device)]
        if self.by_token:
            parts.append(self._token_money(tally))
        if parts:
            return added(parts)
        return NONE if self.kind == "scripted" else UNKNOWN

    def _token_money(self, tally: Tally) -> Amount:
        # what rules and files answer has the tokens that it says, also where that is none
        uncounted = 0 if self.kind == "scripted" else tally.uncounted
        if uncounted and uncounted == tally.sent:
            return UNKNOWN
        cost = call_cost(self.options, tally.prompt_tokens, tally.cached_tokens, tally.output_tokens)
        return Amount(cost, is_whole=not uncounted)


def rate_of(model: Model, prices: Prices, energy_j: float | None, device_s: float) -> Rate:
    """What a model's work costs, where its device used `energy_j` while it worked `device_s`."""
    kind = kind_of(model)
    per_hour = model.options.get("price_per_hour")
    if per_hour is None and kind == "local":
        per_hour = prices.device_hour
    return Rate(kind, per_hour, model.options, energy_j, device_s)


class OwnReplies(Protocol):
    """A store that tells what a model answered in this run."""

    def own_replies_of(self, model: str) -> Iterator[Reply]:
        """Its replies, without those that were copied from earlier runs."""
        ...


def spent_on_hosted(store: OwnReplies, models: Mapping[str, Model]) -> float:
    """What the replies in a store cost that hosted models gave, as far as their tokens are priced and counted.

    Replies that were copied from earlier runs cost this one nothing.
    """
    spent = 0.0
    for name, model in models.items():
        if kind_of(model) == "hosted":
            tally = Tally()
            for reply in store.own_replies_of(name):
                tally.add(reply)
            spent += call_cost(model.options, tally.prompt_tokens, tally.cached_tokens, tally.output_tokens) or 0.0
    return spent
