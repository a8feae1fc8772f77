"""The calls of the audit. Claims are made from the candidate alone; verdicts have the whole source in front."""

from collections.abc import Sequence

from localeval.evidence.lookup import Found
from localeval.keys import canonical, derive_seed
from localeval.methods.audit.schemas import (
    Accusation,
    AuditSettings,
    Claim,
    ExtractedClaims,
    ExtractedRelations,
    Ruling,
    SupportOrAccusation,
)
from localeval.outputs import cited_pattern, json_output, read_choice, read_cited, read_json
from localeval.prompts import Prompts, fenced, numbered, one_line, source_block
from localeval.texts import Candidate, Language, Segment, Source
from localeval.values import Call, Choice, Message, Missing, Output, Reply, Sampling

YES_OR_NO = Choice(("yes", "no"))

_SHOWN_WORDS = 120
"""Characters of what stands in the source that a second look quotes."""


class ClaimCalls:
    """The calls that make the claims of one candidate. None shows the source: a claim must not come from there."""

    def __init__(self, source: Source, candidate: Candidate, settings: AuditSettings, prompts: Prompts, seed: int):
        self._language = source.language
        self._candidate = candidate
        self._settings = settings
        self._prompts = prompts
        self._seed = seed
        self._subject = f"{source.id}/{candidate.system}"
        self._block = fenced("text", numbered(candidate, candidate.segments))

    def extract(self, segment: Segment) -> Call:
        """Asks for the claims of one sentence."""
        item = self._prompts.render("audit/extract_item", self._language, sentence=self._sentence(segment))
        parts = (self._prompts.render("audit/extract", self._language), item)
        return self._call("audit/extract", parts, json_output(ExtractedClaims), self._settings.claim_tokens)

    def relations(self) -> Call:
        """Asks how the facts of the candidate stand to each other."""
        output = json_output(
            ExtractedRelations, (("sentences", cited_pattern(len(self._candidate.segments), most=3, or_none=False)),)
        )
        part = self._prompts.render("audit/relations", self._language)
        return self._call("audit/relations", (part,), output, self._settings.claim_tokens)

    def entail(self, claim: Claim) -> Call:
        """Asks whether the sentences of a claim, one or for a relation a few, say what the claim says."""
        segments = [self._candidate.segments[number - 1] for number in claim.sentences]
        item = self._prompts.render(
            "audit/entail_item",
            self._language,
            sentences="".join(map(self._sentence, segments)),
            several=len(segments) > 1,
            claim=fenced("claim", one_line(claim.text)),
        )
        return self._call("audit/entail", (self._prompts.render("audit/entail", self._language), item), YES_OR_NO, 1)

    def _sentence(self, segment: Segment) -> str:
        return fenced("sentence", one_line(self._candidate.words_of(segment)))

    def _call(self, stage: str, parts: tuple[str, ...], output: Output, max_tokens: int) -> Call:
        sampling = Sampling(max_tokens, seed=derive_seed(self._seed, stage))
        messages = _messages(self._prompts, self._language, (self._block, *parts))
        return Call(self._settings.extracted_by, messages, output, sampling, stage, self._subject)


class VerdictCalls:
    """The calls of one auditor about one candidate."""

    def __init__(
        self,
        source: Source,
        candidate: Candidate,
        auditor: str,
        settings: AuditSettings,
        prompts: Prompts,
        seed: int,
    ) -> None:
        self._source = source
        self._candidate = candidate
        self._auditor = auditor
        self._prompts = prompts
        self._sampling = Sampling(settings.verdict_tokens, seed=derive_seed(seed, "audit/verify"))
        self._output = json_output(SupportOrAccusation, (("segments", cited_pattern(len(source.segments))),))
        self._block = source_block(source)
        self._verify = prompts.render("audit/verify", source.language)

    def verify(self, claim: Claim) -> Call:
        """Asks for a verdict on a claim.

        Says nothing of the candidate but what the claim needs to be understood, so that candidates that say the same
        share the reply.
        """
        item = self._prompts.render("audit/verify_item", self._source.language, **self._shown(claim))
        return self._call("audit/verify", self._verify, item)

    def second_look(self, claim: Claim, found: Sequence[Found], segments: Sequence[int]) -> Call:
        """Asks once more, with what a program found and the segments that come closest in front.

        A task of its own: asked the same question again, a small model says again what it said. Where a name or number
        does not stand in the source as such, that alone is asked about, and doubt is not for the claim any more.
        """
        passage = [self._source.segments[number - 1] for number in segments]
        doubtful = [each for each in found if each.match != "exact"]
        task = self._prompts.render("audit/second_look", self._source.language, is_missing=bool(doubtful))
        shown = doubtful or found
        item = self._prompts.render(
            "audit/second_look_item",
            self._source.language,
            **self._shown(claim),
            found=fenced("found", self._listed(shown)) if shown else "",
            passage=fenced("passage", numbered(self._source, passage)) if passage else "",
        )
        return self._call("audit/second look", task, item)

    def read(self, reply: Reply) -> Ruling:
        """One reply as a ruling."""
        read = read_json(reply, SupportOrAccusation)
        if isinstance(read, Missing):
            return Ruling(read)
        found = read.root
        segments = read_cited(found.segments, len(self._source.segments))
        if isinstance(segments, Missing):
            return Ruling(segments)
        if isinstance(found, Accusation):
            return Ruling(found.verdict, segments, found.kind, found.severity)
        return Ruling("supported", segments)

    def _shown(self, claim: Claim) -> dict[str, str]:
        """The claim in its fence; before a sentence, which may speak of "it", the sentence before it."""
        first = claim.sentences[0]
        before = ""
        if claim.unit == "sentence" and first > 1:
            before = self._candidate.words_of(self._candidate.segments[first - 2])
        return {
            "before": fenced("before", one_line(before)) if before else "",
            "claim": fenced("claim", one_line(claim.text)),
        }

    def _listed(self, found: Sequence[Found]) -> str:
        """What a program found, an item a line. What candidate and source say is quoted, so that it cannot pass for
        more than the item that it is."""
        items = [
            {
                "text": canonical(one_line(each.item.text)),
                "match": each.match,
                "words": canonical(one_line(each.words)[:_SHOWN_WORDS]),
                "places": " ".join(f"[{number}]" for number in each.segments),
            }
            for each in found
        ]
        return self._prompts.render("audit/found", self._source.language, found=items).rstrip("\n")

    def _call(self, stage: str, task: str, item: str) -> Call:
        messages = _messages(self._prompts, self._source.language, (self._block, task, item))
        subject = f"{self._source.id}/{self._candidate.system}"
        return Call(self._auditor, messages, self._output, self._sampling, stage, subject)


def read_yes(reply: Reply) -> bool | Missing:
    """Whether a reply says yes."""
    read = read_choice(reply, YES_OR_NO)
    return read if isinstance(read, Missing) else read == "yes"


def _messages(prompts: Prompts, language: Language, parts: tuple[str, ...]) -> tuple[Message, ...]:
    return (Message("system", (prompts.render("shared/system", language),)), Message("user", parts))
