"""The flows that ask a judge about labelled sentences: of each target in one, or of its mood."""

from dataclasses import dataclass

from localeval.flow import Flow
from localeval.methods.affect.axes import AxisSet
from localeval.methods.affect.flow import read_text
from localeval.methods.affect.readings import AffectText, Layout, TextAffect
from localeval.methods.affect.schemas import AffectSettings, Target
from localeval.prompts import Prompts
from localeval.public_sets.emobank import Mood
from localeval.public_sets.newsmtsc import Sentence


@dataclass(frozen=True)
class AffectReader:
    """One judge, and what its prompts are made of. All sentences are English."""

    judge: str
    axes: AxisSet
    prompts: Prompts
    seed: int
    layout: Layout = "task first"


def read_targets(sentence: Sentence, reader: AffectReader, settings: AffectSettings) -> Flow[TextAffect]:
    """Valence of each target of a sentence, and of the whole of it where `settings` have that contract."""
    axes = reader.axes.model_copy(update={"axes": tuple(axis for axis in reader.axes.axes if axis.id == "valence")})
    # the set says where each target stands: it need not be found by name
    return read_text(
        AffectText(sentence.id, sentence.id, sentence.text, "en"),
        reader.judge,
        targets_of(sentence),
        settings,
        axes,
        reader.prompts,
        reader.seed,
        reader.layout,
        must_name=False,
    )


def read_mood(mood: Mood, reader: AffectReader, settings: AffectSettings) -> Flow[TextAffect]:
    """Valence, arousal and dominance of a whole sentence."""
    text = AffectText(mood.id, mood.document, mood.text, "en")
    return read_text(text, reader.judge, (), settings, reader.axes, reader.prompts, reader.seed, reader.layout)


def targets_of(sentence: Sentence) -> tuple[Target, ...]:
    """The targets of a sentence as affect takes them."""
    return tuple(Target(name=each.name) for each in sentence.mentions)
