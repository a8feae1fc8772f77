"""The mark of a refused judge: no number that it touches stands without one, on no page, picture or terminal.

What a method touches is found by changing its numbers: whatever then reads otherwise came of it. A new part of a page
that shows a number without the mark fails here, without being named.
"""

import copy
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from localeval.decision.recommend import decide
from localeval.decision.schemas import SelectSettings
from localeval.evaluation import load_scores
from localeval.methods.leaderboard import leaderboard
from localeval.report.decision_terminal import print_decision
from localeval.report.leaderboard_terminal import print_scores
from localeval.report.making import make_report
from localeval.report.marks import (
    SIGN,
    WORDS,
    mark_affect,
    mark_heading,
    mark_lines,
    mark_number,
    mark_picture,
    mark_table,
    marks_of,
)
from localeval.report.page import page
from localeval.report.pictures.affect import affect_pictures
from localeval.report.pictures.files import with_title
from localeval.report.pictures.picture import Picture, Table
from localeval.report.selecting import selection_of
from tests.report.affect_scores import Study, affect_scores
from tests.report.page_reader import Page
from tests.report.printing import printed
from tests.report.selection_files import (
    RULES,
    selection_decision,
    selection_ledger,
    selection_plan,
    selection_scores,
    write_files,
)

Json = dict[str, Any]

DRAW = "window.vegaEmbed = () => Promise.resolve();"
REASON = "detection too low"
_GIVEN = ("settings", "judged", "ceilings", "axes", "texts")
"""What no judge has said: settings, what people reach, how many texts there are."""
RANKING = ("audit", "panel", "quiz")


def state(method: str, model: str, found: str = "refused") -> Json:
    """A judge as scores.json knows it."""
    return {
        "model": model,
        "method": method,
        "key": "k",
        "state": found,
        "forced": found == "refused",
        "reasons": [REASON] if found == "refused" else [],
        "made": "2026-11-30" if found == "refused" else "",
        "detection": None,
        "false_alarm": None,
        "balanced": None,
        "test": None,
    }


def changed(body: Any) -> Any:
    """The same with every number in it another, in the same order; settings and labels of people stay."""
    if isinstance(body, dict):
        return {name: value if name in _GIVEN else changed(value) for name, value in body.items()}
    if isinstance(body, list):
        return [changed(each) for each in body]
    if isinstance(body, bool) or body is None or isinstance(body, str):
        return body
    if isinstance(body, int):
        return body + 3 if body else body
    return body * 0.81


def with_changed(scores: Json, method: str) -> Json:
    """The scores with other numbers of a method, the leaderboard made anew from them."""
    found = copy.deepcopy(scores)
    found["methods"][method] = changed(found["methods"][method])
    rows = leaderboard(found["methods"], found["leaderboard"]["rank_by"])["systems"]
    board = found["leaderboard"]["systems"]
    for name, row in board.items():
        row.update({field: value for field, value in rows[name].items() if field != "rank"})
    return found


def refused(scores: Json, *judges: Json) -> Json:
    """The scores with these judges."""
    return {**scores, "judges": list(judges)}


@pytest.fixture(scope="module")
def whole(judged_run: Path) -> Json:
    """scores.json of a run by quiz, panel and audit, with affect by two judges."""
    scores = load_scores(judged_run)
    scores["methods"]["affect"] = affect_scores(Study(judges=("big", "small")))
    return scores


@pytest.fixture(scope="module")
def selection(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Json], Path]:
    """Makes the folder of a selection, with decision, ledger and plan of these scores."""

    def made(scores: Json) -> Path:
        folder = tmp_path_factory.mktemp("selection")
        decision = selection_decision(scores)
        return write_files(folder, decision=decision, ledger=selection_ledger(), plan=selection_plan())

    return made


def html_of(scores: Json, run: Path | None = None) -> str:
    affect = scores["methods"].get("affect")
    pictures = mark_affect(affect_pictures(affect), marks_of(scores)) if affect else {}
    return page(scores, pictures, DRAW, None, selection_of(run, scores) if run else None)


def pieces(html: str) -> Iterator[str]:
    """Every cell and every text of a page."""
    found = Page(html)
    yield from (cell for table in found.tables for row in table for cell in row)
    yield from (" ".join(words.split()) for words in found.words if words.strip())


def touched(before: Iterable[str], after: Iterable[str]) -> list[str]:
    """What is no more to be read once the numbers are others."""
    left = set(after)
    return [piece for piece in dict.fromkeys(before) if piece not in left and re.search(r"\d", piece)]


def tokens(out: str) -> list[str]:
    """The cells of the tables and the lines of a terminal."""
    return [cell.strip() for line in out.splitlines() for cell in re.split(r"\s{2,}", line.strip()) if cell]


@pytest.mark.parametrize(("method", "least"), [("audit", 3), ("panel", 4), ("quiz", 1), ("affect", 100)])
def test_no_number_of_a_refused_judge_is_unmarked_on_the_page(whole: Json, method: str, least: int) -> None:
    """Cells, lines, captions: whatever changes with the method's numbers has the sign."""
    scores = refused(whole, state(method, "big"), state(method, "small"))
    found = touched(pieces(html_of(scores)), pieces(html_of(with_changed(scores, method))))
    assert len(found) >= least
    assert [piece for piece in found if SIGN not in piece] == []


@pytest.mark.parametrize("method", ["audit", "panel"])
def test_no_number_of_a_refused_judge_is_unmarked_in_a_selection(
    selection: Callable[[Json], Path], method: str
) -> None:
    """The recommendation, its rules and tables, the pictures: all that changes with the numbers has the sign, and costs
    have none."""
    scores = refused(selection_scores(), state(method, "j"))
    before = html_of(scores, selection(scores))
    other = with_changed(scores, method)
    found = touched(pieces(before), pieces(html_of(other, selection(other))))
    assert len(found) >= 6
    assert [piece for piece in found if SIGN not in piece] == []
    (costs,) = [table for table in Page(before).tables if "model" in table[0] and "energy" in " ".join(table[0])][:1]
    assert SIGN not in " ".join(cell for row in costs for cell in row)


@pytest.mark.parametrize(("method", "least"), [("audit", 4), ("panel", 6), ("quiz", 4), ("affect", 50)])
def test_no_number_of_a_refused_judge_is_unmarked_on_a_terminal(whole: Json, method: str, least: int) -> None:
    """Each cell of the leaderboard and of affect's tables, each line beneath."""
    scores = refused(whole, state(method, "big"), state(method, "small"))
    before, after = (
        printed(lambda shown=shown: print_scores(shown), columns=1000)  # type: ignore[misc]
        for shown in (scores, with_changed(scores, method))
    )
    found = touched(tokens(before), tokens(after))
    assert len(found) >= least
    assert [piece for piece in found if SIGN not in piece] == []


def test_a_quiz_alone_is_marked_in_its_own_table(whole: Json) -> None:
    """Also what was kept, bent and lost."""
    alone = {**whole, "methods": {"quiz": whole["methods"]["quiz"]}}
    board = leaderboard(alone["methods"], ["cap_f1"])
    scores = refused({**alone, "leaderboard": board}, state("quiz", "small"))
    before, after = (
        printed(lambda shown=shown: print_scores(shown), columns=1000)  # type: ignore[misc]
        for shown in (scores, with_changed(scores, "quiz"))
    )
    found = touched(tokens(before), tokens(after))
    assert len(found) >= 4
    assert [piece for piece in found if SIGN not in piece] == []


@pytest.mark.parametrize("method", ["audit", "panel"])
def test_no_number_of_a_refused_judge_is_unmarked_in_a_decision(method: str) -> None:
    """On a terminal: the table and every sentence."""
    scores = refused(selection_scores(), state(method, "j"))
    before, after = (
        printed(lambda shown=shown: print_decision(selection_decision(shown)), columns=400)  # type: ignore[misc]
        for shown in (scores, with_changed(scores, method))
    )
    found = touched(tokens(before), tokens(after))
    assert len(found) >= 3
    assert [piece for piece in found if SIGN not in piece] == []


@pytest.mark.parametrize("method", ["audit", "panel", "affect"])
def test_every_picture_that_changes_says_so_in_its_title_and_caption(
    whole: Json, selection: Callable[[Json], Path], method: str
) -> None:
    """As a PNG or SVG file it stands alone: the title names the method, the caption the judge and the reason."""
    scores = refused(
        whole if method == "affect" else selection_scores(), *(state(method, name) for name in ("big", "small"))
    )
    before, after = (drawn(each, selection) for each in (scores, with_changed(scores, method)))
    moved = [one for one, other in zip(before, after, strict=True) if one.spec != other.spec]
    assert moved
    for picture in moved:
        title = with_title(picture)["title"]
        assert f"{WORDS}: {method}]" in " ".join(title["text"])
        assert f"is refused by its check of 2026-11-30: {REASON}." in " ".join(title["subtitle"])


def drawn(scores: Json, selection: Callable[[Json], Path]) -> list[Picture]:
    """Every picture of a run's report."""
    affect = scores["methods"].get("affect")
    if affect:
        flat = [each for found in mark_affect(affect_pictures(affect), marks_of(scores)).values() for each in found]
    else:
        parts = selection_of(selection(scores), scores).parts
        flat = [each for part in parts for each in part.pictures]
    return [each for each in flat if isinstance(each, Picture)]


@pytest.mark.parametrize("method", RANKING)
def test_the_numbers_of_other_methods_are_not_marked(whole: Json, method: str) -> None:
    """Their columns of the leaderboard, on the page and on a terminal, and their lines, have no sign."""
    scores = refused(whole, state(method, "big"))
    others = [each for each in (*RANKING, "affect") if each != method]
    for other in others:
        for show in (lambda shown: list(pieces(html_of(shown))), lambda shown: tokens(_terminal(shown))):
            found = touched(show(scores), show(with_changed(scores, other)))
            assert found
            assert [piece for piece in found if SIGN in piece] == []


def _terminal(scores: Json) -> str:
    return printed(lambda: print_scores(scores), columns=1000)


def test_a_judge_of_affect_that_passed_is_not_marked_for_another(whole: Json) -> None:
    """Their numbers are never mixed: the section of one is marked, that of the other is not."""
    found = Page(html_of(refused(whole, state("affect", "small"), state("affect", "big", "passed")))).text
    assert f"Affect, by judge small [{SIGN} {WORDS}: affect]" in found
    assert "Affect, by judge big How" in found or "Affect, by judge big [" not in found
    out = _terminal(refused(whole, state("affect", "small"), state("affect", "big", "passed")))
    titles = [line for line in out.splitlines() if "as small reads them" in line or "as big reads them" in line]
    assert [WORDS in line for line in titles] == ["small" in line for line in titles]
    assert any("small" in line for line in titles)
    assert any("big" in line for line in titles)


def test_a_page_says_first_who_is_refused_and_why(whole: Json) -> None:
    """Before any number, and in its title."""
    html = html_of(refused(whole, state("audit", "big"), state("panel", "small")))
    found = Page(html).text
    told = f"{SIGN} audit: the judge big is refused by its check of 2026-11-30: {REASON}"
    assert told in found
    assert found.index(told) < found.index("Systems")
    assert f"<title>judged [{SIGN} {WORDS}: audit, panel]" in html


def test_every_heading_above_marked_numbers_has_the_words(whole: Json) -> None:
    """A picture of a part of the screen shows it."""
    headings = re.findall(r"<h2[^>]*>([^<]*)</h2>", html_of(refused(whole, state("quiz", "m"), state("affect", "big"))))
    assert [each for each in headings if WORDS not in each] == ["Affect, by judge small"]
    assert len(headings) >= 4


def test_a_refusal_stands_beneath_the_leaderboard(whole: Json) -> None:
    """Before the methods' own lines, on a terminal of 80 columns, too."""
    for columns in (80, 200):
        out = printed(lambda: print_scores(refused(whole, state("panel", "big"))), columns=columns)
        assert f"{SIGN} panel: the judge big is refused by its check of 2026-11-30: {REASON}" in " ".join(out.split())
        assert out.index("is refused by") < out.index("audit:\n")
        assert SIGN not in out[out.index("audit:\n") : out.index("panel:\n")]


def test_a_narrow_leaderboard_keeps_the_sign_at_the_number(whole: Json) -> None:
    """Where the interval stands beneath, the sign stands with the value."""
    out = printed(lambda: print_scores(refused(whole, state("panel", "big"))), columns=80)
    row = next(line for line in out.splitlines() if re.match(r" *\d!? *bad", line))
    assert re.search(r"\d!", row)


def test_finalists_of_a_refused_panel_are_told(whole: Json) -> None:
    """Whom the audit looked at is the panel's doing."""
    scores = copy.deepcopy(refused(whole, state("panel", "big")))
    scores["methods"]["audit"]["finalists"] = {"systems": ["bad"], "sources": ["talk"], "why": []}
    assert "audit: its finalists were chosen by that panel" in marks_of(scores).lines


def test_judges_that_nobody_checked_are_one_quiet_line(whole: Json) -> None:
    """At the end of the terminal's output and among the page's limits; no number is marked."""
    scores = refused(whole, state("audit", "big", "unchecked"), state("audit", "small", "unchecked"))
    out = printed(lambda: print_scores(scores), columns=200)
    told = "judges not checked: audit by big, small. Check them: localeval judges check CONFIG"
    assert out.splitlines()[-1] == told
    assert out.count("not checked") == 1
    assert SIGN not in out
    page_text = Page(html_of(scores)).text
    assert told.removeprefix("j") in page_text
    assert SIGN not in page_text


def test_judges_that_passed_leave_no_trace(whole: Json) -> None:
    """Nor does a run from before there were checks."""
    without = {name: part for name, part in whole.items() if name != "judges"}
    passed = refused(whole, state("audit", "big", "passed"))
    assert _terminal(passed) == _terminal(without)
    assert html_of(passed) == html_of(without)
    assert SIGN not in _terminal(passed)


def test_a_recommendation_says_what_it_rests_on() -> None:
    """In its first sentence; the refusal is the first warning, and stands before the argument."""
    scores = refused(selection_scores(), state("panel", "j"))
    decision = selection_decision(scores)
    assert decision["text"][0].endswith("; this rests on a refused judge (panel).")
    assert decision["warnings"][0] == f"panel: the judge j is refused by its check of 2026-11-30: {REASON}"
    assert decision["refused"] == {"panel": [decision["warnings"][0]]}
    out = printed(lambda: print_decision(decision), columns=200)
    assert out.index(REASON) < out.index("Recommended") or out.index(REASON) < out.index("Nothing is recommended")
    sound = selection_decision(refused(selection_scores(), state("panel", "j", "passed"), state("affect", "j")))
    assert sound["refused"] == {}
    assert sound | {"refused": {}} == selection_decision(selection_scores())


def test_a_decision_from_before_there_were_checks_is_shown_as_it_was(selection: Callable[[Json], Path]) -> None:
    """It says nothing of refused judges."""
    scores = selection_scores()
    decision = decide(scores, None, SelectSettings(require=RULES))
    old = {name: value for name, value in decision.items() if name != "refused"}
    shown = [printed(lambda each=each: print_decision(each), columns=200) for each in (decision, old)]  # type: ignore[misc]
    assert shown[0] == shown[1]
    assert SIGN not in shown[0]


def test_the_files_of_a_report_are_marked(tmp_path: Path, selection: Callable[[Json], Path]) -> None:
    """The page and the SVG files that `localeval report` writes say whose judge is refused."""
    scores = refused(selection_scores(), state("panel", "j")) | {"schema": "localeval.scores/1"}
    run = write_files(selection(scores), scores=scores)
    (run / "store.sqlite").touch()
    made = make_report(run, tmp_path / "page.html", tmp_path / "pictures")
    assert f"[{SIGN} {WORDS}: panel]" in (tmp_path / "page.html").read_text()
    drawings = [path for path in made.written if path.suffix == ".svg"]
    assert drawings
    for path in drawings:
        assert WORDS in path.read_text()
        assert REASON in path.read_text().replace("</tspan>", " ")


def test_marks_on_words_and_tables() -> None:
    """A number has the sign behind it, a cell without one has none; names keep their digits as they are."""
    assert mark_number("72 [60-80]") == "72! [60-80]"
    assert mark_number("0.40 [0.3-0.5]") == "0.40! [0.3-0.5]"
    assert mark_number("1,234") == "1,234!"
    assert mark_number("-") == "-"
    assert mark_number("72", is_marked=False) == "72"
    assert list(mark_lines(["a", ""])) == ["! a", ""]
    assert mark_heading("Systems", ()) == "Systems"
    table = Table(("system", "score"), (("gpt-4", "72"), ("b", "-")), "Scores")
    marked = mark_table(table, ("quiz",))
    assert marked == Table(("system", "score !"), (("gpt-4", "72!"), ("b", "-")), "Scores [! judge refused: quiz]")
    assert mark_table(table, ()) is table
    picture = Picture("p", "Title", "Caption.", table, {})
    assert mark_picture(picture, (), ()) is picture
    assert mark_picture(picture, ("quiz",), ["why"]).caption == "Caption. ! why."
