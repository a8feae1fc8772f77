"""The calls of affect, and what their replies say. Short texts stand after the task that all of them share."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from localeval.evidence.mentions import find_quote, is_mere_name
from localeval.keys import derive_seed, digest
from localeval.methods.affect.axes import Axis, Contract, Meaning
from localeval.methods.affect.readings import AffectText, Evidence, Flags, Layout, Reading
from localeval.methods.affect.schemas import (
    COVERED,
    AffectSettings,
    EvidenceReply,
    FlagsReply,
    Proposal,
    ProposedTarget,
    Target,
)
from localeval.methods.affect.words import anchor_words, kind_word
from localeval.outputs import choice_probabilities, json_output, read_choice, read_json
from localeval.prompts import Prompts, candidate_block, one_line
from localeval.values import Call, Choice, Message, Missing, Output, Reply, Sampling

DRAW_TEMPERATURE = 1.0
"""Draws follow the judge's own distribution."""
_SCORE_TOKENS = 8
"""Room for an anchor's word of a few tokens."""
_LOGPROBS = 12
_FLAG_TOKENS = 60
_PROPOSAL_TOKENS = 40
"""For each target that may be proposed."""


class Wanted(NamedTuple):
    """A score to be asked for: one axis under one contract, of a target (None: of the whole text)."""

    contract: Contract
    axis: Axis
    target: Target | None
    repeat: int = 0

    @property
    def key(self) -> tuple[Contract, str, str, int]:
        """What tells it from the others of the same text."""
        return self.contract, self.axis.id, self.target.name if self.target is not None else "", self.repeat


class AffectCalls:
    """Builds one judge's calls about one text, and reads their replies. Pure: frozen calls out, verdicts in and out."""

    def __init__(
        self,
        text: AffectText,
        words: str,
        judge: str,
        settings: AffectSettings,
        prompts: Prompts,
        seed: int,
        layout: Layout,
    ) -> None:
        self._text = text
        self._words = words
        self._judge = judge
        self._settings = settings
        self._prompts = prompts
        self._seed = seed
        self._layout = layout
        self._block = candidate_block(words)
        self._mark = digest(words)  # not the text's id, which holds the system's name

    def score(self, wanted: Wanted, draw: int | None = None) -> Call:
        """Asks for one score: once with the probabilities of every point, or for the so-manieth draw."""
        parts = self._place(self._task(wanted), self._question("affect/score", wanted))
        most = _SCORE_TOKENS if self._settings.scale == "words" else 1  # a digit needs no token that ends it
        if draw is None:
            sampling = Sampling(max_tokens=most, logprobs=_LOGPROBS)
        else:
            seed = derive_seed(self._seed, "affect", self._mark, *wanted.key, draw)
            sampling = Sampling(max_tokens=most, temperature=DRAW_TEMPERATURE, seed=seed)
        return self._call(parts, self._scale(wanted), sampling, f"affect/{wanted.contract}")

    def evidence(self, wanted: Wanted) -> Call:
        """Asks for the phrases that decide a score."""
        parts = self._place(self._task(wanted), self._question("affect/evidence", wanted))
        seed = derive_seed(self._seed, "affect", self._mark, wanted.axis.id, "evidence")
        sampling = Sampling(max_tokens=self._settings.evidence_tokens, seed=seed)
        return self._call(parts, json_output(EvidenceReply), sampling, "affect/evidence")

    def flags(self, target: Target) -> Call:
        """Asks how far the text is about a target, and what is wrong with it."""
        item = self._render("affect/flags_item", **self._named(target))
        parts = self._place((self._render("affect/flags"),), item)
        seed = derive_seed(self._seed, "affect", self._mark, "flags")
        return self._call(parts, json_output(FlagsReply), Sampling(_FLAG_TOKENS, seed=seed), "affect/flags")

    def propose(self, judge: str) -> Call:
        """Asks a judge whom or what the text portrays."""
        most = self._settings.propose
        parts = self._place((self._render("affect/propose", most=most),), self._render("affect/propose_item"))
        seed = derive_seed(self._seed, "affect", self._mark, "propose")
        sampling = Sampling(_PROPOSAL_TOKENS * (most + 1), seed=seed)
        return self._call(parts, json_output(Proposal), sampling, "affect/propose", judge)

    def read_shares(self, reply: Reply, wanted: Wanted) -> Reading | None:
        """A score from the probabilities of the points; None where the engine gave none."""
        scale = self._scale(wanted)
        chosen = read_choice(reply, scale)
        if isinstance(chosen, Missing):
            return Reading(chosen)
        shares = choice_probabilities(reply, scale)
        if shares is None:
            return None
        places = [self._place_of(point) for point in range(1, len(shares) + 1)]
        mean = sum(place * share for place, share in zip(places, shares.values(), strict=True))
        squares = sum((place - mean) ** 2 * share for place, share in zip(places, shares.values(), strict=True))
        return Reading(min(max(mean, 0.0), 1.0), math.sqrt(squares), tuple(shares.values()))

    def read_draw(self, reply: Reply, wanted: Wanted) -> int | Missing:
        """The point that was drawn, from 1."""
        scale = self._scale(wanted)
        chosen = read_choice(reply, scale)
        return chosen if isinstance(chosen, Missing) else scale.options.index(chosen) + 1

    def of_draws(self, draws: Sequence[int | Missing]) -> Reading:
        """A score as the mean of draws; missing where fewer than three of them, or at most half, could be read."""
        drawn = [draw for draw in draws if not isinstance(draw, Missing)]
        lost = [draw for draw in draws if isinstance(draw, Missing)]
        if len(drawn) < 3 or len(lost) >= len(drawn):
            return Reading(lost[0], draws=tuple(drawn))
        places = [self._place_of(draw) for draw in drawn]
        mean = sum(places) / len(places)
        spread = math.sqrt(sum((place - mean) ** 2 for place in places) / (len(places) - 1))
        return Reading(mean, spread, draws=tuple(drawn))

    def read_evidence(self, reply: Reply, names: Sequence[str]) -> Evidence:
        """The phrases that stand in the text and say more than names of targets; missing where none does."""
        read = read_json(reply, EvidenceReply)
        if isinstance(read, Missing):
            return Evidence(missing=read)
        given = [phrase for phrase in (read.phrase, read.other.strip()) if phrase]
        held = tuple(phrase for phrase in dict.fromkeys(given) if self._stands(phrase, names))
        rejected = tuple(phrase for phrase in dict.fromkeys(given) if phrase not in held)
        fault = (
            None
            if held
            else Missing("no evidence", "no phrase of the judge stands in the text and is more than a name")
        )
        return Evidence(held, rejected, one_line(read.reason.strip()), fault)

    def read_flags(self, reply: Reply) -> Flags | Missing:
        """What the judge says of the text's quality."""
        read = read_json(reply, FlagsReply)
        if isinstance(read, Missing):
            return read
        return Flags(COVERED[read.coverage], *(flag == "yes" for flag in (read.refusal, read.generic, read.mismatch)))

    def read_proposal(self, reply: Reply) -> tuple[ProposedTarget, ...] | Missing:
        """The names that a judge found."""
        read = read_json(reply, Proposal)
        return read if isinstance(read, Missing) else read.targets

    def _stands(self, phrase: str, names: Sequence[str]) -> bool:
        found = find_quote(self._words, phrase)
        return found is not None and not is_mere_name(phrase, names, self._text.language)

    def _place_of(self, point: int) -> float:
        return (point - 1) / (self._settings.points - 1)

    def _scale(self, wanted: Wanted) -> Choice:
        """The answers, lowest first."""
        if self._settings.scale == "words":
            return Choice(anchor_words(self._meaning(wanted), self._text.language))
        return Choice(tuple(str(point) for point in range(1, self._settings.points + 1)))

    def _meaning(self, wanted: Wanted) -> Meaning:
        meaning = wanted.axis.meaning(wanted.contract)
        assert meaning is not None
        return meaning

    def _place(self, task: tuple[str, ...], item: str) -> tuple[str, ...]:
        return (self._block, *task, item) if self._layout == "text first" else (*task, self._block, item)

    def _task(self, wanted: Wanted) -> tuple[str, ...]:
        """The contract and the axis with its anchors: from the lowest, or in a second reading from the highest."""
        meaning = self._meaning(wanted)
        answers = self._scale(wanted).options
        anchors = [(answers[round(place * (len(answers) - 1))], each) for place, each in meaning.anchors.items()]
        axis = self._render(
            "affect/axis",
            label=wanted.axis.label,
            anchors=anchors[::-1] if wanted.repeat else anchors,
            is_number=self._settings.scale != "words",
        )
        return (self._render(f"affect/{wanted.contract}"), axis)

    def _question(self, template: str, wanted: Wanted) -> str:
        target = wanted.target
        named = self._named(target) if target is not None else {"name": "", "kind": "", "aliases": ""}
        rule = wanted.axis.kinds.get(target.kind, "") if target is not None else ""
        answers = self._scale(wanted).options[:: -1 if wanted.repeat else 1]
        words = answers if self._settings.scale == "words" else ()
        question = self._meaning(wanted).asked_of(named["name"])
        return self._render(template, rule=rule, question=question, points=self._settings.points, words=words, **named)

    def _named(self, target: Target) -> dict[str, str]:
        kind = kind_word(target.kind, self._text.language)
        return {"name": target.name, "kind": kind, "aliases": ", ".join(target.aliases)}

    def _render(self, template: str, **values: object) -> str:
        return self._prompts.render(template, self._text.language, **values)

    def _call(self, parts: tuple[str, ...], output: Output, sampling: Sampling, stage: str, judge: str = "") -> Call:
        system = self._prompts.render("shared/system", self._text.language)
        messages = (Message("system", (system,)), Message("user", parts))
        return Call(judge or self._judge, messages, output, sampling, stage, self._text.id)
