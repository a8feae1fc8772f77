"""What decides each model's seconds and money on this machine, and what of an estimate is a guess, in words."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Self

from localeval.bill.pricing import kind_of
from localeval.engines.installed import device_for
from localeval.errors import EngineError, ModelError
from localeval.estimating.estimates import Estimate, Terms, summed
from localeval.models import Model
from localeval.models.devices import Speed, cpu_here, gpu_here
from localeval.models.options import LOCAL
from localeval.models.prices import Prices, call_cost
from localeval.models.roofline import Sizes, load_seconds, serving_of, sizes_of


@dataclass(frozen=True, slots=True)
class Machine:
    """The device that each local model would run on. `faults` says of which models the sizes are not known, and why."""

    speed_of: Mapping[str, Speed]
    sizes_of: Mapping[str, Sizes]
    faults: Mapping[str, str]

    @classmethod
    def here(cls, models: Mapping[str, Model]) -> Self:
        """This machine, for the models of a run. A processor is measured where a model runs on it, a GPU is not."""
        speeds: dict[str, Speed] = {}
        sizes: dict[str, Sizes] = {}
        faults: dict[str, str] = {}
        for name, model in models.items():
            if model.engine not in LOCAL:
                continue
            speeds[name] = _speed(model)
            try:
                sizes[name] = sizes_of(model)
            except ModelError as error:
                faults[name] = str(error)
        return cls(speeds, sizes, faults)

    @property
    def shown(self) -> Speed | None:
        """The device to name, None where no model is local: a GPU before a processor."""
        return max(self.speed_of.values(), key=lambda speed: speed.kind == "cuda", default=None)


def terms_of(models: Mapping[str, Model], prices: Prices, machine: Machine) -> dict[str, Terms]:
    """The terms of each model by name."""
    return {name: _terms(name, model, prices, machine) for name, model in models.items()}


def notes_of(found: Estimate, models: Mapping[str, Model], prices: Prices, machine: Machine) -> list[str]:
    """What of an estimate is a guess or not known, a sentence each."""
    asked = {load.model: models[load.model] for load in found.loads}
    return [
        *_of_speed(found, asked, machine),
        *_of_lengths(found),
        *_of_tokens(asked),
        *_of_money(found, asked, prices),
    ]


def _terms(name: str, model: Model, prices: Prices, machine: Machine) -> Terms:
    kind = kind_of(model)
    hour: Any = model.options.get("price_per_hour")
    if hour is None and kind == "local":
        hour = prices.device_hour
    speed, sizes = machine.speed_of.get(name), machine.sizes_of.get(name)
    if speed is None or sizes is None:
        return Terms(kind, model.options, hour=hour)
    return Terms(kind, model.options, sizes, serving_of(model, speed), load_seconds(sizes, speed), hour)


def _speed(model: Model) -> Speed:
    wanted: Literal["auto", "cpu", "cuda"] = model.options.get("device", "auto")
    try:
        on_gpu = device_for(model.engine, wanted) == "cuda"
    except EngineError:  # the run will say so; a plan needs no engine
        on_gpu = wanted == "cuda"
    if not on_gpu:
        return cpu_here()
    return gpu_here() or Speed("GPU that the driver does not name", "cuda")


def _of_speed(found: Estimate, asked: Mapping[str, Model], machine: Machine) -> Iterator[str]:
    local = [name for name in asked if name in machine.speed_of]
    for name in local:
        if found.pilot is None and name in machine.faults:
            yield f"{name}: no seconds without a measurement: {machine.faults[name]}"
    unknown = dict.fromkeys(machine.speed_of[name].name for name in local if not machine.speed_of[name].is_known)
    for device in unknown:
        yield f"the speed of {device} is not known here: only a measurement (--calibrate) tells seconds"
    bases = {stage.basis for stage in found.stages if stage.plan.calls}
    if "sizes" in bases:
        which = "seconds" if found.pilot is None else "seconds of models that the pilot did not ask"
        yield f"{which} are a guess from the models' sizes and the device's speed; --calibrate measures them"
    if "model" in bases:
        stages = ", ".join(each.plan.stage for each in found.stages if each.plan.calls and each.basis == "model")
        yield f"seconds rest on the model's other stages at: {stages}"
    if any(load.load_s is not None and not load.is_load_measured for load in found.loads if load.model in local):
        yield "seconds of loads are a guess: the engine's start, and weights read at 0.5 GB a second"


def _of_lengths(found: Estimate) -> Iterator[str]:
    open_ended = [each for each in found.stages if each.plan.output_tokens > each.plan.calls]
    guessed = [f"{each.plan.model} {each.plan.stage}" for each in open_ended if not each.is_length_measured]
    if guessed:
        yield f"replies are taken to be half as long as they may be at: {', '.join(guessed)}"


def _of_tokens(asked: Mapping[str, Model]) -> Iterator[str]:
    elsewhere = [name for name, model in asked.items() if kind_of(model) == "hosted"]
    if elsewhere:
        yield f"tokens of {', '.join(elsewhere)} are words and signs: no tokenizer of theirs is here"


def _of_money(found: Estimate, asked: Mapping[str, Model], prices: Prices) -> Iterator[str]:
    paid = [name for name, model in asked.items() if kind_of(model) != "scripted"]
    unpriced = [
        name
        for name in paid
        if found.terms[name].hour is None and call_cost(found.terms[name].options, 0, 0, 0) is None
    ]
    if unpriced:
        fix = "set prices: device_hour, or price_per_hour, price_in and price_out of the model"
        yield f"money of {', '.join(unpriced)} is not known: {fix}"
    hosted = summed([load.money for load in found.loads if found.terms[load.model].kind == "hosted"])
    if prices.budget is not None and hosted is not None and hosted > prices.budget:
        yield (
            f"models elsewhere are expected to cost {hosted:.2f} {prices.currency}, more than "
            f"prices: budget {prices.budget:g}: the run would stop before it is finished"
        )
