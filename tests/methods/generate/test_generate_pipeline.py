"""Pipelines: prompts as production sends them, the same ones again from what a run has frozen."""

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from localeval.errors import InputError
from localeval.keys import canonical
from localeval.methods.generate.pipeline import Pipeline, parts_around, values_of
from localeval.texts import Source
from tests.methods.generate.generate_systems import WORDS, meeting, plain, system

LINE = "{% if s.begin %}[{{ s.begin }}-{{ s.end }}] {% endif %}{{ s.number }} {{ s.speaker }}: {{ s.text }}\n"


def user(pipeline: Pipeline, source: Source) -> str:
    """The one message of a system without a system prompt."""
    (message,) = pipeline.render(source)
    assert message.role == "user"
    return message.text


def test_a_transcript_has_a_line_a_segment() -> None:
    """Time and speaker as far as the source has them, the words on one line."""
    pipeline = system({"user.jinja": "{{ transcript }}"})
    assert user(pipeline, meeting()) == "[0:00] Ana: Is it open?\n[1:05] Ben: From 3 June. Perhaps."
    assert (
        user(pipeline, plain()) == "The bridge opens on 3 June.\nAna pays for the lamps.\nNobody asked about the toll."
    )


def test_text_is_what_was_said_unchanged() -> None:
    """Without times and speakers, its line ends as they are."""
    assert user(system({"user.jinja": "{{ text }}"}), meeting()) == "Is it open?\nFrom 3 June.\nPerhaps."
    assert user(system({"user.jinja": "{{ text }}"}), plain()) == WORDS


def test_segments_can_be_written_as_production_does() -> None:
    """Number, times, speaker and words; what a source does not have is empty and so can be asked for."""
    pipeline = system({"user.jinja": "{% for s in segments %}" + LINE + "{% endfor %}"})
    assert user(pipeline, meeting()) == "[0:00-0:04] 1 Ana: Is it open?\n[1:05-1:01:40] 2 Ben: From 3 June.\nPerhaps.\n"
    assert user(pipeline, plain()).startswith("1 : The bridge opens on 3 June.\n2 : Ana")


def test_the_rest_that_templates_are_given() -> None:
    """Id, category ("" where there is none), language and the system's own variables."""
    files = {"user.jinja": "{{ id }}/{{ category }}/{{ language }}/{{ n + 1 }}/{{ on }}/{{ text | length }}"}
    pipeline = system(files, variables={"n": 2, "on": True})
    assert user(pipeline, meeting()) == "m/meeting/en/3/True/33"
    assert user(pipeline, plain()).startswith("s//en/3/True/")


def test_a_template_may_include_another() -> None:
    """It sees what the other has set, and its own line is told where something is wrong in it."""
    files = {"user.jinja": "{% for s in segments %}{% include 'line.jinja' %}{% endfor %}", "line.jinja": LINE}
    assert user(system(files), meeting()).startswith("[0:00-0:04] 1 Ana")
    broken = system(files | {"line.jinja": "\n\n{{ s.nobody }}"})
    with pytest.raises(
        InputError, match=r"^own/line\.jinja:3: 'dict object' has no attribute 'nobody', for source 'm'"
    ):
        broken.render(meeting())


def test_a_final_line_end_belongs_to_the_prompt_and_can_be_taken_out() -> None:
    """A file is its prompt byte for byte; an empty comment ends it before the file's last line end."""
    assert user(system({"user.jinja": "{{ text }}\n"}), plain()) == f"{WORDS}\n"
    assert user(system({"user.jinja": "{{ text }}{# -#}\n"}), plain()) == WORDS


def test_a_blank_system_prompt_is_left_out() -> None:
    """Where a template has nothing to say about a source."""
    files = {"user.jinja": "{{ text }}", "system.jinja": "{% if category %}Minutes.{% endif %}\n"}
    assert [message.role for message in system(files).render(plain())] == ["user"]
    assert [message.role for message in system(files).render(meeting())] == ["system", "user"]


@pytest.mark.parametrize(
    ("template", "parts"),
    [
        ("Sum up.\n\n{{ text }}\n\nBe brief.\n", ("Sum up.\n\n", f"{WORDS}\n\n", "Be brief.\n")),
        ("{{ text }}\nBe brief.", (f"{WORDS}\n", "Be brief.")),
        ("Sum up.\nText: {{ text }} (end)\nGo.", ("Sum up.\n", f"Text: {WORDS} (end)\n", "Go.")),
        ("Sum up: {{ text }} Go.", (f"Sum up: {WORDS} Go.",)),
        ("A\n{{ text | upper }}\nB", (f"A\n{WORDS.upper()}\nB",)),
    ],
)
def test_the_long_text_has_a_part_of_its_own(template: str, parts: tuple[str, ...]) -> None:
    """So that it is tokenised once. Parts end at line ends alone, where every tokenizer cuts by itself."""
    assert system({"user.jinja": template}).render(plain())[0].parts == parts


@given(st.text("ab\n \t", max_size=30), st.text("ab\n ", max_size=12), st.text("ab\n \t", max_size=30))
def test_parts_change_no_byte(before: str, said: str, after: str) -> None:
    """Whatever stands around a text, and wherever it stands again; no part is empty, and what a part begins with is
    never white space behind a line end."""
    text = before + said + after
    parts = parts_around(text, (said,))
    assert "".join(parts) == text
    assert len(parts) <= 3
    assert all(parts) or parts == ("",)
    assert all(left.endswith("\n") and not right[0].isspace() for left, right in pairwise(parts))


def test_a_pipeline_survives_its_run_folder() -> None:
    """From JSON, with no file of the user's, it renders the same bytes and is the same system."""
    files = {"user.jinja": "  {{ text }}\n{{ n }} {{ on }} {{ x }} {{ s }}\n\n", "variables.yaml": "n: 1\n"}
    pipeline = system(files, variables={"n": 1, "on": False, "x": 1.0, "s": "1"}, strip=["fence"])
    pipeline.render(meeting())
    again = Pipeline.model_validate_json(canonical(pipeline.model_dump(mode="json")))
    assert again == pipeline
    assert again.hash == pipeline.hash
    assert again.render(meeting()) == pipeline.render(meeting())
    assert user(again, plain()).endswith("\n1 False 1.0 1\n\n")
    assert set(json.loads(canonical(pipeline.model_dump(mode="json")))) == {
        "name",
        "settings",
        "generic",
        "files",
        "variables",
    }


FILES = {"user.jinja": "{{ text }}", "variables.yaml": "a: 1"}


@pytest.mark.parametrize(
    ("files", "settings"),
    [
        ({"user.jinja": "{{ text }}\n"}, {}),
        (FILES | {"system.jinja": "Be brief."}, {}),
        (FILES, {"variables": {"a": 2}}),
        (FILES, {"variables": {"a": True}}),
        (FILES, {"temperature": 0.1}),
        (FILES, {"top_p": 0.9}),
        (FILES, {"tokens": 99}),
        (FILES, {"strip": ["reasoning", "fence"]}),
    ],
)
def test_the_hash_is_over_what_changes_a_text(files: dict[str, str], settings: dict[str, object]) -> None:
    """Every file, variable, sampling option, and what is stripped."""
    assert system(files, **{"variables": {"a": 1}} | settings).hash != system(FILES, variables={"a": 1}).hash


def test_the_hash_is_not_over_names() -> None:
    """What a system, its model or its folder is called, whether it is deployed, how its variables are written."""
    first = system(FILES, variables={"a": 1})
    changed = FILES | {"variables.yaml": "# ours\na: 1\n"}
    other = system(
        changed, "b", variables={"a": 1}, model="n", prompt="x", incumbent=True, retries=3, strip=["reasoning"]
    )
    assert first.hash == other.hash
    assert len(first.hash) == 64


def test_a_prompt_is_the_same_at_any_time() -> None:
    """A run is scored from its rendered prompts: nothing in a template may be drawn, nor be an address."""
    for text in ("{{ lipsum() }}", "{{ segments | random }}", "{{ range }}"):
        with pytest.raises(InputError):
            system({"user.jinja": "{{ text }}" + text}).render(plain())


def test_nothing_of_a_source_s_file_is_given() -> None:
    """A path is of the machine, not of production."""
    assert set(values_of(meeting(), {"a": 1})) == {"a", "text", "transcript", "segments", "id", "category", "language"}
