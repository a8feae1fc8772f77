"""What a run asked, what it cost, and what came back without a verdict: counted as it happens."""

import time
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, TypeVar

from localeval.driver import Silent
from localeval.energy import Meter
from localeval.flow import EngineInfo
from localeval.values import Call, Reply

_READ_EVERY_S = 60.0  # of a meter; the fastest counters start again after some minutes
_ADDED = ("sent", "prompt_tokens", "cached_tokens", "output_tokens", "loads", "load_s", "busy_s", "device_s")
_METERED = ("energy_j", "load_energy_j")

Number = TypeVar("Number", int, float)


@dataclass(slots=True)
class Account:
    """The sums of one model. Tokens and seconds are of the calls that were sent in this run, not of stored ones.

    `device_s` is the time that the model worked on these calls, as far as its engine tells, `busy_s` the time from when
    it was ready to when it had left its device, `energy_j` what the device used in that time, `load_energy_j` what it
    used while the model was being loaded; None where no meter tells. `meter` is what it measures. `phases` are the
    seconds of `load_s` by what they went to, as far as engines tell.
    """

    sent: int = 0
    stored: int = 0
    waiting: int = 0
    missing: int = 0
    prompt_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    loads: int = 0
    load_s: float = 0.0
    engine: str = ""
    stages: dict[str, int] = field(default_factory=dict)
    busy_s: float = 0.0
    device_s: float = 0.0
    energy_j: float | None = None
    load_energy_j: float | None = None
    meter: str = ""
    phases: dict[str, float] = field(default_factory=dict)

    @property
    def cached_share(self) -> float:
        """Share of the prompt tokens that the prefix cache held, 0 where nothing was sent."""
        return self.cached_tokens / self.prompt_tokens if self.prompt_tokens else 0.0


class Ledger(Silent):
    """An observer that keeps one account a model. Replies without a verdict count wherever they come from.

    A call that several flows ask counts once, as it is sent once. `meter` tells the device's energy; it is read now and
    then while replies arrive, since some counters start again from 0.
    """

    def __init__(self, meter: Meter | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        start = Account() if meter is None else Account(energy_j=0.0, load_energy_j=0.0, meter=meter.name)
        self.accounts: dict[str, Account] = defaultdict(lambda: replace(start, stages={}, phases={}))
        self._answered: dict[str, set[str]] = defaultdict(set)  # keys by model
        self._meter = meter
        self._clock = clock
        self._ready: dict[str, float] = {}  # by loaded model: since when
        self._read_at = clock()
        self._used = self._joules()  # at the last event of a model

    def loading(self, model: str, waiting: int) -> None:
        self.accounts[model].loads += 1
        self._energy_since()

    def loaded(self, model: str, info: EngineInfo) -> None:
        account = self.accounts[model]
        account.engine = info.description
        account.load_s += info.load_s
        account.phases = _summed(account.phases, info.phases)
        account.load_energy_j = _plus(account.load_energy_j, self._energy_since())
        self._ready[model] = self._clock()

    def unloaded(self, model: str) -> None:
        if (ready := self._ready.pop(model, None)) is not None:  # else it was never ready
            account = self.accounts[model]
            account.busy_s += self._clock() - ready
            account.energy_j = _plus(account.energy_j, self._energy_since())

    def queued(self, call: Call) -> None:
        self.accounts[call.model].waiting += 1

    def answered(self, call: Call, reply: Reply, is_stored: bool) -> None:
        account = self.accounts[call.model]
        answered = self._answered[call.model]
        if is_stored and reply.key in answered:
            return
        answered.add(reply.key)
        account.missing += reply.missing is not None
        if is_stored:
            account.stored += 1
            return
        if self._meter is not None and self._clock() - self._read_at > _READ_EVERY_S:
            self._joules()
        account.waiting -= 1
        if reply.missing is not None and reply.missing.reason == "too long":
            return  # refused before anything was sent
        account.sent += 1
        account.stages[call.stage] = account.stages.get(call.stage, 0) + 1
        account.prompt_tokens += reply.prompt_tokens
        account.cached_tokens += reply.cached_tokens
        account.output_tokens += reply.output_tokens
        account.device_s += reply.device_s or 0.0

    def answered_by_model(self) -> dict[str, tuple[int, int]]:
        """How many replies each model has given, now or earlier, and how many of them are missing; each counts once."""
        return {name: (len(keys), self.accounts[name].missing) for name, keys in self._answered.items()}

    def looked_up(self, model: str, stored: int, missing: int) -> None:
        """So many replies of a model are stored, and so many of them missing: what `answered` would have told."""
        account = self.accounts[model]
        account.stored += stored
        account.missing += missing

    @property
    def sent(self) -> int:
        """Calls that engines answered."""
        return sum(account.sent for account in self.accounts.values())

    @property
    def stored(self) -> int:
        """Calls that the store answered."""
        return sum(account.stored for account in self.accounts.values())

    def _energy_since(self) -> float | None:
        """Joules since this was asked last, None where no meter tells."""
        before, self._used = self._used, self._joules()
        return None if before is None or self._used is None else self._used - before

    def _joules(self) -> float | None:
        self._read_at = self._clock()
        return None if self._meter is None else self._meter.joules()


def merged_served(before: Mapping[str, Mapping[str, Any]], ledger: Ledger) -> dict[str, dict[str, Any]]:
    """What all sittings of a run took, by model, as run.json keeps it under `served`: `before` and what `ledger` adds.

    Calls sent, tokens, loads, seconds and energy are added up; a sum is None where a part is not known. The others are
    of the last sitting in which the model was loaded.
    """
    merged = {name: dict(was) for name, was in before.items()}
    for name, account in ledger.accounts.items():
        if account.sent or account.loads:
            merged[name] = _merged(merged.get(name), account)
    return merged


def _merged(was: Mapping[str, Any] | None, account: Account) -> dict[str, Any]:
    now = asdict(account)
    if was is None:
        return now
    for name in (*_ADDED, *_METERED):
        now[name] = _plus(was.get(name), now[name])  # a run of before there was such a number: not known
    now["engine"] = account.engine or was.get("engine", "")
    now["stages"] = _summed(was.get("stages", {}), account.stages)
    now["phases"] = _summed(was.get("phases", {}), account.phases)
    return now


def _summed(first: Mapping[str, Number], second: Mapping[str, Number]) -> dict[str, Number]:
    return {name: first.get(name, 0) + second.get(name, 0) for name in {**first, **second}}


def _plus(first: float | None, second: float | None) -> float | None:
    return None if first is None or second is None else first + second
