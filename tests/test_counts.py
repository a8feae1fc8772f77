"""What a run costs in counts, not in seconds: calls, tokens, cached tokens and loads are pinned.

A change that asks more, shares less or loads more often fails here, on any machine, however busy. Where it was meant,
`python -m tests.test_counts` writes the pins anew; the commit then shows by how much.
"""

import json
import shutil
import tempfile
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from localeval.driver import drive
from localeval.engines.prefixes import PrefixCache
from localeval.engines.scripted import count_words
from localeval.evaluation import run
from localeval.flow import Flow
from localeval.ledger import Ledger
from localeval.values import Call, Choice, Message, Reply, Sampling
from tests.helpers import MemoryStore, ScriptedEngines, scripted_model
from tests.systems_project import make_selection
from tests.test_methods_together import make_whole

DEMO = Path(__file__).resolve().parent.parent / "demo"
PINS = Path(__file__).resolve().parent / "data" / "counts.json"
COUNTED = ("sent", "prompt_tokens", "cached_tokens", "output_tokens", "loads")
RUNS = ("demo, all cached", "demo, small cache", "all methods, all cached", "all methods, small cache", "selection")
SMALL = {"demo": 3000, "all methods": 1500}
"""Tokens of a cache that holds a source of the project and what is asked about it, and no second one."""

Counts = dict[str, dict[str, Any]]


class Noting(Ledger):
    """A ledger that also keeps the calls in the order in which flows asked them."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[Call] = []

    def queued(self, call: Call) -> None:
        super().queued(call)
        self.asked.append(call)

    def counts(self) -> Counts:
        """What is pinned, by model."""
        return {
            name: {field: getattr(account, field) for field in COUNTED}
            | {"stages": dict(sorted(account.stages.items()))}
            for name, account in sorted(self.accounts.items())
        }


def make(name: str, folder: Path) -> Path:
    """The config of one of `RUNS`, its scripted models with the cache that the name says."""
    project, _, room = name.partition(", ")
    option = f", cache_tokens: {SMALL[project]}" if room == "small cache" else ""
    if project == "selection":
        return make_selection(folder, {"long": "a", "short": "b"}, ["a", "b"], n_sources=3)
    if project == "demo":
        shutil.copytree(DEMO, folder, dirs_exist_ok=True)
        config = folder / "dry-run.yaml"
        old, new = "script: dry-run.jsonl", f"script: dry-run.jsonl{option}"
    else:
        config = make_whole(folder, n_sources=4)
        config.write_text(config.read_text() + "  affect: {judges: [m], targets: [source]}\n")
        old, new = "script: rules.jsonl", f"script: rules.jsonl{option}"
    assert old in config.read_text()
    config.write_text(config.read_text().replace(old, new))
    return config


def counted(name: str, folder: Path) -> Noting:
    """The ledger of one of `RUNS`."""
    ledger = Noting()
    run(make(name, folder / "project"), folder / "run", ledger=ledger)
    return ledger


@pytest.fixture(scope="module")
def ledger_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Noting]:
    """`counted`, each run once for all tests."""
    return cache(lambda name: counted(name, tmp_path_factory.mktemp("counts")))


def computed(calls: Iterable[Call], cache_tokens: int | None = None) -> int:
    """The prompt tokens that a cache of this size (None: of any) leaves to compute, if calls go in this order."""
    held = PrefixCache(cache_tokens)
    return sum(held.compute(count_words(call)) for call in calls)


def differences(found: Counts, pinned: Counts) -> list[str]:
    """Each count that is not as pinned: by how much."""
    told = []
    for model in sorted({*found, *pinned}):
        new, old = (_flat(counts.get(model, {})) for counts in (found, pinned))
        told += [
            f"{model}, {field}: {new.get(field, 0)} instead of {old.get(field, 0)} "
            f"({new.get(field, 0) - old.get(field, 0):+})"
            for field in sorted({*new, *old})
            if new.get(field, 0) != old.get(field, 0)
        ]
    return told


def _flat(counts: Mapping[str, Any]) -> dict[str, int]:
    return {field: counts[field] for field in COUNTED if field in counts} | dict(counts.get("stages", {}))


@pytest.mark.parametrize("name", RUNS)
def test_a_run_costs_what_is_pinned(name: str, ledger_of: Callable[[str], Noting]) -> None:
    """Calls by stage, prompt tokens, cached tokens, output tokens and loads, each exactly. In the project of all
    methods affect gets no answer that can be read: what is asked again is counted too."""
    found = ledger_of(name).counts()
    told = differences(found, json.loads(PINS.read_text(encoding="utf-8"))[name])
    hint = "if that is meant: .venv/bin/python -m tests.test_counts, and say why in the commit"
    assert not told, "\n".join([f"run {name!r} costs something else:", *told, hint])


def test_a_failing_pin_says_by_how_much() -> None:
    """Also for a stage or a model that came or went."""
    pinned = {"m": {"sent": 5, "loads": 1, "stages": {"quiz/answer": 5}}}
    found = {"m": {"sent": 7, "loads": 1, "stages": {"quiz/answer": 5, "quiz/new": 2}}}
    assert differences(found, pinned) == ["m, quiz/new: 2 instead of 0 (+2)", "m, sent: 7 instead of 5 (+2)"]
    assert differences(pinned, pinned) == []
    assert len(differences({}, pinned)) == 3


def test_the_demo_uses_a_small_cache_well(ledger_of: Callable[[str], Noting]) -> None:
    """Little is computed twice, and less than in the order in which the flows ask. What is: the quiz's control text,
    which all sources share, and tasks whose follow-ups come when the room is taken."""
    ledger = ledger_of("demo, small cache")
    account = ledger.accounts["judge"]
    unique = computed(ledger.asked)
    twice = account.prompt_tokens - account.cached_tokens - unique
    assert 0 <= twice < 0.06 * unique
    assert twice < 0.5 * (computed(ledger.asked, SMALL["demo"]) - unique)


def test_sources_asked_in_turns_are_computed_once(tmp_path: Path) -> None:
    """Flows that turn from source to source, with follow-ups: next to nothing is computed twice where the cache holds
    a source and a half; in the order of asking nearly everything is."""
    sources = [f"Source {number}. " + f"Item {number} costs money. " * 400 for number in range(6)]
    engines = ScriptedEngines(scripted_model(tmp_path, [{"reply": "A"}], cache_tokens=3000))

    def asks(source: str, candidate: int) -> Flow[int]:
        replies: list[Reply] = []
        for turn in range(3):
            replies += yield [
                Call(
                    "m",
                    (
                        Message("system", ("Read.",)),
                        Message("user", (source, f"Text {candidate}.", f"Part {turn}.{n}?")),
                    ),
                    Choice(("A",)),
                    Sampling(1),
                )
                for n in range(4)
            ]
        return sum(reply.prompt_tokens - reply.cached_tokens for reply in replies)

    noting = Noting()
    flows = [((s, candidate), asks(source, candidate)) for candidate in range(8) for s, source in enumerate(sources)]
    now = sum(tokens for _, tokens in drive(flows, MemoryStore(), engines, noting))
    unique = computed(noting.asked)
    assert len(noting.asked) == 6 * 8 * 3 * 4
    assert now <= 1.03 * unique
    assert computed(noting.asked, 3000) >= 5 * unique


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        pins = {name: counted(name, Path(scratch) / name).counts() for name in RUNS}
    PINS.write_text(json.dumps(pins, indent=1) + "\n", encoding="utf-8")
