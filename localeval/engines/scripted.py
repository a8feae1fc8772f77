"""The scripted engine: answers from a JSONL of rules. Shipped, so that anyone can rehearse a run without a model."""

import heapq
import json
import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from types import TracebackType
from typing import Annotated, Literal, NamedTuple, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from localeval.engines.prefixes import PrefixCache
from localeval.engines.wire import PromptTokens
from localeval.errors import EngineError, InputError
from localeval.flow import EngineInfo
from localeval.keys import digest
from localeval.models import Model
from localeval.values import Call, FreeText, Missing, Reply

Failure = Literal["timeout", "error", "refused", "truncated", "unclosed", "crash"]


class Rule(BaseModel):
    """One line of a script. The first rule that matches the rendered prompt answers.

    Give `contains` (a substring) or `match` (a regular expression in which a dot matches line ends too), or neither
    to match everything; `reply` (sent as it is) or `template` (backslash references to the groups of `match`).
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    contains: str | None = None
    match: str | None = None
    reply: str | None = None
    template: str | None = None
    logprobs: dict[str, Annotated[float, Field(le=0.0)]] = Field(default_factory=dict)
    """Natural log-probabilities of the first token, by token; sent when the call asks for some."""
    thinking: str = ""
    """What is thought before the answer, in calls of free text: others are constrained from their first token."""
    delay_s: float = Field(default=0.0, ge=0.0)
    fail: Failure | None = None
    """timeout, error: an engine error; refused; truncated: the reply is cut; unclosed: the thought does not end;
    crash: the engine dies."""

    @model_validator(mode="after")
    def _consistent(self) -> "Rule":
        if self.contains is not None and self.match is not None:
            raise ValueError("give `contains` or `match`, not both")
        if self.template is not None and (self.match is None or self.reply is not None):
            raise ValueError("`template` goes with `match` and without `reply`")
        if self.reply is None and self.template is None and self.fail is None:
            raise ValueError("give `reply`, `template` or `fail`")
        if self.match is not None:
            try:
                pattern = re.compile(self.match)
            except re.error as error:
                raise ValueError(f"`match` is not a regular expression: {error}") from error
            try:
                pattern.sub(self.template or "", "")
            except (re.error, IndexError) as error:
                raise ValueError(f"`template` does not go with the groups of `match`: {error}") from error
        return self


def read_script(path: Path) -> tuple[Rule, ...]:
    """The rules of a script; raises InputError naming file, line, field and fix."""
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")  # other line ends may stand inside a JSON string
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read ({error}); give a JSONL file of rules") from error
    rules = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            rules.append(Rule.model_validate_json(line))
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            place = ".".join(map(str, first["loc"])) or "rule"
            raise InputError(f"{path} line {number}: {place}: {first['msg'].removeprefix('Value error, ')}") from error
    if not rules:
        raise InputError(f"{path}: holds no rule; write at least one line such as {json.dumps({'reply': 'A'})}")
    return tuple(rules)


class _Served(NamedTuple):
    """A rule, its pattern, and the first token's log-probabilities, most likely first."""

    rule: Rule
    pattern: re.Pattern[str] | None
    tokens: tuple[tuple[str, float], ...]


class ScriptedEngine:
    """Serves a script as an engine: each rule's latency, a ceiling on calls a second, a prefix cache on paper.

    Its device seconds are what it pretends to work on a call: the rule's delay, and the time that the ceiling leaves a
    call. The same in every run, as is the time to a first token, the rule's delay.

    Options of the model: `context` in tokens, counted as words and signs; `calls_per_second`; `cache_tokens`, what
    the prefix cache holds, else everything; `log`, a file that gets one line, the key, for each call that is served,
    before its reply is given out.
    """

    capacity = 256

    def __init__(self, model: Model) -> None:
        options = model.options
        self._script = Path(model.folder)
        self._context = model.context
        self._interval = 1.0 / float(options["calls_per_second"]) if options.get("calls_per_second") else 0.0
        self._log = Path(str(options["log"])) if options.get("log") else None
        self._due: list[tuple[float, int, float, Reply]] = []  # when, in which order, asked when, what
        self._n_submitted = 0
        self._free_at = 0.0
        held: int = options.get("cache_tokens") or 0
        self._cache = PrefixCache(held or None)
        self._rules: list[_Served] = []
        self.info = EngineInfo("scripted", context=model.context, cache_tokens=held)

    def __enter__(self) -> Self:
        self._rules = [
            _Served(
                rule,
                re.compile(rule.match, re.DOTALL) if rule.match is not None else None,
                tuple(sorted(rule.logprobs.items(), key=lambda each: -each[1])),
            )
            for rule in read_script(self._script)
        ]
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._due.clear()

    def submit(self, calls: Mapping[str, Call]) -> None:
        """Takes calls; each is due after its rule's delay, and they start one after the other at `calls_per_second`."""
        now = time.monotonic()
        for key, call in calls.items():
            reply, delay = self._answer(key, call)
            self._free_at = max(now, self._free_at) + self._interval
            self._n_submitted += 1
            heapq.heappush(self._due, (self._free_at + delay, self._n_submitted, now, reply))

    def replies(self) -> Iterator[Reply]:
        """Each reply when it is due; raises EngineError at a rule that crashes the engine."""
        while self._due:
            wait = self._due[0][0] - time.monotonic()
            if wait > 0:
                time.sleep(wait)
            _, _, asked, reply = heapq.heappop(self._due)  # a replica is given calls meanwhile; one may be due sooner
            if self._log is not None and not _is_too_long(reply):
                with self._log.open("a", encoding="utf-8") as log:
                    log.write(reply.key + "\n")
            if reply.engine == _CRASH:
                raise EngineError(f"{self._script}: a rule with fail: crash answered call {reply.key[:12]}")
            yield replace(reply, seconds=time.monotonic() - asked)

    def _answer(self, key: str, call: Call) -> tuple[Reply, float]:
        """The reply of the first rule that matches, and its delay in seconds."""
        prompt_tokens, cached_tokens = self._count(call)
        needed = prompt_tokens + call.sampling.max_tokens
        if 0 < self._context < needed:
            detail = f"prompt and answer need {needed} tokens, the context holds {self._context}"
            missing = Missing("too long", detail, needed, self._context)
            return _unserved(Reply(key, prompt_tokens=prompt_tokens, device_s=0.0), missing), 0.0
        prompt = "\n".join(message.text for message in call.messages)
        for served in self._rules:
            rule, pattern = served.rule, served.pattern
            found = pattern.search(prompt) if pattern is not None else None
            if found is None and (pattern is not None or (rule.contains or "") not in prompt):
                continue
            text = found.expand(rule.template) if found and rule.template is not None else rule.reply or ""
            reply = _replied(key, (prompt_tokens, cached_tokens), served, text, call, rule.delay_s + self._interval)
            return reply, rule.delay_s
        reply = Reply(key, "", "stop", (), prompt_tokens, cached_tokens, device_s=self._interval)
        return _unserved(reply, Missing("engine error", "no rule of the script matches")), 0.0

    def _count(self, call: Call) -> tuple[int, int]:
        """(prompt tokens, those of them in a prefix that was seen before)."""
        count = count_words(call)
        return count.prompt, count.prompt - self._cache.compute(count)


def count_words(call: Call) -> PromptTokens:
    """The tokens of a call where there is no tokenizer: words and signs."""
    pieces: list[tuple[str, int]] = []
    prefix = ""
    for part in (part for message in call.messages for part in message.parts):
        prefix = digest(prefix + digest(part))
        pieces.append((prefix, _n_tokens(part)))
    return PromptTokens(sum(tokens for _, tokens in pieces), tuple(pieces))


_CRASH = "crash"


def _is_too_long(reply: Reply) -> bool:
    """Whether the call was not served at all."""
    return reply.missing is not None and reply.missing.reason == "too long"


def _unserved(reply: Reply, missing: Missing) -> Reply:
    return replace(reply, finish="error", engine="scripted", missing=missing)


def _replied(key: str, counts: tuple[int, int], served: _Served, text: str, call: Call, device_s: float) -> Reply:
    """What the rule makes of a call with so many prompt tokens, and cached ones."""
    rule = served.rule
    is_free = isinstance(call.output, FreeText)
    if rule.fail in ("crash", "refused", "timeout", "error"):
        reply = Reply(key, "", "stop", (), *counts, device_s=device_s)
        if rule.fail == "crash":
            return replace(reply, engine=_CRASH)
        if rule.fail == "refused":
            return _unserved(reply, Missing("refused", "the script refuses"))
        return _unserved(reply, Missing("engine error", f"the script says {rule.fail}"))
    thinking = rule.thinking if is_free else ""
    thought = _n_tokens(thinking)
    is_unclosed = rule.fail == "unclosed"
    missing = Missing("truncated", f"the thought was not closed after {thought} tokens") if is_unclosed else None
    tokens = served.tokens[: call.sampling.logprobs] if not is_unclosed else ()
    return Reply(
        key,
        "" if is_unclosed else text,
        "length" if rule.fail in ("truncated", "unclosed") else "stop",
        (tokens,) if tokens else (),
        *counts,
        output_tokens=thought if is_unclosed else thought + _n_tokens(text),
        engine="scripted",
        missing=missing,
        first_token_s=rule.delay_s if is_free else None,
        device_s=device_s,
        thinking=thinking,
        thinking_tokens=thought,
    )


@lru_cache(maxsize=1024)
def _n_tokens(text: str) -> int:
    """Words and signs: what stands for tokens where there is no tokenizer."""
    return sum(1 for _ in re.finditer(r"\w+|[^\w\s]", text))
