"""`localeval.comparing.given`: labels held against a run, and every mistake told in one line."""

import shutil
from pathlib import Path

import pytest

from localeval.comparing.given import Asked, read_given
from localeval.errors import ConfigError, InputError, LocalevalError
from localeval.evaluation import run
from localeval.inputs.judge_labels import JudgeLabel, blind_id
from tests.comparing.label_material import scored, write_labels
from tests.report.judged import judge, make_judged

LABEL = JudgeLabel("talk", "good", "panel/faithfulness", "Ann", 2.0)


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a finished run by quiz, panel and audit."""
    return judge(tmp_path_factory.mktemp("given"))


def told(asked: Asked) -> str:
    """The one line that reading what is asked raises."""
    with pytest.raises(LocalevalError) as caught:
        read_given(asked)
    assert caught.value.exit_code == 2
    assert str(caught.value).isprintable()
    return str(caught.value)


def test_judges_people_and_families(judged: Path, tmp_path: Path) -> None:
    """The run's judges by name, the raters of the files, families of both as the run knows them."""
    labels = write_labels(
        tmp_path / "labels.jsonl", [LABEL, LABEL.__class__("talk", "bad", "audit", "Ben", "faithful")]
    )
    given = read_given(Asked(judged, (labels,)))
    assert (given.judges, given.people, given.others) == (("big", "small"), ("Ann", "Ben"), ())
    assert given.families.judges == {"big": "qwen", "small": "llama"}
    assert given.families.systems == {"bad": "qwen", "good": "gemma"}
    assert LABEL in given.labels
    assert given.asides == {}


def test_a_hosted_judge_in_the_file_is_a_judge(judged: Path, tmp_path: Path) -> None:
    """Named by --judge it is no person, beside the run's own."""
    rows = [LABEL, JudgeLabel("talk", "good", "panel/faithfulness", "hosted", 1.0)]
    given = read_given(Asked(judged, (write_labels(tmp_path / "labels.jsonl", rows),), ("hosted",)))
    assert (given.judges, given.people) == (("big", "small", "hosted"), ("Ann",))


def test_a_blind_sheet_of_the_run(judged: Path, tmp_path: Path) -> None:
    """Its ids stand for the run's texts."""
    sheet = tmp_path / "Ann.csv"
    identity = blind_id("talk", "good", "panel/faithfulness")
    sheet.write_text(f"id,source,item,value\n{identity},talk,panel/faithfulness,2\n", encoding="utf-8")
    assert LABEL in read_given(Asked(judged, (sheet,))).labels


def test_an_earlier_run_is_a_rater(judged: Path, tmp_path: Path) -> None:
    """Its judges are RUN:MODEL, on the texts that are the same in both; those that changed are counted."""
    config = make_judged(tmp_path, ("panel",))
    (tmp_path / "talk.bad.md").write_text("Quite another text.")
    run(config, tmp_path / "old")
    given = read_given(Asked(judged, (tmp_path / "old",)))
    assert given.others == ("old:big", "old:small")
    found = {(each.source, each.system) for each in given.labels if each.rater == "old:big"}
    assert ("talk", "good") in found
    assert ("notes", "bad") in found
    assert ("talk", "bad") not in found
    assert given.asides["another text in an earlier run"] > 0


def test_of_an_earlier_run_about_another_source_nothing_counts(judged: Path, tmp_path: Path) -> None:
    """The texts are the same, one source has changed since: what was said of them was said of other evidence."""
    config = make_judged(tmp_path, ("panel",))
    source = tmp_path / "notes.txt"
    source.write_text(source.read_text(encoding="utf-8") + "\nOne more thing was said.\n", encoding="utf-8")
    run(config, tmp_path / "old")
    given = read_given(Asked(judged, (tmp_path / "old",)))
    assert {each.source for each in given.labels if each.rater == "old:big"} == {"talk"}


def test_earlier_runs_of_one_name_are_told_apart(judged: Path, tmp_path: Path) -> None:
    """Their judges would have one name, and the one's labels take the place of the other's."""
    for each in ("a", "b"):
        (tmp_path / each / "weekly").mkdir(parents=True)
    line = told(Asked(judged, (tmp_path / "a" / "weekly", tmp_path / "b" / "weekly")))
    assert line.startswith("--labels: two runs have folders called 'weekly'")


@pytest.mark.parametrize(
    ("label", "message"),
    [
        (
            JudgeLabel("talks", "good", "panel", "Ann", 0.5),
            "line 1: source: the run has no source 'talks'; did you mean 'talk'? correct it, or remove the row",
        ),
        (
            JudgeLabel("talk", "goods", "panel", "Ann", 0.5),
            "line 1: system: the run has no system 'goods'; did you mean 'good'? expected one of [bold], bad, good",
        ),
        (
            JudgeLabel("talk", "good", "quiz/000000000000", "Ann", "kept"),
            "line 1: item: no question of the run's quiz has the id '000000000000'; these are labels of another quiz; ",
        ),
        (
            JudgeLabel("talk", "good", "panel/charm", "Ann", 2.0),
            "line 1: item: no judge of the run was asked for 'panel/charm'; expected audit, audit/fabrications, pan",
        ),
        (
            JudgeLabel("talk", "good", "affect/valence", "Ann", 0.5),
            "line 1: item: no judge of the run was asked for 'affect/valence'; expected audit, ",
        ),
        (LABEL.__class__("talk", "good", "panel", "big", 0.5), "line 1: rater: 'big' is a judge of the run, too; name"),
        (LABEL.__class__("talk", "good", "panel", "people", 0.5), "line 1: rater: 'people' stands for all raters "),
    ],
)
def test_a_label_of_nothing_in_the_run_is_named(judged: Path, tmp_path: Path, label: JudgeLabel, message: str) -> None:
    """File, line, field, value and fix."""
    path = write_labels(tmp_path / "labels.jsonl", [label])
    assert told(Asked(judged, (path,))).startswith(f"{path.as_posix()} {message}")


def test_what_another_rubric_asks_is_left_aside(judged: Path, tmp_path: Path) -> None:
    """A criterion that the run asks of other sources: no mistake, and counted."""
    other = JudgeLabel("notes", "good", "panel/decisions", "Ann", 2.0)
    given = read_given(Asked(judged, (write_labels(tmp_path / "labels.jsonl", [LABEL, other]),)))
    assert given.asides == {"a text of which the judges were not asked this": 1}
    assert other not in given.labels


def test_items_and_systems_alone(judged: Path, tmp_path: Path) -> None:
    """A pattern, a group, a system; rows of other items are not even held against the run."""
    rows = [LABEL, JudgeLabel("talk", "good", "affect/valence", "Ann", 0.5)]
    path = write_labels(tmp_path / "labels.jsonl", rows)
    given = read_given(Asked(judged, (path,), items=("panel/*",), systems=("good",)))
    assert {each.item.partition("/")[0] for each in given.labels} == {"panel"}
    assert {each.system for each in given.labels} == {"good"}
    quiz = read_given(Asked(judged, (path,), items=("quiz", "panel/faithfulness")))
    assert any(each.item.startswith("quiz/") for each in quiz.labels)


def test_a_slip_on_the_command_line_is_told(judged: Path, tmp_path: Path) -> None:
    """An item, a system or a judge that nobody has; a file that is none; a rater in two files."""
    path = write_labels(tmp_path / "labels.jsonl", [LABEL])
    assert told(Asked(judged, (path,), items=("panels",))).startswith("--item: nobody rated 'panels'; there are ")
    assert told(Asked(judged, (path,), systems=("x",))) == (
        "--system: nobody rated a text of 'x'; there are [bold], bad, good"
    )
    assert told(Asked(judged, (path,), ("An",))) == (
        "--judge: no label is of a rater 'An'; did you mean 'Ann'? known: Ann"
    )
    assert told(Asked(None, (path,), ("Ann",))).startswith("--judge: every rater is a judge, and nobody is left")
    assert "cannot be read" in told(Asked(judged, (tmp_path / "nowhere.jsonl",)))
    shutil.copy(path, tmp_path / "again.jsonl")
    with pytest.raises(InputError, match=r"again.jsonl line 1: 'Ann' also rated 'panel/faithfulness' of this text in "):
        read_given(Asked(judged, (path, tmp_path / "again.jsonl")))
    with pytest.raises(LocalevalError, match=r"not a run folder|no run"):
        read_given(Asked(tmp_path, (path,)))


def test_without_a_run_labels_are_taken_as_they_are(tmp_path: Path) -> None:
    """Hosted judges beside people, with names of their own; ids of a blind sheet stand for nothing."""
    given = read_given(Asked(None, (write_labels(tmp_path / "labels.jsonl", scored(4)),), ("lenient",)))
    assert given.judges == ("lenient",)
    assert given.people == ("Ann", "Ben", "fair", "blind")
    (tmp_path / "sheet.csv").write_text("id,item,rater,value\n0123456789ab,panel,Ann,1\n", encoding="utf-8")
    with pytest.raises(InputError, match="row 2: id: '0123456789ab' stands for a text of a run; give the RUN"):
        read_given(Asked(None, (tmp_path / "sheet.csv",)))
    with pytest.raises(ConfigError, match="--judge: no label is of a rater 'hosted'"):
        read_given(Asked(None, (tmp_path / "labels.jsonl",), ("hosted",)))
