"""Where an engine's calls wait, are sent, and sent again: all of it in one event loop."""

import asyncio
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from localeval.engines.backoff import Pace
from localeval.engines.purse import Purse
from localeval.engines.secrets import Scrubber
from localeval.engines.served_exchange import Exchange
from localeval.engines.served_outcomes import Answered, Barred, Failed, Outcome, Refused
from localeval.engines.served_probe import PROBE
from localeval.engines.served_replies import in_form
from localeval.engines.served_requests import Json, request_body, worst_cost
from localeval.errors import BudgetReached, EngineError
from localeval.models.cards import Model
from localeval.models.options import OpenAIOptions
from localeval.models.prices import call_cost
from localeval.values import Call, Missing, Reply

_FEW = 5
"""So many replies out of form, and none in form, and grammars do not constrain the server."""
_LONGEST_WAIT_S = 900.0
"""A server that wants to be left alone for longer ends the run: the next one goes on."""


@dataclass(eq=False, slots=True)
class _Job:
    key: str
    call: Call
    body: Mapping[str, Json]
    worst: float | None
    n_sent: int = 0


class Desk:
    """Sends calls in their order, as many at once as `pace` and `purse` allow, and delivers each reply once.

    What ends the work for good (no access, no budget, no server) is delivered as an exception after every reply that
    was still under way. Everything but `__init__` belongs to the event loop's thread.
    """

    def __init__(
        self,
        model: Model,
        options: OpenAIOptions,
        exchange: Exchange,
        pace: Pace,
        purse: Purse,
        scrub: Scrubber,
        deliver: Callable[[Reply | Exception], None],
    ) -> None:
        self._title = f"model {model.name!r}, {options.served} at {scrub(options.base_url)}"
        self._options = options
        self._exchange = exchange
        self._pace = pace
        self._purse = purse
        self._scrub = scrub
        self._deliver = deliver
        self._jobs: deque[_Job] = deque()
        self._running: set[asyncio.Task[None]] = set()
        self._n_taken = 0
        self._n_done = 0
        self._n_formless: int | None = 0  # None: one was in form
        self._stop: Exception | None = None
        self._is_closed = False
        self._changed = asyncio.Event()

    @property
    def answers_as(self) -> str:
        """What the server calls the model that answers; empty before the first answer, or where it does not say."""
        return self._exchange.answers_as

    def take(self, calls: Mapping[str, Call]) -> None:
        """Queues calls."""
        for key, call in calls.items():
            self._n_taken += 1
            try:
                body = request_body(call, self._options)
                worst = worst_cost(body, self._options)
            except Exception as error:  # one bad call is one missing, whatever it broke
                self._finish(Reply(key, finish="error", missing=_failure(f"{type(error).__name__}: {error}")))
            else:
                self._jobs.append(_Job(key, call, body, worst))
        self._changed.set()

    def close(self) -> None:
        """Ends the work at once; what is under way is dropped."""
        self._is_closed = True
        self._changed.set()

    async def run(self) -> None:
        """Works until `close`, or until something ends it for good, which is delivered last."""
        try:
            while not self._is_closed and (self._stop is None or self._running):
                self._changed.clear()
                while self._claims_next():
                    self._send(self._jobs.popleft())
                if self._stop is None or self._running:
                    await self._news()
            if self._stop is not None:
                self._deliver(self._stop)
        finally:
            for task in self._running:
                task.cancel()
            await asyncio.gather(*self._running, return_exceptions=True)

    def _claims_next(self) -> bool:
        """Whether the next call may be sent now; if so, its money is set aside."""
        if self._stop is not None or not self._jobs or len(self._running) >= self._pace.limit:
            return False
        if self._pace.wait(asyncio.get_running_loop().time()) > 0.0:
            return False
        if self._purse.reserve(self._jobs[0].worst or 0.0):
            return True
        if not self._running:  # nothing under way that could turn out cheaper than it might have
            self._stop = self._budget_reached(self._jobs[0])
        return False

    async def _news(self) -> None:
        """Returns when something has changed, or when the next request may be sent."""
        wait = self._pace.wait(asyncio.get_running_loop().time())
        try:
            async with asyncio.timeout(wait if wait > 0.0 and self._jobs else None):
                await self._changed.wait()
        except TimeoutError:
            pass

    def _send(self, job: _Job) -> None:
        job.n_sent += 1
        sent_at = asyncio.get_running_loop().time()
        self._pace.sent(sent_at)
        task = asyncio.create_task(self._ask(job, sent_at))
        self._running.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self._stop = self._stop or (error if isinstance(error, Exception) else EngineError(str(error)))
        self._changed.set()

    async def _ask(self, job: _Job, sent_at: float) -> None:
        most = job.worst or 0.0
        outcome: Outcome | None = None
        try:
            outcome = await self._exchange.ask(job.key, job.call, job.body)
        finally:
            self._purse.settle(most, self._cost(outcome, most))
        now = asyncio.get_running_loop().time()
        if isinstance(outcome, Answered):
            self._pace.succeeded()
            self._watch(job.call, outcome.reply)
            self._finish(outcome.reply)
        elif isinstance(outcome, Refused):
            self._finish(Reply(job.key, finish="error", missing=outcome.missing))
        elif isinstance(outcome, Barred):
            self._stop = self._stop or EngineError(f"{self._title}: {outcome.why}; {self._access()}")
        else:
            self._again(job, outcome, sent_at, now)

    def _again(self, job: _Job, outcome: Failed, sent_at: float, now: float) -> None:
        if outcome.is_busy:
            self._pace.refused(sent_at, now, outcome.retry_after)
        elif outcome.is_narrowing:
            self._pace.narrow(sent_at, now)
        if (outcome.retry_after or 0.0) > _LONGEST_WAIT_S:
            why = f"asks to be left alone for {outcome.retry_after:.0f} s ({outcome.why})"
            self._stop = self._stop or EngineError(f"{self._title}: {why}; run again then: what was answered is kept")
        elif job.n_sent < self._options.attempts:
            delay = 0.0 if outcome.is_busy else self._pace.delay(job.n_sent)
            asyncio.get_running_loop().call_later(delay, self._requeue, job)
        elif outcome.is_unreachable:
            fix = "see whether the server runs there, then run again: what was answered is kept"
            why = f"{outcome.why}, {job.n_sent} times in a row"
            self._stop = self._stop or EngineError(f"{self._title}: {why}; {fix}")
        else:
            self._finish(Reply(job.key, finish="error", missing=_failure(f"{outcome.why}; sent {job.n_sent} times")))

    def _requeue(self, job: _Job) -> None:
        self._jobs.appendleft(job)
        self._changed.set()

    def _finish(self, reply: Reply) -> None:
        self._n_done += 1
        self._deliver(reply)

    def _watch(self, call: Call, reply: Reply) -> None:
        """Stops where the first replies show that the server ignores the form that it is asked for."""
        if self._n_formless is None or self._options.constraint == "prompt" or call.stage == PROBE:
            return
        verdict = in_form(reply, call.output)
        if verdict is None:
            return
        self._n_formless = None if verdict else self._n_formless + 1
        if self._n_formless == _FEW:
            what = f"its first {_FEW} replies are out of the form that was asked for, the last {reply.text[:60]!r}"
            fix = f"the server ignores constraint: {self._options.constraint}; set another one"
            self._stop = self._stop or EngineError(f"{self._title}: {what}: {fix}")

    def _cost(self, outcome: Outcome | None, most: float) -> float:
        """What an attempt has cost, as far as is known; its worst case where it may have been billed unseen."""
        if isinstance(outcome, Answered):
            reply = outcome.reply
            if reply.prompt_tokens == 0:  # the server does not tell
                return most
            tokens = (reply.prompt_tokens, reply.cached_tokens, reply.output_tokens)
            return call_cost(self._options.model_dump(), *tokens) or 0.0
        if outcome is None or (isinstance(outcome, Failed) and outcome.is_billed):
            return most
        return 0.0

    def _budget_reached(self, job: _Job) -> BudgetReached:
        purse = self._purse
        spent = f"{purse.spent:.4f} of {purse.budget or 0.0:.4f} {purse.currency} are spent"
        left = f"at least {self._n_taken - self._n_done} calls are left"
        fix = "raise `prices: budget` and run again: what was answered is kept"
        return BudgetReached(f"{self._title}: {spent} and the next call may cost {job.worst or 0.0:.4f}; {left}; {fix}")

    def _access(self) -> str:
        if self._options.key_env is None:
            return "set key_env to the name of the environment variable that holds the key"
        return f"see whether {self._options.key_env} holds the right key and the account may use the model"


def _failure(why: str) -> Missing:
    return Missing("engine error", " ".join(why.split())[:400])
