"""Texts reworded by models, each held by a program to the names, numbers, dates and denials of the text."""

from collections.abc import Sequence

from localeval.flow import Flow
from localeval.keys import derive_seed
from localeval.methods.asking import ask
from localeval.planting.paraphrasing import why_not_paraphrase
from localeval.prompts import Prompts, candidate_block
from localeval.texts import Source
from localeval.values import Call, FreeText, Message, Missing, Reply, Sampling

STAGE = "check/reword"

_ROOM = 200
"""Tokens of a rewording beside one for each character of the text."""


def reword(
    text: str, source: Source, writers: Sequence[str], prompts: Prompts, seed: int, retries: int
) -> Flow[list[str | Missing]]:
    """Each writer's rewording of a text about a source, in the order of the writers.

    One that changes what may not change is drawn again as any reply that cannot be used, and in the end "mismatch".
    """
    language = source.language
    parts = (candidate_block(text), prompts.render("check/reword", language))
    messages = (Message("system", (prompts.render("shared/system", language),)), Message("user", parts))
    sampling = Sampling(len(text) + _ROOM, seed=derive_seed(seed, STAGE, source.id))
    calls = [Call(each, messages, FreeText(), sampling, STAGE, source.id) for each in writers]

    def read(reply: Reply) -> str | Missing:
        written = reply.text.strip()
        if reply.missing is not None:
            return reply.missing
        if reply.finish == "length":
            return Missing("truncated", f"cut after {reply.output_tokens} tokens")
        why = why_not_paraphrase(text, written, language) if written != text else "it is the text itself"
        return Missing("mismatch", why) if why else written

    return (yield from ask(calls, [read] * len(calls), lambda each: each, retries))
