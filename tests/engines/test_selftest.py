"""The self-test refuses an engine that takes a grammar and does not keep to it."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from localeval.errors import EngineError
from localeval.models import Card, Model
from localeval.values import Reply

pytestmark = pytest.mark.engine

selftest = pytest.importorskip("localeval.engines.selftest")
EVEN = (tuple((letter, math.log(1 / 3)) for letter in "ABC"),)


@pytest.fixture(scope="module")
def prompter(smollm2_model: Model):  # type: ignore[no-untyped-def]
    """Makes prompts with the lab model's tokenizer."""
    from localeval.engines.prompting import Prompter
    from localeval.engines.tokenizer import load_tokenizer

    return Prompter(load_tokenizer(smollm2_model), Card(name="c", family="f"))


class Backend:
    """A backend of fixed answers: one for the choice, one for the JSON object."""

    def __init__(self, choice: Reply, answer: Reply, refusal: Exception | None = None) -> None:
        from localeval.engines.backend import BackendFacts

        self.facts = BackendFacts("a broken engine", 0, 1)
        self._answers = [answer, choice]
        self._refusal = refusal
        self.patterns: list[str | None] = []

    @property
    def in_flight(self) -> int:
        return 0

    def add(self, call) -> None:  # type: ignore[no-untyped-def]
        self.patterns.append(call.pattern)
        if self._refusal:
            raise self._refusal

    def step(self) -> Sequence[Reply]:
        return [self._answers.pop()] if self._answers else []

    def close(self) -> None:
        pass


LETTER = Reply("self-test", "B", "length", EVEN)
OBJECT = Reply("self-test", '{"colour":"red","sure":true}')
PROSE = "Once upon a time"

Change = Callable[[Reply], Reply]


def test_an_engine_that_obeys_passes(prompter) -> None:  # type: ignore[no-untyped-def]
    """Both answers are in schema: nothing is raised, and both were asked for with a pattern."""
    backend = Backend(LETTER, OBJECT)
    selftest.check_grammar(backend, prompter)
    assert len(backend.patterns) == 2
    assert all(backend.patterns)


@pytest.mark.parametrize(
    ("choice", "answer", "came_back"),
    [
        (replace(LETTER, text=PROSE), OBJECT, PROSE),
        (LETTER, replace(OBJECT, text=PROSE), PROSE),
        (LETTER, replace(OBJECT, text='{"colour":"blue","sure":true}'), "blue"),
        (LETTER, replace(OBJECT, text='{"sure":true,"colour":"red"}'), "sure"),
        (LETTER, replace(OBJECT, finish="length"), "finish length"),
        (replace(LETTER, logprobs=((("B", -3.0), ("The", -0.1)),)), OBJECT, "sum to 1"),
        (replace(LETTER, logprobs=()), OBJECT, "sum to 1, not 0.000"),
    ],
)
def test_an_engine_that_does_not_constrain_is_refused(prompter, choice: Reply, answer: Reply, came_back: str) -> None:  # type: ignore[no-untyped-def]
    """Prose, a value outside the schema, fields out of order, a cut object, probabilities of unmasked tokens."""
    with pytest.raises(EngineError, match="a broken engine") as caught:
        selftest.check_grammar(Backend(choice, answer), prompter)
    assert came_back in str(caught.value)


def test_an_engine_that_refuses_or_is_silent_is_refused(prompter) -> None:  # type: ignore[no-untyped-def]
    """A refused call and no reply at all are told apart."""
    from localeval.engines.backend import CallRefused

    with pytest.raises(EngineError, match="refused the call: no such option"):
        selftest.check_grammar(Backend(LETTER, OBJECT, CallRefused("no such option")), prompter)
    silent = Backend(LETTER, OBJECT)
    silent._answers.clear()
    with pytest.raises(EngineError, match="no reply came"):
        selftest.check_grammar(silent, prompter)
