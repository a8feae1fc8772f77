"""`localeval.methods.audit.calls`: what an extractor and an auditor are shown, what they can reply, how it is read."""

import json
import re
from itertools import product
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from localeval.engines.grammar import pattern
from localeval.evidence.lookup import Found, Item
from localeval.keys import call_key
from localeval.methods.audit.calls import ClaimCalls, VerdictCalls, read_yes
from localeval.methods.audit.schemas import AuditSettings, Claim, FaultKind, Ruling, Severity
from localeval.methods.quiz.calls import QuizCalls
from localeval.methods.quiz.schemas import QuizSettings
from localeval.prompts import fenced, source_block
from localeval.texts import Language, Source
from localeval.values import Call, Missing, Reply
from tests.methods.panel.panel_texts import candidate, source
from tests.methods.quiz.helpers import prompts

LANGUAGES: tuple[Language, ...] = get_args(Language)
KINDS: tuple[FaultKind, ...] = get_args(FaultKind)
SEVERITIES: tuple[Severity, ...] = get_args(Severity)
PROMPTS = prompts()
TEXT = "The bridge opens in June. It has lamps.\nAna paid."
CLAIM = Claim(1, "claim", (2,), "has lamps", "The bridge has lamps.")
RELATION = Claim(2, "relation", (1, 3), TEXT, "Ana paid before the bridge opened.")
SENTENCE = Claim(3, "sentence", (2,), "It has lamps.", "It has lamps.")
FIRST = Claim(4, "sentence", (1,), "The bridge opens in June.", "The bridge opens in June.")


def settings(**options: object) -> AuditSettings:
    return AuditSettings.model_validate({"auditors": ["a", "b"]} | options)


def claim_calls(about: Source | None = None, text: str = TEXT, system: str = "x", **options: object) -> ClaimCalls:
    about = about or source()
    return ClaimCalls(about, candidate(system, text, about), settings(**options), PROMPTS, 7)


def verdict_calls(about: Source | None = None, text: str = TEXT, system: str = "x", auditor: str = "a") -> VerdictCalls:
    about = about or source()
    return VerdictCalls(about, candidate(system, text, about), auditor, settings(), PROMPTS, 7)


def parts(call: Call) -> tuple[str, ...]:
    return call.messages[-1].parts


def found(match: str, text: str = "Ana", words: str = "", *segments: int) -> Found:
    return Found(Item("name", text, 0, len(text)), match, segments, words, 50.0)  # type: ignore[arg-type]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_claim_is_made_without_the_source(language: Language) -> None:
    """What is extracted comes from the candidate: nothing of the source is in those prompts, and the candidate stands
    first, whole, the same for all of them."""
    about = source(language=language)
    calls = claim_calls(about)
    block = fenced("text", "[1] The bridge opens in June.\n[2] It has lamps.\n[3] Ana paid.")
    segments = candidate("x", TEXT, about).segments
    asked = [*(calls.extract(each) for each in segments), calls.relations(), calls.entail(CLAIM)]
    assert {parts(call)[0] for call in asked} == {block}
    assert {call.messages[0].text for call in asked} == {PROMPTS.render("shared/system", language)}
    for call in asked:
        assert not [s for s in about.segments if about.words_of(s) in call.messages[-1].text]
    assert len({parts(call)[:2] for call in asked[:3]}) == 1, "sentences of a candidate share the task"
    for call, words in zip(asked, ("The bridge opens in June.", "It has lamps.", "Ana paid."), strict=False):
        assert fenced("sentence", words) in parts(call)[-1]


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_auditor_sees_the_whole_source_first(language: Language) -> None:
    """Truthfulness rule 1: byte for byte as a quiz writer and a judge see it, then the task, and the claim last."""
    about = source(language=language)
    quiz = QuizCalls(about, QuizSettings(writer="w", answerer="a"), PROMPTS, 7).write("theme", 0, (1, 1), ())
    calls = verdict_calls(about)
    for claim in (CLAIM, RELATION, SENTENCE):
        task = {
            is_missing: PROMPTS.render("audit/second_look", language, is_missing=is_missing)
            for is_missing in (True, False)
        }
        asked = [
            (PROMPTS.render("audit/verify", language), calls.verify(claim)),
            (task[True], calls.second_look(claim, [found("exact"), found("absent")], (2,))),
            (task[True], calls.second_look(claim, [found("near")], (2,))),
            (task[False], calls.second_look(claim, [found("exact")], (2,))),
            (task[False], calls.second_look(claim, [], (2,))),
        ]
        for asks, call in asked:
            assert call.messages[0] == quiz.messages[0]
            assert parts(call)[:2] == (source_block(about), asks)
            assert all(about.words_of(segment) in parts(call)[0] for segment in about.segments)
            assert fenced("claim", claim.text) in parts(call)[2]
            assert len(parts(call)) == 3


def test_candidates_that_say_the_same_share_the_verdict() -> None:
    """Truthfulness rule 4: no system's name and nothing of the candidate but the claim reaches an auditor, so equal
    claims of two systems are one call."""
    one, two = verdict_calls(system="gpt-oss"), verdict_calls(text="Else. All else. It has lamps.", system="secret")
    keys = {call_key(calls.verify(CLAIM), "identity") for calls in (one, two)}
    assert len(keys) == 1
    for system in ("gpt-oss", "secret"):
        making, calls = claim_calls(system=system), verdict_calls(system=system)
        asked = [making.relations(), making.entail(CLAIM), calls.verify(RELATION), calls.second_look(CLAIM, [], ())]
        assert not [call for call in asked for message in call.messages if system in message.text]
        assert {call.subject for call in asked} == {f"s/{system}"}


def test_a_sentence_is_shown_with_the_one_before_it() -> None:
    """A sentence may speak of "it"; a claim stands alone, and the first sentence has none before it."""
    calls = verdict_calls()
    before = fenced("before", "The bridge opens in June.")
    for shown in (parts(calls.verify(SENTENCE))[2], parts(calls.second_look(SENTENCE, [], ()))[2]):
        assert before in shown
        assert shown.index(before) < shown.index(fenced("claim", "It has lamps."))
    assert "<before" not in parts(calls.verify(CLAIM))[2]
    assert "<before" not in parts(calls.verify(FIRST))[2]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_claim_is_held_against_all_its_sentences(language: Language) -> None:
    """A relation may be said in several sentences: all of them are shown, and nothing but them."""
    calls = claim_calls(source(language=language))
    one, two = parts(calls.entail(CLAIM))[-1], parts(calls.entail(RELATION))[-1]
    assert one.startswith(fenced("sentence", "It has lamps.") + fenced("claim", CLAIM.text))
    both = fenced("sentence", "The bridge opens in June.") + fenced("sentence", "Ana paid.")
    assert two.startswith(both + fenced("claim", RELATION.text))
    assert one.rpartition("\n</claim")[2].partition("\n")[2] != two.rpartition("\n</claim")[2].partition("\n")[2]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_second_look_shows_what_a_program_found(language: Language) -> None:
    """Each doubtful item with its kind of match and where, the segments in front; what stands there exactly is shown
    only where nothing is in doubt."""
    about = source(language=language)
    items = [
        found("exact", "Ana", "Ana", 2, 3),
        found("near", 'the "Compaq"', "com\u2028FAC\n[9] x", 4),
        found("absent", "Ann\nArbor"),
    ]
    shown = parts(verdict_calls(about).second_look(CLAIM, items, (2, 4)))[-1]
    listed = re.search(r"<(found \w+)>\n(.*)\n</\1>\n", shown, re.DOTALL)
    assert listed
    lines = listed[2].splitlines()
    sure = parts(verdict_calls(about).second_look(CLAIM, items[:1], (2, 4)))[-1]
    lines.insert(0, next(line for line in sure.splitlines() if line.startswith("- ")))
    assert [line[:2] for line in lines] == ["- "] * 3
    texts = [json.JSONDecoder().raw_decode(line, 2)[0] for line in lines]
    assert texts == ["Ana", 'the "Compaq"', "Ann Arbor"]
    assert [re.findall(r"\[\d\]", line) for line in lines] == [["[2]", "[3]"], ["[9]", "[4]"], []]
    assert '"com FAC [9] x"' in lines[1]
    rests = {line[json.JSONDecoder().raw_decode(line, 2)[1] :] for line in lines}
    assert len(rests) == 3, "the three kinds of match read differently"
    passage = "\n".join(f"[{n}] {about.words_of(about.segments[n - 1])}" for n in (2, 4))
    assert fenced("passage", passage) in shown
    assert shown.index("<claim") < shown.index("<found") < shown.index("<passage")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_second_look_says_when_nothing_was_found(language: Language) -> None:
    """No empty fence and no heading over nothing, but a line that says that no segment comes close."""
    calls = verdict_calls(source(language=language))
    bare = parts(calls.second_look(CLAIM, [], ()))[-1]
    assert re.findall(r"^<(\w+)", bare, re.MULTILINE) == ["claim"]
    with_both = parts(calls.second_look(CLAIM, [found("absent")], (1,)))[-1]
    added = set(bare.splitlines()) - set(with_both.splitlines())
    assert len(added) == 1


def said(segments: str, verdict: str, **more: str) -> str:
    return json.dumps({"segments": segments, "verdict": verdict} | more, separators=(",", ":"))


def test_only_a_whole_ruling_can_be_written() -> None:
    """Support without a fault, an accusation with exactly one kind and severity; segments that exist, or none."""
    calls = verdict_calls()
    for call in (calls.verify(CLAIM), calls.second_look(CLAIM, [], ())):
        grammar = re.compile(pattern(call.output) or "")
        offered = [said("none", "supported"), said("1 5", "supported")]
        offered += [
            said(segments, verdict, kind=kind, severity=severity)
            for segments, verdict, kind, severity in product(
                ("none", "5 4 3 2"), ("contradicted", "not found"), KINDS, SEVERITIES
            )
        ]
        for text in offered:
            assert grammar.fullmatch(text), text
            assert not isinstance(calls.read(Reply("k", text)).opinion, Missing)
        refused = [
            said("6", "supported"),
            said("0", "supported"),
            said("1 2 3 4 5", "supported"),
            said("", "supported"),
            said("1", "supported", kind="other", severity="minor"),
            said("1", "contradicted"),
            said("1", "not found", kind="other"),
            said("1", "not found", kind="invented", severity="major"),
            said("1", "unsure"),
            json.dumps({"verdict": "supported", "segments": "1"}, separators=(",", ":")),
        ]
        assert not [text for text in refused if grammar.fullmatch(text)]


def test_a_ruling_is_read() -> None:
    """Opinion, segments ascending and once, kind and severity."""
    calls = verdict_calls()
    assert calls.read(Reply("k", said("3 1 3", "supported"))) == Ruling("supported", (1, 3))
    accused = said("2", "contradicted", kind="false precision", severity="major")
    assert calls.read(Reply("k", accused)) == Ruling("contradicted", (2,), "false precision", "major")
    assert calls.read(Reply("k", said("none", "not found", kind="other", severity="minor"))) == Ruling(
        "not found", (), "other", "minor"
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "supported",
        f"Yes. {said('1', 'supported')}",
        said("6", "supported"),
        said("1", "contradicted"),
        said("1", "not found", kind="other"),
        said("1", "not found", kind="lie", severity="major"),
        said("99", "not found", kind="other", severity="major"),
    ],
)
def test_what_is_no_ruling_is_missing(text: str) -> None:
    """Truthfulness rule 5: nobody is accused or cleared by a reply that is not whole."""
    read = verdict_calls().read(Reply("k", text))
    assert isinstance(read.opinion, Missing)
    assert read.opinion.reason == "invalid"
    assert (read.segments, read.kind, read.severity) == ((), None, None)


def test_a_cut_ruling_is_missing() -> None:
    """What ran into the budget is no ruling even if it happens to be whole."""
    cut = verdict_calls().read(Reply("k", said("1", "supported"), finish="length", output_tokens=60))
    assert cut == Ruling(Missing("truncated", "cut after 60 tokens"))


@pytest.mark.parametrize(("text", "read"), [("yes", True), ("no", False)])
def test_yes_and_no(text: str, read: bool) -> None:
    """One of two words and no other."""
    call = claim_calls().entail(CLAIM)
    grammar = re.compile(pattern(call.output) or "")
    assert grammar.fullmatch(text)
    assert read_yes(Reply("k", text)) is read
    for other in (f" {text}", text.title(), f"{text}.", "да", "是", ""):
        assert not grammar.fullmatch(other)
        assert isinstance(read_yes(Reply("k", other)), Missing)


@given(st.integers(0, 9), st.integers(1, 5))
def test_a_relation_names_sentences_that_exist(number: int, n: int) -> None:
    """One to three of them, and never none."""
    call = claim_calls().relations()
    grammar = re.compile(pattern(call.output) or "")
    text = json.dumps({"relations": [{"sentences": " ".join([str(number)] * n), "claim": "c"}]}, separators=(",", ":"))
    assert (grammar.fullmatch(text) is not None) == (1 <= number <= 3 and n <= 3)
    assert not grammar.fullmatch(text.replace(f'"{" ".join([str(number)] * n)}"', '"none"'))
    assert grammar.fullmatch('{"relations":[]}')


def test_an_extractor_may_find_no_claim_but_no_empty_one() -> None:
    """A sentence that states nothing has none; a claim has a phrase and says something."""
    about = source()
    call = claim_calls(about).extract(candidate("x", TEXT, about).segments[0])
    grammar = re.compile(pattern(call.output) or "")
    assert grammar.fullmatch('{"claims":[]}')
    assert grammar.fullmatch('{"claims":[{"phrase":"a","claim":"b"},{"phrase":"c","claim":"d"}]}')
    for text in ('{"claims":[{"phrase":"","claim":"b"}]}', '{"claims":[{"phrase":"a","claim":""}]}', '{"claims":null}'):
        assert not grammar.fullmatch(text)


def test_who_is_asked_and_how() -> None:
    """Claims by the extractor, verdicts by the auditor, all at temperature 0 within their budgets; stages and subjects
    say who asks about what, and the calls of a claim differ from each other."""
    making = claim_calls(extractor="e", claim_tokens=333)
    checking = [verdict_calls(auditor=name) for name in ("a", "b")]
    segment = candidate("x", TEXT, source()).segments[0]
    asked = [making.extract(segment), making.relations(), making.entail(CLAIM)]
    assert [(c.model, c.stage, c.sampling.max_tokens) for c in asked] == [
        ("e", "audit/extract", 333),
        ("e", "audit/relations", 333),
        ("e", "audit/entail", 1),
    ]
    assert claim_calls().relations().model == "a", "the first auditor, unless told"
    ruling = [call for calls in checking for call in (calls.verify(CLAIM), calls.second_look(CLAIM, [], ()))]
    assert [(c.model, c.stage) for c in ruling] == list(product("ab", ("audit/verify", "audit/second look")))
    assert {call.sampling.temperature for call in (*asked, *ruling)} == {0.0}
    assert len({call_key(call, "identity") for call in (*asked, *ruling)}) == 5, "each auditor is asked the same"


def test_an_empty_candidate_has_no_sentence_to_ask_about() -> None:
    """Its block is empty, and no relation could be cited: the flow does not ask."""
    about = source()
    calls = claim_calls(about, text=" ")
    assert not candidate("x", " ", about).segments
    with pytest.raises(ValueError, match="nothing to cite"):
        calls.relations()
