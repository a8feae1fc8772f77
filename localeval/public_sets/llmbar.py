"""LLMBar (Zeng et al. 2024): pairs of answers to an instruction, of which one is right, and the stored votes of judges.

419 pairs, 100 of them natural; the others were chosen so that a judge of 2023 would be misled. Each judge voted twice
on a pair, with the answers in the given and in the swapped order.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, get_args

import numpy as np

from localeval.inputs.wording import name_of, problem, show
from localeval.public_sets.rows import Fields, read_rows, require_each_once
from localeval.stats.intervals import Floats

ITEMS, VERDICTS = Path("llmbar", "items.jsonl"), Path("llmbar", "judge_verdicts.jsonl")
JUDGES = ("GPT-4", "PaLM2", "LLaMA2", "ChatGPT", "Falcon")
"""Those whose votes are compared."""
PROMPT = "Vanilla"
"""Of the prompts that each of them was asked with: the plain one."""

Subset = Literal["Natural", "Neighbor", "GPTInst", "GPTOut", "Manual"]
Winner = Literal[0, 1, 2]
"""1 or 2: the first or second output as the file has them, whatever the order they were shown in; 0: no verdict."""


@dataclass(frozen=True, slots=True)
class Pair:
    """One instruction with two outputs. `votes` holds (given order, swapped order) by "judge|prompt"."""

    id: str
    subset: Subset
    instruction: str
    outputs: tuple[str, str]
    gold: Winner
    votes: Mapping[str, tuple[Winner, Winner]] = field(default_factory=dict)

    @property
    def is_natural(self) -> bool:
        """Whether nobody chose it to mislead."""
        return self.subset == "Natural"

    @property
    def longer(self) -> Winner:
        """The output with more characters, 0 where both have as many."""
        first, second = map(len, self.outputs)
        return 1 if first > second else 2 if second > first else 0

    def by(self, judge: str, prompt: str = PROMPT) -> tuple[Winner, Winner]:
        """The votes of a judge; one that did not vote gave no verdict."""
        return self.votes.get(f"{judge}|{prompt}", (0, 0))


def read_pairs(data: Path) -> tuple[Pair, ...]:
    """The pairs as they lie in the folder `data`, in file order; raises InputError."""
    votes = dict(read_rows(data / VERDICTS, _votes))
    pairs = read_rows(data / ITEMS, lambda row: _pair(row, votes))
    require_each_once(data / ITEMS, [pair.id for pair in pairs])
    unknown = sorted(set(votes) - {pair.id for pair in pairs})
    if unknown:
        what = f"has votes on {show(unknown[0])}, which is no pair of {ITEMS.name}"
        raise problem(name_of(data / VERDICTS), what, "take both files of one version")
    return pairs


def marks(pairs: Sequence[Pair], votes: Sequence[Sequence[tuple[Winner, Winner]]]) -> Floats:
    """[pairs, judges, 2 orders]: 1 for the right output, -1 for the wrong one, 0 for no verdict. `votes`: by judge."""
    return np.array(
        [
            [[0.0 if vote == 0 else 1.0 if vote == pair.gold else -1.0 for vote in given[place]] for given in votes]
            for place, pair in enumerate(pairs)
        ]
    ).reshape(len(pairs), len(votes), 2)


def draw_pairs(pairs: Sequence[Pair], n: int, seed: int) -> tuple[Pair, ...]:
    """`n` pairs, half of them natural as far as there are; all for 0. A larger draw of a seed holds a smaller one."""
    if not n:
        return tuple(pairs)
    kinds = [[pair for pair in pairs if pair.is_natural is natural] for natural in (True, False)]
    rng = random.Random(seed)
    for kind in kinds:
        rng.shuffle(kind)
    natural, adversarial = kinds
    n_natural = min(max(n // 2, n - len(adversarial)), len(natural))
    return (*natural[:n_natural], *adversarial[: n - n_natural])


def _pair(row: Fields, votes: Mapping[str, tuple[int, Mapping[str, tuple[Winner, Winner]]]]) -> Pair:
    subsets: Mapping[str, Subset] = {each: each for each in get_args(Subset)}
    gold = row.whole("label", 1, 2)
    label, given = votes.get(row.text("id"), (gold, {}))
    if label != gold:
        raise row.problem("label", f"is {gold}, and {label} in {VERDICTS.name}", "take both files of one version")
    outputs = (row.text("output_1"), row.text("output_2"))
    return Pair(row.text("id"), row.one_of("subset", subsets), row.text("input"), outputs, 1 if gold == 1 else 2, given)


def _votes(row: Fields) -> tuple[str, tuple[int, Mapping[str, tuple[Winner, Winner]]]]:
    """(id, (label, the votes))."""
    inner = row.inner("verdicts")
    found: dict[str, tuple[Winner, Winner]] = {}
    for name in inner.row:
        given = inner.list(name)
        if len(given) != 2:
            raise inner.problem(name, f"has {len(given)} votes", "expected one for each order")
        found[name] = (_winner(inner, name, given[0]), _winner(inner, name, given[1]))
    return row.text("id"), (row.whole("label", 1, 2), found)


def _winner(row: Fields, name: str, value: object) -> Winner:
    if value is None:
        return 0
    if value not in ("1", "2"):
        raise row.problem(name, f"holds {show(value)}", 'expected "1", "2" or null')
    return 1 if value == "1" else 2
