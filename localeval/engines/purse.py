"""A run's money for models behind servers: what was spent, what is promised, and where it ends."""

from threading import Lock

_DUST = 1e-9  # sums of floating-point prices are off by less than any server bills


class Purse:
    """Shared by all engines of a run. An amount is reserved before a call is sent, and settled when it is answered.

    Amounts are in the config's currency. Safe to use from several threads.
    """

    def __init__(self, budget: float | None, spent: float = 0.0, currency: str = "USD") -> None:
        """`budget` for the whole run, None: no end. `spent` is what earlier sittings of the run have cost."""
        self.budget = budget
        self.currency = currency
        self._spent = spent
        self._reserved = 0.0
        self._lock = Lock()

    @property
    def spent(self) -> float:
        """What is settled, earlier sittings included."""
        with self._lock:
            return self._spent

    @property
    def reserved(self) -> float:
        """What calls that are under way may cost at most."""
        with self._lock:
            return self._reserved

    def reserve(self, most: float) -> bool:
        """Sets aside what a call may cost at most; False, and nothing set aside, where there is no room for it."""
        with self._lock:
            if self.budget is not None and self._spent + self._reserved + most > self.budget + _DUST:
                return False
            self._reserved += most
            return True

    def settle(self, most: float, cost: float) -> None:
        """Turns what `reserve` set aside into what was spent."""
        with self._lock:
            self._reserved = max(0.0, self._reserved - most)
            self._spent += cost
