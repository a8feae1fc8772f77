"""Token counts for planning, without the weights."""

import pytest

from localeval.engines.child import ChildEngine
from localeval.engines.counting import count_tokens
from localeval.engines.prefixes import PrefixCache
from localeval.models import Model
from localeval.values import Call, Sampling
from tests.engines.asking import FREE, ask, letters

pytestmark = pytest.mark.engine


def test_counts_are_what_the_engine_finds(smollm2_model: Model, vllm_engine: ChildEngine) -> None:
    """Prompt tokens are the engine's own numbers, and a shared source is counted once among the unique ones.

    A call that the template refuses says so and does not stop the counting of the others.
    """
    calls = letters(3)
    empty = Call("small", (), FREE, Sampling(max_tokens=1))
    counts = count_tokens(smollm2_model, {"empty": empty, **calls})
    assert "template" in counts.pop("empty").missing
    replies = ask(vllm_engine, calls)
    assert {key: count.prompt for key, count in counts.items()} == {
        key: reply.prompt_tokens for key, reply in replies.items()
    }
    assert all(sum(tokens for _, tokens in count.pieces) == count.prompt for count in counts.values())
    cache = PrefixCache()
    computed = [cache.compute(count) for count in counts.values()]
    assert computed[0] == counts["letter-0"].prompt
    assert all(0 < tokens < 60 for tokens in computed[1:])
