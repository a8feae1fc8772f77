"""One system writes about one source: asked as in production, post-processed as in production."""

import re

from localeval.flow import Flow
from localeval.keys import derive_seed
from localeval.methods.asking import ask
from localeval.methods.generate.pipeline import Pipeline
from localeval.methods.generate.schemas import GeneratedText, Strip
from localeval.texts import Source
from localeval.values import Call, FreeText, Missing, Reply, Sampling

STAGE = "generate/write"

_THOUGHT = re.compile(r"<think>.*?</think>", re.DOTALL)
_FENCE = re.compile(r"(`{3,}|~{3,})[^`\n]*")


def write(source: Source, pipeline: Pipeline, seed: int) -> Flow[GeneratedText]:
    """What a system writes about a source. A text that is cut, empty or failed is missing.

    Before that it is asked anew as often as the system's `retries` say, at a temperature of 0.5 at least
    (`localeval.methods.asking`); `asked` counts the askings.
    """
    settings = pipeline.settings
    sampling = Sampling(
        max_tokens=settings.tokens,
        temperature=settings.temperature,
        top_p=settings.top_p,
        # not by the system's name: another name changes no text, and two systems draw alike
        seed=derive_seed(seed, "generate", source.id),
    )
    call = Call(pipeline.model, pipeline.render(source), FreeText(), sampling, STAGE, source.id, pipeline.name)
    replies: list[Reply] = []

    def read(reply: Reply) -> str | Missing:
        replies.append(reply)
        return read_text(reply, settings.strip)

    text = (yield from ask([call], [read], lambda each: each, settings.retries))[0]
    last = replies[-1]
    return GeneratedText(
        source=source.id,
        system=pipeline.name,
        text=text,
        finish=last.finish,
        asked=len(replies),
        prompt_tokens=last.prompt_tokens,
        output_tokens=last.output_tokens,
        thinking_tokens=last.thinking_tokens,
        seconds=last.seconds,
        first_token_s=last.first_token_s,
    )


def read_text(reply: Reply, strip: tuple[Strip, ...]) -> str | Missing:
    """The text that production would pass on, or why there is none: a text that was cut is never taken for whole."""
    if reply.missing is not None:
        return reply.missing
    if reply.finish == "error":
        return Missing("engine error", "the engine ended the text with an error")
    if reply.finish == "length":
        return Missing("truncated", f"cut after {reply.output_tokens} tokens")
    text: str | Missing = without_thoughts(reply.text) if "reasoning" in strip else reply.text
    if isinstance(text, Missing):
        return text
    text = text.strip()
    if "fence" in strip:
        text = without_fence(text).strip()
    return text if _is_seen(text) else Missing("invalid", "the system wrote nothing")


def without_thoughts(text: str) -> str | Missing:
    """`text` without what stands between <think> and </think>, also where the prompt had opened the thought.

    A thought that is not closed is Missing: nobody knows where it ends and the answer begins.
    """
    answer = _THOUGHT.sub("", text).rpartition("</think>")[2]
    if "<think>" in answer:
        return Missing("truncated", "a thought that is not closed")
    return answer


def without_fence(text: str) -> str:
    """What stands in the code fence that holds the whole of `text`; `text` where none does."""
    first, *lines = text.split("\n")
    opening = _FENCE.fullmatch(first.rstrip())
    if opening is None:
        return text
    mark = opening[1]
    closing = [number for number, line in enumerate(lines) if _closes(line.strip(), mark)]
    if not closing or closing[0] != len(lines) - 1:  # not closed, or closed before the end: it holds a part
        return text
    return "\n".join(lines[:-1])


def _closes(line: str, mark: str) -> bool:
    return line.startswith(mark) and not line.strip(mark[0])


def _is_seen(text: str) -> bool:
    """Whether anything in a text could be read: not white space and invisible characters alone."""
    return any(c.isprintable() and not c.isspace() for c in text)
