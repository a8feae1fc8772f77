"""`localeval.cli.progress`: now and then a plain line, a live one on a terminal, words for durations."""

import io
import re
import time

import pytest
from rich.console import Console

from localeval.cli.progress import Progress, duration
from localeval.flow import EngineInfo
from localeval.values import Call, FreeText, Message, Reply, Sampling

CALL = Call("m", (Message("user", ("?",)),), FreeText(), Sampling(1), "quiz/answer")
REPLY = Reply("k", "A", prompt_tokens=100, cached_tokens=75, output_tokens=1)


def told(is_terminal: bool = False, width: int = 200) -> tuple[Progress, io.StringIO]:
    file = io.StringIO()
    console = Console(file=file, force_terminal=is_terminal, width=width, color_system=None, legacy_windows=False)
    return Progress(console), file


def load(progress: Progress, n_waiting: int = 4) -> None:
    """A model is loaded for so many calls."""
    for _ in range(n_waiting):
        progress.queued(CALL)
    progress.loading("m", n_waiting)
    progress.loaded("m", EngineInfo("vllm 0.32.0 on cpu", load_s=12.3))


def test_loading_is_told_in_plain_lines() -> None:
    """Before and after, with what waits, what serves, and how long it took, each in one line of any width."""
    progress, file = told(width=20)
    with progress:
        load(progress)
        progress.answered(CALL, REPLY, False)
    assert file.getvalue().splitlines() == ["loading m (4 calls wait)", "loaded m in 12 s: vllm 0.32.0 on cpu"]


def test_what_a_load_went_to_is_told() -> None:
    """Where an engine tells it: importing a package is not reading weights."""
    progress, file = told()
    with progress:
        progress.loading("m", 4)
        progress.loaded("m", EngineInfo("vllm", load_s=12.3, phases={"imports": 9.14, "weights": 3.0}))
    assert file.getvalue().splitlines()[1] == "loaded m in 12 s (imports 9.1 s, weights 3.0 s): vllm"


def test_a_line_has_calls_speed_cache_and_time_left() -> None:
    """One of four calls done in two seconds: 13 computed tokens a second, 75 % cached, six seconds left."""
    progress, _ = told()
    load(progress)
    assert progress.line(2.0) == "m: 0 of 4 calls, 0 tokens/s, 0% of prompts cached, time left unknown"
    progress.answered(CALL, REPLY, False)
    assert progress.line(2.0, "quiz/answer") == (
        "m quiz/answer: 1 of 4 calls, 13 tokens/s, 75% of prompts cached, 6 s left"
    )
    assert progress.line(0.0) == "m: 1 of 4 calls, 0 tokens/s, 75% of prompts cached, time left unknown"


def test_speed_is_that_of_this_load() -> None:
    """What the model answered before it was loaded again tells nothing of how fast it is now."""
    progress, _ = told()
    load(progress)
    for _ in range(4):
        progress.answered(CALL, REPLY, False)
    load(progress, 2)
    assert progress.line(2.0) == "m: 4 of 6 calls, 0 tokens/s, 75% of prompts cached, time left unknown"
    progress.answered(CALL, REPLY, False)
    assert progress.line(2.0) == "m: 5 of 6 calls, 13 tokens/s, 75% of prompts cached, 2 s left"


def test_stored_replies_are_no_progress_of_the_engine() -> None:
    """They are counted elsewhere and print nothing."""
    progress, file = told(is_terminal=True)
    load(progress)
    with progress:
        time.sleep(0.25)
        progress.answered(CALL, REPLY, True)
    assert progress.line(1.0).startswith("m: 0 of 4 calls")
    assert "of 4 calls" not in file.getvalue()


def test_a_terminal_has_one_live_line() -> None:
    """It is drawn at most five times a second, cut to the width, and gone at the end."""
    progress, file = told(is_terminal=True, width=40)
    load(progress, 20)
    with progress:
        time.sleep(0.25)
        for _ in range(10):
            progress.answered(CALL, REPLY, False)
    out = file.getvalue()
    assert len(re.findall(r"m quiz/answer: 1 of 20 calls", out)) >= 1
    assert "2 of 20 calls" not in out, "the next line is not due yet"
    assert "…" in out
    assert out.endswith(("\x1b[2K", "\x1b[?25h"))


def test_names_with_markup_are_said_as_they_are() -> None:
    """A model may be called what rich would take for a tag."""
    progress, file = told()
    with progress:
        progress.loading("[/bold]", 1)
    assert file.getvalue() == "loading [/bold] (1 calls wait)\n"


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "0 s"), (0.4, "0 s"), (89.4, "89 s"), (90, "2 min"), (150, "2 min"), (5000, "83 min"),
        (5400, "1 h 30 min"), (7200, "2 h 0 min"), (90_000, "25 h 0 min"),
    ],
)  # fmt: skip
def test_durations_in_words(seconds: float, words: str) -> None:
    """Seconds up to a minute and a half, minutes up to an hour and a half, then hours."""
    assert duration(seconds) == words
