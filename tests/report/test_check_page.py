"""What a check shows: on a terminal, on its page, and its heat map."""

import copy
import re
from pathlib import Path
from typing import Any

import pytest

from localeval.checking.checking import check_judges
from localeval.report.check_page import write_check_page
from localeval.report.check_rows import judge_rows, kind_rows, place_rows, reason_lines, shortened_line
from localeval.report.check_terminal import print_check
from localeval.report.pictures.heat import heat_picture
from localeval.report.pictures.picture import NoPicture, Picture
from tests.checking.check_project import make_check_project

Json = dict[str, Any]


@pytest.fixture(scope="module")
def check(tmp_path_factory: pytest.TempPathFactory) -> Json:
    """A check of a judge that sees nothing."""
    folder = tmp_path_factory.mktemp("check")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
        return check_judges(make_check_project(folder / "p", "blunt"), folder / "c").check


def test_the_terminal_says_who_is_refused_and_why(check: Json, capsys: pytest.CaptureFixture[str]) -> None:
    """Every judge, its shares, each reason, each kind, and the files."""
    print_check(check, Path("runs/x.check"))
    shown = capsys.readouterr().out
    assert "blunt  panel" in shown
    assert "detection 0 % is below the bar of 50 %" in " ".join(shown.split())
    assert "wrong owner" in shown
    assert "check.html" in shown


def test_rows_count_what_check_json_counts(check: Json) -> None:
    """Found and planted by kind add up to the detection of the judge; places likewise."""
    panel = next(number for number, judge in enumerate(check["judges"]) if judge["method"] == "panel")
    judge = check["judges"][panel]
    cells = [row[1 + panel] for row in kind_rows(check) if "blamed" not in row[0] and row[0] != "dropped sentence"]
    assert sum(int(cell.split(" of ")[1]) for cell in cells if " of " in cell) == judge["detection"]["n"]
    placed = [cell for row in place_rows(judge) for cell in row[1:-1] if " of " in cell]
    whole = [row for row in check["texts"] if row["role"] == "planted" and row["view"] == "whole"]
    expected = [row for row in whole if row["position"] is not None and row["kind"] != "dropped sentence"]
    assert sum(int(cell.split(" of ")[1]) for cell in placed) == len(expected)
    assert all(row[-1] == "refused" for row in judge_rows(check))
    assert len([*reason_lines(check)]) == len(check["judges"])
    assert "first 50 %" in shortened_line(judge)


def test_the_page_needs_nothing_from_elsewhere_and_obeys_no_name(check: Json, tmp_path: Path) -> None:
    """A name that is markup is shown as it is; nothing is fetched; every text has its row."""
    hostile = copy.deepcopy(check)
    hostile["name"] = "<script>alert(1)</script>"
    path = tmp_path / "check.html"
    write_check_page(hostile, path)
    html = path.read_text(encoding="utf-8")
    assert "<script>alert" not in html
    assert "default-src &#39;none&#39;" in html
    assert not re.search(r'(?:src|href)="http', html)
    whole = [row for row in check["texts"] if row["view"] == "whole"]
    assert all(f">{row['id']}<" in html for row in whole)


def test_the_heat_map_draws_each_cell_that_has_errors(check: Json) -> None:
    """As many shades as cells with a number; the quiz has no places, and says why."""
    by_method = {judge["method"]: judge for judge in check["judges"]}
    drawn = heat_picture(by_method["audit"], 1)
    assert isinstance(drawn, Picture)
    cells = [cell for cell in by_method["audit"]["heat"] if cell["detection"]["value"] is not None]
    (values,) = drawn.spec["datasets"].values()
    assert len(values) == len(cells)
    assert isinstance(heat_picture(by_method["quiz"], 2), NoPicture)
