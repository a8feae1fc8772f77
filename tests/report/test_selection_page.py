"""The page of a model selection: the decision first, costs, what had been expected, what was written."""

import json
from pathlib import Path
from typing import Any

import pytest

from localeval.errors import StoreError
from localeval.evaluation import run
from localeval.report.expected_page import deviation
from localeval.report.making import make_report
from localeval.report.page import page
from localeval.report.selecting import selection_of
from tests.report.page_reader import Page
from tests.report.printing import TRICKS
from tests.report.selection_files import (
    NAMES,
    RULES,
    Json,
    Names,
    selection_decision,
    selection_ledger,
    selection_plan,
    selection_scores,
    write_files,
)
from tests.systems_project import make_selection

DRAW = "window.vegaEmbed = () => Promise.resolve();"
FIRST, SECOND, THIRD, FOURTH = NAMES


def html_of(folder: Path, names: Names = NAMES, **changed: Json) -> str:
    """The page of a run whose files are made by hand."""
    scores = selection_scores(names)
    made = {
        "decision": selection_decision(scores, names),
        "ledger": selection_ledger(names[0]),
        "plan": selection_plan(),
    }
    write_files(folder, **(made | changed))
    return page(scores, {}, DRAW, None, selection_of(folder, scores))


def table_of(found: Page, *columns: str) -> dict[str, list[str]]:
    """The only table with these columns, by the first cell of its rows."""
    (table,) = (each for each in found.tables if set(columns) <= set(each[0]))
    return {row[0]: row for row in table[1:]}


@pytest.fixture(scope="module")
def read(tmp_path_factory: pytest.TempPathFactory) -> Page:
    return Page(html_of(tmp_path_factory.mktemp("made")))


def test_the_decision_comes_first_and_whole(read: Page) -> None:
    """The recommendation, then its argument, what would change it, and every warning, each once, before any other
    heading."""
    decision = selection_decision(selection_scores())
    text = read.text
    places = [text.index(each) for each in (decision["text"][0], "Rules", "What would change it", "What to know")]
    assert places == sorted(places)
    assert decision["recommended"] == SECOND
    for sentence in (*decision["text"], *decision["would_change"], *decision["warnings"]):
        assert text.count(sentence) == 1, sentence
        assert text.index(sentence) < text.index("How the systems stand")
    assert text.index("How the systems stand") < text.index("Systems weighed") < text.index("What it cost")


def test_each_rule_says_who_passes(read: Page) -> None:
    """By what value a rule is fulfilled or not; what is not known has not failed."""
    rows = table_of(read, "all rules", *RULES)
    assert rows[f"{FIRST} (runner-up, generic prompt)"][1:] == [
        "passes",
        "fulfilled: 0",
        "fulfilled: 4",
        "fulfilled: 7.15",
    ]
    assert rows[THIRD][1:3] == ["fails", "NOT fulfilled: 1"]
    assert rows[FOURTH][1] == "not known, so it does not pass"
    assert rows[FOURTH][2] == "not known: not audited"


def test_incumbent_and_generic_prompts_are_marked_wherever_a_system_stands(read: Page) -> None:
    """In the decision, the leaderboard, the charts, the costs and the list of texts."""
    (board,) = (table for table in read.tables if table[0][0] == "rank")
    assert {row[1] for row in board[1:]} == {f"{FIRST} (generic prompt)", THIRD, f"{SECOND} (incumbent)", FOURTH}
    assert f"{FIRST} (generic prompt)" in table_of(read, "a text, median")
    assert f"{SECOND} (incumbent)" in table_of(read, "asked more than once")
    assert f"{SECOND} (recommended, incumbent)" in table_of(read, "rank", "front")
    assert f"{SECOND} (recommended, incumbent)" in json.dumps(read.specs[0])


def test_sources_are_told_by_category(read: Page) -> None:
    """How many of how many were chosen, which were left out, and what the choice cannot speak of."""
    rows = table_of(read, "category", "left out")
    assert rows["meeting"] == ["meeting", "2", "3", "s9"]
    assert rows["lecture"] == ["lecture", "2", "2", "-"]
    assert "Few of each." in read.text


def test_numbers_have_their_unit_and_interval(read: Page) -> None:
    """Each measure that is known of any system; beside what is not known stands why."""
    decision = selection_decision(selection_scores())
    rows = table_of(read, "rank", "front")
    (table,) = (each for each in read.tables if {"rank", "front"} <= set(each[0]))
    at = table[0].index
    told = decision["systems"][THIRD]["measures"]["consensus"]
    low, high = (f"{told[end] * 100:.1f}" for end in ("low", "high"))
    assert rows[THIRD][at("consensus, points of 100")] == f"85.2 [{low} to {high}]"
    assert rows[THIRD][at("writing 1,000 texts, EUR")] == "3.5"
    assert rows[FOURTH][at("seconds a text, median")] == "not known: not written in this run"
    assert "CapF1, %" not in table[0]
    assert rows[FOURTH][at("front")].startswith("dominated by ")


def test_local_and_hosted_models_are_in_one_table(read: Page) -> None:
    """What is not known is said so, a sum that lacks a part is "at least", and neither is ever 0."""
    rows = table_of(read, "model", "kind", "does")
    assert rows["small"][1:] == [
        *("local", "judge", "2", "at least 12.3M", "50%", "at least 98.8k"),
        *("at least 34.3 h", "at least 2.53 kWh", "at least 68.60"),
    ]
    assert rows["served"][1:] == ["hosted", "-", "1", "12.3M", "50%", "98.8k", "-", "-", "16.42"]
    assert rows["free"][-1] == "not known"
    assert rows["rules"][-1] == "-"
    for words in (
        "At least: a part is not known.",
        "-: there is nothing of the kind.",
        "1 call came without an answer.",
    ):
        assert words in read.text
    assert "1 reply of earlier runs, at no cost here." in read.text


def test_costs_of_texts_stages_and_loads(read: Page) -> None:
    """What 1,000 texts take, seconds by median and 95th percentile, each stage, loads, all."""
    system = table_of(read, "a text, median")[f"{FIRST} (generic prompt)"]
    assert system[1:] == ["small", "68586.67", "34293 h", "91 s", "91 s", "10 s", "812", "0"]
    stages = table_of(read, "stage", "energy")
    assert stages["generate"][-3:] == ["34.3 h", "2.50 kWh", "68.59"]
    assert stages["loads"][-3:] == ["20 s", "27.8 Wh", "0.0111"]
    assert stages["all"][-1] == "at least 85.02"
    assert table_of(read, "times", "took")["small"][1:4] == ["1", "20 s", "50 s"]
    assert (
        "Judging 1,000 texts like these 4, without loads: at least 4105.08 EUR, at least 4 min of a device."
        in read.text
    )


def test_what_was_expected_stands_beside_what_it_took(read: Page) -> None:
    """Seconds of the rest, loads and money with their deviation; the order of loads; what cannot be compared is not."""
    (table,) = (each for each in read.tables if each[0][-1] == "off by")
    assert ["work", "small", "generate/write", "25.0 h", "26.0 h", "+4 %"] in table
    assert ["loading", "small", "", "9.0 s", "11 s", "+22 %"] in table
    assert ["number of loads", "small", "", "2", "1", "-50 %"] in table
    (money,) = (row for row in table if row[0] == "money")
    assert money[-2:] == ["at least 85.02 EUR", "-"]
    assert "Calibrated on s1." in read.text
    assert "Order of loads: small." in read.text


def test_a_plan_without_a_pilot_says_so(tmp_path: Path) -> None:
    """Its seconds are from sizes alone."""
    assert "Not calibrated" in Page(html_of(tmp_path, plan=selection_plan(pilot=False))).text


@pytest.mark.parametrize(("ratio", "words"), [(1.23, "+23 %"), (0.5, "-50 %"), (1.001, "0 %"), (None, "-")])
def test_deviation_is_of_what_was_expected(ratio: float | None, words: str) -> None:
    """In percent with its sign."""
    assert deviation(ratio) == words


def test_missing_texts_have_their_reason(read: Page) -> None:
    """Each with its system and source; how many were asked again."""
    assert ["phi-4-mini", "s3", "truncated", "-"] in next(each for each in read.tables if "reason" in each[0])
    assert "Missing: 1 text (1 truncated); nothing was scored in their place." in read.text
    assert table_of(read, "asked more than once")[THIRD][1:] == [f"model of {THIRD}", "3", "1", "812", "200", "1"]


@pytest.mark.parametrize("first", [0, 2])
def test_names_are_text(first: int, tmp_path: Path) -> None:
    """Markup in names is shown, never obeyed, and the page loads nothing."""
    names: Names = (TRICKS[first], TRICKS[first + 1], "</script><script>alert(2)</script>", "{{ x }}\u2028")
    html = html_of(tmp_path, names)
    found = Page(html)
    assert not found.open
    assert len(found.scripts) == len(found.specs) + 2
    assert "alert(2)</script>" not in html
    assert any(names[2] in row[0] for table in found.tables for row in table)
    assert not [each for each in found.attributes if each[1] in {"src", "href", "srcset", "action", "data"}]
    assert any(
        value and value.startswith("default-src 'none'; script-src 'sha256-") for _, _, value in found.attributes
    )


def test_a_run_without_these_files_has_the_page_it_had(tmp_path: Path) -> None:
    """No decision, no costs, no chart, no script; the leaderboard stands."""
    scores = selection_scores()
    found = Page(page(scores, {}, DRAW, None, selection_of(tmp_path, scores)))
    assert found.scripts == []
    assert "Decision" not in found.text
    assert "What it cost" not in found.text
    assert found.tables[0][0][:2] == ["rank", "system"]


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("decision", {"schema": "localeval.decision/1", "systems": {"x": {}}}),
        ("ledger", {"schema": "localeval.ledger/1", "models": [1]}),
        ("plan", {"schema": "localeval.plan/1", "pilot": 3}),
        ("plan", {"schema": "localeval.plan/1", "pilot": None, "stages": [], "loads": []}),
    ],
)
def test_a_damaged_file_is_named(name: str, body: Json, tmp_path: Path) -> None:
    """One line, whatever part of it is lacking."""
    with pytest.raises(StoreError, match=rf"{name}\.json is damaged") as error:
        html_of(tmp_path, **{name: body})
    assert "\n" not in str(error.value)


def test_a_file_of_another_version_is_refused(tmp_path: Path) -> None:
    """With what to do about it."""
    with pytest.raises(StoreError, match=r"ledger\.json: `schema` is 'localeval\.ledger/9'.*localeval score"):
        html_of(tmp_path, ledger={"schema": "localeval.ledger/9"})


@pytest.fixture(scope="module")
def selected(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run of three systems and two judges."""
    folder = tmp_path_factory.mktemp("selected")
    rules = 'prices: {currency: EUR}\nselect: {require: ["disagreement <= 5"], best: consensus}'
    config = make_selection(folder, {"long": "a", "<b>terse": "b", "short": "a"}, ["a", "b"], n_sources=3, more=rules)
    run(config, folder / "run")
    return folder / "run"


def test_a_real_run_has_all_of_it(selected: Path, tmp_path: Path) -> None:
    """The page and the picture of a run; the same files give the same bytes, and what is left out is told."""
    made = make_report(selected, tmp_path / "page.html", tmp_path / "charts")
    names = [path.name for path in made.written]
    assert names == ["page.html", "front-seconds.png", "front-seconds.svg"]
    (left_out,) = made.left_out
    assert left_out.title == "Consensus against fabrications and cost"
    assert left_out.why == "fabrications not known (no audit in this run); cost not known (no price)"
    html = (tmp_path / "page.html").read_text(encoding="utf-8")
    found = Page(html)
    decision: dict[str, Any] = json.loads((selected / "decision.json").read_text(encoding="utf-8"))
    assert decision["text"][0] in found.text
    assert "scripted, so a rehearsal" in found.text
    assert set(table_of(found, "a text, median")) == {"long", "<b>terse", "short"}
    make_report(selected, tmp_path / "again.html")
    assert (tmp_path / "again.html").read_text(encoding="utf-8") == html


def test_an_audited_run_is_drawn_by_its_fabrications(judged_run: Path, tmp_path: Path) -> None:
    """Texts from files have no cost and no seconds, which is said; their fabrications are weighed."""
    made = make_report(judged_run, tmp_path / "page.html", tmp_path / "charts")
    assert [path.name for path in made.written[1:]] == ["front-fabrications.png", "front-fabrications.svg"]
    assert (
        made.left_out[0].why == "cost not known (not written in this run); seconds not known (not written in this run)"
    )
    found = Page((tmp_path / "page.html").read_text(encoding="utf-8"))
    decision: dict[str, Any] = json.loads((judged_run / "decision.json").read_text(encoding="utf-8"))
    drawn = [row for each in found.specs[0]["datasets"].values() for row in each if "standing" in row]
    values = {row["system"].split(" (")[0]: row["x"] for row in drawn}
    assert values.keys() == decision["systems"].keys()
    told = decision["systems"]["bad"]["measures"]["fabrications"]["value"]
    assert told > 0
    assert values["bad"] == told
