"""`localeval.methods.quiz.flow` and `writing`: written, filtered and answered, with replies sent by hand."""

from collections import Counter
from collections.abc import Callable

import pytest

from localeval.methods.quiz.flow import quiz
from localeval.methods.quiz.schemas import GOLD, UNDETERMINED, SourceQuiz
from localeval.texts import Candidate, Segment, Source
from localeval.values import Call, Missing, Reply
from tests.methods.quiz.helpers import FACTS, play, prompts, reader, reply, settings, source, written

PROMPTS = prompts()


def scenario(
    write: Callable[[int], str] = written,
    read: Callable[[Call], str] = reader,
    candidates: dict[str, str] | None = None,
    **options: object,
) -> tuple[SourceQuiz, Counter[str], list[Call]]:
    """Result, calls by stage, and all calls of one quiz; the k-th written question is about plot k."""
    n_written = iter(range(1000))

    def answer(call: Call) -> Reply:
        return reply(call, write(next(n_written)) if call.stage == "quiz/write" else read(call))

    texts = [Candidate("s", system, text) for system, text in (candidates or {}).items()]
    flow = quiz(source(), texts, "Nothing of this.", settings(**options), PROMPTS, 7)
    result, rounds = play(flow, answer)
    calls = [call for round in rounds for call in round]
    return result, Counter(call.stage for call in calls), calls


def chosen(result: SourceQuiz, system: str) -> list[int | Missing]:
    return [answered.chosen for answered in result.answers[system]]


def test_kept_bent_and_lost_are_told_apart() -> None:
    """A candidate that keeps one fact, bends one and drops two is answered just so."""
    result, _, _ = scenario(candidates={"x": f"Plot 0 grows amber. Plot 1 grows {FACTS[0]}."})
    assert len(result.items) == 4
    assert chosen(result, "x") == [GOLD, 1, UNDETERMINED, UNDETERMINED]


def test_controls_are_put_like_candidates() -> None:
    """From the source all is answered; from the empty and the unrelated text nothing."""
    result, _, _ = scenario()
    assert {name: {a.chosen for a in answers} for name, answers in result.controls.items()} == {
        "empty": {UNDETERMINED},
        "unrelated": {UNDETERMINED},
        "source": {GOLD},
    }


def test_more_are_written_than_asked_for_and_the_surplus_is_counted() -> None:
    """Four questions asked for: six are written, two good ones are surplus."""
    result, stages, _ = scenario()
    assert stages["quiz/write"] == 6
    assert [drop.reason for drop in result.dropped] == ["surplus"] * 2


@pytest.mark.parametrize(
    ("reason", "changes"),
    [
        ("options not distinct", {"hard_negative": "Amber."}),
        ("no such segment", {"segments": "3 99"}),
        ("unreadable", {"segments": "none"}),
        ("unreadable", {"extra": 1}),
        ("not answered from the source", {"answer": "basil"}),
    ],
)
def test_bad_questions_leave_with_their_reason(reason: str, changes: dict[str, object]) -> None:
    """Each filter drops the question that it is for, says why, and a further round makes up for it."""
    result, stages, _ = scenario(write=lambda k: written(k, **changes) if k == 0 else written(k), overgenerate=1.0)
    assert [drop.reason for drop in result.dropped] == [reason]
    assert len(result.items) == 4
    assert stages["quiz/write"] == 5


def test_a_cut_question_is_unreadable_and_not_repaired() -> None:
    """A reply that ran into max_tokens is dropped even if it happens to be whole JSON."""

    def answer(call: Call) -> Reply:
        whole = reply(call, written(0))
        return Reply(whole.key, whole.text, finish="length") if call.stage == "quiz/write" else whole

    result, _ = play(quiz(source(), [], "", settings(rounds=1), PROMPTS, 7), answer)
    assert result.items == ()
    assert {drop.reason for drop in result.dropped} == {"unreadable"}
    assert "truncated" in result.dropped[0].detail


def test_guessable_questions_leave() -> None:
    """What is answered rightly without the text in 3 of 4 shuffles is dropped; the blind trials show no text."""

    def guesses(call: Call) -> str:
        prompt = call.messages[-1].text
        if call.stage == "quiz/blind" and "plot 0," in prompt:
            return prompt.split(f") {FACTS[0]}\n")[0][-1]
        return reader(call)

    result, stages, calls = scenario(read=guesses)
    assert [(d.reason, d.detail) for d in result.dropped if d.reason != "surplus"] == [
        ("answered blind", "4 of 4 trials")
    ]
    blind = [call for call in calls if call.stage == "quiz/blind"]
    assert not any("grows amber" in call.messages[-1].text for call in blind)
    assert not any("Cannot be determined" in call.messages[-1].text for call in blind)
    assert stages["quiz/blind"] < 6 * 4, "whoever is wrong twice needs no further trial"


def test_near_duplicates_leave() -> None:
    """The same fact asked twice stays once; the same question about another fact stays."""
    again = written(0, question="On plot 0, next to the shed of amber: what grows?")
    result, _, _ = scenario(write=lambda k: again if k == 1 else written(k))
    assert [drop.reason for drop in result.dropped if drop.reason != "surplus"] == ["near-duplicate"]


def test_fewer_than_asked_is_said() -> None:
    """When the rounds are used up the quiz has what survived, and says what was asked for."""
    result, stages, _ = scenario(write=lambda k: written(k % 2), rounds=2)
    assert (len(result.items), result.asked_for) == (2, 4)
    assert stages["quiz/write"] == 6 + 3


def test_a_source_that_does_not_fit_gives_no_quiz() -> None:
    """Too long for the writer: the quiz is missing with both numbers, and nothing further is asked."""
    long = Missing("too long", "9000 of 8192", needed=9000, limit=8192)
    result, rounds = play(
        quiz(source(), [], "", settings(), PROMPTS, 7), lambda call: Reply("", finish="error", missing=long)
    )
    assert result.missing == long
    assert {call.stage for call in rounds[0]} == {"quiz/write"}
    assert sum(map(len, rounds)) == len(rounds[0])


def test_prompts_share_their_prefix() -> None:
    """Writing and the ceiling start with the same source bytes; answering starts with the candidate."""
    _, _, calls = scenario(candidates={"x": "Plot 0 grows amber."})
    starts = {
        stage: {c.messages[-1].parts[0] for c in calls if c.stage == stage} for stage in ("quiz/write", "quiz/ceiling")
    }
    assert starts["quiz/write"] == starts["quiz/ceiling"]
    assert len(starts["quiz/write"]) == 1
    assert {call.messages[0] for call in calls} == {calls[0].messages[0]}
    assert all("amber" in c.messages[-1].parts[0] for c in calls if c.stage == "quiz/answer")


def test_no_system_name_reaches_a_prompt() -> None:
    """Judges are blind: the systems' names stand in no prompt."""
    _, _, calls = scenario(candidates={"gpt-oss": "Plot 0 grows amber.", "secret-system": "Plot 1."})
    assert not any(name in m.text for c in calls for m in c.messages for name in ("gpt-oss", "secret-system"))


def test_an_unreadable_answer_is_asked_again_as_a_new_call() -> None:
    """A letter outside the choice is asked once more with another seed, then it is missing and counted."""
    result, stages, calls = scenario(
        candidates={"x": "Plot 0 grows amber."}, read=lambda c: "?" if c.stage == "quiz/answer" else reader(c)
    )
    assert {a.chosen.reason for a in result.answers["x"] if isinstance(a.chosen, Missing)} == {"invalid"}
    assert stages["quiz/answer"] == 4 * 2 * 2
    answers = [call for call in calls if call.stage == "quiz/answer"]
    assert len({(call.messages, call.sampling.seed) for call in answers}) == len(answers)


def test_given_items_are_not_written_again() -> None:
    """With a quiz from a file nothing is written or filtered; the same items are put to the candidates."""
    first, _, _ = scenario()
    texts = [Candidate("s", "x", "Plot 0 grows amber.")]
    given = settings(writer=None, items="quiz.jsonl")
    flow = quiz(source(), texts, "Nothing.", given, PROMPTS, 7, first.items)
    result, rounds = play(flow, lambda call: reply(call, reader(call)))
    assert result.items == first.items
    assert {call.stage for calls in rounds for call in calls} == {"quiz/answer", "quiz/control"}


def test_a_question_written_twice_to_the_letter_costs_nothing_more() -> None:
    """A verbatim repeat is dropped before any model is asked about it, and counts no blind hit of its twin."""
    result, stages, _ = scenario(write=lambda k: written(0), rounds=1)
    assert len(result.items) == 1
    assert stages["quiz/ceiling"] == 2
    assert Counter(drop.reason for drop in result.dropped) == {"near-duplicate": 5}


def too_long(call: Call) -> Reply:
    return Reply("", finish="error", missing=Missing("too long", "9000 of 8192", needed=9000, limit=8192))


def test_a_source_that_does_not_fit_the_checker_gives_no_quiz() -> None:
    """Too long for the model that filters: the quiz is missing with both numbers, not empty without a word."""
    n_written = iter(range(100))

    def answer(call: Call) -> Reply:
        return reply(call, written(next(n_written))) if call.stage == "quiz/write" else too_long(call)

    result, rounds = play(quiz(source(), [], "", settings(), PROMPTS, 7), answer)
    assert result.missing == too_long(rounds[0][0]).missing
    assert result.items == ()
    assert Counter(call.stage for calls in rounds for call in calls) == {"quiz/write": 6, "quiz/ceiling": 12}
    assert {drop.reason for drop in result.dropped} == {"no verdict"}


def test_what_was_kept_stays_when_only_a_later_round_does_not_fit() -> None:
    """The list of what not to ask again may outgrow the context: the quiz ends with the questions that it has."""
    n_written = iter(range(100))

    def answer(call: Call) -> Reply:
        if call.stage != "quiz/write":
            return reply(call, reader(call))
        return (
            too_long(call)
            if "Do not ask again" in call.messages[-1].text
            else reply(call, written(next(n_written) % 2))
        )

    result, _ = play(quiz(source(), [], "", settings(), PROMPTS, 7), answer)
    assert (len(result.items), result.missing) == (2, None)
    assert any(drop.detail.startswith("too long") for drop in result.dropped)


def test_the_writer_sees_the_whole_source_and_its_region_once_more() -> None:
    """Every writing prompt starts with the whole source and ends with the lines that the question is to be about."""
    _, _, calls = scenario()
    writing = [call.messages[-1].parts for call in calls if call.stage == "quiz/write"]
    assert all(f"Plot {i} grows {fact}." in parts[0] for parts in writing for i, fact in enumerate(FACTS))
    shown = [parts[-1].split("<passage")[1].split("</passage")[0] for parts in writing]
    assert all(1 <= passage.count("grows") <= 3 for passage in shown)
    assert all(any(f"Plot {i} " in passage for passage in shown) for i in range(10))


def test_a_long_region_is_shown_in_part() -> None:
    """Where a region is long a few of its segments stand at the end, so that long sources cost no second copy."""
    lines = [f"Line {i} " + "x" * 290 for i in range(40)]
    starts = [sum(len(line) + 1 for line in lines[:i]) for i in range(40)]
    segments = tuple(Segment(i + 1, starts[i], starts[i] + len(lines[i])) for i in range(40))
    long = Source("s", "\n".join(lines), segments, "en")
    parts = next(quiz(long, [], "", settings(questions=1, overgenerate=1.0), PROMPTS, 7))[0].messages[-1].parts
    assert all(f"Line {i} " in parts[0] for i in range(40))
    assert 1 <= parts[-1].count("Line ") <= 2


def test_a_finished_quiz_is_numbered_without_gaps() -> None:
    """Whatever left it, its items count 1, 2, 3: so the right answer stands at every letter equally often."""
    result, _, _ = scenario(write=lambda k: written(k, segments="99") if k % 2 else written(k), questions=3)
    assert [item.number for item in result.items] == [1, 2, 3]
    letters = Counter(trial.gold_letter for answer in result.controls["source"] for trial in answer.trials)
    assert letters == dict.fromkeys(range(6), 1)
