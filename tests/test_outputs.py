"""`localeval.outputs`: what of a reply is believed, and what is missing."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field

from localeval.outputs import choice_probabilities, json_output, read_choice, read_json
from localeval.values import Choice, Missing, Reply


class Verdict(BaseModel):
    """A reply with two fields, not in the order of the alphabet."""

    model_config = ConfigDict(extra="forbid")

    score: int = Field(ge=0, le=2)
    because: str


WHOLE = '{"score":2,"because":"said in [3]"}'
AB = Choice(("A", "B"))


def test_the_output_type_keeps_the_order_of_the_fields() -> None:
    """The grammar follows the declaration, so that a model gives its reasons where they were asked for."""
    schema = json.loads(json_output(Verdict).schema)
    assert list(schema["properties"]) == ["score", "because"]
    assert schema["additionalProperties"] is False


def test_a_valid_reply_is_read() -> None:
    """JSON that satisfies the model, and a letter of the choice."""
    assert read_json(Reply("k", WHOLE), Verdict) == Verdict(score=2, because="said in [3]")
    assert read_choice(Reply("k", "B"), AB) == "B"


@given(st.integers(0, len(WHOLE)))
def test_truncated_json_is_never_parsed(length: int) -> None:
    """Truthfulness rule 5: what was cut is missing at every length, even where the part happens to be whole."""
    read = read_json(Reply("k", WHOLE[:length], finish="length", output_tokens=7), Verdict)
    assert read == Missing("truncated", "cut after 7 tokens")


@pytest.mark.parametrize(
    ("text", "detail"),
    [
        ("", "reply: Invalid JSON"),
        (WHOLE[:-1], "reply: Invalid JSON"),
        (f"Sure! {WHOLE}", "reply: Invalid JSON"),
        (f"```json\n{WHOLE}\n```", "reply: Invalid JSON"),
        ('{"score":3,"because":""}', "score: Input should be less than or equal to 2"),
        ('{"score":"two","because":""}', "score: Input should be a valid integer"),
        ('{"score":2}', "because: Field required"),
        ('{"score":2,"because":"","why":""}', "why: Extra inputs are not permitted"),
        ('{"score":NaN,"because":""}', "score: "),
    ],
)
def test_nothing_is_repaired(text: str, detail: str) -> None:
    """Truthfulness rule 5: prose around it, a fence, a field too many or a number out of range make it invalid."""
    read = read_json(Reply("k", text), Verdict)
    assert isinstance(read, Missing)
    assert read.reason == "invalid"
    assert read.detail.startswith(detail)


@pytest.mark.parametrize("text", ["a", " A", "A)", "A ", "C", "", "AB"])
def test_only_an_option_is_a_choice(text: str) -> None:
    """Truthfulness rule 5: a near miss is a broken protocol, not an answer and not a wrong one."""
    read = read_choice(Reply("k", text), AB)
    assert isinstance(read, Missing)
    assert (read.reason, read.detail) == ("invalid", f"{text!r} is not one of A, B")


def test_a_cut_choice_counts_only_when_it_is_whole() -> None:
    """One token may end a letter and the budget at once; half an option is truncated."""
    assert read_choice(Reply("k", "A", finish="length"), AB) == "A"
    yes_no = Choice(("yes", "no"))
    assert read_choice(Reply("k", "y", finish="length", output_tokens=1), yes_no) == Missing(
        "truncated", "cut after 1 tokens"
    )


@pytest.mark.parametrize("reason", ["refused", "engine error", "too long"])
def test_what_the_engine_says_stands(reason: str) -> None:
    """A reply that an engine marks as missing keeps its reason, whatever text came with it."""
    why = Missing(reason, "as the engine says")  # type: ignore[arg-type]
    assert read_json(Reply("k", WHOLE, missing=why), Verdict) == why
    assert read_choice(Reply("k", "A", missing=why), AB) == why


def test_probabilities_are_renormalised_over_the_choice() -> None:
    """Other tokens among the returned ones take no share; an option that is not among them has none."""
    tokens = (("A", math.log(0.3)), ("the", math.log(0.5)), ("B", math.log(0.1)))
    found = choice_probabilities(Reply("k", "A", logprobs=(tokens,)), Choice(("A", "B", "C")))
    assert found == {"A": pytest.approx(0.75), "B": pytest.approx(0.25), "C": 0.0}


@given(st.lists(st.floats(-50, 0), min_size=1, max_size=6))
def test_probabilities_sum_to_one(logprobs: list[float]) -> None:
    """Over any choice with at least one returned option."""
    options = tuple("ABCDEF"[: len(logprobs)])
    found = choice_probabilities(
        Reply("k", "A", logprobs=(tuple(zip(options, logprobs, strict=True)),)), Choice(options)
    )
    assert found is not None
    assert sum(found.values()) == pytest.approx(1.0)
    assert found[options[logprobs.index(max(logprobs))]] == max(found.values())


@pytest.mark.parametrize("logprobs", [(), ((("the", -0.1),),), ((),)])
def test_without_log_probabilities_of_an_option_there_are_none(
    logprobs: tuple[tuple[tuple[str, float], ...], ...],
) -> None:
    """None, not a guess such as 1 for the letter that was written."""
    assert choice_probabilities(Reply("k", "A", logprobs=logprobs), AB) is None
