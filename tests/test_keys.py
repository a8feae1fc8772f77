"""`localeval.keys`: equal keys mean that the same answer would come back."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from localeval.keys import call_key, canonical, derive_seed, digest, output_spec
from localeval.values import Call, Choice, FreeText, JsonObject, Message, Sampling

TEXTS = st.text(st.characters(), max_size=20)
MESSAGES = st.builds(
    Message, st.sampled_from(["system", "user", "assistant"]), st.lists(TEXTS, max_size=3).map(lambda parts: (*parts,))
)
OUTPUTS = (
    st.builds(Choice, st.lists(TEXTS, max_size=3).map(lambda options: (*options,)))
    | st.builds(JsonObject, TEXTS)
    | st.builds(FreeText)
)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False) | st.integers(0, 2)
SAMPLINGS = st.builds(Sampling, st.integers(1, 10**6), NUMBERS, NUMBERS, st.integers(0, 2**31 - 1), st.integers(0, 20))

CALL = Call(
    "m", (Message("system", ("be brief",)), Message("user", ("text", "question"))), Choice(("A", "B")), Sampling(1)
)


@pytest.mark.parametrize(
    "other",
    [
        replace(CALL, messages=CALL.messages[:1]),
        replace(CALL, messages=(Message("user", ("be brief",)), CALL.messages[1])),
        replace(CALL, messages=(CALL.messages[0], Message("user", ("text", "question?")))),
        replace(CALL, messages=(CALL.messages[0], Message("user", ("textquestion",)))),
        replace(CALL, output=Choice(("B", "A"))),
        replace(CALL, output=JsonObject("{}")),
        replace(CALL, output=FreeText()),
        replace(CALL, sampling=Sampling(2)),
        replace(CALL, sampling=Sampling(1, temperature=0.5)),
        replace(CALL, sampling=Sampling(1, top_p=0.5)),
        replace(CALL, sampling=Sampling(1, seed=1)),
        replace(CALL, sampling=Sampling(1, logprobs=1)),
    ],
)
def test_whatever_decides_the_answer_changes_the_key(other: Call) -> None:
    """Roles, words, where parts end, the output type and every number of the sampling are in the key."""
    assert call_key(other, "id") != call_key(CALL, "id")


def test_the_model_is_its_identity_and_who_asks_does_not_matter() -> None:
    """Another identity is another key; another name, stage or subject is not: methods and runs share replies."""
    assert call_key(CALL, "other") != call_key(CALL, "id")
    assert call_key(replace(CALL, model="n", stage="audit", subject="s/x"), "id") == call_key(CALL, "id")


def test_keys_are_the_same_in_every_version_and_on_every_machine() -> None:
    """A stored reply is found again: this key was written down once, and changes only with the key's version."""
    assert call_key(CALL, "id") == "0af2e8d84b38d036d8a6a99ac0f99b6f283ad6245234abc9226d11a0a3932023"
    assert derive_seed(1, "write", "s", 0) == 1334580802


@given(st.lists(MESSAGES, max_size=3), OUTPUTS, SAMPLINGS, TEXTS)
def test_a_key_is_the_digest_of_one_canonical_json_text(
    messages: list[Message], output: Choice | JsonObject | FreeText, sampling: Sampling, identity: str
) -> None:
    """Put together from pieces, it is what JSON of the whole gives, whatever stands in the call: stored runs of before
    are found."""
    call = Call("m", tuple(messages), output, sampling)
    numbers = [sampling.max_tokens, sampling.temperature, sampling.top_p, sampling.seed, sampling.logprobs]
    parts = [[message.role, [digest(part) for part in message.parts]] for message in messages]
    assert call_key(call, identity) == digest(canonical([1, identity, parts, output_spec(output), numbers]))


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_a_call_whose_numbers_are_not_finite_has_no_key(bad: float) -> None:
    """JSON cannot say them, so no key could stand for them."""
    for sampling in (Sampling(1, temperature=bad), Sampling(1, top_p=bad)):
        with pytest.raises(ValueError, match="finite"):
            call_key(replace(CALL, sampling=sampling), "id")


def test_canonical_json_is_compact_sorted_and_finite() -> None:
    """Order of insertion does not show; what JSON cannot say is refused."""
    assert canonical({"b": [1, "é"], "a": None}) == '{"a":null,"b":[1,"é"]}'
    for bad in (float("nan"), float("inf")):
        with pytest.raises(ValueError, match="not JSON compliant"):
            canonical([bad])


@given(st.text(), st.text())
def test_a_digest_tells_texts_apart(one: str, other: str) -> None:
    """64 hexadecimal digits, equal exactly for equal texts, half characters included."""
    assert len(digest(one)) == 64
    assert (digest(one) == digest(other)) == (one == other)
    assert len(digest("\ud800")) == 64


@given(st.lists(st.integers() | st.text(alphabet=st.characters(exclude_categories=["Cs"])), max_size=4))
def test_seeds_are_small_and_repeat(parts: list[int | str]) -> None:
    """A seed fits every engine (31 bits) and is a function of its parts alone."""
    assert 0 <= derive_seed(*parts) < 2**31
    assert derive_seed(*parts) == derive_seed(*parts)


def test_seeds_differ_with_each_part() -> None:
    """Neither order nor where one part ends and the next begins is lost, and 1 is not "1"."""
    assert len({derive_seed(*parts) for parts in [("a", "b"), ("b", "a"), ("ab",), ("a", 1), ("a", "1"), ()]}) == 6
