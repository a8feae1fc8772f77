"""Two real engines on a real Ray: SmolLM2-135M on vLLM, one of the two killed on the way."""

from importlib.util import find_spec
from pathlib import Path

import pytest

from benchmarks.cluster.runs import kill_a_replica
from localeval.cluster.joining import ClusterSettings
from localeval.evaluation import run
from localeval.flow import EngineInfo
from localeval.ledger import Ledger
from localeval.values import Call, Reply
from tests.cluster.leftovers import left_after
from tests.projects import make_project

pytestmark = pytest.mark.skipif(find_spec("ray") is None, reason="ray is not installed")


class Watcher(Ledger):
    """Keeps the replies, and kills a replica after the eighth."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: dict[str, str] = {}
        self.info = EngineInfo("not loaded")

    def loaded(self, model: str, info: EngineInfo) -> None:
        super().loaded(model, info)
        self.info = info

    def answered(self, call: Call, reply: Reply, is_stored: bool) -> None:
        super().answered(call, reply, is_stored)
        if is_stored:
            return
        assert reply.key not in self.texts
        assert reply.missing is None
        self.texts[reply.key] = reply.text
        if len(self.texts) == 8:
            kill_a_replica(self.info)


@pytest.mark.engine
def test_a_killed_engine_loses_no_reply_and_a_local_run_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every call is answered once and in schema; the engines' processes are gone; without the cluster the finished run
    asks nothing more and has the same scores."""
    config = make_project(tmp_path, n_sources=2, n_segments=6)
    text = config.read_text(encoding="utf-8")
    options = "{card: smollm2-135m, dtype: float32, device: cpu, context: 2048, cache_gib: 0.25, max_in_flight: 4}"
    text = text.replace("{engine: scripted, script: rules.jsonl}", options)
    methods = "methods:\n  panel: {judges: [m], rubric: default, retries: 0}\n"
    config.write_text(text[: text.index("methods:")] + methods, encoding="utf-8")
    monkeypatch.setenv("LOCALEVAL_TEST_MARK", str(tmp_path))
    watcher = Watcher()
    outcome = run(config, tmp_path / "run", ledger=watcher, cluster=ClusterSettings("auto", 2))
    assert not left_after(f"LOCALEVAL_TEST_MARK={tmp_path}")
    assert len(watcher.texts) == 2 * 3 * 7
    assert outcome.ledger.accounts["m"].cached_share > 0.2
    assert len((tmp_path / "run" / "cluster.log").read_text(encoding="utf-8").splitlines()) == 1
    assert (tmp_path / "run" / "engine-m-1.log").exists()
    again = run(config, tmp_path / "run")
    assert again.ledger.sent == 0
    assert again.scores == outcome.scores
