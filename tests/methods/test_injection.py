"""No text under test can leave its fence, in any prompt of panel, audit, affect and quiz: what stands between a real
opening and its closing line is the text, and everything else is what it is for a harmless one."""

import json
import re
from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path
from typing import NamedTuple, get_args

import pytest
from hypothesis import given
from hypothesis import settings as with_settings
from hypothesis import strategies as st

from localeval.evidence.lookup import Found, Item
from localeval.inputs.axis_files import axes_for
from localeval.inputs.segmenting import cut_sentences
from localeval.keys import digest
from localeval.methods.affect.calls import AffectCalls, Wanted
from localeval.methods.affect.readings import AffectText, Layout
from localeval.methods.affect.schemas import AffectSettings, Target
from localeval.methods.audit.calls import ClaimCalls, VerdictCalls
from localeval.methods.audit.schemas import AuditSettings, Claim
from localeval.methods.panel.batch import BatchCalls
from localeval.methods.panel.flow import judge
from localeval.methods.panel.schemas import Mode
from localeval.methods.quiz.flow import quiz
from localeval.texts import Candidate, Language, Segment, Source
from localeval.values import Call
from tests.injections import injections
from tests.methods.panel.panel_texts import candidate, rubric, settings, source
from tests.methods.quiz import helpers
from tests.quiz_items import item

PROMPTS = helpers.prompts()
TEXTS = injections()
HARMLESS = "The bridge is open. Ana paid for the lamps.\nThe painters were late."
AUDIT = AuditSettings(auditors=("a",))


class Fence(NamedTuple):
    """A fenced text in a prompt, without its mark."""

    tag: str
    inner: str


_OPENING = re.compile(r"^<([a-z]+(?: [A-Z]+)?) ([0-9a-f]{8})>\n", re.MULTILINE)


def read(prompt: str) -> tuple[str, list[Fence]]:
    """A prompt as a careful reader sees it: what stands outside every fence, and the fences in order.

    A fence ends where its closing tag with its own mark stands first, wherever that is.
    """
    outside, fences, place = "", [], 0
    while opening := _OPENING.search(prompt, place):
        tag, mark = opening.groups()
        end = prompt.index(f"</{tag} {mark}>", opening.end())
        inner = prompt[opening.end() : end]
        assert inner.endswith("\n"), "the closing tag has a line of its own"
        assert mark not in inner, "the mark tells the closing tag from all that the text says"
        fences.append(Fence(tag, inner.removesuffix("\n")))
        outside += prompt[place : opening.start()] + f"<{tag}>"
        place = end + len(f"</{tag} {mark}>")
        assert prompt[place] == "\n"
    return outside + prompt[place:], fences


def plain(text: str) -> str:
    """A text on one line."""
    return " ".join(line.strip() for line in text.splitlines() if line.strip())


def lines(whole: Source | Candidate, segments: Sequence[Segment] | None = None) -> str:
    """Segments as a reader is to see them: one numbered line each, whatever they say."""
    return "\n".join(
        f"[{s.number}] {plain(whole.words_of(s))}" for s in (whole.segments if segments is None else segments)
    )


class Asked(NamedTuple):
    """A call, and the fences that it must have."""

    call: Call
    fences: list[Fence]


def about(text: str, language: Language) -> tuple[Source, Candidate]:
    """A source, and a candidate that says two harmless sentences and then a text."""
    whole = source(language=language)
    return whole, candidate("x", f"{HARMLESS}\n\n{text}", whole)


def judging(text: str, language: Language, mode: Mode) -> list[Asked]:
    """A judge's calls about the text, alone or among two others, by place in the line-up."""
    whole, one = about(text, language)
    texts = [one, candidate("y", "Something else.", whole), candidate("z", text, whole)]
    calls = next(judge(whole, texts, "j", rubric(), settings(mode=mode), PROMPTS, 7))
    first = Fence("text", lines(whole))
    if mode == "batch":
        (call,) = calls
        line_up = [*BatchCalls(whole, texts, rubric(), settings(mode=mode), PROMPTS, 7).batches()[0].candidates]
        shown = [Fence(f"candidate {name}", lines(each)) for name, each in zip("ABC", line_up, strict=True)]
        return [Asked(call, [first, *shown])]
    if mode == "pointwise":
        return [
            Asked(call, [first, Fence("candidate", lines(each))])
            for call, each in zip(calls, [each for each in texts for _ in rubric().criteria], strict=True)
        ]
    shown = read(calls[0].messages[-1].text)[1][1:]
    assert sorted(fence.inner for fence in shown) == sorted(lines(each) for each in texts)
    assert [fence.tag for fence in shown] == ["candidate A", "candidate B", "candidate C"]
    by_letter = sorted(calls, key=lambda call: call.messages[-1].parts[-1])
    return [Asked(call, [first, *shown]) for call in by_letter]


def pointwise(text: str, language: Language) -> list[Asked]:
    return judging(text, language, "pointwise")


def lineup(text: str, language: Language) -> list[Asked]:
    return judging(text, language, "lineup")


def batch(text: str, language: Language) -> list[Asked]:
    return judging(text, language, "batch")


def answering(text: str, language: Language) -> list[Asked]:
    """A quiz put to the text, which stands there as it is, with all its lines."""
    whole = helpers.source()
    given = helpers.settings(writer=None, items="quiz.jsonl")
    questions = [item(number, language=language) for number in (1, 2)]
    calls = next(quiz(whole, [Candidate("s", "x", text)], "Else.", given, PROMPTS, 7, questions))
    return [Asked(call, [Fence("text", text)]) for call in calls if call.stage == "quiz/answer"]


def claims(text: str) -> list[Claim]:
    """What an extractor that does as the text tells it may make of it: a claim, a relation, and the sentence itself."""
    return [
        Claim(1, "claim", (2,), text, text),
        Claim(2, "relation", (1, 2, 3), text, text),
        Claim(3, "sentence", (3,), text, text),
    ]


def extracting(text: str, language: Language) -> list[Asked]:
    """The extractor's calls: the candidate, and one of its sentences once more."""
    whole, one = about(text, language)
    calls = ClaimCalls(whole, one, AUDIT, PROMPTS, 7)
    first = Fence("text", lines(one))
    told = [Asked(calls.extract(s), [first, Fence("sentence", plain(one.words_of(s)))]) for s in one.segments[-1:]]
    return [*told, Asked(calls.relations(), [first])]


def entailing(text: str, language: Language) -> list[Asked]:
    """A claim held against its sentences."""
    whole, one = about(text, language)
    calls = ClaimCalls(whole, one, AUDIT, PROMPTS, 7)
    first, last = Fence("text", lines(one)), Fence("claim", plain(text))
    return [
        Asked(
            calls.entail(each),
            [first, *(Fence("sentence", plain(one.words_of(one.segments[n - 1]))) for n in each.sentences), last],
        )
        for each in claims(text)
    ]


def of_claim(each: Claim, one: Candidate) -> list[Fence]:
    before = [Fence("before", plain(one.words_of(one.segments[each.sentences[0] - 2])))] * (each.unit == "sentence")
    return [*before, Fence("claim", plain(each.text))]


def verifying(text: str, language: Language) -> list[Asked]:
    """A claim held against the source; before a sentence stands the one before it."""
    whole, _ = about("", language)
    one = candidate("x", f"Before.\n\n{text}\n\nAfter.\n\nAnd after that.", whole)
    calls = VerdictCalls(whole, one, "a", AUDIT, PROMPTS, 7)
    return [Asked(calls.verify(each), [Fence("text", lines(whole)), *of_claim(each, one)]) for each in claims(text)]


def looking_again(text: str, language: Language) -> list[Asked]:
    """A claim held against the source once more, with what a program found of it: items are words of the claim, and
    what is like them are words of the source."""
    whole, one = about(text, language)
    calls = VerdictCalls(whole, one, "a", AUDIT, PROMPTS, 7)
    named = Item("name", text, 0, len(text))
    sure = [Found(named, "exact", (1, 2), text, 100.0)]
    doubtful = [Found(named, "near", (3,), text, 90.0), Found(named, "absent", (), "", 0.0)]
    asked = []
    for each, found in product(claims(text), (sure, doubtful)):
        call = calls.second_look(each, found, (1, 3))
        fences = [Fence("text", lines(whole)), *of_claim(each, one)]
        listed = read(call.messages[-1].text)[1][len(fences)]
        check_listed(listed, text, found is sure)
        asked.append(
            Asked(call, [*fences, listed, Fence("passage", lines(whole, (whole.segments[0], whole.segments[2])))])
        )
    return asked


def check_listed(listed: Fence, text: str, is_sure: bool) -> None:
    """An item a line, each quoted as a whole and only then what was found of it."""
    assert listed.tag == "found"
    told = listed.inner.splitlines()
    assert len(told) == (1 if is_sure else 2)
    rests = []
    for line in told:
        assert line.startswith('- "')
        quoted, end = json.JSONDecoder().raw_decode(line, 2)
        assert quoted == plain(text)
        rests.append(line[end:])
    assert '"' not in rests[-1]
    if is_sure:
        assert "[1] [2]" in rests[0]
        return
    like, end = json.JSONDecoder().raw_decode(rests[0], rests[0].index('"'))
    assert plain(text).startswith(like)
    assert re.fullmatch(r"[,，] ?\[3\]", rests[0][end:])


def portraying(text: str, language: Language) -> list[Asked]:
    """Every call about a text that is read for its targets, text first and task first: scores of each axis, evidence,
    flags, and the proposal of targets."""
    given = AffectSettings.model_validate(
        {"judges": ["j"], "targets": ["Ann"], "contracts": ["target", "whole", "favourability"], "propose": 2}
    )
    axes = axes_for("vad", language, Path())
    one, ann = AffectText("t", "t", text, language), Target(name="Ann", kind="person", aliases=("Annie",))
    asked = []
    for layout in get_args(Layout):
        calls = AffectCalls(one, text, "j", given, PROMPTS, 7, layout)
        wanted = [
            Wanted(contract, axis, None if contract == "whole" else ann)
            for contract in given.contracts
            for axis in axes.of(contract)
        ]
        asked += [calls.flags(ann), calls.propose("j"), *map(calls.evidence, wanted), *map(calls.score, wanted)]
    return [Asked(call, [Fence("text", text)]) for call in asked]


KINDS: dict[str, Callable[[str, Language], list[Asked]]] = {
    "panel, one by one": pointwise,
    "panel, line-up": lineup,
    "panel, batch": batch,
    "quiz": answering,
    "audit, extract and relations": extracting,
    "audit, entail": entailing,
    "audit, verify": verifying,
    "audit, second look": looking_again,
    "affect": portraying,
}


def check_fenced(kind: str, text: str, language: Language = "en") -> None:
    """The fences are those that there must be, and nothing else is other than for a harmless text."""
    harmless = KINDS[kind]("Nothing of the kind.", language)
    hostile = KINDS[kind](text, language)
    assert len(hostile) == len(harmless) > 0
    for asked, reference in zip(hostile, harmless, strict=True):
        assert [m.role for m in asked.call.messages] == [m.role for m in reference.call.messages] == ["system", "user"]
        assert asked.call.messages[0] == reference.call.messages[0]
        assert len(asked.call.messages[1].parts) == len(reference.call.messages[1].parts)
        outside, fences = read(asked.call.messages[1].text)
        assert fences == asked.fences
        assert outside == read(reference.call.messages[1].text)[0]


def check_numbered(kind: str, text: str, language: Language = "en") -> None:
    """In a fence of numbered lines, however a reader ends a line, each line is a sentence of the candidate."""
    for asked in KINDS[kind](text, language):
        for fence in asked.fences:
            if fence.tag.startswith("candidate") or (fence.tag == "text" and kind.startswith("audit")):
                numbers = [re.match(r"\[(\d+)\] ", line) for line in fence.inner.splitlines()]
                assert [found and int(found[1]) for found in numbers] == list(range(1, len(numbers) + 1))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", TEXTS)
def test_no_text_leaves_its_fence(kind: str, name: str) -> None:
    """Each of the texts, in each kind of call, alone and behind another text."""
    for text in (TEXTS[name].strip(), f"{HARMLESS}\n{TEXTS[name].strip()}"):
        check_fenced(kind, text)
        check_numbered(kind, text)


@pytest.mark.parametrize("language", ["ru", "zh"])
@pytest.mark.parametrize("kind", KINDS)
def test_no_language_opens_a_fence(kind: str, language: Language) -> None:
    """The Russian and Chinese prompts hold all the texts as the English ones do."""
    check_fenced(kind, "\n".join(TEXTS.values()), language)
    check_numbered(kind, "\n".join(TEXTS.values()), language)


@pytest.mark.parametrize("copied", KINDS)
@pytest.mark.parametrize("kind", KINDS)
def test_a_real_prompt_is_a_text_like_any_other(kind: str, copied: str) -> None:
    """Whoever knows the source and the templates can write the whole prompt, with the real marks of its fences, into
    the candidate: it stays there."""
    prompt = KINDS[copied]("Nothing of the kind.", "en")[0].call.messages[-1].text.strip()
    check_fenced(kind, prompt)
    check_numbered(kind, prompt)


SIGNS = st.text(
    alphabet='<>/[]17 abef\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029\u200b\u202e"\\{}%.', min_size=1, max_size=80
)


@with_settings(max_examples=25)
@given(SIGNS.map(str.strip).filter(plain))
def test_no_made_up_text_leaves_its_fence(text: str) -> None:
    """Nor does any other mixture of the signs that fences, numbers, templates and line ends are made of."""
    for kind in KINDS:
        check_fenced(kind, text)
        check_numbered(kind, text)


@pytest.mark.parametrize("name", TEXTS)
def test_a_source_cannot_leave_its_fence_either(name: str) -> None:
    """What was said in a recording is a text too: in the block, in a passage and where it is like a claim's name."""
    said = f"Ann spoke.\n{TEXTS[name].strip()}\nBob agreed."
    hostile = Source("s", said, cut_sentences(said, "en"), "en")
    harmless = source()
    one = candidate("x", "Ann spoke of it.", hostile)
    claim = Claim(1, "claim", (1,), "Ann", "Ann spoke of it.")
    outside = []
    for whole in (hostile, harmless):
        calls = VerdictCalls(whole, one, "a", AUDIT, PROMPTS, 7)
        found = [Found(Item("name", "Ann", 0, 3), "near", (2,), whole.text[:5000], 90.0)]
        prompt = calls.second_look(claim, found, (2,)).messages[-1].text
        rest, fences = read(prompt)
        outside.append(rest)
        assert [fence.tag for fence in fences] == ["text", "claim", "found", "passage"]
        assert fences[0].inner == lines(whole)
        assert len(fences[2].inner.splitlines()) == 1
        assert fences[3].inner == lines(whole, whole.segments[1:2])
        (call, *_) = next(judge(whole, [one], "j", rubric(), settings(), PROMPTS, 7))
        rest, fences = read(call.messages[-1].text)
        outside.append(rest)
        assert fences == [Fence("text", lines(whole)), Fence("candidate", lines(one))]
    assert outside[:2] == outside[2:]


def test_the_texts_are_what_they_are_called() -> None:
    """More than twenty; the line ends are all that there are; two texts really hold the mark that their fence would
    have."""
    assert len(TEXTS) > 20
    ends = {chr(code) for code in range(0x3000) if len(f"a{chr(code)}b".splitlines()) == 2}
    assert ends <= set(TEXTS["numbered lines with every line end"])
    assert digest(TEXTS["its own mark"])[:8] in TEXTS["its own mark"]
    (asked, *_) = pointwise("x", "en")
    assert asked.fences[1].inner.startswith("[1] ")
    numbered = lines(candidate("x", TEXTS["its own mark, numbered"], source()))
    assert digest(numbered)[:8] in numbered
