"""The pattern of an output type."""

import json
import re

import pytest

from localeval.values import Choice, FreeText
from tests.engines.asking import VERDICT, WORDS

pytestmark = pytest.mark.engine


def compiled(output: object) -> "re.Pattern[str]":
    from localeval.engines.grammar import pattern

    return re.compile(pattern(output))  # type: ignore[arg-type]


def test_a_choice_is_its_options_and_nothing_else() -> None:
    """Options are literals: a dot is a dot, a bracket a bracket, and no option's beginning is enough."""
    pattern = compiled(WORDS)
    assert all(pattern.fullmatch(option) for option in WORDS.options)
    assert not any(pattern.fullmatch(text) for text in ("", "ye", "yes ", "3x5 (about)", "no\n"))
    assert compiled(Choice(("a|b", "[c]"))).fullmatch("a|b")


def test_json_is_compact_and_in_the_order_of_the_fields() -> None:
    """Only the spelling without spaces is in the pattern, so that a model cannot spend its tokens on them."""
    pattern = compiled(VERDICT)
    value = {"colour": "red", "code": "AB-123", "segments": [1, 3], "sure": True}
    assert pattern.fullmatch(json.dumps(value, separators=(",", ":")))
    assert not pattern.fullmatch(json.dumps(value))
    assert not pattern.fullmatch(json.dumps(dict(reversed(value.items())), separators=(",", ":")))
    for broken in ({"colour": "blue"}, {"code": "AB-12"}, {"segments": [1, 2, 3]}, {"sure": "yes"}):
        assert not pattern.fullmatch(json.dumps({**value, **broken}, separators=(",", ":")))


def test_strings_may_be_of_any_script() -> None:
    """Text in Russian and Chinese passes as it is."""
    from localeval.engines.grammar import pattern
    from localeval.values import JsonObject

    text = pattern(JsonObject('{"type":"object","properties":{"q":{"type":"string"}},"required":["q"]}'))
    assert text is not None
    assert re.fullmatch(text, '{"q":"Кто решил? 谁?"}')


def test_free_text_has_no_pattern() -> None:
    """Nothing constrains it."""
    from localeval.engines.grammar import pattern

    assert pattern(FreeText()) is None
