"""`localeval.one_text`: affect of one text without a config, which leaves one that can be run again."""

import json
from pathlib import Path

import pytest

from localeval.errors import ConfigError, InputError
from localeval.evaluation import load_run, run
from localeval.methods.affect.schemas import Target
from localeval.one_text import affect
from tests.affect_project import FLAGS, evidence

TEXT = "Everyone praised Anna Weber for her speech. Nobody trusted Tom Hill, who had lied to the council."
AXES = """\
name: own
language: en
axes:
  - id: trust
    label: Trust
    target:
      question: "How does the text show {target}?"
      anchors: {0: as one who deceives, 0.5: neither, 1: as one who can be relied on}
      words: [deceitful, unclear, reliable]
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with a text, a set of axes and the rules of a judge."""
    rules = [
        {
            "contains": "Name whom or what a text portrays",
            "reply": '{"targets":[{"name":"Tom Hill","kind":"person"}]}',
        },
        FLAGS,
        evidence("", "lied to the council"),
        {"match": "deceitful, unclear or reliable", "reply": "reliable", "logprobs": {"reliable": -0.1, "unc": -2.4}},
        *({"match": f"{last}\\?", "reply": last} for last in ("good", "pleasant", "frantic", "intense", "much")),
        {"match": "confident\\?", "reply": "confident"},
    ]
    (tmp_path / "report.txt").write_text(TEXT, encoding="utf-8")
    (tmp_path / "own.yaml").write_text(AXES, encoding="utf-8")
    (tmp_path / "rules.jsonl").write_text("".join(json.dumps(rule) + "\n" for rule in rules), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_target_of_one_text_is_scored(here: Path) -> None:
    """A relative text, script and set of axes: the run's own config, read from its folder, asks nothing anew."""
    given = [Target(name="Anna Weber", kind="person")]
    outcome = affect(Path("report.txt"), given, "rules.jsonl", contracts=["target"], axes="own.yaml", out=here / "out")
    found = outcome.scores["methods"]["affect"]
    assert found["judges"]["judge"]["targets"]["Anna Weber"]["profile"]["target"]["trust"]["value"] > 0.9
    assert outcome.folder == here / "out"
    again = run(here / "out" / "config.yaml", here / "out")
    assert again.ledger.sent == 0
    assert again.scores == outcome.scores


def test_without_a_target_the_judge_proposes(here: Path) -> None:
    """Up to five; the name must stand in the text. The folder is named for the text."""
    outcome = affect(Path("report.txt"), judge="rules.jsonl")
    assert outcome.folder.parent == Path("runs")
    assert outcome.folder.name.startswith("affect-report-")
    evaluation, results = load_run(outcome.folder)
    assert evaluation.config.methods.affect is not None
    assert evaluation.config.methods.affect.propose == 5
    assert results.affect is not None
    assert [each.target.name for each in results.affect.read[0].portraits] == ["Tom Hill"]


def test_mistakes_are_told_in_one_line(here: Path) -> None:
    """No text, more than one in the file, and a target that does not stand in it, with the name that was meant."""
    with pytest.raises(InputError, match="is no file"):
        affect(Path("absent.txt"), judge="rules.jsonl")
    (here / "two.jsonl").write_text('{"id": "a", "text": "One."}\n{"id": "b", "text": "Two."}\n', encoding="utf-8")
    with pytest.raises(ConfigError, match="holds 2 texts"):
        affect(Path("two.jsonl"), judge="rules.jsonl", contracts=["whole"])
    with pytest.raises(InputError, match="did you mean 'Anna Weber'"):
        affect(Path("report.txt"), [Target(name="Anna Webber")], "rules.jsonl")


def test_two_texts_of_one_name_have_two_runs(here: Path) -> None:
    """The results of the one do not take the place of the other's."""
    other = here / "other" / "report.txt"
    other.parent.mkdir()
    other.write_text(TEXT, encoding="utf-8")
    ann = Target(name="Anna Weber")
    folders = [affect(path, [ann], "rules.jsonl").folder for path in (here / "report.txt", other)]
    assert folders[0] != folders[1]
    assert all((folder / "scores.json").is_file() for folder in folders)
