"""How fast a server is asked: as many requests at once as it bears, with pauses where it says that it is too much."""

from random import Random


class Pace:
    """Additive increase, multiplicative decrease of the requests at once, pauses for all of them, and a rate.

    Times are seconds of one clock, given by the caller. After a refusal without a word on when to come back, a wait
    doubles with each further one, from `first_wait_s` to `longest_wait_s`, and is drawn between half of that and all of
    it, so that many clients do not come back together.
    """

    def __init__(
        self,
        most: int,
        per_minute: float | None = None,
        first_wait_s: float = 1.0,
        longest_wait_s: float = 60.0,
        random: Random | None = None,
    ) -> None:
        self._most = most
        self._limit = float(most)
        self._interval = 60.0 / per_minute if per_minute else 0.0
        self._first_wait_s = first_wait_s
        self._longest_wait_s = longest_wait_s
        self._random = random or Random()
        self._not_before = 0.0
        self._narrowed_at = float("-inf")
        self._n_refusals = 0  # waves of them since the last success

    @property
    def limit(self) -> int:
        """How many requests may be under way now."""
        return int(self._limit)

    def wait(self, now: float) -> float:
        """Seconds until the next request may be sent."""
        return max(0.0, self._not_before - now)

    def sent(self, now: float) -> None:
        """Takes note of a request."""
        self._not_before = max(self._not_before, now + self._interval)

    def succeeded(self) -> None:
        """After as many successes as may be under way, one more may."""
        self._n_refusals = 0
        self._limit = min(float(self._most), self._limit + 1.0 / self._limit)

    def narrow(self, sent_at: float, now: float) -> bool:
        """Halves the requests at once; those that were sent before the last halving do not count again."""
        if sent_at < self._narrowed_at:
            return False
        self._narrowed_at = now
        self._limit = max(1.0, self._limit / 2)
        return True

    def refused(self, sent_at: float, now: float, retry_after: float | None) -> None:
        """The server is asked too much: fewer at once, and none at all for a while."""
        if self.narrow(sent_at, now):
            self._n_refusals += 1
        wait = retry_after if retry_after is not None else self.delay(max(1, self._n_refusals))
        self._not_before = max(self._not_before, now + wait)

    def delay(self, n_failures: int) -> float:
        """Seconds to wait after so many failures in a row, at least one."""
        longest = min(self._longest_wait_s, self._first_wait_s * 2.0 ** min(n_failures - 1, 30))
        return longest * self._random.uniform(0.5, 1.0)
