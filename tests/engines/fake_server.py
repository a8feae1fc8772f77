"""A server of chat completions on loopback that can be told to misbehave, and keeps the account of what it answered."""

import json
import re
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from localeval.models import Card, Model

PRICE_IN, PRICE_OUT = 10.0, 30.0
"""For a million tokens, what the server bills."""


@dataclass(frozen=True)
class Behaviour:
    """What the server does with one request. `status` other than 200 answers with `text` and `headers`.

    `cut`: after so many bytes of the answer the connection is closed. `raw`: sent as the body of a success.
    """

    status: int = 200
    text: str = '{"error": {"message": "as told"}}'
    headers: Mapping[str, str] = field(default_factory=dict)
    cut: int | None = None
    raw: str | None = None
    delay_s: float = 0.0
    completion: Mapping[str, Any] | None = None
    hang: bool = False


FINE = Behaviour()
Plan = Callable[["Asked"], Behaviour]


@dataclass(frozen=True)
class Asked:
    """A request: its body, headers, and that it is the `time`-th with this body, from 1."""

    body: Mapping[str, Any]
    headers: Mapping[str, str]
    time: int
    at: float

    @property
    def prompt(self) -> str:
        """All messages as one text."""
        return "\n".join(message["content"] for message in self.body["messages"])

    @property
    def is_test(self) -> bool:
        """Whether it is one of the calls with which the engine opens."""
        return "harbour at night" in self.prompt


class FakeServer:
    """What was asked, what was answered whole, and what that costs."""

    def __init__(self, plan: Plan, opening: Plan) -> None:
        self._plan = plan
        self._opening = opening
        self._lock = threading.Lock()
        self._times: Counter[str] = Counter()
        self.asked: list[Asked] = []
        self.delivered: Counter[str] = Counter()
        self.billed = 0.0
        self.url = ""
        self.n_open = self.most_open = 0
        self.ending = threading.Event()

    def takes(self, body: Mapping[str, Any], headers: Mapping[str, str]) -> tuple[Asked, Behaviour]:
        """Writes down a request and says what becomes of it."""
        text = json.dumps(body, sort_keys=True)
        with self._lock:
            self._times[text] += 1
            asked = Asked(body, headers, self._times[text], time.monotonic())
            self.asked.append(asked)
            self.n_open += 1
            self.most_open = max(self.most_open, self.n_open)
        return asked, (self._opening if asked.is_test else self._plan)(asked)

    def bills(self, usage: Mapping[str, int]) -> None:
        """An answer was made, whatever becomes of it on the way."""
        with self._lock:
            self.billed += (usage["prompt_tokens"] * PRICE_IN + usage["completion_tokens"] * PRICE_OUT) / 1e6

    def has_delivered(self, body: Mapping[str, Any]) -> None:
        """An answer is sent to its last byte."""
        with self._lock:
            self.delivered[json.dumps(body, sort_keys=True)] += 1

    def ended(self) -> None:
        """A request is done with."""
        with self._lock:
            self.n_open -= 1

    @property
    def questions(self) -> list[Asked]:
        """What was asked besides the engine's tests."""
        return [asked for asked in self.asked if not asked.is_test]


def completion_of(body: Mapping[str, Any]) -> dict[str, Any]:
    """A well-behaved answer: after "say", the word that follows; else the first of what a form allows."""
    prompt = body["messages"][-1]["content"]
    found = re.search(r"say (\S+)", prompt)
    text = found[1] if found else "A"
    if "response_format" in body:
        text = json.dumps(_first_of(body["response_format"]["json_schema"]["schema"], found and found[1]))
    elif "structured_outputs" in body and "{" in body["structured_outputs"]["regex"]:
        text = '{"light":"red","lit":true}'
    message = {"role": "assistant", "content": text}
    tokens = re.findall(r"\w+|\W", text)
    usage = {"prompt_tokens": len(prompt) + 8, "completion_tokens": len(tokens)}
    choice: dict[str, Any] = {"index": 0, "message": message, "finish_reason": "stop"}
    if body.get("logprobs"):
        choice["logprobs"] = {"content": [_logprob(token) for token in tokens]}
    return {"id": "x", "model": "fake-1", "choices": [choice], "usage": usage}


def _logprob(token: str) -> dict[str, Any]:
    others = [{"token": token, "logprob": -0.1}, {"token": "B", "logprob": -2.5}, {"token": "C", "logprob": -9999.0}]
    return {"token": token, "logprob": -0.1, "top_logprobs": others}


def _first_of(schema: Mapping[str, Any], wanted: str | None) -> Any:
    if "properties" in schema:
        return {name: _first_of(part, wanted) for name, part in schema["properties"].items()}
    if "enum" in schema:
        return wanted if wanted in schema["enum"] else schema["enum"][0]
    return True if schema.get("type") == "boolean" else wanted or "text"


def chunks_of(completion: Mapping[str, Any]) -> str:
    """The completion as a stream."""
    choice = completion["choices"][0]
    events: list[dict[str, Any]] = [{"choices": [{"delta": {"role": "assistant", "content": ""}}]}]
    for name in ("reasoning", "content", "refusal"):
        for piece in re.findall(r".{1,3}", choice["message"].get(name) or "", re.DOTALL):
            events.append({"choices": [{"delta": {name: piece}}]})
    events.append({"choices": [{"delta": {}, "finish_reason": choice["finish_reason"]}]})
    events.append({"choices": [], "usage": completion["usage"], "model": completion["model"]})
    return "".join(f"data: {json.dumps(event)}\n\n" for event in events) + "data: [DONE]\n\n"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    fake: FakeServer

    def do_POST(self) -> None:
        """Answers one request as the plan says."""
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        asked, behaviour = self.fake.takes(body, dict(self.headers))
        try:
            self._answer(asked, behaviour)
        except OSError:  # the client has left
            self.close_connection = True
        finally:
            self.fake.ended()

    def _answer(self, asked: Asked, behaviour: Behaviour) -> None:
        self.fake.ending.wait(30.0 if behaviour.hang else behaviour.delay_s)
        if behaviour.status != 200:
            self._send(behaviour.status, behaviour.text.encode(), "application/json", behaviour)
            return
        completion = {**completion_of(asked.body), **(behaviour.completion or {})}
        is_stream = bool(asked.body.get("stream"))
        payload = (chunks_of(completion) if is_stream else json.dumps(completion)).encode()
        if behaviour.raw is not None:
            payload = behaviour.raw.encode("utf-8", "surrogateescape")
        self.fake.bills(completion["usage"])
        if behaviour.cut is None and behaviour.raw is None:
            self.fake.has_delivered(asked.body)  # before the client can have read it, and looks at the account
        self._send(200, payload, "text/event-stream" if is_stream else "application/json", behaviour)

    def _send(self, status: int, payload: bytes, kind: str, behaviour: Behaviour) -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(payload)))
        for name, value in behaviour.headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(payload[: behaviour.cut])
        self.wfile.flush()
        self.close_connection = behaviour.cut is not None

    def log_message(self, format: str, *args: object) -> None:
        """Says nothing."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that leaves is no error."""


@contextmanager
def serving(plan: Plan = lambda asked: FINE, opening: Plan = lambda asked: FINE) -> Iterator[FakeServer]:
    """A running server: what it does with calls, and with those by which an engine tests it."""
    fake = FakeServer(plan, opening)
    handler = type("Handler", (_Handler,), {"fake": fake})
    with _Server(("127.0.0.1", 0), handler) as server:
        fake.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield fake
        finally:
            fake.ending.set()
            server.shutdown()
            thread.join()


def served_model(url: str, name: str = "m", context: int = 0, **options: object) -> Model:
    """A model behind the server."""
    return Model(
        name=name,
        card=Card(name=name, family="unknown"),
        engine="openai",
        revision=f"served@{name}",
        context=context,
        options={"base_url": url, "served": "tiny", **options},
    )
