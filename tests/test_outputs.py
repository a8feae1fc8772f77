"""`localeval.outputs`: what of a reply is believed, and what is missing."""

import json
import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field, RootModel

from localeval.engines.grammar import pattern
from localeval.outputs import (
    Cited,
    choice_probabilities,
    cited_pattern,
    closing_probabilities,
    json_output,
    read_choice,
    read_cited,
    read_json,
)
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


@given(st.integers(1, 3000))
def test_only_numbers_that_exist_can_be_cited(last: int) -> None:
    """The pattern matches 1 to the last number, each of them and nothing else."""
    number = re.compile(cited_pattern(last, most=1, or_none=False))
    offered = {n for n in range(4 * last + 20) if number.fullmatch(str(n))}
    assert offered == set(range(1, last + 1))


@given(st.integers(1, 9_999_999), st.integers(0, 99_999_999))
def test_large_numbers_end_where_they_end(last: int, number: int) -> None:
    """Also where nobody would list them; a leading zero is no number."""
    cited = re.compile(cited_pattern(last))
    assert (cited.fullmatch(str(number)) is not None) == (1 <= number <= last)
    assert cited.fullmatch(f"0{number}") is None
    assert cited.fullmatch(str(last)) is not None
    assert cited.fullmatch(str(last + 1)) is None


@given(st.integers(1, 400), st.lists(st.integers(0, 500), max_size=6), st.integers(1, 5), st.booleans())
def test_so_many_numbers_and_no_more(last: int, numbers: list[int], most: int, or_none: bool) -> None:
    """Parted by one space each; "none" only where it is allowed, and never beside a number."""
    cited = re.compile(cited_pattern(last, most, or_none))
    is_offered = 1 <= len(numbers) <= most and all(1 <= number <= last for number in numbers)
    assert (cited.fullmatch(" ".join(map(str, numbers))) is not None) == is_offered
    assert (cited.fullmatch("none") is not None) == or_none
    for text in ("1 none", "none 1", "1  1", " 1", "1 ", "1,1", "[1]", "1-1", "", "+1", "\u0661"):
        assert cited.fullmatch(text) is None


def test_where_nothing_exists_nothing_is_cited() -> None:
    """A candidate without a sentence leaves "none" alone, and where that is refused too there is no such call."""
    assert cited_pattern(0) == "none"
    with pytest.raises(ValueError, match="nothing to cite"):
        cited_pattern(0, or_none=False)


class Evidence(BaseModel):
    """A reply with two fields of the same kind."""

    model_config = ConfigDict(extra="forbid")

    here: Cited
    there: Cited


class Either(RootModel[Evidence | Verdict]):
    """Evidence, or a verdict."""


@pytest.mark.parametrize("model", [Evidence, Either])
def test_a_pattern_narrows_the_field_that_it_names(model: type[BaseModel]) -> None:
    """In the grammar that an engine enforces, also within one of several forms; other fields stay as declared."""
    grammar = re.compile(pattern(json_output(model, (("here", cited_pattern(12)), ("nowhere", "x")))) or "")
    for here, there, offered in [("12", "13", True), ("none", "9 9", True), ("13", "1", False), ("0", "1", False)]:
        assert (grammar.fullmatch(f'{{"here":"{here}","there":"{there}"}}') is not None) == offered
    assert json_output(model) != json_output(model, (("here", cited_pattern(12)),)), "the model itself is not altered"
    wide = re.compile(pattern(json_output(model)) or "")
    assert wide.fullmatch('{"here":"9999999","there":"none"}') is not None
    assert wide.fullmatch('{"here":"1 2 3 4 5","there":"none"}') is None


@given(st.integers(1, 50), st.lists(st.integers(1, 60), min_size=1, max_size=4))
def test_cited_numbers_are_read(last: int, numbers: list[int]) -> None:
    """Ascending, each once; one that does not exist makes the whole reply missing, whatever else it cites."""
    read = read_cited(" ".join(map(str, numbers)), last)
    if max(numbers) <= last:
        assert read == tuple(sorted(set(numbers)))
    else:
        assert read == Missing("invalid", f"cites {max(numbers)}; there are {last}")
    assert read_cited("none", last) == ()


def chances(**options: float) -> tuple[tuple[str, float], ...]:
    """The tokens of one place, most likely first, with the logarithms of their probabilities."""
    return tuple((text, math.log(p)) for text, p in sorted(options.items(), key=lambda each: -each[1]))


def sure(text: str) -> tuple[tuple[str, float], ...]:
    """A place with one likely token, and one that is an option although this is not its place."""
    return ((text, math.log(0.9)), ("1", math.log(0.1)))


HEAD = tuple(sure(text) for text in ('{"', "source", '":"', "1", '","', "score", '":"'))
SCORE = chances(**{"0": 0.1, "2": 0.6, "NA": 0.1, "the": 0.2})


@pytest.mark.parametrize(
    "tail",
    [
        ('"}',),
        ('"', "}"),
        ('"}', "<|im_end|>"),
        ('"', "}", "</s>"),
        (),
    ],
)
def test_probabilities_of_the_last_value(tail: tuple[str, ...]) -> None:
    """However the tokenizer joins or parts the quote, the brace and the end: those of the score, not of a number that
    was cited before it."""
    reply = Reply("k", "", logprobs=(*HEAD, SCORE, *map(sure, tail)))
    found = closing_probabilities(reply, Choice(("0", "1", "2", "NA")))
    assert found == {
        "0": pytest.approx(0.125),
        "1": 0.0,
        "2": pytest.approx(0.75),
        "NA": pytest.approx(0.125),
    }
    assert list(found) == ["0", "1", "2", "NA"]


@pytest.mark.parametrize("joined", ['"2', '2"', '2"}'])
def test_a_last_value_that_is_no_token_has_no_probabilities(joined: str) -> None:
    """Where it is joined with a quote nothing is told apart and nothing is guessed, least of all from other places."""
    ends = {'"2': ('"}',), '2"': ("}",), '2"}': ()}[joined]
    tokens = (*HEAD[:-1], *map(sure, ('":', joined, *ends, "</s>")))
    assert closing_probabilities(Reply("k", "", logprobs=tokens), Choice(("0", "1", "2"))) is None


def test_without_log_probabilities_a_last_value_has_no_probabilities() -> None:
    """None at all, or no token at a place."""
    choice = Choice(("0", "1", "2"))
    assert closing_probabilities(Reply("k", '{"score":"2"}'), choice) is None
    assert closing_probabilities(Reply("k", '{"score":"2"}', logprobs=((), (), ())), choice) is None


def test_a_part_of_a_word_counts_for_the_word_that_it_begins() -> None:
    """Where it begins one alone. What begins several says nothing, and where that is much there is no probability."""
    choice = Choice(("bad", "neutral", "negative"))

    def shares(**tokens: float) -> dict[str, float] | None:
        told = tuple((token, math.log(share)) for token, share in tokens.items())
        return choice_probabilities(Reply("k", "bad", logprobs=(told,)), choice)

    assert shares(b=0.5, bad=0.25, neut=0.25) == pytest.approx({"bad": 0.75, "neutral": 0.25, "negative": 0.0})
    assert shares(bad=0.72, neg=0.24, ne=0.04) == pytest.approx({"bad": 0.75, "neutral": 0.0, "negative": 0.25})
    assert shares(bad=0.5, ne=0.5) is None
