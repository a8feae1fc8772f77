"""`localeval.methods.quiz.method` and the plan of the writing: one flow a source, kinds and regions spread evenly."""

from collections import Counter
from dataclasses import replace
from itertools import islice
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from localeval.keys import call_key
from localeval.methods.material import Material
from localeval.methods.quiz.answers import arrangement
from localeval.methods.quiz.method import quiz_flows, unrelated_text
from localeval.methods.quiz.schemas import DEFAULT_MIX, GOLD, Kind, QuizItem, SourceQuiz
from localeval.methods.quiz.writing import kind_sequence, region
from localeval.texts import Candidate, Language
from tests.methods.quiz.helpers import play, prompts, reader, reply, settings, source, written
from tests.quiz_items import item


@given(st.dictionaries(st.sampled_from(get_args(Kind)), st.floats(0.1, 10), min_size=1), st.integers(1, 200))
def test_every_stretch_of_kinds_follows_the_weights(mix: dict[Kind, float], n: int) -> None:
    """After any number of questions each kind has been asked about as often as its weight says."""
    found = Counter(islice(kind_sequence(mix), n))
    assert set(found) <= set(mix)
    for kind, weight in mix.items():
        assert abs(found[kind] - n * weight / sum(mix.values())) < len(mix)


def test_a_whole_lap_has_exactly_the_weights() -> None:
    """The default mix repeats after 26 questions, with twice its weights, and opens with its heaviest kind."""
    kinds = list(islice(kind_sequence(DEFAULT_MIX), 26))
    assert Counter(kinds) == {kind: round(2 * weight) for kind, weight in DEFAULT_MIX.items()}
    assert kinds[0] == "attribute"
    assert list(islice(kind_sequence({"theme": 3.0}), 3)) == ["theme"] * 3


@given(st.integers(1, 300), st.integers(1, 60))
def test_the_first_turn_covers_every_segment(n_segments: int, n_regions: int) -> None:
    """Stretch after stretch without a gap, whatever does not divide; a source of one segment is asked about whole."""
    regions = [region(i, n_regions, 0, n_segments) for i in range(n_regions)]
    covered = {number for first, last in regions for number in range(first, last + 1)}
    assert covered == set(range(1, n_segments + 1))
    widths = [last - first + 1 for first, last in regions]
    assert max(widths) - min(widths) <= 1


@given(st.integers(1, 300), st.integers(1, 60), st.integers(0, 10))
def test_a_region_lies_within_the_source(n_segments: int, n_regions: int, turn: int) -> None:
    """At any turn, first to last, never empty."""
    for i in range(n_regions):
        first, last = region(i, n_regions, turn, n_segments)
        assert 1 <= first <= last <= n_segments


def test_later_turns_look_between_the_earlier_ones() -> None:
    """Half a stretch further on, from the end back to the beginning."""
    assert [region(i, 3, 0, 12) for i in range(3)] == [(1, 4), (5, 8), (9, 12)]
    assert [region(i, 3, 1, 12) for i in range(3)] == [(3, 6), (7, 10), (11, 12)]
    assert region(2, 3, 2, 12) == (1, 4)


@pytest.mark.parametrize(("language", "least", "most"), [("en", 800, 1600), ("ru", 800, 1600), ("zh", 250, 600)])
def test_the_unrelated_text_is_as_long_as_a_usual_summary(language: Language, least: int, most: int) -> None:
    """The shipped text whole; 130 to 260 words, so that length alone does not tell it apart."""
    shipped = prompts()
    text = unrelated_text(shipped, language)
    assert text == shipped.texts[f"quiz/unrelated.{language}"].strip()
    assert least <= len(text) <= most


def played(
    material: Material, questions: tuple[QuizItem, ...] = (), **options: object
) -> dict[str, tuple[SourceQuiz, list[str]]]:
    """By source: the result, and the keys of its calls."""
    found = {}
    n_written = iter(range(10_000))
    for name, flow in quiz_flows(material, settings(**options), questions):
        result, rounds = play(
            flow,
            lambda call: reply(call, written(next(n_written) % 10) if call.stage == "quiz/write" else reader(call)),
        )
        found[name] = (result, [call_key(call, call.model) for calls in rounds for call in calls])
    return found


def material(*systems: str, n_sources: int = 2) -> Material:
    sources = [source(id=f"s{number}") for number in range(n_sources)]
    texts = ("Plot 0 grows amber.", "Plot 1 grows elm, and much more could be said of plot 1.", "Nothing.")
    candidates = [Candidate(s.id, system, text) for s in sources for system, text in zip(systems, texts, strict=False)]
    return Material(sources, candidates, prompts(), 7)


def test_each_source_has_a_flow_of_its_own() -> None:
    """In order of the sources, each with its candidates; a source without any is still asked about."""
    one = material("x", "y")
    lonely = replace(one, candidates=[each for each in one.candidates if each.source_id == "s0"])
    found = played(lonely)
    assert list(found) == ["s0", "s1"]
    assert [sorted(result.answers) for result, _ in found.values()] == [["x", "y"], []]
    assert all(len(result.items) == 4 for result, _ in found.values())


def test_given_items_go_to_their_source() -> None:
    """Each flow gets the questions about its own source."""
    questions = (item(1, source="s1"), item(2, source="s0"), item(3, source="s1"))
    found = played(material("x"), questions, writer=None, items="quiz.jsonl")
    assert {name: [each.number for each in result.items] for name, (result, _) in found.items()} == {
        "s0": [2],
        "s1": [1, 3],
    }


def test_controls_are_the_same_whoever_wrote() -> None:
    """With more candidates, or none, every control is put in the same calls."""
    asked = []
    for systems in ((), ("x",), ("x", "y", "z")):
        one = material(*systems, n_sources=1)
        (_, flow) = next(quiz_flows(one, settings(writer=None, items="q"), (item(1, source="s0"),)))
        calls = [call for call in next(flow) if call.stage == "quiz/control"]
        assert any(f"\n{unrelated_text(prompts(), 'en')}\n" in call.messages[-1].parts[0] for call in calls)
        asked.append([call_key(call, call.model) for call in calls])
    assert asked[0] == asked[1] == asked[2]


def test_what_a_system_is_called_changes_nothing_that_is_asked() -> None:
    """Rule 4: with other names every call has the same key, so no name can be in a prompt, a seed or an order."""
    named, renamed = played(material("gpt", "llama", "gemma")), played(material("a", "b", "c"))
    assert {name: keys for name, (_, keys) in named.items()} == {name: keys for name, (_, keys) in renamed.items()}


def test_orders_come_from_the_source_and_the_seed() -> None:
    """Rule 4: the same question about other sources, or under another seed, has its options in other orders; for
    every candidate of one source they are the same."""
    by_source = {arrangement(item(1, source=f"s{i}"), "answer", 0, 1, "shuffled") for i in range(20)}
    by_seed = {arrangement(item(1), "answer", 0, seed, "shuffled") for seed in range(20)}
    assert len(by_source) > 15
    assert len(by_seed) > 15
    assert {order.index(GOLD) for order in by_source} == {order.index(GOLD) for order in by_seed} == set(range(6))
    (_, flow) = next(quiz_flows(material("x", "y", "z"), settings(writer=None, items="q"), (item(1, source="s0"),)))
    calls = [call for call in next(flow) if call.stage == "quiz/answer"]
    assert len({call.messages[-1].parts[-1] for call in calls}) == 2, "two orders, whoever is asked"
    assert len(calls) == 3 * 2
