"""The form of a reply in words."""

import json

from localeval.engines.form_in_words import describe
from localeval.methods.panel.schemas import GradedOrNot
from localeval.outputs import json_output
from localeval.values import Choice, FreeText


def test_free_text_needs_no_words() -> None:
    """A prompt whose answer is free is sent as it stands."""
    assert describe(FreeText()) == ""


def test_a_choice_names_each_option_on_a_line_of_its_own() -> None:
    """Options may hold commas and spaces: a line each keeps them apart."""
    lines = describe(Choice(("yes, wholly", "no"))).splitlines()
    assert lines[-2:] == ["yes, wholly", "no"]
    assert "exactly one" in lines[2]


def test_an_object_is_told_by_its_schema() -> None:
    """The last line is the schema itself, whole, so that patterns of what may be cited are seen."""
    output = json_output(GradedOrNot, (("candidate", "(none|[1-3])"),))
    last = describe(output).splitlines()[-1]
    assert json.loads(last) == json.loads(output.schema)
    assert "(none|[1-3])" in last
