"""Sets of axes: a shipped one by its name, one's own by its path; a mistake has its line."""

import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import pytest

from localeval.errors import InputError, LocalevalError
from localeval.inputs.axis_files import axes_for, read_axes, require_same_axes, shipped_axes
from localeval.methods.affect.axes import ANCHORS, CONTRACTS
from localeval.texts import Language
from tests.inputs.damaging import damaged

LANGUAGES: tuple[Language, ...] = get_args(Language)

TRUST = """name: partner
axes:
  - id: trust
    label: Trust
    target:
      question: how far the target is shown as reliable.
      anchors:
        0: it deceives
        0.5: nothing is said of it
        1: it keeps its word
    kinds:
      event: What was announced counts.
"""
MEANING = TRUST[TRUST.index("    target:") : TRUST.index("    kinds:")]
WHOLE = MEANING.replace("target:", "whole:")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (MEANING, "", "3: axes.0: has no anchors; add `target` or `whole` with `question` and `anchors`"),
        (MEANING[MEANING.index("      anchors") :], "", "5: axes.0.target.anchors: is required"),
        (
            MEANING[MEANING.index("      question") :],
            "",
            "3: axes.0: has no anchors; add `target` or `whole` with `question` and `anchors`",
        ),
        ("        0.5: nothing is said of it\n", "", "7: axes.0.target.anchors: lacks 0.5; describe 0, 0.5 and 1"),
        (MEANING[MEANING.index("        0.5") :], "", "7: axes.0.target.anchors: lacks 0.5 and 1; describe 0, 0.5 and"),
        ("0.5: nothing", "0.25: nothing", "7: axes.0.target.anchors: has 0.25; describe 0, 0.5 and 1"),
        ("0.5: nothing", "'0.5': nothing", "7: axes.0.target.anchors: has '0.5'; describe 0, 0.5 and 1, without quot"),
        ("0.5: nothing", ".nan: nothing", "7: axes.0.target.anchors: has nan; describe 0, 0.5 and 1"),
        ("1: it keeps", "true: it keeps", "7: axes.0.target.anchors: has True; describe 0, 0.5 and 1"),
        ("0.5: nothing", "half: nothing", "7: axes.0.target.anchors: has 'half'; describe 0, 0.5 and 1"),
        ("0.5: nothing", "1.0: nothing", '10: found duplicate key "1"; keep one of the two'),
        ("0.5: nothing is said of it", "0.5:", "9: axes.0.target.anchors.0.5: must be text (in quotes), not an empty"),
        ("0.5: nothing is said of it", "0.5: .nan", "9: axes.0.target.anchors.0.5: must be text (in quotes), not nan"),
        ("it deceives", "''", "8: axes.0.target.anchors.0: must say something, not ''"),
        ("it deceives", '"a\\nb"', "8: axes.0.target.anchors.0: must be one line (in YAML, `>` joins lines), not"),
        ("how far the target is shown as reliable.", "", "6: axes.0.target.question: must be text (in quotes), not an"),
        ("how far the target is shown as reliable.", "' '", "6: axes.0.target.question: must say something"),
        ("how far the target is shown", "|\n        how\n        far", "6: axes.0.target.question: must be one line"),
        ("      question", "      qestion", "6: axes.0.target.qestion: unknown key; did you mean 'question'?"),
        ("    target:", "    targt:", "5: axes.0.targt: unknown key; did you mean 'target'?"),
        ("event: What", "evnt: What", "12: axes.0.kinds.evnt: must be 'person', 'organisation', 'country', 'group'"),
        (
            "id: trust",
            "id: Trust",
            "3: axes.0.id: must be lower-case letters a-z, digits and _, a letter first, not 'T",
        ),
        ("id: trust\n    label", "label", "3: axes.0.id: is required"),
        ("label: Trust", "label: !!float que", "4: a value cannot be read (string index out of range); put it in quo"),
        ("label: Trust", "label: .inf", "4: axes.0.label: must be text (in quotes), not inf"),
        ("label: Trust", "label: a: b", "4: mapping values are not allowed here; put text that holds a colon and a sp"),
        ("label: Trust", "label: [", "6: expected ',' or ']', but got ':'"),
        (
            "label: Trust",
            "\tlabel: Trust",
            "4: found character '\\t' that cannot start any token; use spaces, not tabs",
        ),
        ("name: partner", "name:", "1: name: must be text (in quotes), not an empty value"),
        ("name: partner\n", "", "1: name: is required"),
        ("name: partner", "name: partner\nlanguage: fr", "2: language: must be 'en', 'ru' or 'zh', not 'fr'"),
        ("name: partner", "name: partner\nscale: 5", "2: scale: unknown key; known: axes, language, name"),
        (TRUST, TRUST + TRUST[TRUST.index("  - id") :], "2: axes: has 'trust' twice; give each axis its own `id`"),
        (TRUST, "", "1: a set of axes is a mapping with name and axes"),
        (TRUST, "name: x\naxes: []", "2: axes: must be a list with at least one entry"),
        (TRUST, "name: x\naxes: trust", "2: axes: must be a list, not 'trust'"),
        (TRUST, "name: x\naxes: [trust]", "2: axes.0: must be a mapping (name: value), not 'trust'"),
        (TRUST, "name: x", "1: axes: is required"),
    ],
)
def test_each_mistake_has_its_line_field_and_fix(saved: Callable[..., Path], old: str, new: str, message: str) -> None:
    """One line, `file:line: field: what is wrong; fix`, and exit code 2."""
    assert old in TRUST
    path = saved(TRUST.replace(old, new))
    with pytest.raises(InputError) as caught:
        read_axes(path)
    assert str(caught.value).startswith(f"{path}:{message}")
    assert len(str(caught.value).splitlines()) == 1
    assert caught.value.exit_code == 2


@pytest.mark.parametrize("half", ["0.5", ".5", "0.50", "5e-1"])
def test_an_anchor_may_be_written_as_any_number(saved: Callable[..., Path], half: str) -> None:
    """0.5 is 0.5, and the set the same."""
    assert read_axes(saved(TRUST.replace("0.5:", f"{half}:"))) == read_axes(saved(TRUST, "other.yaml"))


def test_language_is_said_or_told(saved: Callable[..., Path], tmp_path: Path) -> None:
    """Without `language:` the questions tell; the one file serves texts of any language."""
    assert read_axes(saved(TRUST)).language == "en"
    russian = TRUST.replace("how far the target is shown as reliable.", "насколько надёжным показан объект.")
    assert read_axes(saved(russian)).language == "ru"
    assert read_axes(saved("language: zh\n" + russian)).language == "zh"
    sets = {language: axes_for("own.yaml", language, tmp_path) for language in LANGUAGES}
    assert len({axes.hash for axes in sets.values()}) == 1
    require_same_axes(sets, "methods.affect.axes")


def test_a_file_for_each_language(saved: Callable[..., Path], tmp_path: Path) -> None:
    """{language} in the path is the language of the texts, and of the file, which may not say another."""
    saved(TRUST, "own.en.yaml")
    path = saved(TRUST, "own.ru.yaml")
    assert axes_for("own.{language}.yaml", "en", tmp_path).language == "en"
    assert axes_for("own.{language}.yaml", "ru", tmp_path).language == "ru"
    with pytest.raises(InputError, match=r"own\.zh\.yaml: cannot be read .*; give the path of a YAML set of axes"):
        axes_for("own.{language}.yaml", "zh", tmp_path)
    saved("name: x\nlanguage: en\n", "own.ru.yaml")
    with pytest.raises(InputError) as caught:
        axes_for("own.{language}.yaml", "ru", tmp_path)
    assert str(caught.value).startswith(f"{path}:2: language: must be 'ru', as the file is named for it in the config")


def test_ones_own_set_is_named_by_its_path(saved: Callable[..., Path], tmp_path: Path) -> None:
    """A relative path counts from the config's folder; a file that is not there, or is a folder, is named."""
    path = saved(TRUST)
    assert axes_for("own.yaml", "en", tmp_path) == read_axes(path) == axes_for(str(path), "en", Path("/"))
    saved(TRUST, "plain")
    assert axes_for("./plain", "en", tmp_path).name == "partner"
    for name in ("vad.yaml", "./vad", "a\0.yaml", "./"):
        with pytest.raises(InputError, match="cannot be read "):
            axes_for(name, "en", tmp_path)


@pytest.mark.parametrize("name", ["vad", " VAD ", "Vad"])
def test_a_shipped_set_is_named_by_its_name(name: str, tmp_path: Path) -> None:
    """In the language of the texts, however the name is spelt."""
    assert shipped_axes() == ("vad",)
    axes = axes_for(name, "zh", tmp_path)
    assert (axes.name, axes.language) == ("vad", "zh")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "vat",
            "methods.affect.axes: there is no set of axes 'vat'; did you mean 'vad'? shipped: vad; one of your own ",
        ),
        (
            "moods",
            "methods.affect.axes: there is no set of axes 'moods'; shipped: vad; one of your own is named by its",
        ),
        ("", "methods.affect.axes: there is no set of axes ''; shipped: vad; "),
        ("a\nb", "methods.affect.axes: there is no set of axes 'a\\nb'; shipped: vad; "),
    ],
)
def test_an_unknown_name_is_refused(name: str, message: str, tmp_path: Path) -> None:
    """It says what is near, what there is, and how one's own is named."""
    with pytest.raises(InputError) as caught:
        axes_for(name, "en", tmp_path)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("russian", "message"),
    [
        (
            TRUST.replace("id: trust", "id: faith"),
            "axes.yaml: the axes in ru lack 'trust' under `target`; add what those in en have, or remove it there",
        ),
        (
            TRUST + WHOLE,
            "axes.yaml: the axes in en lack 'trust' under `whole`; add what those in ru have, or remove it",
        ),
        (
            TRUST.replace("target:", "whole:"),
            "axes.yaml: the axes in ru lack 'trust' under `target`; add what those in en have",
        ),
        (
            TRUST.replace("partner", "партнёр"),
            "axes.yaml: the set is called 'partner' in en and 'партнёр' in ru; give it one `name` in all languages",
        ),
    ],
)
def test_languages_must_have_the_same_axes(saved: Callable[..., Path], russian: str, message: str) -> None:
    """Whichever lacks an axis of the other is named, with the contract."""
    english = read_axes(saved(TRUST), "en")
    other = read_axes(saved(russian, "other.yaml"), "ru")
    with pytest.raises(InputError) as caught:
        require_same_axes({"en": english, "ru": other}, "axes.yaml")
    assert str(caught.value).startswith(message)


def test_the_order_of_axes_does_not_matter(saved: Callable[..., Path]) -> None:
    """The same ids in another order are the same axes; one set alone agrees with itself, and none at all does."""
    second = TRUST[TRUST.index("  - id") :].replace("trust", "initiative")
    head, _, first = TRUST.partition("axes:\n")
    one = read_axes(saved(f"{head}axes:\n{first}{second}"), "en")
    other = read_axes(saved(f"{head}axes:\n{second}{first}"), "ru")
    assert [axis.id for axis in one.axes] == [axis.id for axis in other.axes][::-1]
    require_same_axes({"en": one, "ru": other}, "here")
    require_same_axes({"en": one}, "here")
    require_same_axes({}, "here")


@pytest.mark.slow
def test_a_damaged_file_is_refused_in_one_line_or_sound(saved: Callable[..., Path]) -> None:
    """2,000 files with slips: nothing but a LocalevalError of one printable line that names the file is raised, and
    what is read has every anchor."""
    rng = random.Random(4)
    messages: list[str] = []
    for _ in range(2000):
        path = saved(damaged(rng, TRUST))
        try:
            axes = read_axes(path)
        except LocalevalError as error:
            messages.append(str(error))
        else:
            meanings = [axis.meaning(contract) for axis in axes.axes for contract in CONTRACTS]
            assert any(meanings)
            assert all(tuple(meaning.anchors) == ANCHORS for meaning in meanings if meaning is not None)
    assert 1000 < len(messages) < 2000
    assert not [told for told in messages if not (told.startswith(f"{path}:") and told.isprintable())]
    assert max(map(len, messages)) < len(str(path)) + 400


def test_the_example_of_the_guide_is_a_set_of_axes(saved: Callable[..., Path]) -> None:
    """What docs/axes.md shows can be copied and used."""
    guide = (Path(__file__).parents[2] / "docs" / "axes.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```yaml\n(# partner.yaml\n.*?)```", guide, re.DOTALL)
    axes = read_axes(saved(example))
    assert [axis.id for axis in axes.of("target")] == ["trust", "initiative"]
    assert [axis.id for axis in axes.of("whole")] == ["trust"]
