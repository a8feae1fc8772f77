"""One request to a server that speaks OpenAI's chat completions, over HTTP. Imported only where such a model is opened.

httpx2 alone and not the package `openai`, which would bring three things that a run must not have: headers that tell
every server about this machine, settings taken from environment variables that nobody named, and replies that are
built without a look at their shape. What is left of it is one address and a stream of lines.
"""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from dataclasses import replace
from types import TracebackType
from typing import Self

import httpx2

from localeval import __version__
from localeval.engines.secrets import Scrubber
from localeval.engines.served_outcomes import Answered, Failed, Outcome, outcome_of_error, outcome_of_status
from localeval.engines.served_replies import Rubbish, reply_of, was_cut
from localeval.engines.served_requests import Json, is_wrapped, max_tokens
from localeval.engines.served_stream import Assembly
from localeval.models.cards import Model
from localeval.models.elsewhere import is_loopback
from localeval.models.options import OpenAIOptions
from localeval.values import Call, Missing, Reply

_CONNECT_S = 30.0


class Exchange:
    """A client of one server."""

    def __init__(self, model: Model, options: OpenAIOptions, key: str | None, scrub: Scrubber) -> None:
        self._options = options
        self._context = model.context
        self._scrub = scrub
        self.answers_as = ""
        """What the server called the model that answered last."""
        headers = {"user-agent": f"localeval/{__version__}"} | ({"authorization": f"Bearer {key}"} if key else {})
        self._client = httpx2.AsyncClient(
            headers=headers,
            timeout=httpx2.Timeout(None, connect=min(_CONNECT_S, options.timeout_s)),
            limits=httpx2.Limits(max_connections=None, max_keepalive_connections=options.max_in_flight),
            trust_env=not is_loopback(options.base_url),  # a server on this machine is never asked through a proxy
        )
        self._url = options.base_url.rstrip("/") + "/chat/completions"

    async def __aenter__(self) -> Self:
        await self._client.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._client.__aexit__(kind, error, trace)

    async def ask(self, key: str, call: Call, body: Mapping[str, Json]) -> Outcome:
        """Sends one request and waits for all of its answer, at most `timeout_s`. Raises nothing of the network's."""
        begin = time.monotonic()
        try:
            async with asyncio.timeout(self._options.timeout_s):
                outcome = await self._exchange(key, call, body)
        except TimeoutError:
            return Failed(f"no answer within {self._options.timeout_s:g} s", is_billed=True, is_narrowing=True)
        except (httpx2.ConnectError, httpx2.ConnectTimeout) as error:
            return Failed(f"no connection: {self._said(error)}", is_unreachable=True)
        except (httpx2.HTTPError, httpx2.StreamError) as error:
            return Failed(f"the connection was cut: {self._said(error)}", is_billed=True)
        except Rubbish as error:
            return Failed(self._scrub(f"not a chat completion: {error}"), is_billed=True)
        if isinstance(outcome, Answered):
            return self._checked(call, replace(outcome.reply, seconds=time.monotonic() - begin))
        return outcome

    async def _exchange(self, key: str, call: Call, body: Mapping[str, Json]) -> Outcome:
        content = json.dumps(body, ensure_ascii=False).encode()
        headers = {"content-type": "application/json"}
        begin = time.monotonic()
        async with self._client.stream("POST", self._url, content=content, headers=headers) as response:
            if not response.is_success:
                with suppress(httpx2.HTTPError):  # the status says enough
                    await response.aread()
                text = response.text if response.is_closed else ""
                allowed = max_tokens(call, self._options)
                return outcome_of_status(response.status_code, response.headers, text, allowed, self._scrub)
            first: float | None = None
            if response.headers.get("content-type", "").startswith("text/event-stream"):
                assembly = Assembly()
                await _assemble(response.aiter_lines(), assembly)
                completion: object = assembly.completion()
                first = assembly.first_at - begin if assembly.first_at is not None else None
            else:
                completion = _parsed(await response.aread())
        return self._read(key, call, completion, first)

    def _read(self, key: str, call: Call, completion: object, first_token_s: float | None) -> Outcome:
        if not isinstance(completion, Mapping):
            raise Rubbish("the body is not an object")
        if completion.get("error") and not completion.get("choices"):
            return outcome_of_error(completion["error"], max_tokens(call, self._options), self._scrub)
        reply = reply_of(key, completion, call.output, is_wrapped(call.output, self._options), self._scrub)
        answered_as = completion.get("model")
        self.answers_as = self._scrub(answered_as) if isinstance(answered_as, str) else ""
        return Answered(replace(reply, first_token_s=first_token_s))

    def _checked(self, call: Call, reply: Reply) -> Outcome:
        """The reply, or missing where the server read a prompt that it had cut or that cannot have fitted."""
        n_characters = sum(len(message.text) for message in call.messages)
        needed = reply.prompt_tokens + call.sampling.max_tokens
        missing: Missing | None = None
        if was_cut(n_characters, reply):
            detail = f"the server read {reply.prompt_tokens} tokens of a prompt of {n_characters} characters: it cut it"
            missing = Missing("too long", detail)
        elif 0 < self._context < needed:
            detail = f"prompt {reply.prompt_tokens} + answer {call.sampling.max_tokens} = {needed} tokens, the model's "
            missing = Missing("too long", f"{detail}context is {self._context}", needed, self._context)
        if missing is not None:
            reply = replace(reply, text="", thinking="", logprobs=(), finish="error", missing=missing)
        return Answered(reply)

    def _said(self, error: Exception) -> str:
        return self._scrub(" ".join(str(error).split()))[:200] or type(error).__name__


async def _assemble(lines: AsyncIterator[str], assembly: Assembly) -> None:
    """Reads a stream to its end; a cut is forgiven once the answer is whole."""
    try:
        async for line in lines:
            if not line.startswith("data:"):
                continue
            data = line[len("data:") :].strip()
            if data == "[DONE]":
                return
            assembly.add(_parsed(data), time.monotonic())
    except httpx2.HTTPError:
        if not assembly.is_whole:
            raise


def _parsed(text: str | bytes) -> object:
    try:
        parsed: object = json.loads(text)
    except (ValueError, RecursionError):  # also bytes that are no UTF-8, and nesting without an end
        raise Rubbish("the body is not JSON") from None
    return parsed
