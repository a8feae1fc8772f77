"""`localeval.engines.scripted`: a script of rules serves as an engine, failures and clock included."""

import json
import time
from pathlib import Path

import pytest

from localeval.engines.scripted import ScriptedEngine, count_words, read_script
from localeval.errors import EngineError, InputError
from localeval.models import Model
from localeval.values import Call, Choice, FreeText, Message, Missing, Reply, Sampling
from tests.helpers import scripted_model


def call(*parts: str, logprobs: int = 0, max_tokens: int = 1, system: str = "") -> Call:
    messages = (*((Message("system", (system,)),) if system else ()), Message("user", parts))
    return Call("m", messages, Choice(("A", "B")), Sampling(max_tokens, logprobs=logprobs))


def served(model: Model, *calls: Call) -> list[Reply]:
    """The replies, in the order in which they came; the keys are the places of the calls."""
    with ScriptedEngine(model) as engine:
        engine.submit({str(place): each for place, each in enumerate(calls)})
        return list(engine.replies())


def texts(folder: Path, rules: list[dict[str, object]], *prompts: str) -> list[str]:
    return [reply.text for reply in served(scripted_model(folder, rules), *(call(prompt) for prompt in prompts))]


def test_the_first_rule_that_matches_answers(tmp_path: Path) -> None:
    """A substring, a regular expression over line ends, then one that matches everything."""
    rules = [{"contains": "one", "reply": "1"}, {"match": "t.o", "reply": "2"}, {"reply": "0"}, {"reply": "never"}]
    assert texts(tmp_path, rules, "one two", "t\no", "three") == ["1", "2", "0"]


def test_a_template_holds_what_was_found(tmp_path: Path) -> None:
    """Groups by number and name, of the whole rendered prompt with its system message; a reply is sent as it is."""
    rules = [{"match": r"dry.*?(?P<word>\w+)\?", "template": r"\g<word>-\1"}, {"match": "x", "reply": r"\1"}]
    model = scripted_model(tmp_path, rules)
    assert [reply.text for reply in served(model, call("tea?", system="dry"), call("x"))] == ["tea-tea", r"\1"]


def test_an_empty_substring_matches_everything(tmp_path: Path) -> None:
    """As in any text."""
    assert texts(tmp_path, [{"contains": "", "reply": "all"}], "x") == ["all"]


def test_what_no_rule_matches_is_an_engine_error(tmp_path: Path) -> None:
    """One missing, and the others are answered."""
    found = served(scripted_model(tmp_path, [{"contains": "a", "reply": "A"}]), call("b"), call("a"))
    assert [(reply.text, reply.missing) for reply in found] == [
        ("", Missing("engine error", "no rule of the script matches")),
        ("A", None),
    ]


@pytest.mark.parametrize(
    ("fail", "reason"), [("timeout", "engine error"), ("error", "engine error"), ("refused", "refused")]
)
def test_failures_are_missing_replies(fail: str, reason: str, tmp_path: Path) -> None:
    """Each failure has its reason, and no text is believed with it."""
    (reply,) = served(scripted_model(tmp_path, [{"fail": fail, "reply": "A"}]), call("x"))
    assert reply.missing is not None
    assert (reply.missing.reason, reply.text, reply.finish) == (reason, "", "error")


def test_a_truncated_reply_is_cut(tmp_path: Path) -> None:
    """It has its text, and ends by length."""
    (reply,) = served(scripted_model(tmp_path, [{"fail": "truncated", "reply": '{"a":'}]), call("x"))
    assert (reply.text, reply.finish, reply.missing) == ('{"a":', "length", None)


def test_a_crash_takes_the_engine_with_it(tmp_path: Path) -> None:
    """Replies before it arrive, those after it do not."""
    rules = [{"contains": "bad", "fail": "crash"}, {"reply": "A"}]
    with ScriptedEngine(scripted_model(tmp_path, rules)) as engine:
        engine.submit({"0": call("x"), "1": call("bad"), "2": call("y")})
        replies = engine.replies()
        assert next(replies).key == "0"
        with pytest.raises(EngineError, match=r"m\.jsonl: a rule with fail: crash answered call 1"):
            next(replies)


def test_replies_come_when_they_are_due(tmp_path: Path) -> None:
    """A slow rule delays its own calls alone, calls may be submitted while others wait, and seconds are told."""
    rules = [{"contains": "slow", "reply": "s", "delay_s": 0.1}, {"reply": "q"}]
    with ScriptedEngine(scripted_model(tmp_path, rules)) as engine:
        engine.submit({"slow": call("slow"), "quick": call("1")})
        order = []
        for reply in engine.replies():
            order.append(reply.key)
            if reply.key == "quick":
                engine.submit({"late": call("2")})
            if reply.key == "slow":
                assert 0.1 <= reply.seconds < 5
    assert order == ["quick", "late", "slow"]


def test_calls_per_second_is_a_ceiling(tmp_path: Path) -> None:
    """Thirty calls at 200 a second take 0.15 s at least; five times as many a second take a fifth."""
    took = []
    for number, rate in enumerate((200, 1000)):
        model = scripted_model(tmp_path, [{"reply": "A"}], f"m{number}", calls_per_second=rate)
        start = time.monotonic()
        assert len(served(model, *(call(str(i)) for i in range(30)))) == 30
        took.append(time.monotonic() - start)
    assert took[0] >= 0.15
    assert took[1] >= 0.03
    assert took[1] < took[0]


def test_log_probabilities_are_sent_where_they_are_asked_for(tmp_path: Path) -> None:
    """The most likely first, no more than asked for, none unasked."""
    model = scripted_model(tmp_path, [{"reply": "A", "logprobs": {"B": -2.0, "A": -0.1, "C": -3.0}}])
    found = served(model, call("x", logprobs=2), call("x"))
    assert [reply.logprobs for reply in found] == [((("A", -0.1), ("B", -2.0)),), ()]


def test_a_call_beyond_the_context_is_not_served(tmp_path: Path) -> None:
    """Rule 1: prompt and answer count, both numbers are told, the log has no such call; what just fits is served."""
    log = tmp_path / "calls.log"
    model = scripted_model(tmp_path, [{"reply": "A"}], context=5, log=str(log))
    found = served(model, call("1 2 3 4"), call("1 2 3 4 5"), call("1 2 3 4", max_tokens=2))
    assert [reply.key for reply in found if reply.missing is None] == ["0"]
    assert [(reply.missing.reason, reply.missing.needed, reply.missing.limit) for reply in found if reply.missing] == [
        ("too long", 6, 5)
    ] * 2
    assert log.read_text() == "0\n"


def test_the_log_has_each_served_call_before_its_reply(tmp_path: Path) -> None:
    """So that a test can count what an engine was asked, whatever became of the run; failures are served too."""
    log = tmp_path / "calls.log"
    rules = [{"contains": "bad", "fail": "error"}, {"contains": "end", "fail": "crash"}, {"reply": "A"}]
    with ScriptedEngine(scripted_model(tmp_path, rules, log=str(log))) as engine:
        engine.submit({"good": call("x"), "bad": call("bad"), "end": call("end")})
        replies = engine.replies()
        next(replies)
        assert log.read_text() == "good\n"
        with pytest.raises(EngineError):
            list(replies)
    assert log.read_text() == "good\nbad\nend\n"


def test_shared_parts_count_as_cached(tmp_path: Path) -> None:
    """A prefix of whole parts that an earlier call had is cached; the same words elsewhere are not."""
    model = scripted_model(tmp_path, [{"reply": "A B!"}])
    found = served(model, call("a b c", "d"), call("a b c", "e f"), call("a b", "c d"), call("d"))
    assert [(reply.prompt_tokens, reply.cached_tokens) for reply in found] == [(4, 0), (5, 3), (4, 0), (1, 0)]
    assert {reply.output_tokens for reply in found} == {3}


def test_words_and_signs_stand_for_tokens() -> None:
    """In any script; pieces add up to the prompt and are told apart by everything before them."""
    counted = count_words(call("Да, нет.", "是"))
    assert counted.prompt == sum(tokens for _, tokens in counted.pieces) == 5
    other = count_words(call("Нет.", "是"))
    assert counted.pieces[-1][0] != other.pieces[-1][0]


def test_leaving_forgets_what_waits(tmp_path: Path) -> None:
    """An engine that is left owes nothing."""
    with ScriptedEngine(scripted_model(tmp_path, [{"reply": "A", "delay_s": 9}])) as engine:
        engine.submit({"0": call("x")})
    assert list(engine.replies()) == []


def test_free_text_is_served_like_any_other(tmp_path: Path) -> None:
    """The scripted engine sends what its script says, whatever the output type: readers must judge."""
    model = scripted_model(tmp_path, [{"reply": "not a letter"}])
    free = Call("m", (Message("user", ("x",)),), FreeText(), Sampling(9))
    assert [reply.text for reply in served(model, free, call("x"))] == ["not a letter"] * 2


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"reply": "A"', "line 2: rule: Invalid JSON"),
        ('{"repyl": "A"}', "line 2: repyl: Extra inputs are not permitted"),
        ('{"reply": 5}', "line 2: reply: Input should be a valid string"),
        ("[]", "line 2: rule: Input should be an object"),
        ('{"contains": "x"}', "line 2: rule: give `reply`, `template` or `fail`"),
        ('{"contains": "x", "match": "x", "reply": "A"}', "line 2: rule: give `contains` or `match`"),
        ('{"template": "A"}', "line 2: rule: `template` goes with `match`"),
        ('{"match": "(", "reply": "A"}', "line 2: rule: `match` is not a regular expression"),
        ('{"match": "(x)", "template": "\\\\2"}', "line 2: rule: `template` does not go with the groups"),
        ('{"match": "x", "template": "\\\\g<n>"}', "line 2: rule: `template` does not go with the gr"),
        ('{"reply": "A", "fail": "boom"}', "line 2: fail: Input should be 'timeout', 'error', 'refused', 'truncated'"),
        ('{"reply": "A", "delay_s": -1}', "line 2: delay_s: Input should be greater than or equal to 0"),
        ('{"reply": "A", "logprobs": {"A": "high"}}', "line 2: logprobs.A: Input should be a valid number"),
        ('{"reply": "A", "logprobs": {"A": 900}}', "line 2: logprobs.A: Input should be less than or equal to 0"),
    ],
)
def test_a_mistake_in_a_script_names_file_line_and_field(line: str, message: str, tmp_path: Path) -> None:
    """Before anything is served."""
    path = tmp_path / "rules.jsonl"
    path.write_text(f'{{"reply": "A"}}\n{line}\n')
    with pytest.raises(InputError) as caught:
        read_script(path)
    assert str(caught.value).startswith(f"{path} {message}")


def test_files_that_are_no_scripts(tmp_path: Path) -> None:
    """No file, no text, no rule: each is named with the fix."""
    path = tmp_path / "rules.jsonl"
    with pytest.raises(InputError, match=r"rules\.jsonl: cannot be read .*give a JSONL file of rules"):
        read_script(path)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="cannot be read"):
        read_script(path)
    path.write_text("\n \n")
    with pytest.raises(InputError, match=r'holds no rule; write at least one line such as \{"reply": "A"\}'):
        read_script(path)


def test_a_script_is_lines_of_json_whatever_is_in_them(tmp_path: Path) -> None:
    """A byte order mark, empty lines, CRLF, and a line separator inside a string are no mistakes."""
    path = tmp_path / "rules.jsonl"
    rules = [json.dumps({"reply": reply}, ensure_ascii=False) for reply in ("one\u2028two", "x\x85y")]
    path.write_bytes(("\ufeff" + "\r\n\r\n".join(rules)).encode())
    assert [rule.reply for rule in read_script(path)] == ["one\u2028two", "x\x85y"]


def free(prompt: str) -> Call:
    return Call("m", (Message("user", (prompt,)),), FreeText(), Sampling(9))


def test_a_rule_may_think(tmp_path: Path) -> None:
    """The thought is apart from the text and counted among its tokens; a constrained call has none, as in engines."""
    rules = [{"reply": "Yes.", "thinking": "one two three", "delay_s": 0.01}]
    thought, verdict = served(scripted_model(tmp_path, rules), free("x"), call("x"))
    assert (thought.text, thought.thinking, thought.thinking_tokens, thought.output_tokens) == (
        "Yes.",
        "one two three",
        3,
        5,
    )
    assert (verdict.text, verdict.thinking, verdict.thinking_tokens, verdict.output_tokens) == ("Yes.", "", 0, 2)
    assert (thought.first_token_s, verdict.first_token_s) == (0.01, None)


def test_an_unclosed_thought_is_missing(tmp_path: Path) -> None:
    """With what was thought, its tokens, and no text."""
    rules = [{"fail": "unclosed", "thinking": "one two", "reply": "never"}]
    (reply,) = served(scripted_model(tmp_path, rules), free("x"))
    assert reply.missing == Missing("truncated", "the thought was not closed after 2 tokens")
    assert (reply.text, reply.finish, reply.thinking, reply.thinking_tokens) == ("", "length", "one two", 2)
    assert reply.output_tokens == 2


def test_device_seconds_are_the_pretended_work(tmp_path: Path) -> None:
    """Delay and the ceiling's share, the same in every run; nothing for a call that was not served."""
    rules = [{"contains": "slow", "reply": "s", "delay_s": 0.05}, {"contains": "q", "reply": "q"}]
    model = scripted_model(tmp_path, rules, context=5, calls_per_second=100)
    found = served(model, call("slow"), call("q"), call("q 2 3 4 5 6"), call("x"))
    assert {reply.key: reply.device_s for reply in found} == pytest.approx({"0": 0.06, "1": 0.01, "2": 0.0, "3": 0.01})
    assert served(scripted_model(tmp_path, [{"reply": "A"}], "free"), call("x"))[0].device_s == 0.0
