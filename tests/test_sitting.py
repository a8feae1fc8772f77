"""`localeval.sitting`: what one sitting of a run leaves to the next."""

import json
from pathlib import Path

import pytest

from localeval.errors import BudgetReached, ConfigError, EngineError, StoreError
from localeval.evaluation import run
from tests.engines.fake_server import PRICE_IN, PRICE_OUT, Asked, Behaviour, serving
from tests.projects import make_project
from tests.systems_project import make_selection, rules_of, write_rules

CONFIG = """
name: garden
sources: [{path: garden.txt, category: meeting}]
candidates: [{path: "{system}.md", source: garden}]
models: {m: {engine: openai, base_url: "URL", served: tiny, price_in: IN, price_out: OUT}}
methods: {panel: {judges: [m], rubric: meeting, retries: 0}}
prices: {budget: 0.1}
"""


def test_a_budget_holds_over_sittings_also_for_what_no_reply_tells(tmp_path: Path) -> None:
    """A server that counts no tokens may have billed each answer at its worst: the next sitting begins there."""

    def uncounted(asked: Asked) -> Behaviour:
        return Behaviour(completion={"usage": {"prompt_tokens": 0, "completion_tokens": 0}})

    (tmp_path / "garden.txt").write_text("Anna: plot 1 grows amber.\nBoris: plot 2 grows birch.\n", "utf-8")
    (tmp_path / "whole.md").write_text("Plot 1 grows amber. Plot 2 grows birch.", "utf-8")
    config, folder = tmp_path / "config.yaml", tmp_path / "run"
    with serving(uncounted) as server:
        text = CONFIG.replace("URL", server.url).replace("IN", str(PRICE_IN)).replace("OUT", str(PRICE_OUT))
        config.write_text(text, "utf-8")
        asked, spent = [], []
        for _ in range(2):
            with pytest.raises(BudgetReached):
                run(config, folder)
            asked.append(len(server.questions))
            spent.append(json.loads((folder / "run.json").read_text("utf-8"))["spent"])
        assert asked[0] > 0
        assert asked[1] == asked[0]
        assert 0.1 / 2 < spent[0] <= spent[1] <= 0.1


@pytest.mark.parametrize(
    "model",
    [
        '{engine: openai, base_url: "http://127.0.0.1:9/sk-0123456789/v1", served: tiny, key_env: LAB_KEY}',
        "{engine: command, command: [cat, sk-0123456789], unset: [LAB_KEY]}",
    ],
)
def test_a_config_that_holds_a_key_is_refused(model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run keeps its config: told before there is a folder, and without the key."""
    monkeypatch.setenv("LAB_KEY", "sk-0123456789")
    (tmp_path / "garden.txt").write_text("Anna: plot 1 grows amber.\n", "utf-8")
    (tmp_path / "whole.md").write_text("Plot 1 grows amber.", "utf-8")
    lines = [f"models: {{m: {model}}}" if line.startswith("models:") else line for line in CONFIG.splitlines()]
    (tmp_path / "config.yaml").write_text("\n".join(lines).replace("prices: {budget: 0.1}", ""), "utf-8")
    with pytest.raises(ConfigError, match="holds what the variable LAB_KEY holds") as caught:
        run(tmp_path / "config.yaml", tmp_path / "run")
    assert "sk-" not in str(caught.value)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("spent", ["many", None, True, -1, float("nan")])
def test_what_is_no_sum_of_money_is_damage(tmp_path: Path, spent: object) -> None:
    """A `spent` edited by hand ends the next sitting, which could not keep the budget; the results stay."""
    project, folder = make_project(tmp_path, n_sources=1), tmp_path / "run"
    run(project, folder)
    scores = (folder / "scores.json").read_bytes()
    manifest = json.loads((folder / "run.json").read_text("utf-8"))
    (folder / "run.json").write_text(json.dumps(manifest | {"spent": spent}), "utf-8")
    with pytest.raises(StoreError, match=r"run\.json is damaged \(`spent` is "):
        run(project, folder)
    assert (folder / "scores.json").read_bytes() == scores


def test_a_bill_that_lacks_what_was_asked_since_leaves_the_folder(tmp_path: Path) -> None:
    """A sitting that fails after it asked takes the older bill away; the next one writes it anew."""
    config = make_selection(tmp_path, {"short": "a"}, ("a", "b"))
    run(config, tmp_path / "run", part="generate")
    assert (tmp_path / "run" / "ledger.json").exists()
    write_rules(tmp_path / "b.jsonl", [{"contains": "Summary", "fail": "crash"}])
    with pytest.raises(EngineError):
        run(config, tmp_path / "run")
    assert not (tmp_path / "run" / "ledger.json").exists()
    write_rules(tmp_path / "b.jsonl", rules_of("b"))
    run(config, tmp_path / "run")
    assert (tmp_path / "run" / "ledger.json").exists()
