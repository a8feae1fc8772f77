"""`localeval.methods.panel.calls`: how a judge is asked, what it can reply, and how a reply is read."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from localeval.engines.grammar import pattern
from localeval.keys import call_key
from localeval.methods.panel.calls import PanelCalls, Wanted, letter
from localeval.methods.panel.rubrics import Criterion
from localeval.methods.panel.schemas import Mode, PanelSettings, Verdict
from localeval.methods.quiz.calls import QuizCalls
from localeval.methods.quiz.schemas import QuizSettings
from localeval.prompts import fenced, numbered, source_block
from localeval.texts import Candidate, Language, Source
from localeval.values import Call, Missing, Reply
from tests.methods.panel.panel_texts import (
    DATES,
    FAITHFULNESS,
    candidate,
    candidates,
    reply,
    said,
    settings,
    source,
)
from tests.methods.quiz.helpers import prompts

LANGUAGES: tuple[Language, ...] = get_args(Language)
MODES: tuple[Mode, ...] = ("pointwise", "lineup")
PROMPTS = prompts()
SYSTEMS = ("gpt-oss", "llama", "secret-system", "mine", "yours")


def calls_of(
    options: PanelSettings, texts: Sequence[Candidate], about: Source | None = None, seed: int = 7
) -> PanelCalls:
    return PanelCalls(about or source(), texts, options, PROMPTS, seed)


def parts(call: Call) -> tuple[str, ...]:
    return call.messages[-1].parts


def block(tag: str, text: Candidate) -> str:
    return fenced(tag, numbered(text, text.segments))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("mode", MODES)
def test_the_source_comes_first_byte_for_byte_as_in_a_quiz(mode: Mode, language: Language) -> None:
    """A judge's prompt and a quiz writer's share the system message and the whole source, so that the cache is hit."""
    about = source(language=language)
    quiz = QuizCalls(about, QuizSettings(writer="w", answerer="a"), PROMPTS, 7).write("theme", 0, (1, 1), ())
    calls = calls_of(settings(mode=mode), (texts := candidates(about, *SYSTEMS)), about)
    for text in texts:
        call = calls.judge("j", Wanted(text, DATES, 0))
        assert call.messages[0] == quiz.messages[0]
        assert parts(call)[0] == parts(quiz)[0] == source_block(about)


@pytest.mark.parametrize("language", LANGUAGES)
def test_alone_the_candidate_stands_between_task_and_criterion(language: Language) -> None:
    """Source, task, candidate, criterion: each shared by more calls than what follows it."""
    about = source(language=language)
    one, two = candidates(about, "x", "y")
    calls = calls_of(settings(), [one, two], about)
    asked = {
        (t.system, c.id): parts(calls.judge("j", Wanted(t, c, 0))) for t in (one, two) for c in (FAITHFULNESS, DATES)
    }
    task = PROMPTS.render("panel/judge", language)
    for text in (one, two):
        for criterion in (FAITHFULNESS, DATES):
            *shared, last = asked[text.system, criterion.id]
            assert shared == [source_block(about), task, block("candidate", text)]
            assert criterion.statement in last
            assert "holds here" not in last
    assert asked["x", "dates"][-1] == asked["y", "dates"][-1]


@pytest.mark.parametrize("language", LANGUAGES)
def test_in_a_line_up_all_candidates_stand_before_the_letter(language: Language) -> None:
    """Source, task, every candidate under its letter, and at the end which of them and which criterion: all calls of a
    repeat share all but the end."""
    about = source(language=language)
    texts = candidates(about, *SYSTEMS)
    calls = calls_of(settings(mode="lineup"), texts, about)
    wanted = [Wanted(text, criterion, 0) for text in texts for criterion in (FAITHFULNESS, DATES)]
    shared = {parts(calls.judge("j", each))[:-1] for each in wanted}
    assert len(shared) == 1
    (found,) = shared
    by_place = sorted(texts, key=lambda text: calls.position(Wanted(text, DATES, 0)))
    line_up = "".join(block(f"candidate {name}", text) for name, text in zip("ABCDE", by_place, strict=True))
    assert found == (source_block(about), PROMPTS.render("panel/lineup", language), line_up)
    for each in wanted:
        first, *_ = parts(calls.judge("j", each))[-1].splitlines()
        assert re.search(rf"(?<!\w){'ABCDE'[calls.position(each)]}(?!\w)", first), "the first line names the letter"


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_judge_sees_the_whole_source_and_the_whole_candidate(mode: Mode, language: Language) -> None:
    """Truthfulness rule 1: every segment of both, whatever is asked."""
    about = source(language=language)
    texts = candidates(about, *SYSTEMS)
    calls = calls_of(settings(mode=mode, repeats=2), texts, about)
    for text in texts:
        for wanted in (Wanted(text, FAITHFULNESS, 0), Wanted(text, DATES, 1)):
            shown = calls.judge("j", wanted).messages[-1].text
            for whole in (about, text):
                for segment in whole.segments:
                    assert f"\n[{segment.number}] {whole.words_of(segment)}\n" in shown


@pytest.mark.parametrize("mode", MODES)
def test_no_system_name_is_in_what_is_asked(mode: Mode) -> None:
    """Truthfulness rule 4: neither in the text nor, by way of order or seed, in anything that decides the answer: with
    other names, in another order, every call is the same."""
    about = source()
    named = candidates(about, *SYSTEMS)
    renamed = [Candidate("s", f"other{5 - n}", each.text, segments=each.segments) for n, each in enumerate(named)]
    options = settings(mode=mode, repeats=2)
    keys = []
    for texts in (named, list(reversed(renamed))):
        calls = calls_of(options, texts)
        asked = [calls.judge("j", Wanted(t, c, r)) for t in texts for c in (FAITHFULNESS, DATES) for r in (0, 1)]
        assert not [name for name in SYSTEMS for call in asked for m in call.messages if name in m.text]
        keys.append(Counter(call_key(call, "identity") for call in asked))
    assert keys[0] == keys[1]


def order(about: Source, texts: Sequence[Candidate], repeat: int = 0, seed: int = 7) -> tuple[str, ...]:
    """The systems as they stand in the line-up."""
    calls = calls_of(settings(mode="lineup", repeats=repeat + 1), texts, about, seed)
    places = {calls.position(Wanted(text, DATES, repeat)): text.system for text in texts}
    assert sorted(places) == list(range(len(texts)))
    return tuple(places[place] for place in range(len(texts)))


def test_the_line_up_is_shuffled_by_the_source_alone() -> None:
    """Truthfulness rule 4: the same order for every judge and in every run; another source, repeat or seed has
    another; over many sources every system stands at every place equally often."""
    about = source()
    texts = candidates(about, *SYSTEMS)
    assert order(about, texts) == order(source(), texts[::-1])
    calls = calls_of(settings(mode="lineup", judges=["j", "k"]), texts)
    assert parts(calls.judge("j", Wanted(texts[0], DATES, 0))) == parts(calls.judge("k", Wanted(texts[0], DATES, 0)))
    assert len({order(about, texts, repeat=repeat) for repeat in range(8)}) > 6
    assert len({order(about, texts, seed=seed) for seed in range(8)}) > 6
    sources = [source(f"source {n}") for n in range(600)]
    seen = Counter(place for each in sources for place in enumerate(order(each, candidates(each, *SYSTEMS))))
    assert len(seen) == 25
    assert max(abs(n - 120) for n in seen.values()) < 40, "four standard deviations of a fair shuffle"


def test_the_place_of_every_candidate_is_noted() -> None:
    """With the verdict, so that a position effect can be measured; alone there is no place."""
    about = source()
    texts = candidates(about, *SYSTEMS)
    line_up = calls_of(settings(mode="lineup", repeats=2), texts)
    for repeat in (0, 1):
        expected = order(about, texts, repeat)
        for text in texts:
            wanted = Wanted(text, DATES, repeat)
            for answer in (said("2"), "rubbish"):
                assert expected[line_up.read(Reply("k", answer), wanted).position] == text.system
    alone = calls_of(settings(), texts)
    assert {alone.read(Reply("k", said("2")), Wanted(text, DATES, 0)).position for text in texts} == {-1}


def test_letters() -> None:
    """A to Z, then two letters, and never one twice."""
    assert [letter(place) for place in (0, 1, 25, 26, 27, 51, 52, 701, 702)] == [
        "A", "B", "Z", "AA", "AB", "AZ", "BA", "ZZ", "AAA",
    ]  # fmt: skip
    assert len({letter(place) for place in range(2000)}) == 2000


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("mode", MODES)
def test_a_criterion_is_shown_with_its_levels(mode: Mode, language: Language) -> None:
    """The statement and what 0, 1 and 2 look like; NA is spoken of where it is allowed and nowhere else."""
    about = source(language=language)
    texts = candidates(about, "x", "y")
    calls = calls_of(settings(mode=mode), texts, about)
    for criterion in (FAITHFULNESS, DATES):
        shown = parts(calls.judge("j", Wanted(texts[0], criterion, 0)))
        assert criterion.statement in shown[-1]
        told = re.findall(r"^score (\w+)[:：] ?(.+)$", shown[-1], re.MULTILINE)
        assert told[:3] == [(str(grade), level) for grade, level in criterion.levels.items()]
        assert [score for score, _ in told[3:]] == (["NA"] if criterion.allows_na else [])
        assert ("lacks" in shown[-1]) == criterion.allows_na
        assert "NA" not in "".join(shown[:-1])


def test_a_criterion_cannot_fake_a_line() -> None:
    """Line ends in a rubric that was made in Python are spaces in the prompt."""
    levels = {0: "none", 1: "some\nscore 2: any", 2: "all"}
    criterion = Criterion.model_construct(id="x", statement="One\u2028score 2: lie", levels=levels, allows_na=False)
    (text,) = candidates(source(), "x")
    shown = parts(calls_of(settings(), [text]).judge("j", Wanted(text, criterion, 0)))[-1]
    assert re.findall(r"^score (\d)", "\n".join(shown.splitlines()), re.MULTILINE) == ["0", "1", "2"]


def grammar(criterion: Criterion, text: str = "One. Two. Three.", about: Source | None = None) -> re.Pattern[str]:
    """What an engine lets a judge write."""
    about = about or source()
    one = candidate("x", text, about)
    call = calls_of(settings(), [one], about).judge("j", Wanted(one, criterion, 0))
    return re.compile(pattern(call.output) or "")


NOT_APPLICABLE = [
    said("NA"),
    said("NA", lacks="dates"),
    said("NA", cited="none", proof="none", lacks="any date"),
    said("2", lacks="dates"),
    said("n/a"),
    said("N"),
    said("null"),
    '{"candidate":"1","source":"2","score":null}',
    '{"candidate":"1","source":"2"}',
]


@pytest.mark.parametrize("text", NOT_APPLICABLE)
def test_faithfulness_cannot_be_na(text: str) -> None:
    """Truthfulness rule 3: the grammar has no way to write it, and a reply that an engine let through is no verdict."""
    assert grammar(FAITHFULNESS).fullmatch(text) is None
    (one,) = candidates(source(), "x")
    read = calls_of(settings(), [one]).read(Reply("k", text), Wanted(one, FAITHFULNESS, 0))
    assert isinstance(read.score, Missing)
    assert read.score.reason == "invalid"


@given(st.text(max_size=6), st.sampled_from([said("@"), said("NA", lacks="@"), said("@", lacks="x")]))
def test_a_faithfulness_score_is_0_1_or_2(score: str, form: str) -> None:
    """Truthfulness rule 3, in general: whatever else stands there is not in the grammar."""
    text = form.replace("@", score)
    assert (grammar(FAITHFULNESS).fullmatch(text) is not None) == (form == said("@") and score in {"0", "1", "2"})


@pytest.mark.parametrize("lacks", ["", " ", "\n \t"])
def test_na_says_what_the_source_lacks(lacks: str) -> None:
    """Truthfulness rule 3: without it NA is no verdict, and a score needs no excuse."""
    (one,) = candidates(source(), "x")
    calls, wanted = calls_of(settings(), [one]), Wanted(one, DATES, 0)
    assert grammar(DATES).fullmatch(said("NA", lacks="any date")) is not None
    assert grammar(DATES).fullmatch(said("NA")) is None
    assert grammar(DATES).fullmatch(said("NA", lacks="")) is None
    assert grammar(DATES).fullmatch(said("1", lacks="any date")) is None
    whole = calls.read(Reply("k", said("NA", "none", "3 1", lacks="any date")), wanted)
    assert whole == Verdict("NA", (), (1, 3), "any date")
    for text in (said("NA"), said("NA", lacks=lacks), said("1", lacks="any date")):
        read = calls.read(Reply("k", text), wanted)
        assert isinstance(read.score, Missing)
        assert read.score.reason == "invalid"


@pytest.mark.parametrize("criterion", [FAITHFULNESS, DATES])
def test_only_segments_that_exist_can_be_cited(criterion: Criterion) -> None:
    """Three sentences in the candidate, five segments in the source, up to four of each, or none."""
    three = grammar(criterion)
    for number in range(12):
        assert (three.fullmatch(said("2", cited=str(number))) is not None) == (1 <= number <= 3)
        assert (three.fullmatch(said("2", proof=str(number))) is not None) == (1 <= number <= 5)
    assert three.fullmatch(said("2", "none", "none"))
    assert three.fullmatch(said("2", "3 2 1", "5 4 3 2"))
    assert not three.fullmatch(said("2", "1", "1 2 3 4 5"))
    assert not three.fullmatch(said("2", "", "1"))
    assert not three.fullmatch(said("2", "1", "[1]"))


def test_an_empty_candidate_is_judged_like_any_other() -> None:
    """Nothing of it can be cited, and it has an empty fence."""
    (about, empty) = (source(), candidate("x", " \n", source()))
    call = calls_of(settings(), [empty], about).judge("j", Wanted(empty, FAITHFULNESS, 0))
    assert parts(call)[2] == fenced("candidate", "")
    offered = re.compile(pattern(call.output) or "")
    assert offered.fullmatch(said("0", "none", "5"))
    assert not offered.fullmatch(said("0", "1", "5"))


@pytest.mark.parametrize(("cited", "proof", "beyond"), [("4", "1", "cites 4; there are 3"), ("1", "2 6", "cites 6; ")])
@pytest.mark.parametrize("criterion", [FAITHFULNESS, DATES])
def test_a_number_that_does_not_exist_is_no_evidence(criterion: Criterion, cited: str, proof: str, beyond: str) -> None:
    """Truthfulness rule 5: the verdict is missing whatever its score, also for NA."""
    one = candidate("x", "One. Two. Three.", source())
    calls = calls_of(settings(), [one])
    answers = [said("2", cited, proof)] + ([said("NA", cited, proof, lacks="dates")] if criterion is DATES else [])
    for text in answers:
        read = calls.read(Reply("k", text), Wanted(one, criterion, 0))
        assert isinstance(read.score, Missing)
        assert read.score.detail.startswith(beyond)
        assert (read.cited, read.proof, read.lacks) == ((), (), "")


def test_a_score_is_read_with_its_evidence() -> None:
    """Numbers ascending and once, probabilities of the score's token in the order 0, 1, 2 (and NA where allowed)."""
    (one,) = candidates(source(), "x")
    calls = calls_of(settings(), [one])
    wanted = Wanted(one, FAITHFULNESS, 0)
    call = calls.judge("j", wanted)
    read = calls.read(reply(call, said("1", "2 1 2", "5"), s1=0.6, s2=0.2, s0=0.1, NA=0.1), wanted)
    assert (read.score, read.cited, read.proof, read.lacks) == (1, (1, 2), (5,), "")
    assert read.probabilities == pytest.approx((0.1 / 0.9, 0.6 / 0.9, 0.2 / 0.9))
    wanted = Wanted(one, DATES, 0)
    read = calls.read(reply(call, said("1"), s1=0.6, s2=0.2, s0=0.1, NA=0.1), wanted)
    assert read.probabilities == pytest.approx((0.1, 0.6, 0.2, 0.1))
    assert call.sampling.logprobs > 3, "all options must be among the returned tokens"


def test_without_log_probabilities_there_are_no_probabilities() -> None:
    """The score stands, and nothing is made up beside it."""
    (one,) = candidates(source(), "x")
    calls = calls_of(settings(), [one])
    wanted = Wanted(one, FAITHFULNESS, 0)
    assert calls.read(reply(calls.judge("j", wanted), said("2")), wanted) == Verdict(2, (1,), (2,))


@pytest.mark.parametrize("text", ["", "2", "Sure: " + said("2"), said("2") + "\n\n2", said("3"), said("2", more="x")])
def test_what_is_no_verdict_is_missing(text: str) -> None:
    """Truthfulness rule 5: nothing is looked for in prose, and no score is made up."""
    (one,) = candidates(source(), "x")
    for criterion in (FAITHFULNESS, DATES):
        read = calls_of(settings(), [one]).read(Reply("k", text), Wanted(one, criterion, 0))
        assert isinstance(read.score, Missing)
        assert read.score.reason == "invalid"


@pytest.mark.parametrize(("temperature", "repeated"), [(0.0, 0.5), (0.3, 0.5), (0.9, 0.9)])
@pytest.mark.parametrize("mode", MODES)
def test_repeats_are_drawn_freely(mode: Mode, temperature: float, repeated: float) -> None:
    """The first asking at the temperature that is set, repeats at 0.5 or more, each with its own seed and key."""
    texts = candidates(source(), "x", "y")
    calls = calls_of(settings(mode=mode, repeats=4, temperature=temperature), texts)
    asked = [calls.judge("j", Wanted(texts[0], DATES, repeat)) for repeat in range(4)]
    assert [call.sampling.temperature for call in asked] == [temperature, *[repeated] * 3]
    assert len({call.sampling.seed for call in asked}) == 4
    assert len({call_key(call, "identity") for call in asked}) == 4


def test_calls_say_who_asks_about_what() -> None:
    """Stage, subject and criterion, for reports; none decides the answer."""
    (one,) = candidates(source(), "x")
    call = calls_of(settings(verdict_tokens=99), [one]).judge("j", Wanted(one, DATES, 0))
    assert (call.model, call.stage, call.subject, call.item) == ("j", "panel/judge", "s/x", "dates")
    assert call.sampling.max_tokens == 99


GROUNDED: dict[Language, str] = {
    "en": "content without ground in the source scores 0",
    "ru": "содержание, которому в источнике нет опоры, получает 0",
    "zh": "没有原文依据的内容得 0 分",
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("mode", MODES)
def test_content_without_ground_scores_0_by_every_criterion(mode: Mode, language: Language) -> None:
    """Truthfulness rule 3: every judge is told so, whatever the criterion; faithfulness, always one of them, counts the
    same content once more."""
    about = source(language=language)
    calls = calls_of(settings(mode=mode), (texts := candidates(about, "x", "y")), about)
    for text in texts:
        for criterion in (FAITHFULNESS, DATES):
            assert GROUNDED[language] in calls.judge("j", Wanted(text, criterion, 0)).messages[-1].text
