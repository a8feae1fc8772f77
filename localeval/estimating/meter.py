"""What a pilot took, added up from its replies and its loads as they come."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from localeval.bill.pricing import kind_of
from localeval.driver import Silent
from localeval.estimating.estimates import Measured
from localeval.flow import EngineInfo
from localeval.models import Model
from localeval.values import Call, Reply


@dataclass(slots=True)
class _Tally:
    calls: int = 0
    prompt_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    device_s: float = 0.0
    untimed: int = 0


class Meter(Silent):
    """An observer that adds up what a pilot's replies took, stored ones too, and what its loads took."""

    def __init__(self, models: Mapping[str, Model]) -> None:
        self.loads: Counter[str] = Counter()
        self._models = models
        self._load_s: defaultdict[str, float] = defaultdict(float)
        self._tallies: dict[tuple[str, str], _Tally] = defaultdict(_Tally)
        self._seen: set[tuple[str, str]] = set()

    def loaded(self, model: str, info: EngineInfo) -> None:
        if kind_of(self._models[model]) == "local":
            self.loads[model] += 1
            self._load_s[model] += info.load_s

    def answered(self, call: Call, reply: Reply, is_stored: bool) -> None:
        if (call.model, reply.key) in self._seen or (reply.missing is not None and reply.missing.reason == "too long"):
            return
        self._seen.add((call.model, reply.key))
        tally = self._tallies[call.model, call.stage]
        tally.calls += 1
        tally.prompt_tokens += reply.prompt_tokens
        tally.cached_tokens += reply.cached_tokens
        tally.output_tokens += reply.output_tokens
        tally.device_s += reply.device_s or 0.0
        tally.untimed += reply.device_s is None

    def measured(self) -> tuple[Measured, ...]:
        """What was measured, by model and stage; no seconds where a reply came without them."""
        return tuple(
            Measured(
                model,
                stage,
                tally.calls,
                tally.prompt_tokens,
                tally.prompt_tokens - tally.cached_tokens,
                tally.output_tokens,
                None if tally.untimed else tally.device_s,
            )
            for (model, stage), tally in self._tallies.items()
        )

    def load_s(self) -> dict[str, float]:
        """Mean seconds of a load, by model."""
        return {model: self._load_s[model] / n for model, n in self.loads.items()}
