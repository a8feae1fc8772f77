"""`localeval.methods.panel.batch`: one call for a line-up by all criteria, the same scores from the same verdicts."""

import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import settings as with_settings
from hypothesis import strategies as st

from localeval.engines.grammar import pattern
from localeval.keys import call_key, digest
from localeval.methods.material import Material
from localeval.methods.panel.batch import Batch, BatchCalls
from localeval.methods.panel.calls import letter, lettered
from localeval.methods.panel.flow import judge
from localeval.methods.panel.method import gather_panels, panel_flows
from localeval.methods.panel.rehearsal import rehearse
from localeval.methods.panel.rubrics import Rubric
from localeval.methods.panel.schemas import PanelSettings, Sheet, SourcePanel
from localeval.methods.panel.score import score_panel
from localeval.prompts import source_block
from localeval.texts import Candidate, Language, Source
from localeval.values import Call, JsonObject, Missing, Reply
from tests.methods.panel.panel_texts import (
    DATES,
    FAITHFULNESS,
    candidate,
    candidates,
    reply,
    rubric,
    said,
    settings,
    source,
)
from tests.methods.quiz.helpers import play, prompts

LANGUAGES: tuple[Language, ...] = get_args(Language)
PROMPTS = prompts()
SYSTEMS = ("gpt-oss", "llama", "secret-system", "mine", "yours")

Cells = dict[str, dict[str, dict[str, str]]]


def batch_settings(**options: object) -> PanelSettings:
    return settings(mode="batch", **options)


def calls_of(
    texts: Sequence[Candidate],
    options: PanelSettings | None = None,
    about: Source | None = None,
    by: Rubric | None = None,
    seed: int = 7,
) -> BatchCalls:
    return BatchCalls(about or source(), texts, by or rubric(), options or batch_settings(), PROMPTS, seed)


def parts(call: Call) -> tuple[str, ...]:
    return call.messages[-1].parts


def cell(score: str = "2", cited: str = "1", proof: str = "2") -> dict[str, str]:
    return {"candidate": cited, "source": proof, "score": score}


def cells(n: int, score: str = "2") -> Cells:
    """A reply to a batch of `n`."""
    return {letter(place): {"faithfulness": cell(score), "dates": cell(score)} for place in range(n)}


def written(told: Cells) -> str:
    return json.dumps(told, separators=(",", ":"))


def one_batch(texts: Sequence[Candidate], options: PanelSettings | None = None) -> tuple[BatchCalls, Batch, Call]:
    calls = calls_of(texts, options)
    (batch,) = calls.batches()
    return calls, batch, calls.judge("j", batch)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_source_stands_first_then_the_line_up_then_all_criteria(language: Language) -> None:
    """The source as every method shows it, the task, all candidates under their letters, every criterion with its
    levels, and NA where it is allowed."""
    about = source(language=language)
    texts = candidates(about, *SYSTEMS)
    calls = calls_of(texts, about=about)
    (batch,) = calls.batches()
    first, task, line_up, question = parts(calls.judge("j", batch))
    assert first == source_block(about)
    assert task == PROMPTS.render("panel/batch", language, most=2)
    assert line_up == lettered(batch.candidates)
    for text in texts:
        assert all(f"\n[{each.number}] {text.words_of(each)}\n" in line_up for each in text.segments)
    told = question.split("\n\n")
    assert len(told) == 3
    for block, criterion in zip(told, (FAITHFULNESS, DATES), strict=False):
        assert re.match(rf"\S+ {criterion.id}[:：] ?{re.escape(criterion.statement)}\n", block)
        levels = re.findall(r"^score (\w+)[:：] ?(.+)$", block, re.MULTILINE)
        assert levels[:3] == [(str(grade), level) for grade, level in criterion.levels.items()]
        assert [grade for grade, _ in levels[3:]] == (["NA"] if criterion.allows_na else [])
    assert "A, B, C, D, E" in told[2]
    assert "faithfulness, dates" in told[2]
    assert '{"A":{"faithfulness":{"candidate":"…","source":"…","score":"…"},…},…}' in told[2]


GROUNDED: dict[Language, str] = {
    "en": "content without ground in the source scores 0",
    "ru": "содержание, которому в источнике нет опоры, получает 0",
    "zh": "没有原文依据的内容得 0 分",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_content_without_ground_scores_0(language: Language) -> None:
    """Truthfulness rule 3, told as in the other modes."""
    assert GROUNDED[language] in PROMPTS.render("panel/batch", language, most=2)


def test_no_system_name_is_in_what_is_asked() -> None:
    """Truthfulness rule 4: with other names, in another order, every call is the same."""
    about = source()
    named = candidates(about, *SYSTEMS)
    renamed = [Candidate("s", f"other{5 - n}", each.text, segments=each.segments) for n, each in enumerate(named)]
    keys = []
    for texts in (named, renamed[::-1]):
        calls = calls_of(texts, batch_settings(repeats=3, batch_candidates=2))
        asked = [calls.judge("j", each) for each in calls.batches()]
        assert not [name for name in SYSTEMS for call in asked for m in call.messages if name in m.text]
        assert not [name for name in SYSTEMS for call in asked if name in call.output.schema]  # type: ignore[union-attr]
        keys.append(Counter(call_key(call, "identity") for call in asked))
    assert keys[0] == keys[1]


@given(st.integers(0, 40), st.integers(2, 50), st.integers(1, 3))
@with_settings(max_examples=60)
def test_a_line_up_is_shared_out_evenly_over_as_few_calls_as_can_be(n: int, most: int, repeats: int) -> None:
    """Every candidate stands in one call of each repeat; no call has more than the most, none is one smaller than
    another by more than 1, and one call fewer would not do."""
    about = source()
    texts = candidates(about, *(f"system {place}" for place in range(n)))
    found = calls_of(texts, batch_settings(batch_candidates=most, repeats=repeats)).batches()
    for repeat in range(repeats):
        sizes = [len(each.candidates) for each in found if each.repeat == repeat]
        assert len(sizes) == -(-n // most)
        assert max(sizes, default=0) <= most
        assert max(sizes, default=0) - min(sizes, default=0) <= 1
        assert sorted(c.system for each in found if each.repeat == repeat for c in each.candidates) == sorted(
            each.system for each in texts
        )


def test_a_repeat_has_its_own_order_seed_and_company() -> None:
    """So that neither a place in the line-up nor the company sticks to a system; repeats are drawn freely."""
    texts = candidates(source(), *SYSTEMS)
    calls = calls_of(texts, batch_settings(repeats=6, batch_candidates=3))
    found = calls.batches()
    assert len({tuple(c.system for c in each.candidates) for each in found}) > 9
    asked = [calls.judge("j", each) for each in found]
    assert [call.sampling.temperature for call in asked] == [0.0, 0.0, *[0.5] * 10]
    assert len({call_key(call, "identity") for call in asked}) == 12
    assert len({call.sampling.seed for call in asked}) == 6


def test_letters_over_many_sources_are_fair() -> None:
    """Truthfulness rule 4: every system stands at every letter equally often."""
    seen: Counter[tuple[int, str]] = Counter()
    for about in (source(f"source {n}") for n in range(300)):
        (batch,) = calls_of(candidates(about, *SYSTEMS), about=about).batches()
        seen.update((place, each.system) for place, each in enumerate(batch.candidates))
    assert len(seen) == 25
    assert max(abs(n - 60) for n in seen.values()) < 30


def test_calls_say_who_asks_about_what() -> None:
    """Stage and source; a batch is about no one criterion. No log-probabilities, which would be of one value alone."""
    _, _, call = one_batch(candidates(source(), "x", "y", "z"), batch_settings(batch_tokens=40))
    assert (call.model, call.stage, call.subject, call.item) == ("j", "panel/judge", "s", "")
    assert (call.sampling.logprobs, call.sampling.max_tokens) == (0, 3 * (8 + 2 * 40))


def grammar(texts: Sequence[Candidate]) -> re.Pattern[str]:
    return re.compile(pattern(one_batch(texts)[2].output) or "")


def test_the_grammar_is_every_verdict_in_its_place() -> None:
    """Letters and criteria in order, each once; numbers that exist, for each candidate its own; NA where it may be."""
    about = source()
    texts = candidates(about, "x", "y")  # two sentences, three sentences
    _, batch, _ = one_batch(texts)
    n_first = len(batch.candidates[0].segments)
    offered = grammar(texts)
    assert offered.fullmatch(written(cells(2)))
    assert not offered.fullmatch(written(cells(1)))
    assert not offered.fullmatch(written(cells(3)))
    assert not offered.fullmatch(written(dict(reversed(cells(2).items()))))
    assert not offered.fullmatch(json.dumps(cells(2))), "no spaces"
    for number in range(8):
        told = cells(2)
        told["A"]["dates"] = cell(cited=str(number))
        assert (offered.fullmatch(written(told)) is not None) == (1 <= number <= n_first)
        told["A"]["dates"] = cell(proof=str(number))
        assert (offered.fullmatch(written(told)) is not None) == (1 <= number <= 5)
    for name, score in [(n, s) for n in ("faithfulness", "dates") for s in ("0", "1", "2", "NA", "3", "")]:
        told = cells(2)
        told["B"][name] = cell(score, "none", "4 5")
        is_offered = score in {"0", "1", "2"} or (score == "NA" and name == "dates")
        assert (offered.fullmatch(written(told)) is not None) == is_offered


def test_a_reply_has_an_end_of_its_own() -> None:
    """The pattern repeats nothing without bound, so that a reply with its room is never cut; and what is shared stands
    once in the schema, which twelve candidates hardly lengthen."""
    about = source()
    same = [candidate(f"system {n}", f"One {n}. Two {n}.", about) for n in range(12)]
    call = one_batch(same)[2]
    unbounded = re.sub(r"\[[^\]]*\]|\\.", "", pattern(call.output) or "")
    assert not set("*+") & set(unbounded)
    assert not re.search(r"\{\d+,\}", unbounded)
    assert isinstance(call.output, JsonObject)
    alone = one_batch(same[:1])[2].output
    assert isinstance(alone, JsonObject)
    assert len(call.output.schema) < 2 * len(alone.schema)


def test_verdicts_land_with_their_candidate() -> None:
    """Each under its letter; numbers ascending and once; the place in the line-up is noted, and of how many."""
    calls, batch, _ = one_batch(candidates(source(), "x", "y", "z"))
    told = cells(3, "0")
    told["B"]["dates"] = cell("NA", "2 1", "none")
    told["C"]["faithfulness"] = cell("1", "none", "5 3")
    found = calls.read(Reply("k", written(told)), batch)
    assert [each.score for each in found] == [0, 0, 0, "NA", 1, 0]
    assert [each.position for each in found] == [0, 0, 1, 1, 2, 2]
    assert {each.line_up for each in found} == {3}
    assert (found[3].cited, found[3].proof, found[3].lacks) == ((1, 2), (), "")
    assert (found[4].cited, found[4].proof, found[4].probabilities) == ((), (3, 5), ())
    other_order = {name: dict(reversed(of_letter.items())) for name, of_letter in reversed(told.items())}
    assert calls.read(Reply("k", json.dumps(other_order)), batch) == found, "JSON has no order, letters have"


def broken(change: Callable[[Cells], object]) -> str:
    told = cells(2)
    change(told)
    return written(told)


FAULTS = {
    "a letter too few": (broken(lambda told: told.pop("B")), "no candidate B"),
    "a letter too many": (broken(lambda told: told.update(C=told["A"])), "candidate 'C' was not asked for"),
    "a criterion too few": (broken(lambda told: told["B"].pop("dates")), "no criterion of B dates"),
    "a criterion too many": (broken(lambda told: told["A"].update(style=cell())), "criterion of A 'style'"),
    "a segment that is not": (broken(lambda told: told["B"].update(dates=cell(proof="6"))), "B.dates: cites 6; there"),
    "a sentence that is not": (broken(lambda told: told["A"].update(dates=cell(cited="9"))), "A.dates: cites 9; there"),
    "NA for faithfulness": (broken(lambda told: told["A"].update(faithfulness=cell("NA"))), "A.faithfulness: NA is"),
    "a score that is none": (broken(lambda told: told["A"].update(dates=cell("3"))), "A.dates.score: Input should be"),
    "no evidence": (broken(lambda told: told["A"].update(dates={"score": "2"})), "A.dates.candidate: Field required"),
    "more than was asked": (broken(lambda told: told["A"]["dates"].update(why="so")), "A.dates.why: Extra inputs"),
    "prose around it": ("Here you are: " + written(cells(2)), "reply: Invalid JSON"),
    "a single verdict": (said("2"), "candidate: Input should be"),
    "nothing": ("", "reply: Invalid JSON"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_reply_with_any_fault_is_missing_for_all(fault: str) -> None:
    """Truthfulness rule 5: nothing is picked out of it, and it says where the fault is."""
    text, why = FAULTS[fault]
    calls, batch, _ = one_batch(candidates(source(), "x", "y"))
    found = calls.read(Reply("k", text), batch)
    assert len(found) == 4
    (score,) = {each.score for each in found}
    assert isinstance(score, Missing)
    assert score.reason == "invalid"
    assert score.detail.startswith(why)
    assert {(each.cited, each.proof) for each in found} == {((), ())}
    assert [each.position for each in found] == [0, 0, 1, 1]


def judged(
    answer: Callable[[Call], Reply], texts: Sequence[Candidate] | None = None, **options: object
) -> tuple[dict[str, Sheet], list[Sequence[Call]]]:
    about = source()
    texts = candidates(about, "x", "y", "z") if texts is None else texts
    return play(judge(about, texts, "j", rubric(), batch_settings(**options), PROMPTS, 7), answer)


def test_one_call_a_source_judge_and_repeat() -> None:
    """However many candidates and criteria; and no call where there is no candidate."""
    sheets, rounds = judged(lambda call: reply(call, written(cells(3))), repeats=2)
    assert [len(calls) for calls in rounds] == [2]
    assert {name: {c: len(v) for c, v in sheet.items()} for name, sheet in sheets.items()} == {
        name: {"faithfulness": 2, "dates": 2} for name in ("x", "y", "z")
    }
    sheets, rounds = judged(lambda call: reply(call, ""), [])
    assert (sheets, sum(map(len, rounds))) == ({}, 0)


@pytest.mark.parametrize("retries", [0, 1, 3])
def test_rubbish_is_asked_again_whole_and_then_missing_for_all(retries: int) -> None:
    """Truthfulness rule 5: so many new calls, each with a seed and key of its own; then every verdict is missing."""
    sheets, rounds = judged(lambda call: reply(call, "All are fine."), retries=retries)
    assert [len(calls) for calls in rounds] == [1] * (retries + 1)
    asked = [call for calls in rounds for call in calls]
    assert len({call_key(call, "identity") for call in asked}) == retries + 1
    assert [call.sampling.temperature for call in asked] == [0.0, *[0.5] * retries]
    assert len({v.score for sheet in sheets.values() for verdicts in sheet.values() for v in verdicts}) == 1
    assert sum(len(verdicts) for sheet in sheets.values() for verdicts in sheet.values()) == 6


def test_a_cut_reply_is_asked_again_and_costs_the_others_nothing() -> None:
    """Only the call that was cut, not the other part of the line-up; its new reply stands for all its candidates."""
    texts = candidates(source(), "x", "y", "z")
    n_asked: Counter[str] = Counter()

    def answer(call: Call) -> Reply:
        n = parts(call)[2].count("</candidate ")
        n_asked[digest(parts(call)[2])] += 1
        if n == 2 and n_asked[digest(parts(call)[2])] == 1:
            return Reply(call_key(call, ""), written(cells(2))[:-30], finish="length", output_tokens=99)
        return reply(call, written(cells(n, "1")))

    sheets, rounds = judged(answer, texts, batch_candidates=2)
    assert [len(calls) for calls in rounds] == [2, 1]
    assert {v.score for sheet in sheets.values() for verdicts in sheet.values() for v in verdicts} == {1}
    assert {v.line_up for sheet in sheets.values() for verdicts in sheet.values() for v in verdicts} == {1, 2}


def test_what_does_not_fit_is_missing_with_both_numbers() -> None:
    """Truthfulness rule 1: nothing is cut and nothing asked again."""
    why = Missing("too long", "9000 of 8192", needed=9000, limit=8192)
    sheets, rounds = judged(lambda call: Reply("", finish="error", missing=why))
    assert len(rounds) == 1
    assert {v.score for sheet in sheets.values() for verdicts in sheet.values() for v in verdicts} == {why}


def test_the_specimen_of_a_plan_can_be_read() -> None:
    """`localeval plan` drives the same flow: no verdict of its specimens is missing."""
    for mode in ("pointwise", "lineup", "batch"):
        texts = candidates(source(), "x", "y", "z")
        sheets, rounds = play(
            judge(source(), texts, "j", rubric(), settings(mode=mode), PROMPTS, 7),
            lambda call: reply(call, rehearse(call)),
        )
        assert len(rounds) == 1, "nothing is asked again"
        assert {v.score for sheet in sheets.values() for verdicts in sheet.values() for v in verdicts} == {2}


@pytest.mark.parametrize("mode", ["pointwise", "lineup"])
def test_one_judge_may_have_batches_beside_others(mode: str) -> None:
    """The one of whom every call costs; the others are asked as the mode says, and both kinds of sheet are alike."""
    about = source()
    texts = candidates(about, "x", "y", "z")
    options = settings(mode=mode, judges=["local", "paid"], batch_judges=["paid"], batch_tokens=60, verdict_tokens=99)
    assert [options.has_batches(name) for name in options.judges] == [False, True]
    panels, n_calls = panels_of(Material([about], texts, PROMPTS, 7), options, lambda call: reply(call, rehearse(call)))
    assert n_calls == 3 * 2 + 1
    for by_judge in panels["s"].sheets.values():
        assert {name: {c: [v.score for v in vs] for c, vs in sheet.items()} for name, sheet in by_judge.items()} == {
            name: {"faithfulness": [2], "dates": [2]} for name in options.judges
        }
    places = {v.position for by in panels["s"].sheets.values() for vs in by["paid"].values() for v in vs}
    assert places == {0, 1, 2}


def opinion(judge_name: str, text: str, criterion: str) -> str:
    """What a judge thinks of a text by a criterion: something, and always the same."""
    options = ("0", "1", "2") if criterion == "faithfulness" else ("0", "1", "2", "NA")
    return options[int(digest(f"{judge_name} {text} {criterion}"), 16) % len(options)]


def says(call: Call) -> Reply:
    """A judge that is asked either way and gives its opinions."""
    shown = re.findall(r"<candidate ?([A-Z]*) \w+>\n(.*?)\n</candidate", call.messages[-1].text, re.DOTALL)
    told = {
        name: {
            criterion: cell(opinion(call.model, text, criterion), proof="1") for criterion in ("faithfulness", "dates")
        }
        for name, text in shown
    }
    if not call.item:
        return reply(call, written(told))
    ((name, _),) = shown
    verdict = told[name][call.item]
    return reply(call, json.dumps(verdict | ({"lacks": "it"} if verdict["score"] == "NA" else {})))


def panels_of(
    material: Material, options: PanelSettings, answer: Callable[[Call], Reply] = says
) -> tuple[dict[str, SourcePanel], int]:
    rubrics = {about.id: rubric() for about in material.sources}
    found, n_calls = [], 0
    for place, flow in panel_flows(material, options, rubrics):
        sheets, rounds = play(flow, answer)
        n_calls += sum(map(len, rounds))
        found.append((place, sheets))
    return gather_panels(material, options, rubrics, found), n_calls


def test_the_same_verdicts_come_to_the_same_scores() -> None:
    """Judged one by one or in batches, by judges that do not change their minds: every number but those about places
    is the same. Calls: sources x judges in place of sources x candidates x criteria x judges."""
    sources = [source(f"s{n}") for n in range(6)]
    texts = [
        candidate(system, f"{system.title()} says {n} of it. And more.", about)
        for n, about in enumerate(sources)
        for system in ("x", "y", "z")
    ]
    material = Material(sources, texts, PROMPTS, 7)
    found, n_calls = {}, {}
    for mode in ("pointwise", "batch"):
        options = settings(mode=mode, judges=["mild", "harsh"])
        panels, n_calls[mode] = panels_of(material, options)
        lengths = {(each.source_id, each.system): len(each.text) for each in texts}
        scores = score_panel(panels, options, {"mild": "a", "harsh": "b"}, lengths, {}, ())
        del scores["settings"]
        for each in scores["health"]["judges"].values():
            place = each.pop("position")
            assert (place["place"].get("reason") == "no line-up") == (mode == "pointwise")
        found[mode] = scores
    assert found["batch"] == found["pointwise"]
    assert found["batch"]["missing"] == 0
    assert len({system["consensus"]["value"] for system in found["batch"]["systems"].values()}) == 3
    assert n_calls == {"pointwise": 6 * 3 * 2 * 2, "batch": 6 * 2}


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"mode": "batch", "verdict_tokens": 99}, "`verdict_tokens` goes without `mode: batch`; give `batch_tokens`"),
        ({"batch_candidates": 4}, "`batch_candidates` goes with `mode: batch` or `batch_judges`; add one of them"),
        ({"mode": "lineup", "batch_tokens": 40}, "`batch_tokens` goes with `mode: batch` or `batch_judges`; add one"),
        (
            {"mode": "batch", "batch_judges": ["j"]},
            "`batch_judges` goes without `mode: batch`, by which every judge has",
        ),
        ({"batch_judges": ["k"]}, "`batch_judges` names 'k', which is no judge; add it to `judges` or take it out"),
        ({"batch_judges": ["j", "j"]}, "names 'j' twice"),
    ],
)
def test_a_lever_of_another_mode_is_refused(options: dict[str, object], why: str) -> None:
    """It would change nothing, and whoever wrote it thinks that it does."""
    with pytest.raises(ValueError, match=re.escape(why)):
        settings(**options)
