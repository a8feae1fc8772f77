"""The texts that affect ships: the same in every language, down to what is rendered of them."""

import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import get_args

import pytest

from localeval.assets import asset_folder
from localeval.inputs.axis_files import axes_for, require_same_axes, shipped_axes
from localeval.inputs.wording_files import wordings_for
from localeval.methods.affect.axes import ANCHORS, CONTRACTS, KINDS, PLACE, AxisSet
from localeval.methods.affect.words import kind_word
from localeval.prompts import read_prompts
from localeval.texts import Language

LANGUAGES: tuple[Language, ...] = get_args(Language)
FOLDER = asset_folder("prompts")
SCRIPTS: dict[Language, str] = {"en": "[A-Za-z]", "ru": "[А-Яа-яЁё]", "zh": "[\u4e00-\u9fff]"}
LONGEST: dict[Language, int] = {"en": 25, "ru": 25, "zh": 50}
"""Words of a text of an axis; characters in Chinese."""


def axes_in(name: str) -> dict[Language, AxisSet]:
    """A shipped set in every language."""
    return {language: axes_for(name, language, Path()) for language in LANGUAGES}


def texts_of(axes: AxisSet) -> Iterator[str]:
    """Everything in a set that a judge may read."""
    for axis in axes.axes:
        yield axis.label
        yield from axis.kinds.values()
        for contract in CONTRACTS:
            meaning = axis.meaning(contract)
            if meaning is not None:
                yield from (meaning.question, *meaning.anchors.values())


def shape_of(axes: AxisSet) -> list[object]:
    """What a set has, without its words."""
    return [
        (axis.id, list(axis.kinds), [(c, list(m.anchors)) for c in CONTRACTS if (m := axis.meaning(c)) is not None])
        for axis in axes.axes
    ]


def test_every_set_is_there_in_every_language() -> None:
    """No file lacks a translation, and none lies beside the languages."""
    for folder, names in (("axes", shipped_axes()), ("wordings", ("default",))):
        found = {path.name for path in (FOLDER / "affect" / folder).iterdir()}
        assert found == {f"{name}.{language}.yaml" for name in names for language in LANGUAGES}


@pytest.mark.parametrize("name", shipped_axes())
def test_axes_are_the_same_in_every_language(name: str) -> None:
    """Scores of texts in several languages can stand in one table: same name, ids, contracts, anchors and kinds."""
    sets = axes_in(name)
    require_same_axes(sets, "here")
    assert [axes.language for axes in sets.values()] == list(LANGUAGES)
    first = shape_of(sets["en"])
    assert first
    for axes in sets.values():
        assert shape_of(axes) == first
        assert len({axes.hash for axes in sets.values()}) == len(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", shipped_axes())
def test_a_shipped_set_is_told_in_its_language(name: str, language: Language) -> None:
    """Each text is short, in the script of its language and no other, and says something of its own."""
    texts = list(texts_of(axes_in(name)[language]))
    assert len(texts) > 20
    for text in texts:
        text = text.replace(PLACE, "")
        n_units = len(text) if language == "zh" else len(text.split())
        assert n_units <= LONGEST[language], text
        assert re.search(SCRIPTS[language], text), text
        assert not [other for other in LANGUAGES if other != language and re.search(SCRIPTS[other], text)], text
    for axis in axes_in(name)[language].axes:
        assert len(set(texts_of(AxisSet(name="x", language=language, axes=(axis,))))) == 1 + len(axis.kinds) + sum(
            4 for contract in CONTRACTS if axis.meaning(contract) is not None
        )


@pytest.mark.parametrize("language", LANGUAGES)
def test_vad_has_three_axes_for_both_contracts_and_one_number(language: Language) -> None:
    """Valence, arousal and dominance for `target` and `whole`; favourability alone; a rule of dominance for each
    kind."""
    axes = axes_for("vad", language, Path())
    ids = {contract: [axis.id for axis in axes.of(contract)] for contract in CONTRACTS}
    three = ["valence", "arousal", "dominance"]
    assert ids == {"target": three, "whole": three, "favourability": ["favourability"]}
    assert set(axes.axes[2].kinds) == set(KINDS) - {"other"}


def test_wordings_are_the_same_in_every_language() -> None:
    """The same wordings and roles; each prompt names the target once, in the script of its language."""
    sets = {language: wordings_for(None, language, Path()) for language in LANGUAGES}
    ids = {(tuple(w.id for w in each.wordings), tuple(r.id for r in each.roles)) for each in sets.values()}
    assert ids == {(("neutral", "evaluative", "paraphrase"), ("journalist", "teacher"))}
    for language, each in sets.items():
        assert each.language == language
        for text in [*(w.prompt for w in each.wordings), *(r.system for r in each.roles)]:
            words = text.replace(PLACE, "")
            assert re.search(SCRIPTS[language], words)
            assert not [other for other in LANGUAGES if other != language and re.search(SCRIPTS[other], words)], text
        assert all(w.prompt.count(PLACE) == 1 for w in each.wordings)
        assert len({w.prompt for w in each.wordings}) == len(each.wordings)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_but_other_has_a_word(language: Language) -> None:
    """A word of its own in the language of the text; nothing is said where the user says no kind."""
    words = [kind_word(kind, language) for kind in KINDS if kind != "other"]
    assert len(set(words)) == len(KINDS) - 1
    assert all(re.search(SCRIPTS[language], word) for word in words)
    assert kind_word("other", language) == ""


SHAPES = [
    {"name": "NAME", "kind": kind, "aliases": aliases, "rule": rule}
    for kind, aliases, rule in product(("", "KIND"), ("", "ALIASES"), ("", "RULE"))
]
"""What the code may know of a target."""
NOBODY = dict.fromkeys(SHAPES[0], "")
"""What it knows where the text as a whole is read."""
ASKED = [(name, shape) for name in ("score", "evidence") for shape in (*SHAPES, NOBODY)]
ASKED += [("flags_item", {**shape, "rule": ""}) for shape in SHAPES if not shape["rule"]]


@pytest.mark.parametrize(("template", "shape"), ASKED)
def test_a_question_has_the_same_lines_in_every_language(template: str, shape: dict[str, str]) -> None:
    """Every value stands on the same line, in the same order; one that is absent leaves no gap, and a score is asked
    for at the end."""
    prompts = read_prompts(FOLDER)
    found = []
    for language in LANGUAGES:
        text = prompts.render(f"affect/{template}", language, question="QUESTION", points=7, words=(), **shape)
        assert not re.search(r"[ ,:，：]\n.| $|\n\n\n|[(（]\s*[)）]", text)
        if template == "score":
            assert re.search(r"7[^\n]*[?？]\n\Z", text)
            assert text.count("\n") == (2 + bool(shape["rule"]) if shape["name"] else 1)
        lines = text.split("\n")
        found.append(
            [re.findall('NAME|KIND|ALIASES|RULE|QUESTION|7|JSON|phrase|other(?=[":：])|reason', line) for line in lines]
        )
    assert found[0] == found[1] == found[2]
    assert {mark for marks in found[0] for mark in marks} >= {value for value in shape.values() if value}


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_axis_lists_its_anchors(language: Language) -> None:
    """The label on one line, an anchor a line in the order given, and a line for what lies between."""
    anchors = [(9, "full"), (5, "half"), (1, "none")]
    text = read_prompts(FOLDER).render("affect/axis", language, label="LABEL", anchors=anchors, is_number=True)
    lines = text.split("\n")
    assert re.fullmatch("LABEL[:：]", lines[0])
    assert lines[1:4] == ["9 = full", "5 = half", "1 = none"]
    assert len(lines) == 7
    assert lines[4]
    assert lines[5:] == ["", ""]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_scale_of_any_end_is_told(language: Language) -> None:
    """The last point stands in the question as the grammar has it."""
    told = {"name": "", "kind": "", "aliases": "", "rule": "", "question": "QUESTION"}
    for points in (3, 5, 7, 9):
        text = read_prompts(FOLDER).render("affect/score", language, points=points, words=(), **told)
        assert re.findall(r"\d", text) == ["1", str(points)]


def test_anchors_stand_where_the_scale_has_a_point() -> None:
    """0, 0.5 and 1 are points of every scale that may be chosen."""
    for points in (3, 5, 7, 9):
        assert all((anchor * (points - 1)).is_integer() for anchor in ANCHORS)
