"""What a run asked, what it cost, and what came back without a verdict: counted as it happens."""

from collections import defaultdict
from dataclasses import dataclass, field

from localeval.driver import Silent
from localeval.flow import EngineInfo
from localeval.values import Call, Reply


@dataclass(slots=True)
class Account:
    """The sums of one model. Tokens and seconds are of the calls that were sent in this run, not of stored ones."""

    sent: int = 0
    stored: int = 0
    waiting: int = 0
    missing: int = 0
    prompt_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    loads: int = 0
    load_s: float = 0.0
    engine: str = ""
    stages: dict[str, int] = field(default_factory=dict)

    @property
    def cached_share(self) -> float:
        """Share of the prompt tokens that the prefix cache held, 0 where nothing was sent."""
        return self.cached_tokens / self.prompt_tokens if self.prompt_tokens else 0.0


class Ledger(Silent):
    """An observer that keeps one account a model. Replies without a verdict count wherever they come from.

    A call that several flows ask counts once, as it is sent once.
    """

    def __init__(self) -> None:
        self.accounts: dict[str, Account] = defaultdict(Account)
        self._answered: set[tuple[str, str]] = set()

    def loading(self, model: str, waiting: int) -> None:
        self.accounts[model].loads += 1

    def loaded(self, model: str, info: EngineInfo) -> None:
        account = self.accounts[model]
        account.engine = info.description
        account.load_s += info.load_s

    def queued(self, call: Call) -> None:
        self.accounts[call.model].waiting += 1

    def answered(self, call: Call, reply: Reply, is_stored: bool) -> None:
        account = self.accounts[call.model]
        if is_stored and (call.model, reply.key) in self._answered:
            return
        self._answered.add((call.model, reply.key))
        account.missing += reply.missing is not None
        if is_stored:
            account.stored += 1
            return
        account.waiting -= 1
        if reply.missing is not None and reply.missing.reason == "too long":
            return  # refused before anything was sent
        account.sent += 1
        account.stages[call.stage] = account.stages.get(call.stage, 0) + 1
        account.prompt_tokens += reply.prompt_tokens
        account.cached_tokens += reply.cached_tokens
        account.output_tokens += reply.output_tokens

    @property
    def sent(self) -> int:
        """Calls that engines answered."""
        return sum(account.sent for account in self.accounts.values())

    @property
    def stored(self) -> int:
        """Calls that the store answered."""
        return sum(account.stored for account in self.accounts.values())
