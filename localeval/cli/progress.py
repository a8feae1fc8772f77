"""Progress of a run: a live line on a terminal, now and then a plain line elsewhere. Always on standard error."""

import shlex
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Self

import click
from rich.console import Console
from rich.live import Live
from rich.text import Text

from localeval.cli.guard import STOPPED
from localeval.energy import Meter, find_meter
from localeval.flow import EngineInfo
from localeval.ledger import Account, Ledger
from localeval.report.costs_terminal import phases_text
from localeval.values import Call, Reply

_LIVE_EVERY_S = 0.2
_PLAIN_EVERY_S = 10.0


class Progress(Ledger):
    """A ledger that shows itself while it is kept. A context manager."""

    def __init__(self, console: Console | None = None, meter: Meter | None = None) -> None:
        super().__init__(meter)
        self._console = console or Console(file=sys.stderr)
        self._live: Live | None = None
        self._model = ""
        self._started = self._shown = time.monotonic()
        self._before = (0, 0)  # calls and tokens of earlier loads of the model

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._live = Live(console=self._console, auto_refresh=False, transient=True)
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live is not None:
            self._live.stop()

    def loading(self, model: str, waiting: int) -> None:
        super().loading(model, waiting)
        self._say(f"loading {model} ({waiting} calls wait)")

    def loaded(self, model: str, info: EngineInfo) -> None:
        super().loaded(model, info)
        self._say(f"loaded {model} in {info.load_s:.0f} s{phases_text(info.phases)}: {info.description}")
        self._model = model
        self._started = time.monotonic()
        self._before = _work(self.accounts[model])

    def answered(self, call: Call, reply: Reply, is_stored: bool) -> None:
        super().answered(call, reply, is_stored)
        now = time.monotonic()
        every = _LIVE_EVERY_S if self._live is not None else _PLAIN_EVERY_S
        if not is_stored and now - self._shown >= every:
            self._shown = now
            self._show(self.line(now - self._started, call.stage))

    def line(self, elapsed_s: float, stage: str = "") -> str:
        """Calls done of those known so far, tokens a second, cached share, time left for the known ones."""
        account = self.accounts[self._model]
        calls, tokens = (now - before for now, before in zip(_work(account), self._before, strict=True))
        rate = calls / elapsed_s if elapsed_s > 0 else 0.0
        left = f"{duration(account.waiting / rate)} left" if rate > 0 else "time left unknown"
        return (
            f"{self._model}{f' {stage}' if stage else ''}: {account.sent} of {account.sent + account.waiting} calls, "
            f"{tokens / elapsed_s if elapsed_s > 0 else 0:.0f} tokens/s, "
            f"{account.cached_share:.0%} of prompts cached, {left}"
        )

    def _say(self, line: str) -> None:
        self._console.print(Text(line), highlight=False, soft_wrap=True)  # one line an event, also in a log file

    def _show(self, line: str) -> None:
        if self._live is not None:
            self._live.update(Text(line, no_wrap=True, overflow="ellipsis"), refresh=True)
        else:
            self._say(line)


@contextmanager
def shown(ctx: click.Context) -> Iterator[Progress]:
    """Shows what a command asks. Where it is stopped it ends with what is kept and how to go on."""
    progress = Progress(meter=find_meter())
    try:
        with progress:
            yield progress
    except KeyboardInterrupt:
        kept = "1 reply of this run is" if progress.sent == 1 else f"{progress.sent} replies of this run are"
        click.echo(f"stopped; {kept} kept. Go on with: localeval {shlex.join(sys.argv[1:])}", err=True)
        ctx.exit(STOPPED)


def _work(account: Account) -> tuple[int, int]:
    """(calls sent, tokens computed)."""
    return account.sent, account.prompt_tokens - account.cached_tokens + account.output_tokens


def duration(seconds: float) -> str:
    """Seconds in words: "40 s", "3 min", "2 h 5 min"."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"
