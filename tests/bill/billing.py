"""What the tests of the bill share: models, calls, and a bill made by hand."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from localeval.bill import Bill, ledger_of
from localeval.methods.generate.schemas import GeneratedText
from localeval.models import Card, Model
from localeval.models.cards import EngineKind
from localeval.models.prices import Prices
from localeval.values import Call, FreeText, Message, Reply, Sampling


def model(name: str, engine: EngineKind, **options: object) -> Model:
    return Model(name=name, card=Card(name=name, family="f"), engine=engine, options=options)


MODELS = {
    "small": model("small", "vllm"),
    "served": model("served", "openai", price_in=2.0, price_cached_in=0.5, price_out=10.0),
    "free": model("free", "openai"),
    "rules": model("rules", "scripted"),
}
PRICES = Prices(currency="EUR", device_hour=3.6)  # a thousandth each second


def call(of: str, stage: str = "panel/judge", item: str = "") -> Call:
    return Call(of, (Message("user", ("?",)),), FreeText(), Sampling(1), stage, "clinic", item)


def billed(answers: Iterable[tuple[Call, Reply]], copied: Sequence[str] = ()) -> Bill:
    bill = Bill(frozenset(copied))
    for asked, reply in answers:
        bill.answered(asked, reply, True)
    return bill


def ledger(
    bill: Bill,
    served: Mapping[str, Mapping[str, Any]] | None = None,
    texts: Sequence[GeneratedText] = (),
    candidates: int = 0,
    prices: Prices = PRICES,
) -> dict[str, Any]:
    return ledger_of(bill, MODELS, {"small": ["judge"]}, served or {}, prices, texts, candidates)


def loaded(**numbers: float | None) -> dict[str, Any]:
    """What run.json says of a model that was loaded once in 20 s."""
    names = {"engine": "e", "meter": "1 GPU" if "energy_j" in numbers else ""}
    return names | {"loads": 1, "load_s": 20.0, "busy_s": 50.0, "energy_j": None, "load_energy_j": None} | numbers


def row(found: Mapping[str, Any], place: str, **names: str) -> Mapping[str, Any]:
    """The one row of a list of the ledger that has these names."""
    (chosen,) = [each for each in found[place] if all(each[name] == value for name, value in names.items())]
    assert isinstance(chosen, dict)
    return chosen
