"""`localeval.report.leaderboard_terminal`: every number within 80 columns, and what one must know to believe it."""

import json
from pathlib import Path
from typing import Any

import pytest

from localeval.evaluation import Outcome, load_scores, run
from localeval.report.console import score_text
from localeval.report.leaderboard_terminal import print_scores, score_lines
from tests.projects import make_project
from tests.report.judged import judge
from tests.report.printing import TRICKS, printed, squeezed

NAMES = ("qwen3-8b-long", "gemma-3-12b-it", "phi-4-mini")
FIELDS = ("fabrication_rate", "consensus", "disagreement", "cap_f1", "cap_p", "cap_r")


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    """A finished run of three systems."""
    folder = tmp_path_factory.mktemp("terminal")
    return run(make_project(folder), folder / "run")


def named(outcome: Outcome, *names: str) -> dict[str, Any]:
    """The scores with other names for the systems."""
    scores = json.loads(json.dumps(outcome.scores))
    for part in (scores["methods"]["quiz"], scores["leaderboard"]):
        part["systems"] = dict(zip(names, part["systems"].values(), strict=True))
    return dict(scores)


def test_a_leaderboard_of_three_systems_fits_80_columns(outcome: Outcome) -> None:
    """No line is longer, no column is cut, and each system has its whole row on one line."""
    scores = named(outcome, *NAMES)
    out = printed(lambda: print_scores(scores))
    assert max(len(line) for line in out.splitlines()) <= 80
    assert "…" not in out
    lines = out.splitlines()
    for heading in ("rank", "system", "CapF1", "CapP", "CapR", "kept/bent/lost"):
        assert heading in lines[2], heading
    for name, system in scores["methods"]["quiz"]["systems"].items():
        (row,) = [line for line in lines if name in line]
        numbers = [score_text(system[each]) for each in ("cap_f1", "cap_p", "cap_r")]
        assert all(number in row for number in numbers)
        counts = system["counts"]
        assert row.rstrip().endswith(f"{counts['kept']}/{counts['bent']}/{counts['lost']}")


def test_the_widest_numbers_are_not_cut(outcome: Outcome) -> None:
    """Hundreds of questions, some of them missing: every figure is there, whatever wraps."""
    scores = named(outcome, *NAMES)
    for system in scores["methods"]["quiz"]["systems"].values():
        system["counts"] |= {"n": 480, "kept": 360, "bent": 100, "lost": 20, "missing": 20}
    for row in scores["leaderboard"]["systems"].values():
        for each in ("cap_f1", "cap_p", "cap_r"):
            row[each] |= {"value": 1.0, "low": 0.995, "high": 1.0}
    out = printed(lambda: print_scores(scores))
    assert max(len(line) for line in out.splitlines()) <= 80
    assert "…" not in out
    assert out.count("360/100/20") == out.count("+20") == 3
    assert out.count("100 [100-100]") >= 9
    assert "kept/bent/lost" in out


def test_a_name_is_printed_as_it_is(outcome: Outcome) -> None:
    """Markup in a system's name is part of the name: nothing is styled, lost or raised."""
    for first in range(0, len(TRICKS) - 2, 2):
        names = TRICKS[first : first + 3]
        out = squeezed(printed(lambda names=names: print_scores(named(outcome, *names))))  # type: ignore[misc]
        for name in names:
            assert all(part in out for part in name[:8].split()), name


def test_a_narrow_terminal_cuts_no_number(outcome: Outcome) -> None:
    """In 40 columns the terminal breaks the rows of the table, and all of them are there."""
    out = printed(lambda: print_scores(outcome.scores), columns=40)
    row = next(line for line in out.splitlines() if "keeps" in line)
    assert row.split() == ["1", "keeps", "100", "[48-100]", "100", "[48-100]", "100", "[48-100]", "████████", "8/0/0"]


@pytest.fixture(scope="module")
def scores(judged_run: Path) -> dict[str, Any]:
    """The scores of a run by all methods."""
    return load_scores(judged_run)


def renamed(scores: dict[str, Any], *names: str) -> dict[str, Any]:
    """The leaderboard with other names for the systems."""
    board = scores["leaderboard"]
    return scores | {"leaderboard": board | {"systems": dict(zip(names, board["systems"].values(), strict=True))}}


def rows_of(table: str) -> list[list[str]]:
    """The words of each system's row; a line without a rank goes on with the row above."""
    lines = table.splitlines()
    body = lines[next(n for n, line in enumerate(lines) if set(line.strip()) == {"\u2500"}) + 1 :]
    rows: list[list[str]] = []
    for line in body:
        if line[:6].strip():
            rows.append([])
        if line.strip():
            rows[-1] += line.split()
    return rows


def test_all_methods_stand_in_one_table_of_80_columns(scores: dict[str, Any]) -> None:
    """Each number of each system with its interval, whichever line it stands on; "-" where there is none."""
    out = printed(lambda: print_scores(scores))
    table = out[: out.index("audit:")]
    assert max(map(len, table.splitlines())) <= 80
    assert "\u2026" not in table
    rows = rows_of(table)
    assert len(rows) == 3
    for (name, row), words in zip(scores["leaderboard"]["systems"].items(), rows, strict=True):
        assert name in words
        assert str(row["rank"]) == words[0]
        for field in FIELDS:
            for part in score_text(row[field]).split():
                assert part in words, (name, field)


def test_a_wide_terminal_has_each_system_on_one_line(scores: dict[str, Any]) -> None:
    """With whole headings and each interval beside its number."""
    lines = printed(lambda: print_scores(scores), columns=140).splitlines()
    for heading in ("fabrications", "rate", "consensus", "disagreement", "CapF1", "CapP", "CapR"):
        assert heading in lines[2]
    for name, row in scores["leaderboard"]["systems"].items():
        (line,) = [line for line in lines[:8] if f"  {name}  " in line]
        assert all(score_text(row[field]) in line for field in FIELDS)


def test_confirmed_and_disputed_fabrications_stand_apart(scores: dict[str, Any]) -> None:
    """The count, then what no quorum confirmed with a plus; the key beneath says so."""
    row = scores["leaderboard"]["systems"]["bad"]
    assert (row["fabrications"], row["disputed"]) == (1, 1)
    lines = printed(lambda: print_scores(scores), columns=140).splitlines()
    (line,) = [line for line in lines if "  bad  " in line and "1 +1" in line]
    assert "33 [4-86]" in line
    assert "fabrications: confirmed ones, +disputed ones; rate: confirmed ones in 100 claims" in lines


@pytest.mark.parametrize(
    ("methods", "headings"),
    [
        (("audit",), ["fabrications", "rate"]),
        (("panel",), ["consensus", "disagreement"]),
        (("audit", "quiz"), ["fabrications", "rate", "CapF1", "CapP", "CapR"]),
    ],
)
def test_only_methods_that_ran_have_columns(methods: tuple[str, ...], headings: list[str], tmp_path: Path) -> None:
    """And lines beneath; a method by itself needs no heading for its lines."""
    out = printed(lambda: print_scores(load_scores(judge(tmp_path, methods))), columns=120).splitlines()
    assert out[2].split() == ["rank", "system", *headings]
    assert [line for line in out if line in ("audit:", "panel:", "quiz:")] == (
        [f"{method}:" for method in methods] if len(methods) > 1 else []
    )


def test_one_judge_has_no_column_of_disagreement(tmp_path: Path) -> None:
    """It would be empty."""
    scores = load_scores(judge(tmp_path, (), ("panel: {judges: [big]}",)))
    (heading,) = [line for line in printed(lambda: print_scores(scores)).splitlines() if "rank  system" in line]
    assert heading.split() == ["rank", "system", "consensus"]


def test_the_widest_numbers_of_all_methods_fit(scores: dict[str, Any]) -> None:
    """Counts of four digits and intervals of nine signs are whole in 80 columns; the names fold."""
    rows = json.loads(json.dumps(renamed(scores, *NAMES)))
    for row in rows["leaderboard"]["systems"].values():
        row |= {"fabrications": 1234, "disputed": 567}
        for field in FIELDS:
            row[field] = {"value": 1.0, "low": 0.995, "high": 1.0}
    out = printed(lambda: print_scores(rows))
    table = out[: out.index("audit:")]
    assert max(map(len, table.splitlines())) <= 80
    assert "\u2026" not in table
    assert table.count("[100-100]") == 18
    assert table.count("1234") == table.count("+567") == 3


def test_names_are_literal_in_the_table_of_all_methods(scores: dict[str, Any]) -> None:
    """A system called "[bold]" is printed as such; an escape sequence in a name is shown."""
    assert "[bold]" in printed(lambda: print_scores(scores))
    out = printed(lambda: print_scores(renamed(scores, "a\x1b[2Jb", "[/]", "\\[b]")), columns=140)
    assert "a\\x1b[2Jb" in out
    assert "\x1b" not in out
    assert "  [/]  " in out
    assert "  \\[b]  " in out


def test_beneath_the_table_each_method_has_its_lines_and_the_ranks_their_meaning(scores: dict[str, Any]) -> None:
    """Audit, panel, quiz, then what was ranked by; once what a shared rank means."""
    lines = list(score_lines(scores))
    heads = [lines.index(f"{method}:") for method in ("audit", "panel", "quiz")]
    assert heads == sorted(heads)
    assert lines[-2:] == [
        "ranked by confirmed fabrications a text, then consensus, then CapF1",
        "a shared rank means: not told apart by paired tests over the same sources",
    ]
    assert sum("shared rank" in line for line in lines) == 1


def test_another_order_than_the_usual_is_said(outcome: Outcome) -> None:
    """A quiz by itself is ranked by CapF1 unless the config says otherwise."""
    assert not [line for line in score_lines(outcome.scores) if line.startswith("ranked by")]
    board = outcome.scores["leaderboard"] | {"rank_by": ["cap_r", "cap_p"]}
    assert "ranked by CapR, then CapP" in list(score_lines(outcome.scores | {"leaderboard": board}))
