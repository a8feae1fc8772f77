"""What a bench found: contests with their runs, ratios within them, and all of it as JSON."""

import json
import os
import platform
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.speed.contest import PARTS, Part, Result, Run
from localeval import __version__
from localeval.engines.installed import installed_engines
from localeval.inputs.writing import write_file

SCHEMA = "localeval.speed/1"

LOCALEVAL, RAW, NAIVE = "localeval", "raw", "naive"

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Spread:
    """The median of runs, the lowest and the highest of them."""

    value: float
    low: float
    high: float
    n: int


def spread_of(values: Iterable[float]) -> Spread | None:
    """Over all values, None where there is none."""
    found = sorted(values)
    return Spread(median(found), found[0], found[-1], len(found)) if found else None


@dataclass(slots=True)
class Contest:
    """Contestants on the same work, by turns. `share` is the part of the whole work that it is."""

    part: Part
    share: float
    work: Mapping[str, int | bool]
    """How many sources, candidates, tokens and so on."""
    results: dict[str, Result] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """What is done, in words."""
        whole = "all of it" if self.share > 0.999 else f"{self.share:.1%} of it"
        sizes = f"{self.work['sources']} x {self.work['candidates']} texts"
        return f"({self.part}) {PARTS[self.part]}: {sizes}, {whole}"

    def take(self, name: str, run: Run, parameters: Mapping[str, str]) -> None:
        """Adds a run."""
        before = self.results.get(name, Result(name, self.part))
        self.results[name] = Result(name, self.part, (*before.runs, run), before.note, dict(parameters))

    def note(self, name: str, note: str) -> None:
        """Says of a contestant why it has no run, or no more of them."""
        before = self.results.get(name, Result(name, self.part))
        self.results[name] = Result(name, self.part, before.runs, note, before.parameters)

    def runs(self, name: str) -> tuple[Run, ...]:
        """A contestant's runs so far."""
        return self.results[name].runs if name in self.results else ()

    def seconds(self, run: Run) -> float:
        """What a run took, scaled to all of this contest's calls where it made a sample of them."""
        return run.whole_s * self.share

    def ratio(self, name: str, to: str) -> Spread | None:
        """How many times as long one takes as the other, turn by turn; None where one of them has no run."""
        pairs = zip(self.runs(name), self.runs(to), strict=False)
        return spread_of(self.seconds(one) / self.seconds(other) for one, other in pairs)

    def over(self, name: str, number: Callable[[Run], float | None]) -> Spread | None:
        """A number of a contestant's runs, of those that tell it."""
        return spread_of(value for run in self.runs(name) if (value := number(run)) is not None)


def computed_per_unique(run: Run) -> float | None:
    """Prompt tokens that were computed over those that differ: 1 is the least with an endless cache of tokens."""
    return None if run.computed_tokens is None or not run.unique_tokens else run.computed_tokens / run.unique_tokens


def above_rounding(run: Run) -> float | None:
    """The same over what an endless cache of whole blocks has to compute: what blocks explain is not in it."""
    return None if run.computed_tokens is None or not run.rounded_tokens else run.computed_tokens / run.rounded_tokens


def cached_share(run: Run) -> float | None:
    """Share of the prompt tokens that came from the cache."""
    return None if run.cached_tokens is None or not run.prompt_tokens else run.cached_tokens / run.prompt_tokens


def calls_a_second(run: Run) -> float:
    """Calls over seconds."""
    return run.calls / run.wall_s


NUMBERS: Mapping[str, Callable[[Run], float | None]] = {
    "start_s": lambda run: run.start_s,
    "calls": lambda run: run.calls,
    "calls_a_second": calls_a_second,
    "computed_per_unique": computed_per_unique,
    "above_rounding": above_rounding,
    "cached_share": cached_share,
    "output_tokens": lambda run: run.output_tokens,
    "invalid": lambda run: run.invalid,
}


def as_json(contests: Sequence[Contest], options: Mapping[str, Any]) -> Json:
    """Everything, with what is derived from it."""
    return {
        "schema": SCHEMA,
        "machine": machine(),
        "options": dict(options),
        "contests": [_contest_json(contest) for contest in contests],
    }


def write_json(path: Path, contests: Sequence[Contest], options: Mapping[str, Any]) -> None:
    """Writes it in one step: what was there before is whole until then."""
    write_file(path, json.dumps(as_json(contests, options), indent=1) + "\n")


def read_contests(path: Path) -> list[Contest]:
    """The contests of a file that `write_json` wrote; raises ValueError where it has another schema."""
    told = json.loads(path.read_text(encoding="utf-8"))
    if told.get("schema") != SCHEMA:
        raise ValueError(f"{path}: `schema` is {told.get('schema')!r}, expected {SCHEMA!r}")
    return [_contest_of(each) for each in told["contests"]]


def machine() -> dict[str, str]:
    """What the figures depend on."""
    processor = ""
    if Path("/proc/cpuinfo").is_file():
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        processor = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")
    return {
        "localeval": __version__,
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "processor": processor,
        "cores": str(len(os.sched_getaffinity(0))),
        **installed_engines(),
    }


def _contest_json(contest: Contest) -> Json:
    return {
        "part": contest.part,
        "title": contest.title,
        "share": contest.share,
        "work": dict(contest.work),
        "results": [_result_json(contest, result) for result in contest.results.values()],
    }


def _result_json(contest: Contest, result: Result) -> Json:
    seconds = spread_of(contest.seconds(run) for run in result.runs)
    numbers = {name: contest.over(result.name, number) for name, number in NUMBERS.items()}
    spreads = {
        "seconds": seconds,
        "ratio_to_raw": contest.ratio(result.name, RAW),
        "ratio_to_localeval": contest.ratio(result.name, LOCALEVAL),
        **numbers,
    }
    return {
        "name": result.name,
        "note": result.note,
        "parameters": result.parameters,
        **{name: asdict(each) if each is not None else None for name, each in spreads.items()},
        "runs": [asdict(run) for run in result.runs],
    }


def _contest_of(told: Json) -> Contest:
    results = {
        each["name"]: Result(
            each["name"], told["part"], tuple(Run(**run) for run in each["runs"]), each["note"], each["parameters"]
        )
        for each in told["results"]
    }
    return Contest(told["part"], told["share"], told["work"], results)
