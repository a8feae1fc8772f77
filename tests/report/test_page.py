"""The page: whole in one file, safe, and the same numbers as words."""

import base64
import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any

import pytest

from localeval.evaluation import load_scores
from localeval.report.page import page
from localeval.report.pictures.affect import affect_pictures
from localeval.report.pictures.files import drawing_script
from localeval.report.pictures.picture import Picture
from tests.report.affect_scores import TARGETS, Study, affect_scores
from tests.report.page_reader import Page

Json = dict[str, Any]

DRAW = "window.vegaEmbed = () => Promise.resolve();"
PASSPORT = {"limits": ["Scores are of <this> judge alone."]}


def scores_with(affect: Json | None, **others: Json) -> Json:
    """A scores.json with these methods."""
    return {
        "name": "weekly <b>minutes</b>",
        "config": "c" * 64,
        "prompts": "d" * 64,
        "models": {"judge": "e" * 64},
        "leaderboard": {"rank_by": [], "systems": {}},
        "methods": ({"affect": affect} if affect else {}) | others,
    }


def page_of(affect: Json, passport: Mapping[str, Any] | None = PASSPORT, script: str = DRAW) -> str:
    return page(scores_with(affect), affect_pictures(affect), script, passport)


@pytest.fixture(scope="module")
def html() -> str:
    return page_of(affect_scores())


@pytest.fixture(scope="module")
def read(html: str) -> Page:
    return Page(html)


def test_page_is_whole_in_one_small_file() -> None:
    """With all that draws it, it is below 5 MB, and nothing in it is loaded from elsewhere."""
    html = page_of(affect_scores(), script=drawing_script())
    assert 500_000 < len(html.encode()) < 5_000_000
    found = Page(html)
    assert not [each for each in found.attributes if each[1] in {"src", "href", "srcset", "action", "data"}]
    assert "@import" not in html.split("<script>")[0]
    assert "url(" not in html.split("<script>")[0]
    assert not found.open


def test_scripts_are_those_of_the_policy_alone(read: Page) -> None:
    """The page's own policy lets a browser fetch nothing, and run no script but the two whose hashes it holds."""
    (policy,) = (value for tag, name, value in read.attributes if tag == "meta" and value and "default-src" in value)
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe-eval" not in policy
    run = [text for attributes, text in read.scripts if not attributes]
    assert run[0] == DRAW
    hashes = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in run]
    assert re.findall(r"'sha256-([^']+)'", policy) == hashes
    assert len(hashes) == 2


def test_what_texts_and_models_say_is_text(html: str, read: Page) -> None:
    """A target called `</script><script>` ends no script and begins none, in the tables as in the charts' data."""
    assert TARGETS[3] not in html
    assert len(read.scripts) == len(read.specs) + 2
    assert len(read.specs) == 5
    assert any(TARGETS[3] in json.dumps(spec) for spec in read.specs)
    assert any(row[0] == TARGETS[3] for table in read.tables for row in table)
    assert "weekly <b>minutes</b>" in read.text
    assert "Scores are of <this> judge alone." in read.text


@pytest.mark.parametrize("name", ["<!--<script>", "a & b &lt;", "\u2028'\"`${x}", "{{ name }}", "\ud800"])
def test_no_name_breaks_the_page(name: str) -> None:
    """Names with markup, quotes, line separators or half a character leave scripts, tables and charts whole."""
    found = Page(page_of(affect_scores(Study(targets=(name, "b", "c"), wordings=(), systems=()))))
    assert len(found.scripts) == len(found.specs) + 2
    assert not found.open
    assert found.specs[0]["datasets"]


def test_answers_come_first(read: Page) -> None:
    """The two questions are answered before any number is shown."""
    text = read.text
    first = text.index("Does the wording move the profile more than the model does? Yes")
    second = text.index("Do `whole` and `target` differ?")
    assert first < second < text.index("Profiles of targets")
    assert text.index("108 texts (elicited), read by judge") < first


def test_each_chart_has_a_name_a_caption_and_its_table(read: Page) -> None:
    """What a chart shows can be read without seeing it: a label, a caption, and every number as text."""
    found = [each for of_judge in affect_pictures(affect_scores()).values() for each in of_judge]
    labels = [value for tag, name, value in read.attributes if name == "aria-label"]
    for each in found:
        assert isinstance(each, Picture)
        assert each.title in labels
        assert each.caption in read.text
        assert [list(each.table.columns), *map(list, each.table.rows)] in read.tables
    assert ("html", "lang", "en") in read.attributes


def test_what_no_chart_shows_is_in_a_table(read: Page) -> None:
    """Means, target against whole, drift of whole profiles, groups and why they are refused, the judge's noise."""
    affect = affect_scores()
    mean = affect["judges"]["judge"]["wordings"]["evaluative"]["whole"]["valence"]
    words = f"{mean['value']:.2f} [{mean['low']:.2f} to {mean['high']:.2f}]"
    for row in (
        ["wording evaluative", "whole", "valence", words, "36", "0"],
        ["whole", "neutral → evaluative", "0.10", "0.040", "4"],
        ["target", "arousal", "open (2) less closed (1)", "none: a group of one system has no spread", "-"],
    ):
        assert any(row in table for table in read.tables), row
    (noise,) = (table for table in read.tables if "standard deviation of one reading" in table[0])
    assert [row[2] for row in noise[1:]] == ["0.03"] * 6
    assert any(row[0] == TARGETS[0] and len(row) == 5 for table in read.tables for row in table)


def test_groups_that_can_show_nothing_say_so() -> None:
    """Beside the p-value: a large one from so few systems is no sign of equal groups."""
    affect = affect_scores()
    few = {"difference": 0.1, "p_value": 0.1, "systems": [3, 3], "reason": "so few cannot show"}
    affect["judges"]["judge"]["groups"] = {"target": {"valence": {"first": "open", "second": "closed", **few}}}
    row = ["target", "valence", "open (3) less closed (3)", "+0.10", "0.100 (so few cannot show)"]
    assert any(row in table for table in Page(page_of(affect)).tables)


def test_limits_and_ceilings_are_told(read: Page) -> None:
    """The passport's sentences, each axis with its status, and what people reach on it."""
    limits = read.text[read.text.rindex("Limits") :]
    assert "arousal: directional; read which is higher, not by how much" in limits
    assert "people reach alpha 0.25, reliability of their mean 0.61" in limits
    assert "EmoBank" in limits
    assert "Scores are of" not in Page(page_of(affect_scores(), passport=None)).text


def test_what_is_left_out_is_told() -> None:
    """A chart without data leaves a sentence; missing scores are counted at the top."""
    affect = affect_scores(Study(wordings=(), missing=3)) | {"missing_proposals": 2}
    text = Page(page_of(affect)).text
    assert "Left out: Drift between wordings, by judge judge: no texts were elicited by wordings." in text
    assert "Missing: 12 of 216 scores (3 no evidence); in no number" in text
    assert "Missing: 2 proposals of further targets" in text


def test_equal_scores_give_equal_pages(html: str) -> None:
    """No date, no random id: a page can be compared byte by byte."""
    assert page_of(affect_scores()) == html


def test_page_suits_dark_light_and_paper(html: str, read: Page) -> None:
    """Charts take the colour of the text around them, which the style sheet sets for light, dark and print."""
    for media in ("(prefers-color-scheme: dark)", "print"):
        assert f"@media {media}" in html
    for spec in read.specs:
        assert spec["config"]["background"] == "transparent"
        assert spec["config"]["axis"]["labelColor"] == "currentColor"


def test_other_methods_have_the_leaderboard(judged_run: Any) -> None:
    """A run without affect has its systems, best first, with their numbers, and neither chart nor script."""
    scores = load_scores(judged_run)
    found = Page(page(scores, {}, ""))
    table, sources = found.tables
    assert [row[0] for row in sources] == ["category", "meeting", "weather"]
    assert table[0][:3] == ["rank", "system", "fabrications"]
    assert [row[1] for row in table[1:]] == list(scores["leaderboard"]["systems"])
    assert "[bold]" in {row[1] for row in table[1:]}
    assert all(len(row) == len(table[0]) for row in table)
    assert found.scripts == []
    assert any(value and "script-src 'none'" in value for _, name, value in found.attributes if name == "content")
