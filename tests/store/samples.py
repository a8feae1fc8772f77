"""Calls and replies for the store's tests, also for those that run in a process of their own."""

from localeval.keys import call_key
from localeval.values import Call, Choice, Message, Reply, Sampling

SOURCE = "A long source, the same for every call. " * 200


def make_call(number: int) -> Call:
    """A call whose source all calls share and whose question and seed are its own."""
    messages = (Message("system", ("Be fair.",)), Message("user", (SOURCE, f"Question {number}?")))
    return Call("judge", messages, Choice(("A", "B")), Sampling(1, seed=number, logprobs=2), "quiz/answer")


def make_reply(call: Call, text: str = "A") -> Reply:
    """The reply to a call, with log-probabilities."""
    logprobs = ((("A", -0.25), ("B", -1.5)),)
    return Reply(call_key(call, "m"), text, "stop", logprobs, 900, 880, 1, 0.125, "scripted")
