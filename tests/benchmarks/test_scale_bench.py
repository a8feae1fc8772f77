"""The bench of scale: its made-up evaluations, a whole small measurement, and what its table says of given figures."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks.scale.__main__ import main, write_json
from benchmarks.scale.measuring import Command, Figures, measure
from benchmarks.scale.projects import SHAPES
from benchmarks.scale.table import COLUMNS, cells, expectations
from localeval.errors import ConfigError, EngineError
from localeval.evaluation import run
from localeval.store.files import FINISHED, SCORES

RUN = {"sent": 100_000, "processor_s": 8.0, "engine_processor_s": 2.0, "drive_s": 9.0}
SOME = Figures("quiz", 100_000, RUN, Command(14, 12, 400), Command(2, 2, 150), Command(9, 9, 300), 9 * 10**7, 10**8)


@pytest.mark.parametrize(("shape", "calls"), [("one flow", 2000), ("many flows", 2000), ("panel", 500)])
def test_every_shape_asks_as_many_calls_as_it_says(tmp_path: Path, shape: str, calls: int) -> None:
    """Each call is another one, none is missing, and every system has a score."""
    outcome = run(SHAPES[shape](tmp_path / "project", calls), tmp_path / "run")
    account = outcome.ledger.accounts["m"]
    assert (account.sent, account.stored, account.missing, account.loads) == (calls, 0, 0, 1)
    systems = outcome.scores["leaderboard"]["systems"]
    assert systems
    (method,) = outcome.scores["methods"].values()
    assert method["missing"] == 0


def test_a_measurement_counts_what_was_asked(tmp_path: Path) -> None:
    """A real run of two thousand calls in processes of its own, all at once answered, all stored, read again whole."""
    said: list[str] = []
    found = measure("quiz", 2000, tmp_path, said.append)
    assert (found.calls, found.run["sent"], found.run["stored"], found.run["missing"]) == (2000, 2000, 0, 0)
    assert len(said) == 3
    for command in (found.command, found.resumed, found.scored):
        assert command.processor_s > 0
        assert 20 < command.peak_mib < 1500
    assert found.run["processor_s"] > 0 < found.run["engine_processor_s"]
    assert 300 < found.store_bytes / found.calls < 2000
    assert found.folder_bytes > found.store_bytes
    assert (tmp_path / "run" / FINISHED).exists()


def test_a_process_that_fails_is_quoted(tmp_path: Path) -> None:
    """What ended a process stands in the error, with its log's name."""
    said: list[str] = []
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "letter.txt").write_text("not a run")
    with pytest.raises(EngineError, match=r"exit code 1; .*log\.txt ends: .*not empty and not a run folder"):
        measure("quiz", 2000, tmp_path, said.append)


def test_the_table_shows_what_was_measured() -> None:
    """Every column has its cell; the engine's share is not the driver's."""
    line = dict(zip((column.replace("\n", " ") for column in COLUMNS), cells(SOME), strict=True))
    assert line["driver, µs/call"] == "80"
    assert line["engine, µs/call"] == "20"
    assert line["wall, µs/call"] == "90"
    assert line["peak, MiB"] == "400"
    assert line["store, bytes/call"] == "900"
    assert line["resume, s"] == "2.0"


def test_expectations_say_what_fails() -> None:
    """Each limit is held against its own number; growth from size to size shows what is not linear."""
    larger = replace(SOME, calls=1_000_000, run=RUN | {"sent": 1_000_000, "processor_s": 85.0})
    assert all(each.holds for each in expectations([SOME, larger]))
    slow = replace(larger, run=RUN | {"processor_s": 160.0}, resumed=Command(21, 20, 200), scored=Command(9, 9, 1501))
    failing = [each for each in expectations([SOME, slow]) if not each.holds]
    assert [each.measured for each in failing] == ["160 µs", "1501 MiB", "21.0 s", "2.00 times"]


def test_small_sizes_are_not_held_to_figures_a_call() -> None:
    """Of few calls the start of a process is most of the time."""
    small = replace(SOME, calls=10_000)
    assert small.driver_us > 150
    assert all(each.holds for each in expectations([small]))


def test_figures_are_written_down(tmp_path: Path) -> None:
    """Everything that the table shows stands in the JSON."""
    write_json(tmp_path / "scale.json", [SOME])
    (size,) = json.loads((tmp_path / "scale.json").read_text())["sizes"]
    assert (size["calls"], size["driver_us"], size["run"], size["resumed"]["seconds"]) == (100_000, 80.0, RUN, 2)


def test_what_is_no_size_is_named(tmp_path: Path) -> None:
    """A size is a number of calls, large enough to be one."""
    result = CliRunner().invoke(main, ["--sizes", "10000,ten", "--out", str(tmp_path)])
    assert isinstance(result.exception, ConfigError)
    assert "--sizes 10000,ten: 'ten' is no number of calls of at least" in str(result.exception)
    assert not (tmp_path / SCORES).exists()
