"""`localeval.methods.panel.flow` and `method`: a judge asked in one round, again where it must be, with replies sent by
hand."""

from collections import Counter
from collections.abc import Callable, Sequence

import pytest

from localeval.keys import call_key
from localeval.methods.material import Material
from localeval.methods.panel.flow import judge
from localeval.methods.panel.method import gather_panels, panel_flows
from localeval.methods.panel.schemas import Sheet
from localeval.texts import Candidate
from localeval.values import Call, Missing, Reply
from tests.methods.panel.panel_texts import candidate, candidates, reply, rubric, said, settings, source
from tests.methods.quiz.helpers import play, prompts

PROMPTS = prompts()
RUBBISH = Missing("invalid", "reply: Invalid JSON: expected value at line 1 column 1")


def judged(
    answer: Callable[[Call], Reply], texts: Sequence[Candidate] | None = None, **options: object
) -> tuple[dict[str, Sheet], list[Sequence[Call]]]:
    """One judge's sheets on two candidates, unless told, and the calls of each round."""
    about = source()
    texts = candidates(about, "x", "y") if texts is None else texts
    return play(judge(about, texts, "j", rubric(), settings(**options), PROMPTS, 7), answer)


def criterion_of(call: Call) -> str:
    return "faithfulness" if "All is grounded." in call.messages[-1].parts[-1] else "dates"


def test_every_criterion_of_every_candidate_is_asked_at_once() -> None:
    """One round; each verdict lands with its system and criterion."""
    about = source()
    texts = [candidate("x", "Alone.", about), candidate("y", "One. Two.", about)]

    def answer(call: Call) -> Reply:
        is_x = "[2]" not in call.messages[-1].parts[2]
        return reply(call, said(("1" if is_x else "2") if criterion_of(call) == "dates" else "0", cited="1"))

    sheets, rounds = judged(answer, texts)
    assert [len(calls) for calls in rounds] == [4]
    assert {call.model for call in rounds[0]} == {"j"}
    found = {(s, c): [v.score for v in verdicts] for s, sheet in sheets.items() for c, verdicts in sheet.items()}
    assert found == {
        ("x", "faithfulness"): [0],
        ("x", "dates"): [1],
        ("y", "faithfulness"): [0],
        ("y", "dates"): [2],
    }


@pytest.mark.parametrize("mode", ["pointwise", "lineup"])
def test_repeats_come_with_the_first_asking(mode: str) -> None:
    """One round too, and the verdicts of a criterion in the order of the repeats."""
    number = iter(range(100))
    sheets, rounds = judged(lambda call: reply(call, said(str(next(number) // 4))), mode=mode, repeats=3)
    assert [len(calls) for calls in rounds] == [12]
    assert len({call_key(call, "identity") for call in rounds[0]}) == 12
    assert Counter(call.sampling.temperature for call in rounds[0]) == {0.0: 4, 0.5: 8}
    assert {tuple(v.score for v in verdicts) for sheet in sheets.values() for verdicts in sheet.values()} == {(0, 1, 2)}


@pytest.mark.parametrize("mode", ["pointwise", "lineup"])
@pytest.mark.parametrize("retries", [0, 1, 3])
def test_rubbish_is_asked_again_and_then_missing(mode: str, retries: int) -> None:
    """Truthfulness rule 5: so many new calls, each with a seed and key of its own, then missing and never a score."""
    sheets, rounds = judged(lambda call: reply(call, "Two points!"), mode=mode, retries=retries)
    assert [len(calls) for calls in rounds] == [4] * (retries + 1)
    asked = [call for calls in rounds for call in calls]
    assert len({call_key(call, "identity") for call in asked}) == len(asked)
    for place in range(4):
        again = [calls[place] for calls in rounds]
        assert len({call.messages for call in again}) == len({call.output for call in again}) == 1
        assert len({call.sampling.seed for call in again}) == retries + 1
        assert [call.sampling.temperature for call in again] == [0.0, *[0.5] * retries]
    assert {v.score for sheet in sheets.values() for verdicts in sheet.values() for v in verdicts} == {RUBBISH}


def test_only_what_is_missing_is_asked_again() -> None:
    """A verdict that stands is not put at risk, and the new reply takes the place of the one that was missing."""
    n_asked: Counter[str] = Counter()

    def answer(call: Call) -> Reply:
        n_asked[criterion_of(call)] += 1
        late = criterion_of(call) == "dates" and n_asked["dates"] <= 2
        return reply(call, said("2", cited="77") if late else said("1"))

    sheets, rounds = judged(answer)
    assert [Counter(map(criterion_of, calls)) for calls in rounds] == [{"faithfulness": 2, "dates": 2}, {"dates": 2}]
    assert {v.score for sheet in sheets.values() for verdicts in sheet.values() for v in verdicts} == {1}


def test_na_for_faithfulness_never_counts() -> None:
    """Truthfulness rule 3: from an engine whose grammar failed it is asked again and then missing; where NA is allowed
    it stands at once."""
    sheets, rounds = judged(lambda call: reply(call, said("NA", lacks="everything")))
    assert [Counter(map(criterion_of, calls)) for calls in rounds] == [
        {"faithfulness": 2, "dates": 2},
        {"faithfulness": 2},
        {"faithfulness": 2},
    ]
    for sheet in sheets.values():
        assert [verdict.score for verdict in sheet["dates"]] == ["NA"]
        assert [verdict.lacks for verdict in sheet["dates"]] == ["everything"]
        (verdict,) = sheet["faithfulness"]
        assert isinstance(verdict.score, Missing)
        assert verdict.score.reason == "invalid"


@pytest.mark.parametrize("reason", ["truncated", "engine error", "too long", "refused"])
def test_what_is_missing_says_why(reason: str) -> None:
    """Truthfulness rule 1: a source that does not fit is missing with both numbers and not asked again, for nothing
    could change it; the rest is."""
    why = Missing(reason, "9000 of 8192", needed=9000, limit=8192)  # type: ignore[arg-type]
    sheets, rounds = judged(lambda call: Reply("", finish="error", missing=why))
    assert len(rounds) == (1 if reason == "too long" else 3)
    assert {v.score for sheet in sheets.values() for verdicts in sheet.values() for v in verdicts} == {why}


def test_a_cut_verdict_is_missing() -> None:
    """What ran into the budget is no verdict even if it happens to be whole."""
    sheets, _ = judged(lambda call: Reply(call_key(call, ""), said("2"), finish="length", output_tokens=120))
    assert {v.score for sheet in sheets.values() for verdicts in sheet.values() for v in verdicts} == {
        Missing("truncated", "cut after 120 tokens")
    }


@pytest.mark.parametrize("mode", ["pointwise", "lineup"])
def test_no_candidates_no_calls(mode: str) -> None:
    """A source that nobody wrote about costs nothing."""
    sheets, rounds = judged(lambda call: reply(call, said("2")), [], mode=mode)
    assert (sheets, sum(map(len, rounds))) == ({}, 0)


@pytest.mark.parametrize("mode", ["pointwise", "lineup"])
def test_the_flows_of_all_sources_and_judges_come_together(mode: str) -> None:
    """Source by source, judge by judge, every judge the same; the panels hold each judge's own verdicts, and
    in a line-up the position that the prompt gave the candidate."""
    sources = [source(f"s{n}") for n in range(2)]
    texts = [each for about in sources for each in candidates(about, "x", "y", "z")]
    material = Material(sources, texts[:-3], PROMPTS, 7)
    rubrics = {about.id: rubric() for about in sources}
    options = settings(mode=mode, judges=["mild", "harsh"])
    found, asked = [], {}
    for place, flow in panel_flows(material, options, rubrics):
        sheets, rounds = play(flow, lambda call: reply(call, said("2" if call.model == "mild" else "0")))
        found.append((place, sheets))
        asked[place] = [(call.messages, call.output, call.sampling) for calls in rounds for call in calls]
    assert [place for place, _ in found] == [(s, j) for s in ("s0", "s1") for j in ("mild", "harsh")]
    assert asked["s0", "mild"] == asked["s0", "harsh"]
    assert len(asked["s0", "mild"]) == 6
    assert not asked["s1", "mild"]
    panels = gather_panels(material, options, rubrics, reversed(found))
    assert {name: list(panel.sheets) for name, panel in panels.items()} == {"s0": ["x", "y", "z"], "s1": []}
    positions = set()
    for by_judge in panels["s0"].sheets.values():
        assert list(by_judge) == ["mild", "harsh"]
        assert [v.score for sheet in by_judge.values() for (v,) in sheet.values()] == [2, 2, 0, 0]
        assert {v.line_up for sheet in by_judge.values() for (v,) in sheet.values()} == {3 if mode == "lineup" else 1}
        positions.add(tuple({v.position for sheet in by_judge.values() for (v,) in sheet.values()}))
    assert positions == ({(0,), (1,), (2,)} if mode == "lineup" else {(-1,)})
