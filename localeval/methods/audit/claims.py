"""The claims of one candidate: taken from its sentences, each held against the sentence that it came from."""

import re
import unicodedata
from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace

from localeval.methods.asking import ask
from localeval.methods.audit.calls import ClaimCalls, read_yes
from localeval.methods.audit.schemas import (
    AuditSettings,
    Claim,
    ClaimDrop,
    DroppedClaim,
    ExtractedClaims,
    ExtractedRelations,
)
from localeval.outputs import read_cited, read_json
from localeval.texts import Candidate, Segment
from localeval.values import Call, Missing, Reply

_QUOTES = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "«": '"', "»": '"', "–": "-", "—": "-"})


@dataclass(frozen=True, slots=True)
class Claims:
    """What is checked of a candidate, numbered from 1, and what was left out."""

    kept: tuple[Claim, ...]
    dropped: tuple[DroppedClaim, ...]


def make_claims(
    calls: ClaimCalls, candidate: Candidate, settings: AuditSettings
) -> Generator[Sequence[Call], Sequence[Reply], Claims]:
    """Every claim, sentence and relation of a candidate that is to be checked.

    Every sentence is covered: one without a claim that could be kept stands in for its claims. After FActScore (Min et
    al. 2023), with the claim held against its sentence, since splitting is a source of errors of its own (Hu et al.
    2024, "Decomposition Dilemmas").
    """
    sentences = candidate.segments
    drafts: list[Claim] = []
    dropped: list[DroppedClaim] = []
    if sentences:
        drafts, dropped = yield from _extract(calls, candidate, settings)
        drafts, unentailed = yield from _entailed(calls, drafts, settings)
        dropped += unentailed
    covered = {number for claim in drafts if claim.unit == "claim" for number in claim.sentences}
    whole = [
        Claim(0, "sentence", (each.number,), words := candidate.words_of(each), words)
        for each in sentences
        if "sentence" in settings.units or each.number not in covered
    ]
    return Claims(tuple(replace(claim, number=n) for n, claim in enumerate([*drafts, *whole], 1)), tuple(dropped))


def _extract(
    calls: ClaimCalls, candidate: Candidate, settings: AuditSettings
) -> Generator[Sequence[Call], Sequence[Reply], tuple[list[Claim], list[DroppedClaim]]]:
    """The claims of every sentence and the relations between them, asked for in one round."""
    sentences = candidate.segments if "claim" in settings.units else ()
    with_relations = "relation" in settings.units
    requests = [calls.extract(each) for each in sentences] + ([calls.relations()] if with_relations else [])
    readers = [_read_claims] * len(sentences) + ([_read_relations] if with_relations else [])
    read = yield from ask(requests, readers, lambda verdict: verdict, settings.retries)
    found = [
        each
        for segment, claims in zip(sentences, read, strict=False)
        for each in _of_sentence(claims, segment, candidate)
    ]
    if with_relations:
        found += _of_relations(read[-1], candidate)
    return _sort(found)


Extracted = ExtractedClaims | ExtractedRelations | Missing


def _read_claims(reply: Reply) -> Extracted:
    return read_json(reply, ExtractedClaims)


def _read_relations(reply: Reply) -> Extracted:
    return read_json(reply, ExtractedRelations)


def _sort(found: Sequence[Claim | DroppedClaim]) -> tuple[list[Claim], list[DroppedClaim]]:
    """Each claim once, however many sentences make it, to the word: one that differs in a digit or a "not" is another.

    The sentences that repeat a claim are its sentences too, so that none of them counts it a second time.
    """
    kept: dict[str, Claim] = {}
    dropped: list[DroppedClaim] = []
    for each in found:
        if isinstance(each, DroppedClaim):
            dropped.append(each)
            continue
        before = kept.setdefault(plain(each.text), each)
        if before is not each:
            dropped.append(DroppedClaim("said before", each.sentences[0], each.text))
            said = tuple(sorted({*before.sentences, *each.sentences}))
            kept[plain(each.text)] = replace(before, sentences=said)
    return list(kept.values()), dropped


def _of_sentence(read: Extracted, segment: Segment, candidate: Candidate) -> list[Claim | DroppedClaim]:
    if isinstance(read, Missing):
        return [DroppedClaim("unreadable", segment.number, f"{read.reason}: {read.detail}")]
    assert isinstance(read, ExtractedClaims)
    words = plain(candidate.words_of(segment))
    return [
        Claim(0, "claim", (segment.number,), each.phrase, each.claim)
        if plain(each.phrase) and plain(each.phrase) in words
        else DroppedClaim("phrase not in the sentence", segment.number, each.phrase)
        for each in read.claims
    ]


def _of_relations(read: Extracted, candidate: Candidate) -> list[Claim | DroppedClaim]:
    if isinstance(read, Missing):
        return [DroppedClaim("unreadable", 0, f"{read.reason}: {read.detail}")]
    assert isinstance(read, ExtractedRelations)
    found: list[Claim | DroppedClaim] = []
    for each in read.relations:
        numbers = read_cited(each.sentences, len(candidate.segments))
        if isinstance(numbers, Missing) or not numbers:
            found.append(DroppedClaim("no such sentence", 0, f"{each.sentences}: {each.claim}"))
            continue
        words = " ".join(candidate.words_of(candidate.segments[number - 1]) for number in numbers)
        found.append(Claim(0, "relation", numbers, words, each.claim))
    return found


def _entailed(
    calls: ClaimCalls, drafts: Sequence[Claim], settings: AuditSettings
) -> Generator[Sequence[Call], Sequence[Reply], tuple[list[Claim], list[DroppedClaim]]]:
    """The claims that their sentences really make."""
    requests = [calls.entail(claim) for claim in drafts]
    verdicts = yield from ask(requests, [read_yes] * len(drafts), lambda verdict: verdict, settings.retries)
    kept: list[Claim] = []
    dropped: list[DroppedClaim] = []
    for claim, verdict in zip(drafts, verdicts, strict=True):
        if verdict is True:
            kept.append(claim)
        else:
            reason: ClaimDrop = "not entailed by the sentence" if verdict is False else "no verdict"
            dropped.append(DroppedClaim(reason, claim.sentences[0], claim.text))
    return kept, dropped


def plain(text: str) -> str:
    """A text as it is compared for being a quotation: Unicode form, case, kinds of quotes, spaces, outer signs."""
    folded = unicodedata.normalize("NFKC", text).translate(_QUOTES).casefold()
    return re.sub(r"\s+", " ", folded).strip(" .,;:!?\"'()[]…。，；：！？")
