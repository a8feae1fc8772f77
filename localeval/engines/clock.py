"""Whose time it was: the working time of a model, shared out among the calls that it worked on."""


class WorkClock:
    """Shares that add up to the time that was worked.

    A step's time is divided equally among the calls that run; those that wait for a place beside them get none of it.
    What it took to make a call's prompt is the call's own. One sum, kept while time goes on, gives every call its
    share: what the sum has grown by between its start and its end. So a step costs the same however many calls run.
    """

    def __init__(self, places: int) -> None:
        """`places`: how many calls run together; the rest are taken up in the order in which they came."""
        self._places = places
        self._sum = 0.0
        self._begun: dict[str, float] = {}
        self._own: dict[str, float] = {}
        self._waiting: dict[str, None] = {}  # in order, and without search where one leaves early

    def admit(self, key: str, own_s: float = 0.0) -> None:
        """A call joins, for which alone `own_s` seconds were spent."""
        self._own[key] = own_s
        self._waiting[key] = None
        self._take_up()

    def spend(self, seconds: float) -> None:
        """A step has ended: its time goes to the calls that ran in it."""
        if self._begun:
            self._sum += seconds / len(self._begun)

    def end(self, key: str) -> float:
        """A call leaves; its share in seconds."""
        self._waiting.pop(key, None)
        share = self._own.pop(key) + self._sum - self._begun.pop(key, self._sum)
        self._take_up()
        return share

    def _take_up(self) -> None:
        while self._waiting and len(self._begun) < self._places:
            key = next(iter(self._waiting))
            del self._waiting[key]
            self._begun[key] = self._sum
