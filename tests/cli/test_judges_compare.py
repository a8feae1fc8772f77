"""`localeval judges compare`: what it prints, as a person and as a program reads it, and how it says no."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from rich.cells import cell_len

from localeval.cli import main
from localeval.inputs.judge_labels import JudgeLabel
from tests.comparing.label_material import audited, scored, write_labels
from tests.report.judged import judge


def call(*words: object) -> Result:
    return CliRunner().invoke(main, ["judges", "compare", *map(str, words)], catch_exceptions=False)


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a finished run by quiz, panel and audit."""
    return judge(tmp_path_factory.mktemp("compared"))


def people(folder: Path) -> Path:
    """Two people who rated faithfulness, and whether a text is faithful, of all six texts."""
    labels = []
    for rater, grades in (("Ann", (2, 0, 1, 2, 1, 2)), ("李雷和韩梅梅", (2, 1, 1, 2, 1, 1))):
        cells = [(source, system) for source in ("talk", "notes") for system in ("good", "bad", "[bold]")]
        for (source, system), grade in zip(cells, grades, strict=True):
            labels.append(JudgeLabel(source, system, "panel/faithfulness", rater, float(grade)))
            labels.append(JudgeLabel(source, system, "audit", rater, "faithful" if grade else "unfaithful"))
    return write_labels(folder / "people.jsonl", labels)


def test_a_run_beside_people(judged: Path, tmp_path: Path) -> None:
    """Both judges on both items, as people read it: no line is wider than 80 columns, names stand as they are."""
    labels = people(tmp_path)
    before = {path.name: path.read_bytes() for path in judged.iterdir()}
    result = call(judged, "--labels", labels)
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith(f"big, small of {judged.as_posix()} beside people: Ann, 李雷和韩梅梅\n") or (
        "beside people: Ann," in " ".join(result.stdout.split())
    )
    lines = result.stdout.splitlines()
    assert max(cell_len(line) for line in lines) <= 80
    for item, name in (("panel/faithfulness", "big"), ("audit", "small")):
        assert any(line.startswith(f"{item}: {name} beside 2 people together") for line in lines)
    assert "[bold]" in result.stdout
    assert {path.name: path.read_bytes() for path in judged.iterdir()} == before


def test_the_same_for_programs(judged: Path, tmp_path: Path) -> None:
    """One JSON object with every judge, reference and measure; missing verdicts are counted."""
    found = json.loads(call(judged, "--labels", people(tmp_path), "--item", "panel/faithfulness", "--json").stdout)
    assert found["schema"] == "localeval.compare/1"
    assert (found["judges"], found["people"]) == (["big", "small"], ["Ann", "李雷和韩梅梅"])
    (item,) = found["items"]
    assert (item["item"], item["scale"], item["rated"], item["sources"]) == ("panel/faithfulness", "grade", 6, 2)
    assert set(item["judges"]["big"]) == {"people", "Ann", "李雷和韩梅梅"}
    beside = item["judges"]["small"]["people"]
    assert (beside["n"], beside["missing"], beside["tied"]) == (5, 1, 2)
    assert beside["confusion"]["classes"] == ["0", "1", "2"]
    assert item["judges"]["big"]["people"]["own_family"]["family"] == "qwen"


def test_hosted_judges_without_a_run(tmp_path: Path) -> None:
    """Judges and people of one file; what must be known to believe the numbers is said in words."""
    labels = write_labels(tmp_path / "labels.jsonl", scored())
    result = call("--labels", labels, "--judge", "blind", "--judge", "lenient")
    told = " ".join(result.stdout.split())
    assert result.exit_code == 0
    assert "blind, lenient beside people: Ann, Ben, fair" in told
    assert "most of the agreement is that systems differ, which is easy to see" in told
    assert "the judge is kinder to the weaker of the two: it sets systems closer together than they are" in told
    assert "by what their errors have in common, 2 judges are worth" in told
    verdicts = write_labels(tmp_path / "verdicts.jsonl", audited())
    assert "rows: people; columns: the judge" in call("--labels", verdicts, "--judge", "sharp").stdout


def test_one_rater_who_marks_high_is_told(tmp_path: Path) -> None:
    """People alone: their agreement, and that rescaling lifts it."""
    labels = [each for each in scored() if each.rater in ("Ann", "Ben")]
    labels += [
        JudgeLabel(x.source, x.system, x.item, "Kim", 60 + float(x.value) / 3) for x in labels if x.rater == "Ann"
    ]
    told = " ".join(call("--labels", write_labels(tmp_path / "labels.jsonl", labels)).stdout.split())
    assert told.startswith("no judge; people: Ann, Ben, Kim")
    assert "they differ in how high they mark more than in what they see" in told


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--judge", "ann"), "--judge: no label is of a rater 'ann'; did you mean 'Ann'? known: "),
        (("--item", "score/style"), "--item: nobody rated 'score/style'; there are score/overall"),
        (("--system", "best"), "--system: nobody rated a text of 'best'; there are middle, strong, weak"),
    ],
)
def test_a_slip_is_one_line(tmp_path: Path, words: tuple[str, ...], message: str) -> None:
    """On standard error, with exit code 2, and nothing printed."""
    labels = write_labels(tmp_path / "labels.jsonl", scored(3))
    result = call("--labels", labels, *words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"localeval: {message}")
    assert len(result.stderr.splitlines()) == 1


def test_nothing_in_common_is_one_line(judged: Path, tmp_path: Path) -> None:
    """Labels of what the run's judges never gave, though it was asked; no labels at all."""
    one = write_labels(tmp_path / "labels.jsonl", [JudgeLabel("talk", "good", "score/style", "Ann", 3.0)])
    result = call(judged, "--labels", one)
    assert result.exit_code == 2
    assert result.stderr == (
        f"localeval: {one.as_posix()}: no text was rated by both big or small and these raters; see that sources, "
        "systems and items have the same names in both\n"
    )
    assert call(judged).exit_code == 2
    assert "no text was rated by both of two raters" in call("--labels", one).stderr
