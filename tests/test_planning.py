"""`localeval.planning`: what a run would ask, from its own flows driven with specimens."""

import os
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest

from localeval.errors import ConfigError, EngineError
from localeval.evaluation import load_run, run
from localeval.inputs.quiz_files import items_of, write_items
from localeval.keys import call_key
from localeval.methods.quiz.flow import quiz
from localeval.methods.quiz.rehearsal import rehearse
from localeval.methods.quiz.schemas import GOLD
from localeval.planning import Plan, plan, plan_of
from localeval.reading import read_evaluation
from localeval.texts import Candidate, Language
from localeval.values import Call, Reply
from tests.methods.quiz.helpers import play, prompts, reply, settings, source
from tests.projects import make_project
from tests.systems_project import make_selection


def calls_of(found: Plan) -> dict[str, int]:
    return {stage.stage: stage.calls for stage in found.stages}


@pytest.mark.parametrize(
    "quiz_settings", ["", ", controls: false, permutations: 3", ", blind_trials: 0", ", kinds: [theme]"]
)
def test_a_plan_is_what_the_run_then_sends(quiz_settings: str, tmp_path: Path) -> None:
    """Stage by stage the same number of calls, where no question is dropped and no reply asked again."""
    config = make_project(tmp_path, quiz=quiz_settings)
    found = plan(config, tmp_path / "run")
    assert calls_of(found) == run(config, tmp_path / "run").ledger.accounts["m"].stages
    assert [load.model for load in found.loads] == ["m"]
    assert found.too_long == ()


def test_tokens_are_counted_and_shared_prefixes_once(tmp_path: Path) -> None:
    """No more is to be computed than is sent; what a source's calls share makes up most of them."""
    found = plan(make_project(tmp_path), tmp_path / "run")
    for stage in found.stages:
        assert 0 < stage.unique_tokens <= stage.prompt_tokens
        assert stage.shared_share == 1 - stage.unique_tokens / stage.prompt_tokens
        assert stage.output_tokens == stage.calls * (320 if stage.stage == "quiz/write" else 1)
    shares = {stage.stage: stage.shared_share for stage in found.stages}
    assert shares["quiz/write"] > 0.5
    assert shares["quiz/ceiling"] > 0.8, "the source was computed for writing"


def test_prompt_tokens_are_those_of_the_run_where_nothing_is_written(tmp_path: Path) -> None:
    """With a quiz from a file the plan's tokens are exact: the sums of the run's account."""
    first = make_project(tmp_path / "a")
    run(first, tmp_path / "written")
    items = tmp_path / "b" / "quiz.jsonl"
    config = make_project(tmp_path / "b", quiz="")
    write_items(items, items_of(load_run(tmp_path / "written")[1].quiz))
    config.write_text(config.read_text().replace("writer: m", "items: quiz.jsonl"))
    found = plan(config, tmp_path / "run")
    account = run(config, tmp_path / "run").ledger.accounts["m"]
    assert calls_of(found) == account.stages
    assert sum(stage.prompt_tokens for stage in found.stages) == account.prompt_tokens
    assert sum(stage.unique_tokens for stage in found.stages) == account.prompt_tokens - account.cached_tokens


def test_what_is_too_long_is_listed_and_not_counted(tmp_path: Path) -> None:
    """Rule 1: each call that does not fit, with what it is about and both numbers; the others are in the sums."""
    config = make_project(tmp_path, n_sources=1, model=", context: 500")
    found = plan(config, tmp_path / "run")
    assert {(each.model, each.subject, each.limit) for each in found.too_long if each.stage == "quiz/write"} == {
        ("m", "s0", 500)
    }
    assert all(each.needed > each.limit for each in found.too_long)
    assert "quiz/write" not in calls_of(found)
    assert calls_of(found)["quiz/answer"] == 3 * 4 * 2
    whole = plan(make_project(tmp_path / "whole", n_sources=1), tmp_path / "none")
    assert sum(calls_of(found).values()) + len(found.too_long) == sum(calls_of(whole).values())


def test_a_half_finished_run_is_planned_from_where_it_stands(tmp_path: Path) -> None:
    """What the folder holds counts as stored, only the rest is to send, and a plan writes nothing."""
    config = make_project(tmp_path, n_sources=1)
    run(config, tmp_path / "run")
    (tmp_path / "summaries" / "s0" / "newcomer.md").write_text("Full summary of another kind.")
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "run").iterdir()}
    found = plan(config, tmp_path / "run")
    assert {stage.stage: (stage.stored, stage.calls) for stage in found.stages if stage.calls} == {
        "quiz/answer": (3 * 4 * 2, 4 * 2)
    }
    stored = {stage.stage for stage in found.stages if stage.stored}
    assert stored == {"quiz/write", "quiz/ceiling", "quiz/blind", "quiz/answer", "quiz/control"}
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "run").iterdir()} == before


def test_nothing_to_send_has_no_share_and_no_load(tmp_path: Path) -> None:
    """A finished run plans no call and no load."""
    config = make_project(tmp_path, n_sources=1)
    run(config, tmp_path / "run")
    found = plan(config, tmp_path / "run")
    assert {(stage.calls, stage.prompt_tokens, stage.shared_share) for stage in found.stages} == {(0, 0, 0.0)}
    assert found.loads == ()


def test_a_config_that_cannot_be_run_cannot_be_planned(tmp_path: Path) -> None:
    """The same checks, the same line."""
    config = make_project(tmp_path)
    config.write_text(config.read_text().replace("answerer: m", "answerer: z"))
    with pytest.raises(ConfigError, match="no model 'z'"):
        plan(config)


@pytest.mark.parametrize("language", get_args(Language))
def test_specimens_pass_every_filter(language: Language) -> None:
    """In each language a rehearsed quiz drops nothing but its surplus, and every text is answered rightly."""
    keys: dict[str, Call] = {}

    def answer(call: Call) -> Reply:
        keys[call_key(call, call.model)] = call
        return reply(call, rehearse(call, len(keys), language))

    texts = [Candidate("s", "x", "A text.")]
    flow = quiz(replace(source(), language=language), texts, "Unrelated.", settings(questions=20), prompts(), 7)
    result, _ = play(flow, answer)
    assert len(result.items) == 20
    assert {drop.reason for drop in result.dropped} == {"surplus"}
    assert {item.language for item in result.items} == {language}
    assert {answered.chosen for answered in result.answers["x"]} == {GOLD}
    assert Counter(call.stage for call in keys.values())["quiz/write"] == 30


def test_a_specimen_is_not_shorter_than_what_is_sent(tmp_path: Path) -> None:
    """The plan's tokens are no less than those of a run with short questions."""
    config = make_project(tmp_path)
    planned = sum(stage.prompt_tokens for stage in plan(config, tmp_path / "run").stages)
    sent = run(config, tmp_path / "run").ledger.accounts["m"].prompt_tokens
    assert sent <= planned < 1.3 * sent


def test_sources_of_several_languages_and_ids_with_a_slash(tmp_path: Path) -> None:
    """Each call is rehearsed in the language of its source, whatever stands in ids and names of systems."""
    config = make_project(tmp_path, n_sources=1)
    (tmp_path / "sources" / "s0.txt").write_text("Первая строка о причале.\n\nВторая строка о лодках и канатах.")
    (tmp_path / "rows.jsonl").write_text('{"source": "s0", "system": "lab/model/7b", "text": "О лодках."}\n')
    rows = "candidates:\n  - {path: rows.jsonl}\n"
    config.write_text(config.read_text().replace("candidates:\n", rows))
    assert calls_of(plan(config, tmp_path / "run"))["quiz/answer"] == 4 * 4 * 2


@pytest.mark.parametrize(("judges", "order"), [("ab", ["a", "b", "a"]), ("a", ["b", "a"]), ("b", ["a", "b"])])
def test_the_planned_order_of_loads_is_the_least_and_the_runs(judges: str, order: list[str], tmp_path: Path) -> None:
    """Systems write before judges judge; a model that does both is loaded once where the others' texts allow it."""
    config = make_selection(tmp_path, {"short": "a", "long": "a", "other": "b"}, judges)
    found = plan(config, tmp_path / "run")
    assert [load.model for load in found.loads] == order
    assert sum(stage.calls for load in found.loads for stage in load.stages) == sum(each.calls for each in found.stages)
    accounts = run(config, tmp_path / "run").ledger.accounts
    assert {name: account.loads for name, account in accounts.items()} == Counter(order)
    assert {(name, stage): n for name, account in accounts.items() for stage, n in account.stages.items()} == {
        (stage.model, stage.stage): stage.calls for stage in found.stages
    }


def environments() -> list[bytes]:
    """Of the engines' processes that this one has started and that run now."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            parent = (folder / "stat").read_text().rpartition(")")[2].split()[1]
            if parent == str(os.getpid()) and b"localeval.engines.worker" in (folder / "cmdline").read_bytes():
                found.append((folder / "environ").read_bytes())
    return found


@pytest.mark.engine
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_who_counts_tokens_does_not_see_the_keys_of_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The process that holds a tokenizer has no use for the key of a model behind a server."""
    monkeypatch.setenv("LAB_KEY", "sk-planted-0123456789")
    evaluation, models = read_evaluation(make_project(tmp_path))
    (tmp_path / "weights").mkdir()
    (tmp_path / "weights" / "config.json").write_text("{}")
    local = models["m"].model_copy(
        update={"engine": "transformers", "folder": str(tmp_path / "weights"), "options": {}}
    )
    far = models["m"].model_copy(update={"name": "far", "engine": "openai", "options": {"key_env": "LAB_KEY"}})
    with ThreadPoolExecutor(1) as threads:
        counting = threads.submit(plan_of, evaluation, {"m": local, "far": far}, None)
        seen = [each for _ in iter(lambda: counting.done(), True) for each in environments()]
        assert isinstance(counting.exception(), EngineError)  # there is no tokenizer
    assert any(b"HF_HUB_OFFLINE" in each for each in seen)
    assert not [each for each in seen if b"sk-planted" in each]
