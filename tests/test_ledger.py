"""`localeval.ledger`: what a run asked, what it cost, and what came back without a verdict."""

from localeval.flow import EngineInfo
from localeval.ledger import Account, Ledger
from localeval.values import Call, FreeText, Message, Missing, Reply, Sampling


def call(stage: str = "quiz/answer", model: str = "m") -> Call:
    return Call(model, (Message("user", ("?",)),), FreeText(), Sampling(1), stage)


def test_sent_and_stored_calls_are_kept_apart() -> None:
    """Tokens and stages are of what this run sent; what the store answered is only counted."""
    ledger = Ledger()
    for stage in ("quiz/write", "quiz/answer"):
        ledger.queued(call(stage))
    assert ledger.accounts["m"].waiting == 2
    ledger.answered(call("quiz/write"), Reply("a", "x", prompt_tokens=30, cached_tokens=10, output_tokens=5), False)
    ledger.answered(call(), Reply("b", "x", prompt_tokens=10, cached_tokens=10, output_tokens=1), False)
    ledger.answered(call(), Reply("c", "x", prompt_tokens=99, output_tokens=9), True)
    account = ledger.accounts["m"]
    assert (account.sent, account.stored, account.waiting) == (2, 1, 0)
    assert (account.prompt_tokens, account.cached_tokens, account.output_tokens) == (40, 20, 6)
    assert account.cached_share == 0.5
    assert account.stages == {"quiz/write": 1, "quiz/answer": 1}


def test_replies_without_a_verdict_count_wherever_they_come_from() -> None:
    """Rule 5: a stored failure is as missing as one that has just happened."""
    ledger = Ledger()
    ledger.queued(call())
    for key, is_stored in (("a", False), ("b", True)):
        ledger.answered(call(), Reply(key, missing=Missing("refused")), is_stored)
    assert ledger.accounts["m"].missing == 2


def test_a_call_that_several_flows_ask_counts_once() -> None:
    """Auditors share the claims of a candidate: what was one call when it was sent is one call in the store."""
    ledger = Ledger()
    ledger.queued(call())
    ledger.answered(call(), Reply("sent"), False)
    for key in ("sent", "kept", "kept"):
        ledger.answered(call(), Reply(key, missing=Missing("refused")), True)
    account = ledger.accounts["m"]
    assert (account.sent, account.stored, account.missing) == (1, 1, 1)


def test_models_have_accounts_of_their_own() -> None:
    """Loads, load times and engines by model; the sums go over all of them."""
    ledger = Ledger()
    for model in ("m", "n", "m"):
        ledger.loading(model, 1)
        ledger.loaded(model, EngineInfo(f"engine of {model}", load_s=1.5))
        ledger.queued(call(model=model))
        ledger.answered(call(model=model), Reply("a"), False)
    ledger.answered(call(model="n"), Reply("b"), True)
    assert {name: (each.loads, each.load_s, each.engine) for name, each in ledger.accounts.items()} == {
        "m": (2, 3.0, "engine of m"),
        "n": (1, 1.5, "engine of n"),
    }
    assert (ledger.sent, ledger.stored) == (3, 1)


def test_nothing_sent_has_no_share_of_anything() -> None:
    """An account without calls divides by nothing."""
    assert Account().cached_share == 0.0
    assert (Ledger().sent, Ledger().stored) == (0, 0)
