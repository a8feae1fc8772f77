"""`localeval.engines.command`: real programs, well and badly behaved."""

import os
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from localeval.engines.command import CommandEngine
from localeval.engines.form_in_words import describe
from localeval.engines.running import OUTPUT_LIMIT
from localeval.errors import ConfigError
from localeval.evaluation import run
from localeval.models import Card, Model
from localeval.store.folder import RunReader
from localeval.values import Call, Choice, FreeText, Message, Output, Reply, Sampling

FREE = FreeText()
YES_NO = Choice(("yes", "no"))
LONG_S = 30.0


def program(folder: Path, body: str) -> tuple[str, str]:
    """A Python program as a command."""
    path = folder / "tool.py"
    path.write_text(f"import os, subprocess, sys, time\n{body}\n", encoding="utf-8")
    return sys.executable, str(path)


def engine(command: tuple[str, ...], hidden: frozenset[str] = frozenset(), **options: object) -> CommandEngine:
    given: dict[str, object] = {"command": list(command), "attempts": 1, **options}
    context = int(str(given.pop("context", 0)))
    card = Card(name="tool", family="unknown")
    return CommandEngine(Model(name="tool", card=card, engine="command", context=context, options=given), hidden)


def call(text: str, output: Output = FREE) -> Call:
    messages = (Message("system", ("Be brief.",)), Message("user", ("Text: ", text)))
    return Call("tool", messages, output, Sampling(16))


def answers(opened: CommandEngine, calls: Mapping[str, Call]) -> dict[str, Reply]:
    with opened as running:
        running.submit(calls)
        return {reply.key: reply for reply in running.replies()}


def answer(opened: CommandEngine, asked: Call) -> Reply:
    return answers(opened, {"k": asked})["k"]


def failure(reply: Reply) -> str:
    """The detail of an engine error."""
    assert reply.missing is not None
    assert (reply.missing.reason, reply.finish, reply.text) == ("engine error", "error", "")
    return reply.missing.detail


ECHO = "sys.stdout.buffer.write(sys.stdin.buffer.read())"


def test_the_prompt_goes_in_plainly_and_what_is_printed_comes_back(tmp_path: Path) -> None:
    """System and user texts as they are, an empty line between; outer white space is taken off, nothing else is."""
    tool = program(tmp_path, "print(' \\n' + sys.stdin.read() + '\\n')")
    reply = answer(engine(tool), call("Стоимость — 7 €.\n\n  Ja."))
    assert reply.text == "Be brief.\n\nText: Стоимость — 7 €.\n\n  Ja."
    assert (reply.finish, reply.missing, reply.engine) == ("stop", None, f"command {Path(sys.executable).name}")
    assert reply.seconds > 0


def test_a_wanted_form_is_described_behind_the_prompt(tmp_path: Path) -> None:
    """No grammar holds a program: the options stand at the end of what it reads."""
    reply = answer(engine(program(tmp_path, ECHO)), call("x", YES_NO))
    assert reply.text == "Be brief.\n\nText: x" + describe(YES_NO)


def test_what_a_program_does_not_tell_is_not_guessed(tmp_path: Path) -> None:
    """No token counts, no probabilities, no time of a device."""
    reply = answer(engine(program(tmp_path, ECHO)), call("x"))
    assert (reply.prompt_tokens, reply.output_tokens, reply.cached_tokens) == (0, 0, 0)
    assert (reply.logprobs, reply.first_token_s, reply.device_s) == ((), None, None)


def test_long_prompts_and_answers_pass_whole(tmp_path: Path) -> None:
    """Neither side waits for the other, however much is written before anything is read."""
    tool = program(tmp_path, "print('a' * 10**6, file=sys.stderr)\n" + ECHO)
    text = "слово " * 100_000
    assert answer(engine(tool), call(text)).text == f"Be brief.\n\nText: {text.strip()}"


def test_a_program_that_reads_nothing_is_no_fault(tmp_path: Path) -> None:
    """It may answer without having read its input to the end."""
    assert answer(engine(program(tmp_path, "print('yes')")), call("x" * 10**6)).text == "yes"


def test_no_shell_reads_the_command(tmp_path: Path) -> None:
    """Arguments arrive as they are given, whatever a shell would make of them."""
    tool = program(tmp_path, "print(sys.argv[1:])")
    argument = "$HOME; `id` *  'x"
    assert answer(engine((*tool, argument)), call("x")).text == repr([argument])


def test_each_call_has_an_empty_folder_that_leaves_nothing(tmp_path: Path) -> None:
    """The program starts where there is nothing, and what it writes there is gone with it."""
    tool = program(tmp_path, "print(os.getcwd(), os.listdir()); open('left', 'w').write('x')")
    replies = answers(engine(tool), {"a": call("x"), "b": call("y")})
    folders = [reply.text.split(" ")[0] for reply in replies.values()]
    assert [reply.text.split(" ")[1] for reply in replies.values()] == ["[]", "[]"]
    assert len(set(folders)) == 2
    assert not any(Path(folder).exists() for folder in folders)


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("sys.exit(3)", "ended with exit code 3"),
        ("print('half'); sys.exit(1)", "ended with exit code 1"),
        ("print('one', file=sys.stderr); print('two\\n', file=sys.stderr); sys.exit(2)", "ended with exit code 2: two"),
        ("print('  ')", "printed nothing"),
        ("print('log in first', file=sys.stderr)", "printed nothing: log in first"),
        ("sys.stdout.buffer.write(b'ab\\xff')", "printed no UTF-8 (byte 2)"),
        ("os.kill(os.getpid(), 9)", "was killed by SIGKILL"),
        ("os.kill(os.getpid(), 35)", "was killed by signal 35"),
    ],
)
def test_what_is_no_answer_is_an_engine_error_that_says_why(tmp_path: Path, body: str, told: str) -> None:
    """An exit code, no output or another encoding: missing, with the last line that the program complained in."""
    assert failure(answer(engine(program(tmp_path, body)), call("x"))).endswith(f" {told}")


def test_one_failing_call_costs_no_other(tmp_path: Path) -> None:
    """The batch goes on."""
    tool = program(tmp_path, "text = sys.stdin.read()\nsys.exit(1) if 'bad' in text else print('fine')")
    replies = answers(engine(tool, max_in_flight=2), {"a": call("bad"), "b": call("good"), "c": call("well")})
    assert failure(replies["a"])
    assert [replies["b"].text, replies["c"].text] == ["fine", "fine"]


def test_attempts_are_made_until_one_answers_and_no_more(tmp_path: Path) -> None:
    """Two attempts: a program that fails the first time is asked once more; one that always fails, twice."""
    log = tmp_path / "log"
    body = f"open({str(log)!r}, 'a').write('x')\nn = len(open({str(log)!r}).read())\n"
    tool = program(tmp_path, body + "print('yes') if n == 2 else sys.exit(1)")
    assert answer(engine(tool, attempts=2), call("x")).text == "yes"
    assert log.read_text() == "xx"
    assert failure(answer(engine(tool, attempts=2), call("x"))).endswith("ended with exit code 1, 2 times")
    assert log.read_text() == "xxxx"


def alive(pid: int) -> bool:
    """Whether a process runs; a zombie does not."""
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


def gone(pid: int) -> bool:
    """Whether a process has gone within some seconds."""
    end = time.monotonic() + 10
    while alive(pid) and time.monotonic() < end:
        time.sleep(0.02)
    return not alive(pid)


CHILD = "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(120)'], start_new_session={})\n"


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="tells processes apart by /proc")
@pytest.mark.parametrize("escapes", [False, True])
def test_a_slow_program_is_killed_with_all_that_it_started(tmp_path: Path, escapes: bool) -> None:
    """At the timeout, children included, also those that left its process group."""
    pids = tmp_path / "pids"
    body = CHILD.format(escapes) + f"open({str(pids)!r}, 'w').write(f'{{os.getpid()}} {{child.pid}}')\ntime.sleep(120)"
    begin = time.monotonic()
    assert failure(answer(engine(program(tmp_path, body), timeout_s=4), call("x"))).endswith(" took longer than 4 s")
    assert time.monotonic() - begin < LONG_S
    assert all(gone(int(pid)) for pid in pids.read_text().split())


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="tells processes apart by /proc")
@pytest.mark.parametrize("escapes", [False, True])
def test_a_child_that_hangs_does_not_hold_up_the_answer(tmp_path: Path, escapes: bool) -> None:
    """The program is done when it ends, although a child of its keeps the output open; the child ends too."""
    body = CHILD.format(escapes) + "print(child.pid)"
    begin = time.monotonic()
    reply = answer(engine(program(tmp_path, body)), call("x"))
    assert time.monotonic() - begin < LONG_S
    assert gone(int(reply.text))


def test_a_flood_is_stopped(tmp_path: Path) -> None:
    """A program that prints without end is killed; nothing of what it printed is kept."""
    tool = program(tmp_path, "while True: sys.stdout.write('x' * 10**5)")
    told = failure(answer(engine(tool, timeout_s=LONG_S), call("x")))
    assert told.endswith(f" printed more than {OUTPUT_LIMIT // 2**20} MiB")


def test_leaving_ends_what_still_runs(tmp_path: Path) -> None:
    """Ctrl-C in the middle of a run leaves no program behind."""
    pids = tmp_path / "pids"
    tool = program(tmp_path, f"open({str(pids)!r}, 'a').write(f'{{os.getpid()}}\\n')\ntime.sleep(120)")
    begin = time.monotonic()
    with engine(tool, max_in_flight=2) as running:
        running.submit({"a": call("x"), "b": call("y"), "c": call("z")})
        while not pids.exists() or len(pids.read_text().splitlines()) < 2:
            time.sleep(0.02)
    assert time.monotonic() - begin < LONG_S
    assert len(pids.read_text().splitlines()) == 2, "the third was never started"
    assert all(gone(int(pid)) for pid in pids.read_text().split())


def test_so_many_run_at_once_and_no_more(tmp_path: Path) -> None:
    """`max_in_flight` programs at once; the driver is told so by `capacity`."""
    folder = tmp_path / "at_once"
    folder.mkdir()
    body = (
        f"own = os.path.join({str(folder)!r}, str(os.getpid())); open(own, 'w').close()\n"
        f"time.sleep(0.5); print(len(os.listdir({str(folder)!r}))); time.sleep(0.5); os.unlink(own)"
    )
    opened = engine(program(tmp_path, body), max_in_flight=2)
    assert opened.capacity == 2
    seen = [int(reply.text) for reply in answers(opened, {str(n): call(str(n)) for n in range(5)}).values()]
    assert max(seen) == 2


def test_no_more_are_started_in_a_minute_than_allowed(tmp_path: Path) -> None:
    """At 120 a minute the starts of three calls are half a second apart, however many may be in flight."""
    opened = engine(program(tmp_path, "print(time.time())"), max_in_flight=3, calls_per_minute=120)
    starts = sorted(float(reply.text) for reply in answers(opened, {str(n): call("x") for n in range(3)}).values())
    assert starts[2] - starts[0] > 0.7, "1 s less what it takes to start the first"


PRINT_ENVIRONMENT = "print('|'.join(sorted(os.environ)))"


def test_variables_are_taken_from_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What `unset` names and the keys of other models are not there; all others are, and ours keeps its own."""
    for name in ("LOCALEVAL_T_ONE", "LOCALEVAL_T_TWO", "LOCALEVAL_T_STAYS"):
        monkeypatch.setenv(name, "value")
    opened = engine(program(tmp_path, PRINT_ENVIRONMENT), frozenset({"LOCALEVAL_T_TWO"}), unset=["LOCALEVAL_T_ONE"])
    seen = answer(opened, call("x")).text.split("|")
    assert [name for name in seen if name.startswith("LOCALEVAL_T_")] == ["LOCALEVAL_T_STAYS"]
    assert os.environ["LOCALEVAL_T_ONE"] == "value"


@pytest.mark.parametrize("name", ["LOCALEVAL_T_HIDDEN", "LOCALEVAL_T_API_KEY"])
def test_a_secret_in_a_complaint_is_not_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Neither the value of a removed variable nor of one whose name says that it is a key."""
    monkeypatch.setenv(name, "sk-planted-4711")
    tool = program(tmp_path, "print('bad key sk-planted-4711, sorry', file=sys.stderr); sys.exit(1)")
    told = failure(answer(engine(tool, unset=["LOCALEVAL_T_HIDDEN"]), call("x")))
    assert "4711" not in told
    assert told.endswith("ended with exit code 1: bad key [key], sorry")


def test_an_answer_that_holds_a_key_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tool that sees its own key may print it: the text does not come into the store."""
    monkeypatch.setenv("LOCALEVAL_T_API_KEY", "sk-planted-4711")
    told = failure(answer(engine(program(tmp_path, "print(dict(os.environ))")), call("x")))
    assert told.endswith("printed the value of LOCALEVAL_T_API_KEY, which is not kept")


def test_a_short_value_hides_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A removed variable that holds "1", a path or a sentence must not blank half of a complaint."""
    for name, value in (("LOCALEVAL_T_A", "1"), ("LOCALEVAL_T_B", "/usr/share"), ("LOCALEVAL_T_C", "no such file")):
        monkeypatch.setenv(name, value)
    tool = program(tmp_path, "print('1: no such file in /usr/share', file=sys.stderr); sys.exit(1)")
    opened = engine(tool, unset=["LOCALEVAL_T_A", "LOCALEVAL_T_B", "LOCALEVAL_T_C"])
    assert failure(answer(opened, call("x"))).endswith(": 1: no such file in /usr/share")


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("no-such-program-here", "there is no program 'no-such-program-here' that can be run"),
        ("./tool.sh", "'./tool.sh' is a relative path; it runs in an empty folder"),
        ("/nowhere/tool", "there is no program '/nowhere/tool' that can be run"),
    ],
)
def test_a_program_that_is_not_there_is_told_at_once(command: str, told: str) -> None:
    """One line that names the model's entry, before any call is made."""
    with pytest.raises(ConfigError, match=r"^models\.tool\.command: ") as error, engine((command,)):
        pass
    assert told in str(error.value)
    assert "\n" not in str(error.value)


def test_what_the_system_cannot_start_is_missing(tmp_path: Path) -> None:
    """A file that may be run and is no program."""
    tool = tmp_path / "tool"
    tool.write_bytes(b"\x7fELF not really")
    tool.chmod(0o755)
    assert "tool cannot be started (" in failure(answer(engine((str(tool),)), call("x")))


def test_what_is_surely_too_long_is_not_sent(tmp_path: Path) -> None:
    """Rule 1, where the entry names a context: words alone are more than it holds; both numbers are told."""
    log = tmp_path / "log"
    tool = program(tmp_path, f"open({str(log)!r}, 'a').write('x'); print('yes')")
    replies = answers(engine(tool, context=40), {"long": call("word " * 50), "short": call("word")})
    missing = replies["long"].missing
    assert missing is not None
    assert (missing.reason, missing.limit) == ("too long", 40)
    assert missing.needed > 66
    assert (replies["short"].text, log.read_text()) == ("yes", "x")


def test_calls_may_come_while_replies_are_read(tmp_path: Path) -> None:
    """As the driver does it: the next call is submitted when a reply has arrived."""
    with engine(program(tmp_path, ECHO)) as running:
        running.submit({"a": call("first")})
        seen = []
        for reply in running.replies():
            seen.append(reply.text.split("Text: ")[1])
            if len(seen) == 1:
                running.submit({"b": call("second")})
    assert seen == ["first", "second"]


LEAKS = """
text = sys.stdin.read()
secret = os.environ.get("LOCALEVAL_T_API_KEY", "")
print("tried " + secret, file=sys.stderr)
if "owners" in text:
    sys.exit(1)
print('{"candidate":"1","source":"1","score":"' + ("2" if secret else "0") + '"}')
"""


def test_a_secret_is_in_no_file_of_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Judged by a program that sees its key, complains with it and fails at half of its calls: not one byte of it."""
    secret = "sk-planted-0815-4711"
    monkeypatch.setenv("LOCALEVAL_T_API_KEY", secret)
    tool = program(tmp_path, LEAKS)
    (tmp_path / "s.txt").write_text("We agreed on plan 1. It costs 7 euros.")
    (tmp_path / "all.jsonl").write_text('{"source": "s", "system": "long", "text": "Plan 1 costs 7 euros."}\n')
    (tmp_path / "rubric.yaml").write_text(
        "category: any\nlanguage: en\ncriteria:\n"
        "  - {id: faithfulness, statement: True., levels: {0: no, 1: half, 2: all}}\n"
        "  - {id: owners, statement: It names the owners., levels: {0: none, 1: some, 2: all}}\n"
    )
    (tmp_path / "eval.yaml").write_text(
        "name: leaks\nsources: [{path: s.txt}]\ncandidates: [{path: all.jsonl}]\n"
        f"models: {{tool: {{engine: command, command: [{', '.join(tool)}], attempts: 1}}}}\n"
        "methods: {panel: {judges: [tool], rubric: rubric.yaml, retries: 0}}\n"
    )
    outcome = run(tmp_path / "eval.yaml", tmp_path / "run")
    judge = outcome.scores["methods"]["panel"]["judges"]["tool"]
    assert judge["missing_reasons"] == {"engine error": 1}
    with RunReader.open(tmp_path / "run") as reader:
        replies = [reader.store.get(key) for key in reader.store]
    told = [reply.missing.detail for reply in replies if reply is not None and reply.missing is not None]
    assert [each.endswith("ended with exit code 1: tried [key]") for each in told] == [True]
    files = [path for path in (tmp_path / "run").rglob("*") if path.is_file()]
    assert files
    assert not [path for path in files if secret.encode() in path.read_bytes()]
