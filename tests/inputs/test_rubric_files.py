"""Rubric files: the shipped ones hold together over languages; a mistake in one's own has its line."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from localeval.assets import asset_folder
from localeval.errors import InputError
from localeval.inputs.rubric_files import read_rubric, rubric_for, shipped_rubrics
from localeval.methods.panel.rubrics import FAITHFULNESS, Criterion
from localeval.models.cards import card_names, load_card
from localeval.texts import Language

CATEGORIES = (
    "article",
    "business_analysis",
    "contract",
    "default",
    "health_explainer",
    "interview",
    "meeting",
    "product_description",
    "review",
    "tutorial",
)
LANGUAGES: tuple[Language, ...] = ("en", "ru", "zh")
FILES = sorted((asset_folder("prompts") / "panel" / "rubrics").iterdir())
LONGEST: dict[Language, int] = {"en": 25, "ru": 25, "zh": 50}
"""Words of a statement or of the description of a level; characters in Chinese."""

RUBRIC = """category: talk
criteria:
  - id: faithfulness
    na: false
    statement: All is grounded.
    levels:
      0: Something is not.
      1: A detail is not.
      2: All is.
  - id: figures
    na: true
    statement: Figures are exact.
    levels:
      0: One is not.
      1: One is missing.
      2: All are.
"""


@pytest.fixture
def saved(tmp_path: Path) -> Callable[[str], Path]:
    """Writes a rubric file of the user's."""

    def save(text: str) -> Path:
        path = tmp_path / "r.yaml"
        path.write_text(text, encoding="utf-8")
        return path

    return save


def texts_of(criterion: Criterion) -> list[str]:
    return [criterion.statement, *criterion.levels.values()]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("na: false", "na: true", "4: criteria.0.na: must be false for 'faithfulness', which applies to every text"),
        ("id: faithfulness", "id: truth", "2: criteria: lacks 'faithfulness'; add a criterion with `id: faithfulness`"),
        ("id: figures\n    na: true", "id: faithfulness", "10: criteria.1.id: must be another, since a criterion"),
        ("id: figures", "id: Key Figures", "10: criteria.1.id: must be lower-case letters a-z, digits and _, a"),
        ("id: figures", "id: 5", "10: criteria.1.id: must be text (in quotes), not 5"),
        ("id: figures\n    na", "na", "10: criteria.1.id: is required"),
        ("      1: One is missing.\n", "", "13: criteria.1.levels: lacks 1; describe 0, 1 and 2"),
        ("1: One is missing.", "1:", "15: criteria.1.levels.1: must be text (in quotes), not an empty value"),
        ("1: One is missing.", "1: ''", "15: criteria.1.levels.1: must say something, not ''"),
        ("1: One is missing.", "1: 1", "15: criteria.1.levels.1: must be text (in quotes), not 1"),
        ("1: One is missing.", "3: Better.", "15: criteria.1.levels.3: must be 0, 1 or 2, not 3"),
        ("1: One is missing.", "'1': One.", "15: criteria.1.levels.1: must be 0, 1 or 2, not '1'"),
        ("1: One is missing.", "some: One.", "15: criteria.1.levels.some: must be 0, 1 or 2, not 'some'"),
        ("1: One is missing.", "1.5: One.", "15: criteria.1.levels.1.5: must be 0, 1 or 2, not 1.5"),
        ("1: One is missing.", "[1, 2]: One.", "13: criteria.1.levels: must be 0, 1 or 2"),
        ("1: One is missing.", "0: Twice.", '15: found duplicate key "0"'),
        ("1: One is missing.", "1: |\n        One.\n        Two.", "15: criteria.1.levels.1: must be one line "),
        ("Figures are exact.", '"a\\nb"', "12: criteria.1.statement: must be one line (in YAML, `>` joins lines)"),
        ("Figures are exact.", "", "12: criteria.1.statement: must be text (in quotes), not an empty value"),
        ("Figures are exact.", "yes", None),
        ("statement: Figures", "statment: Figures", "12: criteria.1.statment: unknown key; did you mean 'statement'?"),
        ("na: true", "weight: 2", "11: criteria.1.weight: unknown key; known: id, levels, na, statement"),
        ("na: true", "na: no", "11: criteria.1.na: must be true or false, not 'no'"),
        ("na: true", "na: 1", "11: criteria.1.na: must be true or false, not 1"),
        ("na: true", "na: true\n    allows_na: false", "12: criteria.1.allows_na: unknown key; did you mean 'na'?"),
        ("category: talk", "categry: talk", "1: categry: unknown key; did you mean 'category'?"),
        ("category: talk\n", "", "1: category: is required"),
        ("category: talk", "category: talk\nlanguage: fr", "2: language: must be 'en', 'ru' or 'zh', not 'fr'"),
        ("category: talk", "category: &a\n  - *a", "1: category: must be text (in quotes)"),
    ],
)  # fmt: skip
def test_each_mistake_has_its_line_field_and_fix(
    saved: Callable[[str], Path], old: str, new: str, message: str | None
) -> None:
    """One line, `file:line: field: what is wrong`, and exit code 2; a word that other YAML takes for true is a word."""
    assert old in RUBRIC
    path = saved(RUBRIC.replace(old, new))
    if message is None:
        assert read_rubric(path).criterion("figures").statement == new
        return
    with pytest.raises(InputError) as caught:
        read_rubric(path)
    assert str(caught.value).startswith(f"{path}:{message}")
    assert "\n" not in str(caught.value)
    assert caught.value.exit_code == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", ":1: a rubric is a mapping with category and criteria"),
        ("- id: faithfulness", ":1: a rubric is a mapping with category and criteria"),
        ("category: talk", ":1: criteria: is required"),
        ("category: talk\ncriteria: []", ":2: criteria: must be a list with at least one entry"),
        ("category: talk\ncriteria: none", ":2: criteria: must be a list, not 'none'"),
        ("category: talk\ncriteria: [one]", ":2: criteria.0: must be a mapping (name: value), not 'one'"),
        ("&all\ncategory: talk\ncriteria: *all", ": a part of the rubric holds itself; remove the alias"),
        ("category: talk\n? a:\n    b: {c: d}\n: e", ":1: a key must be text; put it in quotes"),
        ("[" * 500, ": not a rubric: nested too deeply"),
    ],
)
def test_what_is_no_rubric_is_refused(saved: Callable[[str], Path], text: str, message: str) -> None:
    """An empty file, another YAML or a bottomless one ends in one line too."""
    path = saved(text)
    with pytest.raises(InputError) as caught:
        read_rubric(path)
    assert str(caught.value).startswith(f"{path}{message}")
    assert "\n" not in str(caught.value)


def test_a_long_value_is_cut_in_the_message(saved: Callable[[str], Path]) -> None:
    """A pasted page does not fill the terminal."""
    with pytest.raises(InputError) as caught:
        read_rubric(saved(RUBRIC.replace("Figures are exact.", json.dumps("many words\n" * 1000))))
    assert len(str(caught.value)) < 300


def test_language_is_said_or_told(saved: Callable[[str], Path]) -> None:
    """Without `language:` the statements tell; `>` makes one line of many."""
    assert read_rubric(saved(RUBRIC)).language == "en"
    russian = RUBRIC.replace("All is grounded.", ">\n      Всё\n      обосновано.")
    russian = russian.replace("Figures are exact.", "Числа точны.")
    assert read_rubric(saved(russian)).language == "ru"
    assert read_rubric(saved(russian)).criteria[0].statement == "Всё обосновано."
    assert read_rubric(saved("language: zh\n" + russian)).language == "zh"


def test_na_is_refused_unless_the_file_allows_it(saved: Callable[[str], Path]) -> None:
    """A criterion without `na` always applies."""
    assert read_rubric(saved(RUBRIC)).criterion("figures").allows_na
    assert not read_rubric(saved(RUBRIC.replace("    na: true\n", ""))).criterion("figures").allows_na


def test_every_category_ships_in_every_language() -> None:
    """Nine categories and the default, and no file besides."""
    assert shipped_rubrics() == CATEGORIES
    assert [path.name for path in FILES] == [f"{name}.{language}.yaml" for name in CATEGORIES for language in LANGUAGES]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_shipped_rubric_keeps_the_rules(path: Path) -> None:
    """It is what its name says, judges faithfulness first and always, and has five to seven short criteria."""
    rubric = read_rubric(path)
    assert f"{rubric.category}.{rubric.language}" == path.stem
    assert rubric.criterion_ids[0] == FAITHFULNESS
    assert 5 <= len(rubric.criteria) <= 7
    assert any(not criterion.allows_na for criterion in rubric.criteria[1:])
    for criterion in rubric.criteria:
        texts = texts_of(criterion)
        assert len(set(texts)) == len(texts)
        for text in texts:
            n_units = len(text) if rubric.language == "zh" else len(text.split())
            assert n_units <= LONGEST[rubric.language], text
            assert re.fullmatch(r"[^.。!?！？]+[.。]", text), f"not one sentence: {text}"


@pytest.mark.parametrize("category", CATEGORIES)
def test_languages_have_the_same_criteria(category: str, tmp_path: Path) -> None:
    """Scores of sources in several languages can stand in one table: ids, their order and NA are the same."""
    rubrics = [rubric_for(category, None, language, tmp_path) for language in LANGUAGES]
    assert len({tuple((each.id, each.allows_na) for each in rubric.criteria) for rubric in rubrics}) == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_faithfulness_is_one_criterion_everywhere(language: Language, tmp_path: Path) -> None:
    """It is worded alike in all categories, so that it can be compared over them."""
    assert len({rubric_for(name, None, language, tmp_path).criteria[0].model_dump_json() for name in CATEGORIES}) == 1


def test_no_shipped_rubric_names_a_model() -> None:
    """Judges are blind, also to what a rubric could tell them."""
    families = {load_card(name).family.casefold() for name in card_names()}
    assert families
    for path in FILES:
        for criterion in read_rubric(path).criteria:
            words = set(re.findall(r"\w+", " ".join(texts_of(criterion)).casefold()))
            assert not words & (families | {"model", "llm", "gpt", "chatgpt", "system", "модель", "система", "模型"})


@pytest.mark.parametrize(
    ("category", "expected"),
    [
        ("meeting", "meeting"),
        ("Business Analysis", "business_analysis"),
        ("business-analysis", "business_analysis"),
        (" HEALTH_explainer ", "health_explainer"),
        ("podcast", "default"),
        ("../meeting", "default"),
        ("", "default"),
        (None, "default"),
    ],
)
def test_a_source_has_the_rubric_of_its_category(category: str | None, expected: str, tmp_path: Path) -> None:
    """However the category is spelt; one that has no rubric gets the default, which its `category` says."""
    rubric = rubric_for(None, category, "ru", tmp_path)
    assert (rubric.category, rubric.language) == (expected, "ru")


def test_a_named_rubric_goes_before_the_category(tmp_path: Path) -> None:
    """`rubric: contract` judges every source as a contract, in its own language."""
    rubric = rubric_for("Contract", "meeting", "zh", tmp_path)
    assert (rubric.category, rubric.language) == ("contract", "zh")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("meting", "methods.panel.rubric: there is no rubric 'meting'; did you mean 'meeting'? one of your own is "),
        (
            "xyz",
            "methods.panel.rubric: there is no rubric 'xyz'; shipped are article, business_analysis, contract, defau",
        ),
        ("", "methods.panel.rubric: there is no rubric ''; shipped are article, "),
    ],
)
def test_an_unknown_name_is_refused(name: str, message: str, tmp_path: Path) -> None:
    """A slip does not quietly become the default: it says what is near, or what there is."""
    with pytest.raises(InputError) as caught:
        rubric_for(name, "meeting", "en", tmp_path)
    assert str(caught.value).startswith(message)
    assert caught.value.exit_code == 2


def test_ones_own_rubric_is_named_by_its_path(saved: Callable[[str], Path], tmp_path: Path) -> None:
    """A relative path counts from the config's folder; a file that is not there, or is a folder, is named."""
    path = saved(RUBRIC)
    assert rubric_for("r.yaml", "meeting", "en", tmp_path) == read_rubric(path)
    assert rubric_for(str(path), "meeting", "en", Path("/")) == read_rubric(path)
    (tmp_path / "plain").write_text(RUBRIC)
    assert rubric_for("./plain", None, "en", tmp_path).category == "talk"
    for name in ("meeting.yaml", "./meeting", "a\0.yaml"):
        with pytest.raises(InputError, match=r"cannot be read .*give the path of a YAML rubric"):
            rubric_for(name, "meeting", "en", tmp_path)
    with pytest.raises(InputError, match=r"cannot be read \(Is a directory\)"):
        rubric_for("./", "meeting", "en", tmp_path)


def test_the_example_of_the_guide_is_a_rubric(saved: Callable[[str], Path]) -> None:
    """What docs/rubrics.md shows can be copied and used."""
    guide = (Path(__file__).parents[2] / "docs" / "rubrics.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```yaml\n(# lecture.yaml\n.*?)```", guide, re.DOTALL)
    rubric = read_rubric(saved(example))
    assert rubric.category == "lecture"
    assert any(criterion.allows_na for criterion in rubric.criteria)
