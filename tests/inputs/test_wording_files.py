"""Wordings and roles: the shipped ones or one's own; what would reach a system unfilled is refused."""

import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import pytest

from localeval.errors import ConfigError, InputError, LocalevalError
from localeval.inputs.wording_files import read_wordings, require_wordings, wordings_for
from localeval.methods.affect.axes import PLACE
from localeval.texts import Language
from tests.inputs.damaging import damaged

LANGUAGES: tuple[Language, ...] = get_args(Language)

OWN = """language: en
wordings:
  - id: plain
    prompt: Describe {target}.
  - id: pointed
    prompt: "{target}: your view?"
roles:
  - id: critic
    system: You are a critic.
"""


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "Describe {target}.",
            "Describe it.",
            "4: wordings.0.prompt: must hold {target}, where the target's name goes",
        ),
        ("Describe {target}.", "Describe {Target}.", "4: wordings.0.prompt: must hold {target}, where the target's na"),
        (
            "Describe {target}.",
            "Describe {target} of {name}.",
            "4: wordings.0.prompt: may hold no braces but {target}: {name} would be sent as it is, not 'Describe {tar",
        ),
        ("{target}.", "{target} by {target.x}.", "4: wordings.0.prompt: may hold no braces but {target}: {target.x} w"),
        ("{target}.", "{{target}}.", "4: wordings.0.prompt: may hold no braces but {target}: { would be sent as it is"),
        ("{target}.", "{target} {.", "4: wordings.0.prompt: may hold no braces but {target}: { would be sent as it is"),
        ("{target}.", "{target} }.", "4: wordings.0.prompt: may hold no braces but {target}: } would be sent as it is"),
        ("{target}.", "{target} {}.", "4: wordings.0.prompt: may hold no braces but {target}: {} would be sent as it"),
        ("Describe {target}.", "", "4: wordings.0.prompt: must be text (in quotes), not an empty value"),
        ("Describe {target}.", '"a\\n{target}"', "4: wordings.0.prompt: must be one line (in YAML, `>` joins lines)"),
        ("id: pointed", "id: plain", "1: names 'plain' twice; give each wording its own `id`"),
        ("id: pointed", "id: Pointed", "5: wordings.1.id: must be lower-case letters a-z, digits and _, a letter fir"),
        ("id: critic", "id: ''", "8: roles.0.id: must be lower-case letters a-z, digits and _, a letter first"),
        ("a critic", "a critic of {target}", "9: roles.0.system: may hold no braces: {target} would be sent as it is"),
        ("system: You are a critic.", "sytem: x", "9: roles.0.sytem: unknown key; did you mean 'system'?"),
        ("language: en", "language: de", "1: language: must be 'en', 'ru' or 'zh', not 'de'"),
        (OWN, "language: en", "1: wordings: is required"),
        (OWN, "language: en\nwordings: []", "2: wordings: must be a list with at least one entry"),
        (OWN, "- plain", "1: a set of wordings is a mapping with wordings and roles"),
        ('"{target}: your view?"', "{target}: your view?", "6: "),
    ],
)
def test_each_mistake_has_its_line_field_and_fix(saved: Callable[..., Path], old: str, new: str, message: str) -> None:
    """One line, `file:line: field: what is wrong; fix`, and exit code 2."""
    assert old in OWN
    path = saved(OWN.replace(old, new))
    with pytest.raises(InputError) as caught:
        read_wordings(path)
    assert str(caught.value).startswith(f"{path}:{message}")
    assert len(str(caught.value).splitlines()) == 1
    assert caught.value.exit_code == 2


def test_language_is_said_or_told(saved: Callable[..., Path], tmp_path: Path) -> None:
    """Without `language:` the prompts tell, {target} apart; {language} in the path says it, and the file no other."""
    bare = "wordings: [{id: a, prompt: 'Тема: {target}.'}]\n"
    assert read_wordings(saved(bare)).language == "ru"
    assert wordings_for("own.yaml", "zh", tmp_path).language == "ru"
    assert read_wordings(saved("wordings: [{id: a, prompt: 'Кто {target}?'}]\n")).language == "ru"
    assert read_wordings(saved(OWN)).language == "en"
    path = saved(bare, "own.zh.yaml")
    assert wordings_for("own.{language}.yaml", "zh", tmp_path).language == "zh"
    saved("language: en\n" + bare, "own.zh.yaml")
    with pytest.raises(InputError) as caught:
        wordings_for("own.{language}.yaml", "zh", tmp_path)
    assert str(caught.value).startswith(f"{path}:1: language: must be 'zh', as the file is named for it in the config")
    with pytest.raises(InputError, match=r"none\.yaml: cannot be read .*; give the path of a YAML set of wordings"):
        wordings_for("none.yaml", "en", tmp_path)


def test_roles_may_be_absent(saved: Callable[..., Path]) -> None:
    """Then there are none, and the wordings stand in file order."""
    read = read_wordings(saved(OWN[: OWN.index("roles:")]))
    assert read.roles == ()
    assert [(each.id, each.prompt) for each in read.wordings] == [
        ("plain", "Describe {target}."),
        ("pointed", "{target}: your view?"),
    ]


@pytest.mark.parametrize(
    ("wordings", "roles", "message"),
    [
        (
            ("neutral", "paraphase"),
            (),
            "methods.affect.elicit.wordings: there is no wording 'paraphase' in en; did you mean 'paraphrase'? known: "
            "neutral, evaluative, paraphrase",
        ),
        (
            ("neutral",),
            ("pilot",),
            "methods.affect.elicit.roles: there is no role 'pilot' in en; known: journalist, teacher",
        ),
        (("",), (), "methods.affect.elicit.wordings: there is no wording '' in en; known: neutral, evaluative, para"),
    ],
)
def test_an_unknown_id_is_refused(
    tmp_path: Path, wordings: tuple[str, ...], roles: tuple[str, ...], message: str
) -> None:
    """Key, id, what is near and what there is, in one line, exit code 2."""
    with pytest.raises(ConfigError) as caught:
        require_wordings({"en": wordings_for(None, "en", tmp_path)}, wordings, roles)
    assert str(caught.value).startswith(message)
    assert caught.value.exit_code == 2


def test_known_ids_pass_in_every_language(tmp_path: Path) -> None:
    """The shipped wordings and roles, in all three languages and in any order."""
    sets = {language: wordings_for(None, language, tmp_path) for language in LANGUAGES}
    require_wordings(sets, ("paraphrase", "neutral"), ("teacher",))


def test_a_file_without_roles_says_so(saved: Callable[..., Path]) -> None:
    """Where a role is wanted and there is none, and where one of two languages lacks an id."""
    bare = read_wordings(saved(OWN[: OWN.index("roles:")]))
    with pytest.raises(ConfigError, match=r"elicit\.roles: there is no role 'critic' in en; known: none$"):
        require_wordings({"en": bare}, ("plain",), ("critic",))
    russian = read_wordings(saved("language: ru\nwordings: [{id: plain, prompt: 'Тема: {target}.'}]"))
    with pytest.raises(ConfigError, match=r"wordings: there is no wording 'pointed' in ru; known: plain$"):
        require_wordings({"en": bare, "ru": russian}, ("plain", "pointed"), ())


def test_one_file_is_not_two_languages(saved: Callable[..., Path]) -> None:
    """Languages are compared: the same requests under two of them are refused, as are those in another."""
    english = read_wordings(saved(OWN))
    with pytest.raises(ConfigError) as caught:
        require_wordings({"en": english, "ru": english}, ("plain",), ())
    assert str(caught.value).startswith(
        "methods.affect.elicit.file: its wordings are in en, not in ru; put {language} in the path of `file`"
    )


def test_a_damaged_file_is_refused_in_one_line_or_sound(saved: Callable[..., Path]) -> None:
    """300 files with slips: nothing but a LocalevalError of one printable line that names the file is raised, and a
    prompt that is read has nothing that would be sent unfilled."""
    rng = random.Random(4)
    messages: list[str] = []
    for _ in range(300):
        path = saved(damaged(rng, OWN))
        try:
            read = read_wordings(path)
        except LocalevalError as error:
            messages.append(str(error))
        else:
            for wording in read.wordings:
                assert PLACE in wording.prompt
                assert not re.search("[{}]", wording.prompt.replace(PLACE, "NAME"))
    assert 150 < len(messages) < 300
    assert not [told for told in messages if not (told.startswith(f"{path}:") and told.isprintable())]


def test_the_example_of_the_guide_is_a_set_of_wordings(saved: Callable[..., Path]) -> None:
    """What docs/axes.md shows can be copied and used."""
    guide = (Path(__file__).parents[2] / "docs" / "axes.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```yaml\n(# wordings.yaml\n.*?)```", guide, re.DOTALL)
    require_wordings({"en": read_wordings(saved(example))}, ("plain", "pointed"), ("critic",))
