"""The form of a reply in words."""

import json
from pathlib import Path

from localeval.engines.form_in_words import describe
from localeval.keys import digest
from localeval.methods.panel.schemas import GradedOrNot
from localeval.models import resolve
from localeval.models.elsewhere import FORM_WORDING
from localeval.outputs import json_output
from localeval.values import Choice, FreeText, JsonObject


def test_free_text_needs_no_words() -> None:
    """A prompt whose answer is free is sent as it stands."""
    assert describe(FreeText()) == ""


def test_a_choice_names_each_option_on_a_line_of_its_own() -> None:
    """Options may hold commas and spaces: a line each keeps them apart."""
    lines = describe(Choice(("yes, wholly", "no"))).splitlines()
    assert lines[-2:] == ["yes, wholly", "no"]
    assert "exactly one" in lines[2]


def test_an_object_is_told_by_its_schema() -> None:
    """The last line is the schema, so that patterns of what may be cited are seen."""
    output = json_output(GradedOrNot, (("candidate", "(none|[1-3])"),))
    told = json.loads(describe(output).splitlines()[-1])
    assert told["anyOf"] == [{"$ref": "#/$defs/Graded"}, {"$ref": "#/$defs/Inapplicable"}]
    assert told["$defs"]["Graded"] == {
        "additionalProperties": False,
        "properties": {
            "candidate": {"pattern": "^(none|[1-3])$", "type": "string"},
            "source": {"pattern": json.loads(output.schema)["$defs"]["Graded"]["properties"]["source"]["pattern"]}
            | {"type": "string"},
            "score": {"enum": ["0", "1", "2"], "type": "string"},
        },
        "required": ["candidate", "source", "score"],
        "type": "object",
    }


def test_fields_of_any_name_stay() -> None:
    """Titles and descriptions of the schema's author go; a field that is called so is a field."""
    schema = {"title": "T", "type": "object", "properties": {"title": {"title": "T", "type": "string"}}}
    last = describe(JsonObject(json.dumps(schema))).splitlines()[-1]
    assert json.loads(last) == {"type": "object", "properties": {"title": {"type": "string"}}}


def test_other_words_are_other_calls(tmp_path: Path) -> None:
    """The words are no part of a call, so the identity of the models that read them stands for them. Where this fails
    because they were changed, raise FORM_WORDING and put the new digest here."""
    words = describe(Choice(("yes", "no"))) + describe(JsonObject('{"type":"object","title":"Grade"}'))
    assert (FORM_WORDING, digest(words)[:16]) == (1, "3a7accca78bde3f2")
    served = {"engine": "openai", "base_url": "http://127.0.0.1:8000/v1", "served": "tiny"}
    told = {"command": {"engine": "command", "command": ["cat"]}, "prompt": served | {"constraint": "prompt"}}
    for table in told.values():
        assert f"form {FORM_WORDING}" in resolve("m", table, tmp_path).revision
    assert "form" not in resolve("m", served, tmp_path).revision
