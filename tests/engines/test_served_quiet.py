"""Nothing of the network is touched unless a model behind a server is asked, and no file of a run holds a key."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.engines.fake_server import FINE, Asked, Behaviour, serving

pytestmark = pytest.mark.slow

KEY = "sk-planted-0123456789"

WATCHED = """
import json, runpy, sys
seen = []
sys.addaudithook(lambda event, args: seen.append(event) if event in ("socket.connect", "socket.getaddrinfo") else None)
sys.argv = ["localeval", "run", sys.argv[1], "--out", sys.argv[2]]
code = 0
try:
    runpy.run_module("localeval", run_name="__main__", alter_sys=True)
except SystemExit as end:
    code = end.code or 0
loaded = [name for name in ("openai", "httpx", "httpx2", "asyncio") if name in sys.modules]
print("WATCHED" + json.dumps({"code": code, "seen": seen, "loaded": loaded}))
"""

CONFIG = """
name: garden
sources: [{path: garden.txt, category: meeting}]
candidates: [{path: "{system}.md", source: garden}]
models: {m: %s}
methods: {panel: {judges: [m], rubric: meeting}}
"""


def project(folder: Path, model: str) -> Path:
    """A small evaluation of two texts by one judge."""
    (folder / "garden.txt").write_text("Anna: plot 1 grows amber.\nBoris: plot 2 grows birch.\n", "utf-8")
    (folder / "whole.md").write_text("Plot 1 grows amber. Plot 2 grows birch.", "utf-8")
    (folder / "half.md").write_text("Plot 1 grows amber.", "utf-8")
    (folder / "rules.jsonl").write_text(json.dumps({"reply": "no verdict"}) + "\n", "utf-8")
    (folder / "config.yaml").write_text(CONFIG % model, "utf-8")
    return folder / "config.yaml"


def watched_run(config: Path, **environment: str) -> tuple[dict[str, Any], str]:
    """What a run in a process of its own touched, and all that it printed."""
    command = [sys.executable, "-c", WATCHED, str(config), str(config.parent / "run")]
    here = str(Path(__file__).parents[2])
    env = {**os.environ, "PYTHONPATH": here, **environment}
    ran = subprocess.run(command, capture_output=True, text=True, check=False, cwd=config.parent, env=env)
    _, found, told = ran.stdout.rpartition("WATCHED")
    assert found, ran.stderr[-2000:]
    result: dict[str, Any] = json.loads(told)
    return result, ran.stdout + ran.stderr


def test_a_run_of_scripted_models_opens_no_connection(tmp_path: Path) -> None:
    """It connects to nothing, looks no name up, and does not even load what could."""
    told, printed = watched_run(project(tmp_path, "{engine: scripted, script: rules.jsonl}"))
    assert told["code"] == 3, printed  # finished, with missing verdicts
    assert told["seen"] == []
    assert not {"openai", "httpx", "httpx2"} & set(told["loaded"])


def test_a_key_is_in_no_file_and_no_word_of_a_run(tmp_path: Path) -> None:
    """Although the server echoes it in answers and errors, and however the run ends; proxies are left alone."""

    def echo(asked: Asked) -> Behaviour:
        said = asked.headers["authorization"].removeprefix("Bearer ")
        if asked.time == 1 and len(server.questions) % 10 == 5:
            return Behaviour(503, text=f"who is {said}?")
        if len(server.questions) % 3 == 0:
            return Behaviour(400, text=json.dumps({"error": {"message": f"what is {said}?"}}))
        message = {"choices": [{"message": {"content": json.dumps({"it": said})}, "finish_reason": "stop"}]}
        return Behaviour(completion=message) if len(server.questions) % 3 == 1 else FINE

    proxies = dict.fromkeys(("HTTP_PROXY", "http_proxy", "ALL_PROXY"), "http://127.0.0.1:9")
    with serving(echo) as server:
        model = f"{{engine: openai, base_url: '{server.url}', served: tiny, key_env: LAB_KEY}}"
        told, printed = watched_run(project(tmp_path, model), LAB_KEY=KEY, **proxies)
        assert told["code"] == 3, printed  # finished, with missing verdicts
        assert {asked.headers["authorization"] for asked in server.asked} == {f"Bearer {KEY}"}
        assert len(server.questions) > 10
    with serving(lambda asked: Behaviour(401, text=f"no {KEY} here")) as server:
        (tmp_path / "barred").mkdir()
        model = f"{{engine: openai, base_url: '{server.url}', served: tiny, key_env: LAB_KEY}}"
        barred, said = watched_run(project(tmp_path / "barred", model), LAB_KEY=KEY)
    assert barred["code"] == 1
    assert "LAB_KEY holds the right key" in said.replace("\n", " ")
    assert "Traceback" not in said
    assert KEY not in printed + said
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert any(path.name == "store.sqlite" for path in files)
    assert not [path for path in files if KEY.encode() in path.read_bytes()]
    assert [path for path in files if b"[key]" in path.read_bytes()]
