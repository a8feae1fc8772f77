"""From sources and trusted texts to the texts of a check."""

from collections import Counter
from pathlib import Path

import pytest

from localeval.checking.building import build_test
from localeval.checking.texts import CheckTest
from localeval.planting.settings import CheckSettings
from localeval.reading import read_evaluation
from tests.checking.check_project import make_check_project


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A config whose judges nobody asks."""
    return make_check_project(tmp_path_factory.mktemp("check"))


def built(path: Path, **settings: object) -> CheckTest:
    """The test of the config with other settings."""
    evaluation, _ = read_evaluation(path)
    check = CheckSettings.model_validate({"trusted": ["faithful"], **settings})
    config = evaluation.config.model_copy(update={"check": check})
    return build_test(type(evaluation)(**{**evaluation.__dict__, "config": config}))


def test_the_same_config_gives_the_same_test(project: Path) -> None:
    """Byte for byte, and another number of errors gives another one."""
    assert built(project) == built(project)
    assert built(project).hash != built(project, planted=12).hash


def test_errors_are_shared_out_over_kinds_and_sources(project: Path) -> None:
    """No kind and no source has much more than its part, as far as there are places."""
    planted = [text for text in built(project, planted=40, shortened=None).texts if text.edit is not None]
    kinds = Counter(text.edit.kind for text in planted if text.edit is not None)
    assert len(planted) == 40
    assert max(kinds.values()) - min(kinds.values()) <= 2, kinds
    sources = Counter(text.origin for text in planted)
    assert max(sources.values()) - min(sources.values()) <= 4, sources


def test_errors_stand_in_every_part_of_the_source(project: Path) -> None:
    """So that it can be told whether a judge still sees its middle."""
    parts = Counter(
        int(text.position * 5)
        for text in built(project, shortened=None).texts
        if text.edit is not None and text.position is not None and text.position < 1
    )
    assert set(parts) == {0, 1, 2, 3, 4}


def test_every_planted_text_differs_from_its_trusted_one_in_the_edit_alone(project: Path) -> None:
    """Before the edit and behind it the two are the same."""
    for text in built(project, shortened=None).texts:
        trusted = text.trusted.candidate.text
        if text.edit is None:
            assert (text.candidate.text == trusted) == (text.role == "untouched")
        else:
            assert text.candidate.text == text.edit.applied_to(trusted) != trusted


def test_no_text_is_called_after_its_kind(project: Path) -> None:
    """Judges are told nothing of what a text is for, and texts are numbered in one row."""
    texts = built(project).texts
    assert [text.id for text in texts] == [f"t{n:04}" for n in range(1, len(texts) + 1)]
    assert all(text.candidate.system == text.id for text in texts)


def test_without_trusted_texts_excerpts_alone_are_planted_into(project: Path) -> None:
    """A source of its own words is right by itself."""
    assert {text.trusted.origin for text in built(project, trusted=[], shortened=None).texts} == {"excerpts"}


def test_a_shortened_source_has_texts_that_are_right_by_it(project: Path) -> None:
    """Excerpts of the part that is shown, beside those of which it lacks a part."""
    shown = [text for text in built(project).texts if text.view == "shortened"]
    assert all(
        len(text.source.text) <= 0.5 * len(text.trusted.source.text) + 1 or "(" in text.trusted.source.id
        for text in shown
    )
    sound = [text for text in shown if text.role == "untouched" and text.position is not None and text.position <= 0.5]
    assert {text.origin for text in sound} == {"clinic", "ferry"}


def test_controls_are_of_every_source_and_of_both_kinds(project: Path) -> None:
    """A small number takes from each source in turn, and keeps room for rewordings."""
    texts = [text for text in built(project, controls=3, shortened=None).texts if text.edit is None]
    assert Counter(text.role for text in texts) == {"untouched": 2, "paraphrase": 1}
    assert {text.origin for text in texts if text.role == "untouched"} == {"clinic", "ferry"}
