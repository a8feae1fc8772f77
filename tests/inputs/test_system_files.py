"""Folders of production prompts: read whole, held against every source, each mistake with its file and line."""

import random
import re
from collections.abc import Mapping
from pathlib import Path
from typing import get_args

import pytest

from localeval.assets import asset_folder
from localeval.errors import ConfigError, InputError, LocalevalError
from localeval.inputs.segmenting import cut_text
from localeval.inputs.system_files import read_systems
from localeval.methods.generate.pipeline import Pipeline, unused_templates
from localeval.methods.generate.schemas import SystemSettings
from localeval.methods.generate.templates import OF_SEGMENT, OF_SOURCE
from localeval.prompts import read_prompts
from localeval.texts import Language, Source
from tests.inputs.damaging import damaged

GENERIC = read_prompts(asset_folder("prompts")).texts


def source(id: str = "s", category: str | None = "meeting", language: Language = "en") -> Source:
    """Three sentences about a bridge."""
    cut = cut_text("The bridge opens on 3 June. Ana pays. Nobody asked about the toll.", language)
    return Source(id, cut.text, cut.segments, language, category)


SOURCES = (source(),)


def read(
    base: Path, files: Mapping[str, str], sources: tuple[Source, ...] = SOURCES, **settings: object
) -> dict[str, Pipeline]:
    """The one system "terse", of a folder with these files."""
    folder = base / "own"
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / name).write_bytes(text.encode())
    table = {"model": "small", "prompt": "own"} | settings
    return read_systems({"terse": SystemSettings.model_validate(table)}, base, sources, GENERIC)


def refused(base: Path, files: Mapping[str, str], sources: tuple[Source, ...] = SOURCES, **settings: object) -> str:
    """The one line that says why a folder is not taken, from the file's name on."""
    with pytest.raises(LocalevalError) as caught:
        read(base, files, sources, **settings)
    assert isinstance(caught.value, InputError | ConfigError)
    assert caught.value.exit_code == 2
    assert len(str(caught.value).splitlines()) == 1
    return str(caught.value).removeprefix(f"{(base / 'own').as_posix()}/").removeprefix(f"{(base / 'own').as_posix()}")


def test_a_folder_is_kept_byte_for_byte(tmp_path: Path) -> None:
    """Files, white space and line ends as they are; the config's variables go before the folder's."""
    files = {
        "user.jinja": "  {{ text }}\n\n{{ tone }} {{ words }}\n\n",
        "system.jinja": "Be brief.\n",
        "variables.yaml": "tone: dry   # as in production\nwords: 80\n",
    }
    pipeline = read(tmp_path, files, variables={"words": 120})["terse"]
    assert pipeline.files == files
    assert pipeline.variables == {"tone": "dry", "words": 120}
    system, user = pipeline.render(SOURCES[0])
    assert (system.role, system.text) == ("system", "Be brief.\n")
    assert (user.role, user.text) == ("user", f"  {SOURCES[0].text}\n\ndry 120\n\n")
    assert (pipeline.model, pipeline.generic, pipeline.incumbent) == ("small", False, False)


def test_a_category_s_own_template_goes_before_the_one_for_all(tmp_path: Path) -> None:
    """Of both roles; case, spaces and dashes of a category do not matter."""
    sources = (source("m"), source("b", "Business Analysis"), source("n", None))
    files = {
        "user.jinja": "all {{ text }}",
        "user.business-analysis.jinja": "figures {{ text }}",
        "system.meeting.jinja": "minutes",
    }
    pipeline = read(tmp_path, files, sources)["terse"]
    told = [[message.text.split()[0] for message in pipeline.render(each)] for each in sources]
    assert told == [["minutes", "all"], ["figures"], ["all"]]


@pytest.mark.parametrize(
    ("files", "message"),
    [
        (
            {"user.jinja": "Summarise.\n\n{{ transcipt }}\n"},
            "user.jinja:3: nobody gives the variable 'transcipt'; did you mean 'transcript'? give it under `systems.t",
        ),
        (
            {"user.jinja": "{{ text }}\n{% if language == 'ru' %}\n{{ brand.name }}{% endif %}"},
            "user.jinja:3: nobody gives the variable 'brand'; give it under `systems.terse.variables` or in variab",
        ),
        (
            {"user.jinja": "{{ text }}", "user.article.jinja": "{{ text }}\n{{ editor }}"},
            "user.article.jinja:2: nobody gives the variable 'editor'; ",
        ),
        (
            {"user.jinja": "{{ text }}\n{% include 'end.jinja' %}", "end.jinja": "\n\n{{ closing }}"},
            "end.jinja:3: nobody gives the variable 'closing'; ",
        ),
        (
            {"user.jinja": "{{ text }}\n{% for s in segments %}\n{{ s.words }}{% endfor %}"},
            "user.jinja:3: 'dict object' has no attribute 'words', for source 's'; known: category, id, language, segm",
        ),
        (
            {"user.jinja": "{{ text }}\n{% if language == 'en'"},
            "user.jinja:2: unexpected end of template, expected 'end of statement block'; correct it; ",
        ),
        ({"user.jinja": "{{ text }}\n{{ text | shorten }}"}, "user.jinja:2: there is no filter 'shorten'; use one of "),
        (
            {"user.jinja": "{{ text }}{% if false %}\n{{ 1 if text is shorty }}{% endif %}"},
            "user.jinja:2: there is no test 'shorty'; use one of Jinja's tests",
        ),
        ({"user.jinja": "{{ text }}\n\n{{ 1 / 0 }}"}, "user.jinja:3: division by zero, for source 's'; known: "),
        ({"user.jinja": "{{ text }}\n{{ 'a' * 10 ** 15 }}"}, "user.jinja:2: MemoryError, for source 's'; known: "),
        (
            {"user.jinja": "{{ text }}\n{{ segments | map(attribute='text') }}"},
            "user.jinja:2: prints a generator, which has no text of its own (a list has: add `| join`), for sou",
        ),
        (
            {"user.jinja": "{{ text.__class__.__mro__ }}"},
            "user.jinja:1: access to attribute '__class__' of 'str' object is unsafe., for source 's'; known: ",
        ),
        (
            {"user.jinja": "{{ text }}\n{% include 'ending.jinja' %}"},
            "user.jinja:2: includes 'ending.jinja', which is not there; the folder has user.jinja",
        ),
        (
            {"user.jinja": "{{ text }}\n{% import 'm.jinja' as m %}", "m.jinja": ""},
            "user.jinja:2: takes in another template in a way that is not known here; write {% include ",
        ),
        (
            {"user.jinja": "{{ text }}\n{% include name %}"},
            "user.jinja:2: takes in another template in a way that is not known here; write {% include ",
        ),
        (
            {"user.jinja": "{{ text }}{% include 'a.jinja' %}", "a.jinja": "\n{% include 'user.jinja' %}"},
            "a.jinja:2: includes user.jinja, which includes it; take one of the two out",
        ),
        ({"user.jinja": "Write a summary of it."}, "user.jinja: never shows the source 's'; put {{ text }} or {{ tran"),
        (
            {"user.jinja": "{% if id == 'x' %}{{ text }}{% endif %}\n"},
            "user.jinja:1: the prompt about source 's' is empty; ",
        ),
        (
            {"user.jinja": "{{ text }}{{ " + "(" * 3000 + "1" + ")" * 3000 + " }}"},
            "user.jinja:1: is nested too deeply; take some of its brackets or blocks apart",
        ),
        ({"user.jinja": "{{ text }}\r\nGo.\r\n"}, "user.jinja:1: its lines end with CR; save it with LF alone"),
        ({"user.jinja": "\ufeff{{ text }}"}, "user.jinja:1: begins with a byte order mark, which a model would read; "),
        ({"system.jinja": "{{ text }}"}, ": has no user.jinja; put the prompt that production sends in user.jinja"),
        (
            {"user.article.jinja": "{{ text }}"},
            ": has no template for the category 'meeting' of source 's'; add user.jinja, for all categories that ha",
        ),
        (
            {"user.jinja": "{{ text }}", "user.meting.jinja": "{{ text }}"},
            "user.meting.jinja: no source has the category 'meting'; did you mean user.meeting.jinja? Rename it, or ",
        ),
        (
            {"user.jinja": "{{ text }}", "system.Metting.jinja": "{{ text }}"},
            "system.Metting.jinja: no source has the category 'metting'; did you mean system.meeting.jinja? Rename it",
        ),
        (
            {"user.jinja": "{{ text }}", "user.ru.jinja": "{{ text }}"},
            "user.ru.jinja: is named for a language; templates go by category; put {{ language }}, or an {% if %} on",
        ),
        (
            {"user.jinja": "{{ text }}", "user.meeting.jinja": "{{ text }}", "user.Meeting.jinja": "{{ text }}"},
            "user.Meeting.jinja: is for a category that another file is for (case, spaces, - and _ do not matter); ",
        ),
        (
            {"user.jinja": "{{ text }}", "systm.jinja": "Be brief."},
            "systm.jinja: is used by no template; did you mean 'system.jinja'? include it in a template, name it user",
        ),
        (
            {"user.jinja": "{{ text }}", "user.txt": "{{ text }}"},
            "user.txt: has no place among a system's prompts; name it user.jinja, system",
        ),
        (
            {"user.jinja": "{{ text }}", "variables.yml": "a: 1"},
            "variables.yml: has no place among a system's prompts; did you mean 'variables.yaml'? ",
        ),
        (
            {"user.jinja": "{{ text }}", "variables.yaml": "a: 1\nid: 7\n"},
            "variables.yaml:2: the variable 'id' is what the source gives every template; give the variable another na",
        ),
        (
            {"user.jinja": "{{ text }}", "variables.yaml": "range: 7\n"},
            "variables.yaml:1: the variable 'range' is a name of Jinja's own; give the variable another name",
        ),
        (
            {"user.jinja": "{{ text }}", "variables.yaml": "max-words: 7\n"},
            "variables.yaml:1: the variable 'max-words' can stand in no template; write it with letters, digits and _",
        ),
        (
            {"user.jinja": "{{ text }}{{ max_words | default(9) }}", "variables.yaml": "a: 1\nmaxwords: 7\n"},
            "variables.yaml:1: the variable 'a' is used by no template; ",
        ),
        (
            {"user.jinja": "{{ text }}{{ max_words | default(9) }}", "variables.yaml": "\nmaxwords: 7\n"},
            "variables.yaml:2: the variable 'maxwords' is used by no template; did you mean 'max_words'? take it o",
        ),
        ({"user.jinja": "{{ text }}", "variables.yaml": "tone:\n"}, "variables.yaml:1: tone: has no value; write it"),
        (
            {"user.jinja": "{{ text }}", "variables.yaml": "a: x\ntone: [a]\n"},
            "variables.yaml:2: tone: is no text, number, true or false; write it after the colon, text in quotes",
        ),
        ({"user.jinja": "{{ text }}", "variables.yaml": "tone: .nan\n"}, "variables.yaml:1: tone: is no text, number"),
        ({"user.jinja": "{{ text }}", "variables.yaml": "5: a\n"}, "variables.yaml:1: 5: the name of a variable is te"),
        (
            {"user.jinja": "{{ text }}", "variables.yaml": "- a\n"},
            "variables.yaml:1: a file of variables is a mapping ",
        ),
    ],
)
def test_each_mistake_has_its_file_and_line(tmp_path: Path, files: dict[str, str], message: str) -> None:
    """One line: file, line, what is wrong and how to mend it; nothing is left for the run to find out."""
    assert refused(tmp_path, files).startswith(message)


def test_what_is_wrong_with_an_encoding_has_its_line(tmp_path: Path) -> None:
    """As with every file that a user gives."""
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "system.jinja").write_bytes(b"Be\nbr\xefef")
    told = refused(tmp_path, {"user.jinja": "{{ text }}"})
    assert told == "system.jinja:2: is not UTF-8 text (byte 5); save it as UTF-8"


def test_folders_within_and_links_to_nowhere_are_told(tmp_path: Path) -> None:
    """They would otherwise be passed over, or end in a traceback."""
    (tmp_path / "own" / "parts").mkdir(parents=True)
    assert refused(tmp_path, {"user.jinja": "{{ text }}"}).startswith("parts: has no place among a system's prompts; ")
    (tmp_path / "own" / "parts").rmdir()
    (tmp_path / "own" / "system.jinja").symlink_to(tmp_path / "gone")
    assert refused(tmp_path, {}).startswith("system.jinja: cannot be read (No such file or directory); ")


def test_hidden_files_and_a_readme_are_left_alone(tmp_path: Path) -> None:
    """They are no part of the prompt, and no part of its hash."""
    plain = read(tmp_path, {"user.jinja": "{{ text }}"})["terse"]
    noted = read(tmp_path, {".DS_Store": "\0", "README.md": "whose prompt this is"})["terse"]
    assert noted.files == {"user.jinja": "{{ text }}"}
    assert noted.hash == plain.hash


def test_a_template_for_a_category_that_does_not_occur_is_no_mistake(tmp_path: Path) -> None:
    """Production has more categories than a run; what was not put to the test can be told. It is read all the same."""
    sources = (source("s", "review"),)
    files = {"user.jinja": "{{ text }}", "user.interview.jinja": "{{ text }}", "system.contract.jinja": "Be exact."}
    pipeline = read(tmp_path, files, sources)["terse"]
    assert unused_templates(pipeline, sources) == ("system.contract.jinja", "user.interview.jinja")
    assert unused_templates(pipeline, (source("s", "Interview"),)) == ("system.contract.jinja",)


@pytest.mark.parametrize("text", ["{{ tone | default('dry') }}", "{% if tone is defined %}{{ tone }}{% endif %}"])
def test_a_variable_that_a_template_asks_for_may_be_absent(tmp_path: Path, text: str) -> None:
    """As production has it; a slip in its name is found at the variable that is given and that none uses."""
    files = {"user.jinja": f"{{{{ text }}}} {text}"}
    assert read(tmp_path, files)["terse"].render(SOURCES[0])[0].text.endswith(("dry", " "))
    assert read(tmp_path, files, variables={"tone": "warm"})["terse"].render(SOURCES[0])[0].text.endswith("warm")
    told = refused(tmp_path, files, variables={"tonne": "warm"})
    assert told.startswith("systems.terse.variables: the variable 'tonne' is used by no template; did you mean 'tone'?")


def test_an_unused_variable_of_the_config_is_told_there(tmp_path: Path) -> None:
    """One that shadows what the source gives, too."""
    files = {"user.jinja": "{{ text }}"}
    assert refused(tmp_path, files, variables={"text": "x"}).startswith("systems.terse.variables: the variable 'text'")


def test_a_later_source_is_held_against_its_template_too(tmp_path: Path) -> None:
    """A mistake that shows with one source alone stops the run before it begins, and names the source."""
    files = {"user.jinja": "{{ text }}\n{% if id == 'b' %}{{ segments[9].text }}{% endif %}"}
    told = refused(tmp_path, files, (source("a"), source("b")))
    assert told.startswith("user.jinja:2: ")
    assert "for source 'b'" in told


def test_a_prompt_that_is_no_folder_is_told(tmp_path: Path) -> None:
    """A slip in the path, or the path of a file."""
    (tmp_path / "user.jinja").write_text("{{ text }}", "utf-8")
    told = refused(tmp_path, {}, prompt="onw")
    assert told.startswith(f"systems.terse.prompt: {tmp_path.as_posix()}/onw is no folder; name the folder that holds ")
    assert refused(tmp_path, {}, prompt="user.jinja").startswith(
        f"systems.terse.prompt: {tmp_path.as_posix()}/user.jinja is a file; "
    )
    assert refused(tmp_path, {}, prompt="x" * 5000).startswith("systems.terse.prompt: ")


@pytest.mark.parametrize("language", get_args(Language))
def test_the_generic_prompt_serves_every_language(tmp_path: Path, language: Language) -> None:
    """It is marked, shows the whole source, and its length can be set."""
    about = source(language=language)
    pipeline = read(tmp_path, {}, (about,), prompt="generic", variables={"words": 77})["terse"]
    assert pipeline.generic
    system, user = pipeline.render(about)
    assert user.parts[1].startswith("The bridge opens on 3 June.\nAna pays.\nNobody asked about the toll.\n")
    assert "77" in user.parts[2]
    assert system.text
    assert pipeline.hash != read(tmp_path, {}, (about,), prompt="generic")["terse"].hash


def test_a_mistake_in_a_generic_prompt_of_the_user_s_has_its_line(tmp_path: Path) -> None:
    """A folder of prompts in the config may replace it."""
    own = GENERIC | {"generate/generic.en": "{{ text }}\n{{ lenght }}"}
    with pytest.raises(InputError, match=r"^prompts/generate/generic\.en\.jinja:2: nobody gives the variable 'lenght'"):
        read_systems({"g": SystemSettings(model="m")}, tmp_path, SOURCES, own)


DAMAGED = """You write {{ tone }} minutes.
{% macro line(s, n=2) %}{% if s.begin %}[{{ s.begin }}] {% endif %}{{ s.speaker }}: {{ s.text | trim }}{% endmacro %}
{% set ns = namespace(last="") %}
{% for s in segments if s.text is not none %}
{{ line(s) }}{% set ns.last = s.text %}{{ loop.index }}
{% else %}nothing{% endfor %}
{% with a = 1 %}{{ a + words }}{% endwith %}{# note #}{% block end %}{{ text | upper }}{% endblock %}
"""
PIECES = (
    *(
        "{{",
        "}}",
        "{%",
        "%}",
        "{#",
        "|",
        "(",
        ")",
        "[0]",
        ".x",
        "'",
        "if",
        "endif",
        "endfor",
        " is ",
        " in ",
        "**",
        "~",
    ),
    *("{{ loop }}", "{{ self.end() }}", "{{ super() }}", "{{ caller() }}", "{{ cycler() }}", "{{ 1e999 }}", "{{ ns }}"),
    *("{% set text = 1 %}", "{% block end %}{% endblock %}", "{% set a, b = 1 %}", "{% break %}", "{{ text[::0] }}"),
    *(
        "{{ '%d' % text }}",
        "{{ [1] | sum('x') }}",
        "{{ segments | sort(attribute='q') }}",
        "{{ text | batch(0) | list }}",
    ),
)


@pytest.mark.parametrize("block", range(4))
def test_no_template_ends_in_a_traceback(tmp_path: Path, block: int) -> None:
    """Whatever stands in a file, it is told in one line, or its prompt is the same again from the run folder."""
    rng = random.Random(block)
    for _ in range(40):
        template = DAMAGED
        for _ in range(rng.randint(1, 3)):
            at = rng.choice([found.start() for found in re.finditer(r"\b|^|$", template, re.MULTILINE)])
            template = template[:at] + rng.choice(PIECES) + template[at + rng.choice([0, 0, 1, 5]) :]
        variables = "tone: dry\nwords: 80\n"
        files = {"user.jinja": template, "variables.yaml": damaged(rng, variables) if block == 3 else variables}
        told = ""
        try:
            pipeline = read(tmp_path, files)["terse"]
            again = Pipeline.model_validate_json(pipeline.model_dump_json())
            assert again.render(SOURCES[0]) == pipeline.render(SOURCES[0])
        except LocalevalError as error:
            told = str(error)
        assert len(told.splitlines()) <= 1


def test_the_page_about_systems_is_true(tmp_path: Path) -> None:
    """Its example is a template that can be used, and it names everything that a template is given."""
    page = (Path(__file__).resolve().parent.parent.parent / "docs" / "systems.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```jinja\n(.*?)```", page, re.DOTALL)
    variables = {"customer": "the city", "words": 120}
    (message,) = read(tmp_path, {"user.jinja": example}, variables=variables)["terse"].render(SOURCES[0])
    assert message.text.startswith("You write the minutes of the city.\n\nThe bridge opens")
    assert message.text.endswith("Write at most 120 words.\n")
    assert not [name for name in (*OF_SOURCE, *OF_SEGMENT) if f"`{name}`" not in page]


def systems(**given: dict[str, object]) -> dict[str, SystemSettings]:
    """Systems of the generic prompt."""
    return {name: SystemSettings.model_validate({"model": "m"} | table) for name, table in given.items()}


def test_what_makes_another_pipeline_is_in_its_hash(tmp_path: Path) -> None:
    """Sampling, variables, the longest text and what is stripped; not the model, the name, or who is deployed."""
    same = read_systems(systems(a={}, b={"model": "n", "incumbent": True}), tmp_path, SOURCES, GENERIC)
    assert same["a"].hash == same["b"].hash
    assert [each.incumbent for each in same.values()] == [False, True]
    given = systems(a={}, c={"temperature": 0.5}, d={"variables": {"words": 9}}, e={"tokens": 99}, f={"strip": []})
    different = read_systems(given, tmp_path, SOURCES, GENERIC)
    assert len({each.hash for each in different.values()}) == len(given) == 5


def test_names_are_those_of_any_system(tmp_path: Path) -> None:
    """Printable, without outer white space, and one name in one Unicode form."""
    with pytest.raises(InputError, match="the name of a system ' a' is empty or begins"):
        read_systems({" a": SystemSettings(model="m")}, tmp_path, SOURCES, GENERIC)
    assert list(read_systems({"cafe\u0301": SystemSettings(model="m")}, tmp_path, SOURCES, GENERIC)) == ["café"]
    twice = {"café": SystemSettings(model="m"), "cafe\u0301": SystemSettings(model="n")}
    with pytest.raises(ConfigError, match=r"^systems: 'café' stands twice; "):
        read_systems(twice, tmp_path, SOURCES, GENERIC)
