"""`localeval.exchange`: calls leave a run, are answered elsewhere, and come back; the run asks only the rest."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from localeval.cli import main
from localeval.engines.scripted import ScriptedEngine
from localeval.errors import ConfigError, InputError, StoreError
from localeval.evaluation import load_run, run
from localeval.exchange import dump_rows, export_calls, import_verdicts
from localeval.methods.panel.schemas import PanelSettings
from localeval.store.folder import RunReader
from localeval.values import Call, Choice, FreeText, JsonObject, Message, Output, Sampling
from tests.helpers import scripted_model
from tests.projects import RULES, make_project

LOCAL = {"reply": '{"candidate":"1","source":"1","score":"1"}'}
SYSTEMS = ("long", "terse")
CRITERIA = ("faithfulness", "owners")
RUBRIC = """category: meeting
language: en
criteria:
  - id: faithfulness
    statement: Nothing in it is made up.
    levels: {0: "much is", 1: "some is", 2: "nothing is"}
  - id: owners
    statement: It says who does what.
    na: true
    levels: {0: "nobody", 1: "some", 2: "all"}
"""
ABSENT_PROGRAM = "{engine: command, command: [no-such-program-here]}"


def project(folder: Path, other: str = ABSENT_PROGRAM, settings: str = "", n_sources: int = 2) -> Path:
    """The config of a panel of a local judge and `other`; the local one keeps a log of the calls that it serves."""
    (folder / "sources").mkdir(parents=True)
    rows = []
    for number in range(n_sources):
        (folder / "sources" / f"s{number}.txt").write_text(f"We agreed on plan {number}. It costs {number} euros.")
        rows += [{"source": f"s{number}", "system": each, "text": f"Plan {number}, {each}."} for each in SYSTEMS]
    (folder / "all.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (folder / "local.jsonl").write_text(json.dumps(LOCAL) + "\n")
    (folder / "rubric.yaml").write_text(RUBRIC)
    config = folder / "eval.yaml"
    config.write_text(
        "name: judges\nsources: [{path: sources}]\ncandidates: [{path: all.jsonl}]\nmodels:\n"
        f"  local: {{engine: scripted, script: local.jsonl, log: {folder}/asked.log}}\n  other: {other}\n"
        f"methods:\n  panel: {{judges: [local, other], rubric: rubric.yaml, quorum: 1{settings}}}\n"
    )
    return config


def begun(folder: Path, **given: Any) -> tuple[Path, Path]:
    """(config, folder) of a run whose other judge is not on this machine."""
    config = project(folder, **given)
    with pytest.raises(ConfigError, match="no-such-program-here"):
        run(config, folder / "run")
    return config, folder / "run"


def write(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def verdict(score: str, candidate: str = "1") -> str:
    lacks = {"lacks": "owners"} if score == "NA" else {}
    return json.dumps({"candidate": candidate, "source": "none", "score": score, **lacks}, separators=(",", ":"))


def by_matter(score: Callable[[str, str], object], sources: int = 2) -> list[dict[str, Any]]:
    """A row for each verdict that a judge of the project is asked for."""
    return [
        {"source": f"s{number}", "system": system, "criterion": criterion, "score": score(system, criterion)}
        for number in range(sources)
        for system in SYSTEMS
        for criterion in CRITERIA
    ]


def means_of(scores: Mapping[str, Any]) -> dict[str, float]:
    return {name: each["consensus"]["value"] for name, each in scores["methods"]["panel"]["systems"].items()}


def stored(folder: Path) -> dict[str, str]:
    """The texts in a run's store, by key."""
    with RunReader.open(folder) as reader:
        replies = [reader.store.get(key) for key in reader.store]
    return {reply.key: reply.text for reply in replies if reply is not None}


def command(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(each) for each in arguments])


def test_export_answer_import_run(tmp_path: Path) -> None:
    """The whole way by key: what came in is not asked for, and counts as any other judge's verdict."""
    config, folder = begun(tmp_path)
    exported = export_calls(folder, "other")
    assert len(exported.rows) == 2 * len(SYSTEMS) * len(CRITERIA)
    row = exported.rows[0]
    assert (row["model"], row["stage"], row["subject"], row["item"]) == ("other", "panel/judge", "s0", CRITERIA[0])
    assert "We agreed on plan 0." in row["messages"][-1]["content"]
    assert list(row["output"]["schema"]["properties"]) == ["candidate", "source", "score"]
    assert not [each for each in exported.rows if SYSTEMS[0] in json.dumps({**each, "messages": None})]  # judged blind
    filled = [
        each | {"text": verdict("2" if ", long." in each["messages"][-1]["content"] else "0")} for each in exported.rows
    ]
    imported = import_verdicts(write(tmp_path / "filled.jsonl", filled), folder)
    assert (imported.entered, imported.refused) == (8, ())
    outcome = run(config, folder)
    assert outcome.ledger.accounts["other"].sent == 0
    assert outcome.ledger.accounts["other"].loads == 0
    assert means_of(outcome.scores) == {"long": 0.75, "terse": 0.25}
    assert export_calls(folder, "other").rows == ()
    assert len(export_calls(folder, "other", answered_too=True).rows) == 8


def test_verdicts_by_source_system_and_criterion_enter_as_the_judges(tmp_path: Path) -> None:
    """Nobody needs to know a key; NA as well, and evidence where it is given."""
    config, folder = begun(tmp_path)
    rows = by_matter(lambda system, criterion: "NA" if criterion == "owners" else 2)
    rows[0] |= {"candidate": [1], "evidence": "2"}
    imported = import_verdicts(write(tmp_path / "people.jsonl", rows), folder, "other")
    assert (imported.entered, imported.refused) == (8, ())
    outcome = run(config, folder)
    assert outcome.ledger.accounts["other"].sent == 0
    _, results = load_run(folder)
    sheet = results.panel["s0"].sheets["long"]["other"]
    assert [(each.score, each.cited, each.proof, each.probabilities) for each in sheet["faithfulness"]] == [
        (2, (1,), (2,), ())
    ]
    assert [(each.score, each.lacks) for each in sheet["owners"]] == [("NA", "not said")]


def test_only_the_rest_is_asked(tmp_path: Path) -> None:
    """Half of the verdicts come by file; a program that is there by then answers the others, and nothing twice."""
    log = tmp_path / "log"
    tool = tmp_path / "tool"
    config = project(tmp_path, other=f"{{engine: command, command: [{tool}], attempts: 1}}")
    with pytest.raises(ConfigError, match="no program"):
        run(config, tmp_path / "run")
    rows = by_matter(lambda *_: 2)
    import_verdicts(write(tmp_path / "half.jsonl", rows[:5]), tmp_path / "run", "other")
    tool.write_text(f"#!/bin/sh\ncat > /dev/null\necho x >> {log}\necho '{verdict('0')}'\n")
    tool.chmod(0o755)
    outcome = run(config, tmp_path / "run")
    assert len(log.read_text().split()) == outcome.ledger.accounts["other"].sent == 3
    assert outcome.scores["methods"]["panel"]["missing"] == 0


def test_importing_again_changes_nothing(tmp_path: Path) -> None:
    """Idempotent, by key and by matter; the store is the same to the letter."""
    _, folder = begun(tmp_path)
    file = write(tmp_path / "people.jsonl", by_matter(lambda *_: 2))
    import_verdicts(file, folder, "other")
    before = stored(folder)
    again = import_verdicts(file, folder, "other")
    assert (again.entered, again.there, again.otherwise) == (0, 8, 0)
    rows = [row | {"text": '{"candidate":"none","source":"none","score":"2"}'} for row in rows_of_all(folder)]
    assert import_verdicts(write(tmp_path / "keys.jsonl", rows), folder).there == 8
    assert stored(folder) == before


def rows_of_all(folder: Path) -> tuple[dict[str, Any], ...]:
    return export_calls(folder, "other", answered_too=True).rows


def test_another_answer_stays_unless_it_is_to_be_replaced(tmp_path: Path) -> None:
    """Never overwritten by chance; with `replace` the results leave the folder, since they are of the old answers."""
    config, folder = begun(tmp_path)
    import_verdicts(write(tmp_path / "first.jsonl", by_matter(lambda *_: 2)), folder, "other")
    assert means_of(run(config, folder).scores)["long"] == 0.75
    second = write(tmp_path / "second.jsonl", by_matter(lambda system, _: 0 if system == "long" else 2))
    kept = import_verdicts(second, folder, "other")
    assert (kept.entered, kept.there, kept.otherwise) == (0, 4, 4)
    assert (folder / "scores.json").exists()
    replaced = import_verdicts(second, folder, "other", replace=True)
    assert (replaced.entered, replaced.replaced, replaced.there) == (4, 4, 4)
    assert not (folder / "scores.json").exists()
    assert means_of(run(config, folder).scores) == {"long": 0.25, "terse": 0.75}


def test_refused_rows_are_told_and_others_enter(tmp_path: Path) -> None:
    """A key of another run, a text that is no answer, segments that do not exist; each with its line."""
    _, folder = begun(tmp_path)
    rows = list(export_calls(folder, "other").rows)
    texts = (verdict("2"), "I would say 2", verdict("2", candidate="9"), "")
    filled = [row | {"text": text} for row, text in zip(rows, texts, strict=False)]
    file = write(tmp_path / "filled.jsonl", [{"key": "0" * 64, "text": "x"}, *filled])
    before = stored(folder)
    with pytest.raises(InputError, match=r"line 1: .* \(3 of 5 rows are refused\); nothing was imported"):
        import_verdicts(file, folder, strict=True)
    assert stored(folder) == before
    imported = import_verdicts(file, folder)
    assert (imported.entered, imported.unanswered) == (1, 1)
    assert [(each.place.rpartition(" ")[2], each.reason.split(";")[0].split(",")[0]) for each in imported.refused] == [
        ("1", "the run asks no call with this key"),
        ("3", "the answer has not the form that was asked for: is not JSON (Expecting value"),
        ("4", "the answer has not the form that was asked for: candidate is '9'"),
    ]


@pytest.mark.parametrize(
    ("row", "model", "told"),
    [
        ({"source": "s00"}, "other", "line 2: source: there is no source 's00'; did you mean 's0'"),
        ({"system": "lang"}, "other", "line 2: system: there is no system 'lang'; did you mean 'long'?"),
        ({"criterion": "owner"}, "other", "line 2: criterion: the rubric of 's0' has no criterion 'owner'"),
        ({"criterion": "faithfulness", "score": 3}, "other", "line 2: score: is a number (3)"),
        ({}, None, "line 1: is a verdict without a key; say whose it is with --model NAME (judges: local, other)"),
        ({}, "othr", "--model: the run has no model 'othr'; did you mean 'other'?"),
    ],
)
def test_a_mistake_writes_nothing(tmp_path: Path, row: dict[str, Any], model: str | None, told: str) -> None:
    """One line, and the right row before it is not imported either."""
    _, folder = begun(tmp_path)
    first = {"source": "s1", "system": "long", "criterion": "owners", "score": 2}
    file = write(tmp_path / "people.jsonl", [first, first | {"source": "s0"} | row])
    before = stored(folder)
    with pytest.raises(InputError) as error:
        import_verdicts(file, folder, model)
    assert told in str(error.value)
    assert stored(folder) == before


def test_a_verdict_that_nobody_asks_for_is_refused(tmp_path: Path) -> None:
    """A second verdict where the panel asks once, and any verdict of a model that judges nothing."""
    _, folder = begun(tmp_path)
    row = {"source": "s0", "system": "long", "criterion": "owners", "score": 2, "repeat": 2}
    imported = import_verdicts(write(tmp_path / "people.jsonl", [row]), folder, "other")
    assert [each.reason for each in imported.refused] == [
        "the run asks other for no verdict on 'owners#2' of 's0/long'"
    ]


def test_repeats_are_told_apart(tmp_path: Path) -> None:
    """A panel that asks twice takes a first and a second verdict of the same matter."""
    config, folder = begun(tmp_path, settings=", repeats: 2")
    rows = by_matter(lambda *_: 2) + [row | {"repeat": 2} for row in by_matter(lambda *_: 0)]
    assert import_verdicts(write(tmp_path / "people.jsonl", rows), folder, "other").entered == 16
    assert run(config, folder).ledger.accounts["other"].sent == 0
    _, results = load_run(folder)
    assert [each.score for each in results.panel["s1"].sheets["terse"]["other"]["owners"]] == [2, 0]


def test_a_file_of_verdicts_judges_beside_a_model(tmp_path: Path) -> None:
    """The engine `verdicts`: half a panel of people; what they left out is missing, asked once, and never guessed."""
    rows = by_matter(lambda *_: 2)
    write(tmp_path / "people.jsonl", rows[:6])
    config = project(tmp_path / "p", other=f"{{engine: verdicts, file: {tmp_path}/people.jsonl}}")
    outcome = run(config, tmp_path / "run")
    judges = outcome.scores["methods"]["panel"]["judges"]
    assert judges["other"]["missing_reasons"] == {"absent": 2}
    assert outcome.ledger.accounts["other"].sent == 8
    assert means_of(outcome.scores)["long"] == 0.75
    write(tmp_path / "people.jsonl", rows)
    asked = (tmp_path / "p" / "asked.log").read_text()
    again = run(config, tmp_path / "run")
    assert again.scores["methods"]["panel"]["missing"] == 0
    assert (tmp_path / "p" / "asked.log").read_text() == asked, "no verdict of the local judge is asked for again"


def test_people_begin_with_an_empty_file_and_fill_in_what_is_exported(tmp_path: Path) -> None:
    """The exported file is the judge's file: by score or by text, and half done as well."""
    people = tmp_path / "people.jsonl"
    people.touch()
    config = project(tmp_path / "p", other=f"{{engine: verdicts, file: {people}}}")
    assert run(config, tmp_path / "run").scores["methods"]["panel"]["missing"] == 8
    rows = list(export_calls(tmp_path / "run", "other").rows)
    assert len(rows) == 8
    answers: list[dict[str, Any]] = [{"score": 2}, {"score": "NA", "evidence": "1"}, {"text": verdict("0")}, {}]
    write(people, [row | answer for row, answer in zip(rows, answers, strict=False)])
    outcome = run(config, tmp_path / "run")
    assert outcome.scores["methods"]["panel"]["missing"] == 5
    left = export_calls(tmp_path / "run", "other").rows
    assert {row["key"] for row in left} == {row["key"] for row in rows[3:]}, "the keys are the same as before"
    assert import_verdicts(write(tmp_path / "more.jsonl", [left[0] | {"score": 1}]), tmp_path / "run").entered == 1
    assert run(config, tmp_path / "run").scores["methods"]["panel"]["missing"] == 4


def test_a_scored_row_has_no_probabilities(tmp_path: Path) -> None:
    """Only what the file says counts."""
    write(tmp_path / "people.jsonl", by_matter(lambda *_: 2))
    config = project(tmp_path / "p", other=f"{{engine: verdicts, file: {tmp_path}/people.jsonl}}")
    run(config, tmp_path / "run")
    with RunReader.open(tmp_path / "run") as reader:
        replies = [reader.store.get(key) for key in reader.store]
    people = [reply for reply in replies if reply is not None and reply.engine == "verdicts people.jsonl"]
    assert len(people) == 8
    assert {(reply.logprobs, reply.prompt_tokens, reply.output_tokens) for reply in people} == {((), 0, 0)}


def output_of(row: Mapping[str, Any]) -> Output:
    spec = row["output"]
    if "choice" in spec:
        return Choice(tuple(spec["choice"]))
    return JsonObject(json.dumps(spec["schema"])) if "schema" in spec else FreeText()


def answered(folder: Path, rows: tuple[dict[str, Any], ...]) -> list[dict[str, Any]]:
    """What another machine makes of exported rows: its model is a script that knows the answers."""
    calls = {}
    for row in rows:
        messages = tuple(Message(each["role"], (each["content"],)) for each in row["messages"])
        calls[row["key"]] = Call("m", messages, output_of(row), Sampling(**row["sampling"]))
    with ScriptedEngine(scripted_model(folder, RULES, "elsewhere")) as engine:
        engine.submit(calls)
        texts = {reply.key: reply.text for reply in engine.replies()}
    return [row | {"text": texts[row["key"]]} for row in rows]


def test_stage_after_stage_another_machine_does_the_work(tmp_path: Path) -> None:
    """A quiz whose only model fails here: each export brings the calls that the last answers led to.

    In the end no call is sent here, and the results are those of a run that has the working model itself.
    """
    config = make_project(tmp_path / "p", rules=({"fail": "error"},))
    folder = tmp_path / "run"
    assert run(config, folder).scores["methods"]["quiz"]["missing"] > 0
    stages: list[set[str]] = []
    everything: list[dict[str, Any]] = []
    while rows := export_calls(folder, "m").rows:
        stages.append({row["stage"] for row in rows})
        everything += (filled := answered(tmp_path, rows))
        assert import_verdicts(write(tmp_path / f"{len(stages)}.jsonl", filled), folder).entered == len(rows)
    assert stages[0] == {"quiz/write"}
    assert len(stages) > 1
    here = run(config, folder)
    assert here.ledger.sent == 0
    there = run(make_project(tmp_path / "q"), tmp_path / "other")
    assert here.scores["methods"] == there.scores["methods"]
    fresh = tmp_path / "fresh"
    run(config, fresh)
    at_once = import_verdicts(write(tmp_path / "all.jsonl", list(reversed(everything))), fresh)
    assert (at_once.entered, at_once.refused) == (len(everything), ()), "answers to later calls may stand first"


def test_what_an_engine_failed_at_is_open_again_and_others_are_counted(tmp_path: Path) -> None:
    """The run would ask it again, so it is exported; that another model's calls wait too is said."""
    config = project(tmp_path)
    (tmp_path / "local.jsonl").write_text(json.dumps({"fail": "error"}) + "\n")
    with pytest.raises(ConfigError):
        run(config, tmp_path / "run")
    exported = export_calls(tmp_path / "run", "local")
    assert (len(exported.rows), exported.n_others) == (8, 8)
    told = command("verdicts", "export", tmp_path / "run", "--model", "local", "--out", tmp_path / "calls.jsonl")
    assert told.output.endswith("; 8 calls of other models wait as well\n")
    rows = [row | {"text": verdict("2")} for row in exported.rows]
    assert import_verdicts(write(tmp_path / "calls.jsonl", rows), tmp_path / "run").entered == 8


def test_verdicts_on_sources_that_are_left_out_are_no_mistake(tmp_path: Path) -> None:
    """People judged the whole pool; what this run's choice leaves out is refused, row by row, and the rest enters."""
    config = project(tmp_path, n_sources=3)
    config.write_text(config.read_text() + "choose: {sources: 2}\n")
    with pytest.raises(ConfigError, match="no-such-program-here"):
        run(config, tmp_path / "run")
    file = write(tmp_path / "people.jsonl", by_matter(lambda *_: 2, sources=3))
    imported = import_verdicts(file, tmp_path / "run", "other")
    assert (imported.entered, len(imported.refused)) == (8, 4)
    assert run(config, tmp_path / "run").ledger.accounts["other"].sent == 0


def test_the_same_file_each_time(tmp_path: Path) -> None:
    """The export of a run is the same bytes, and one line a row whatever the prompts hold."""
    _, folder = begun(tmp_path)
    text = dump_rows(export_calls(folder, "other"))
    assert dump_rows(export_calls(folder, "other")) == text
    assert len(text.splitlines()) == 8


def test_commands(tmp_path: Path) -> None:
    """`verdicts export` and `import`, their lines and exit codes."""
    config, folder = begun(tmp_path)
    out = tmp_path / "calls.jsonl"
    told = command("verdicts", "export", folder, "--model", "other", "--out", out)
    assert (told.exit_code, told.output) == (0, f"8 calls of other written to {out}\n")
    rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    write(out, [row | {"text": verdict("1")} for row in rows[:7]] + [{"key": "abc", "text": "x"}])
    told = command("verdicts", "import", out, "--run", folder)
    assert told.exit_code == 3
    assert told.output.splitlines()[:2] == [f"7 answers entered {folder}", "1 rows refused:"]
    assert f"{out.as_posix()} line 8: the run asks no call with this key" in told.output
    told = command("verdicts", "import", out, "--run", folder, "--json")
    assert json.loads(told.output)["there"] == 7
    told = command("verdicts", "import", out, "--run", folder, "--strict")
    assert (told.exit_code, told.output.count("\n")) == (2, 1)
    told = command("verdicts", "export", folder, "--model", "nobody", "--out", out)
    assert (told.exit_code, told.output) == (
        2,
        "localeval: --model: the run has no model 'nobody'; known: local, other\n",
    )
    told = command("verdicts", "export", tmp_path, "--model", "other", "--out", out)
    assert told.exit_code == 2
    assert "is not a run folder" in told.output
    write(out, [rows[7] | {"text": verdict("1")}])
    assert command("verdicts", "import", out, "--run", folder).exit_code == 0
    done = tmp_path / "none.jsonl"
    told = command("verdicts", "export", folder, "--model", "other", "--out", done)
    assert told.output.startswith("the run waits for no answer of other: nothing written; --all exports those")
    assert not done.exists()
    assert run(config, folder).ledger.accounts["other"].sent == 0


def test_a_run_under_way_is_not_written_into(tmp_path: Path) -> None:
    """While the run is open elsewhere the import is refused; nothing is lost."""
    _, folder = begun(tmp_path)
    file = write(tmp_path / "people.jsonl", by_matter(lambda *_: 2))
    with RunReader.open(folder), pytest.raises(StoreError):
        import_verdicts(file, folder, "other")
    assert import_verdicts(file, folder, "other").entered == 8


def test_a_whole_line_up_takes_answers_by_key(tmp_path: Path) -> None:
    """By matter too: a verdict on a text is one wherever the text stood."""
    assert PanelSettings(judges=("a",), mode="lineup").mode == "lineup"
    config, folder = begun(tmp_path, settings=", mode: lineup")
    rows = [row | {"text": verdict("1")} for row in export_calls(folder, "other").rows[:4]]
    assert import_verdicts(write(tmp_path / "keys.jsonl", rows), folder).entered == 4
    left = import_verdicts(write(tmp_path / "people.jsonl", by_matter(lambda *_: 2)), folder, "other")
    assert (left.entered, left.otherwise) == (4, 4)
    assert run(config, folder).ledger.accounts["other"].sent == 0


def test_a_system_writes_elsewhere(tmp_path: Path) -> None:
    """Texts of a model that is not here come in by key; its verdicts as a judge, which wait for them, thereafter."""
    config = project(tmp_path)
    config.write_text(config.read_text() + "systems: {mine: {model: other}}\n")
    with pytest.raises(ConfigError, match="no-such-program-here"):
        run(config, tmp_path / "run")
    first = export_calls(tmp_path / "run", "other").rows
    assert {(row["stage"], row["item"], len(row["output"])) for row in first} == {("generate/write", "mine", 0)}
    texts = [row | {"text": f"Plan of {row['subject']}, mine."} for row in first]
    assert import_verdicts(write(tmp_path / "texts.jsonl", texts), tmp_path / "run").entered == 2
    second = export_calls(tmp_path / "run", "other").rows
    assert {row["stage"] for row in second} == {"panel/judge"}
    assert len(second) == 2 * 3 * len(CRITERIA)
    assert any("Plan of s0, mine." in row["messages"][-1]["content"] for row in second)
    rows = [row | {"text": verdict("2")} for row in second]
    import_verdicts(write(tmp_path / "verdicts.jsonl", rows), tmp_path / "run")
    outcome = run(config, tmp_path / "run")
    assert outcome.ledger.accounts["other"].sent == 0
    assert means_of(outcome.scores)["mine"] == 0.75
