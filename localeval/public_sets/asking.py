"""Running local models on public sets: the flows, the drive, and what each model said. What a store holds is not asked
again."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, get_args

from localeval.assets import asset_folder
from localeval.driver import Observer, drive
from localeval.engines.house import LocalEngines
from localeval.errors import ConfigError
from localeval.flow import Flow
from localeval.inputs.axis_files import axes_for
from localeval.methods.affect.readings import TextAffect
from localeval.methods.affect.schemas import AffectSettings, Target
from localeval.methods.audit.method import audit_flows
from localeval.methods.audit.schemas import CandidateAudit
from localeval.models import Model
from localeval.prompts import Prompts, read_prompts
from localeval.public_sets import elitr, emobank, llmbar, newsmtsc, summedits
from localeval.public_sets.audits import material_of, settings_of
from localeval.public_sets.rating import PairVerdicts, compare, rate
from localeval.public_sets.reading_affect import AffectReader, read_mood, read_targets, targets_of
from localeval.store.files import MANIFEST
from localeval.store.folder import RunFolder
from localeval.values import Missing

AskedSet = Literal["llmbar", "elitr_bench", "summedits", "emobank", "newsmtsc"]
ASKED_SETS: tuple[AskedSet, ...] = get_args(AskedSet)
"""Sets on which a model can be asked, as their folders are called; of the others the texts are not there."""
SUMMARIES_EACH = 8
"""Summaries of one document of SummEdits, half of them sound."""

Said = PairVerdicts | int | Missing | CandidateAudit | TextAffect
Place = tuple[str, AskedSet, str]
"""(model, set, id of the item)"""


@dataclass(frozen=True)
class Drawn:
    """What is put to every model, empty for a set that is not wanted."""

    pairs: tuple[llmbar.Pair, ...] = ()
    answers: tuple[elitr.Answer, ...] = ()
    edited: summedits.SummEdits = field(default_factory=lambda: summedits.SummEdits({}, ()))
    moods: tuple[emobank.Mood, ...] = ()
    sentences: tuple[newsmtsc.Sentence, ...] = ()

    @property
    def size(self) -> int:
        """Items in all."""
        listed = (self.pairs, self.answers, self.edited.summaries, self.moods, self.sentences)
        return sum(len(each) for each in listed)


@dataclass(frozen=True)
class Heard:
    """What one model said, by the id of the item."""

    pairs: dict[str, PairVerdicts] = field(default_factory=dict)
    answers: dict[str, int | Missing] = field(default_factory=dict)
    audits: dict[str, CandidateAudit] = field(default_factory=dict)
    affects: dict[tuple[AskedSet, str], TextAffect] = field(default_factory=dict)

    def keep(self, place: Place, said: Said) -> None:
        """Puts the result of a flow where it belongs."""
        _, name, item = place
        if isinstance(said, CandidateAudit):
            self.audits[item] = said
        elif isinstance(said, TextAffect):
            self.affects[name, item] = said
        elif isinstance(said, tuple):
            self.pairs[item] = said
        else:
            self.answers[item] = said


def draw(data: Path, sets: Sequence[str], items: int, seed: int) -> Drawn:
    """`items` items of each set in `sets`, at random but the same for every model; all of them for 0.

    Raises InputError where a set cannot be read.
    """
    return Drawn(
        pairs=llmbar.draw_pairs(llmbar.read_pairs(data), items, seed) if "llmbar" in sets else (),
        answers=elitr.draw_answers(elitr.read_answers(data), items, seed) if "elitr_bench" in sets else (),
        edited=_draw_summaries(data, items, seed) if "summedits" in sets else summedits.SummEdits({}, ()),
        moods=emobank.draw_moods(emobank.read_moods(data), items, seed) if "emobank" in sets else (),
        sentences=newsmtsc.draw_sentences(newsmtsc.read_sentences(data), items, seed) if "newsmtsc" in sets else (),
    )


def ask_models(
    drawn: Drawn, models: Mapping[str, Model], out: Path, seed: int, observer: Observer | None = None
) -> dict[str, Heard]:
    """What each model says of everything that was drawn; replies are kept in the folder `out` as they come.

    Raises ConfigError where `out` is the folder of an evaluation, and what engines and store raise.
    """
    if (out / MANIFEST).exists():
        raise ConfigError(f"--out {out}: is the folder of an evaluation; name another for the replies on public sets")
    heard = {name: Heard() for name in models}
    prompts = read_prompts(asset_folder("prompts"))
    with RunFolder.create_or_open(out) as folder:
        engines = LocalEngines(models, folder.path)
        for place, said in drive(flows_of(drawn, tuple(models), prompts, seed), folder.store, engines, observer):
            heard[place[0]].keep(place, said)
    return heard


def flows_of(drawn: Drawn, judges: Sequence[str], prompts: Prompts, seed: int) -> Iterator[tuple[Place, Flow[Said]]]:
    """One flow an item and judge, lazily."""
    axes = axes_for("vad", "en", Path())
    material = material_of(drawn.edited, prompts, seed)
    for judge in judges:
        for pair in drawn.pairs:
            yield (judge, "llmbar", pair.id), compare(pair, judge, prompts, seed)
        for answer in drawn.answers:
            yield (judge, "elitr_bench", answer.id), rate(answer, judge, prompts, seed)
        for (_, system, _), flow in audit_flows(material, settings_of(judge)):
            yield (judge, "summedits", system), flow
        reader = AffectReader(judge, axes, prompts, seed)
        for mood in drawn.moods:
            yield (judge, "emobank", mood.id), read_mood(mood, reader, _affect(judge, ()))
        for sentence in drawn.sentences:
            yield (judge, "newsmtsc", sentence.id), read_targets(sentence, reader, _affect(judge, targets_of(sentence)))


def _affect(judge: str, targets: tuple[Target, ...]) -> AffectSettings:
    """Scores alone: a phrase as evidence is a second answer, which the labels say nothing of."""
    return AffectSettings.model_validate(
        {
            "judges": (judge,),
            "targets": targets,
            "contracts": ("target", "whole") if targets else ("whole",),
            "evidence": False,
            "flags": False,
        }
    )


def _draw_summaries(data: Path, items: int, seed: int) -> summedits.SummEdits:
    """Summaries of as few documents as give `items`, two of each domain at least: an interval needs several."""
    whole = summedits.read_summedits(data)
    if not items:
        return whole
    of = summedits.domains(whole)
    documents = max(-(-items // SUMMARIES_EACH), 2 * len(of))
    each = max(2, items // documents)
    return summedits.draw_summaries(whole, of, -(-documents // len(of)) * len(of), each, seed)
