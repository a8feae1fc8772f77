"""Affect as a method: one flow a text and judge."""

from collections.abc import Iterable, Iterator

from localeval.flow import Flow
from localeval.methods.affect.axes import AxisSet
from localeval.methods.affect.elicit import Condition, conditions, elicit, text_id
from localeval.methods.affect.flow import read_text
from localeval.methods.affect.readings import AffectMaterial, AffectStudy, AffectText, Layout, TextAffect
from localeval.methods.affect.schemas import AffectSettings, ElicitSettings, Target
from localeval.methods.material import Material
from localeval.texts import Language

LONG = 1000
"""Characters from which a source, and what is written about it, costs more than the tasks that are put to a text: then
all of them share the text."""

Name = tuple[str, str]
"""Text id and judge."""


def affect_flows(
    material: Material, settings: AffectSettings, own: AffectMaterial
) -> Iterator[tuple[Name, Flow[TextAffect]]]:
    """((text id, judge), its flow), lazily, text by text."""
    if settings.elicit is not None:
        yield from _elicited(material, settings, settings.elicit, own)
        return
    texts = texts_of(material, settings)
    layout = layout_of(settings, material)
    for text in texts:
        for judge in settings.judges:
            axes = own.axes[text.language]
            flow = read_text(text, judge, settings.targets, settings, axes, material.prompts, material.seed, layout)
            yield (text.id, judge), flow


def gather_affect(
    material: Material,
    settings: AffectSettings,
    own: AffectMaterial,
    found: Iterable[tuple[Name, TextAffect]],
) -> AffectStudy:
    """The results of `affect_flows` put together, in the order in which the flows were made."""
    by_name = dict(found)
    if settings.elicit is None:
        names = [text.id for text in texts_of(material, settings)]
        wordings: tuple[str, ...] = ()
    else:
        names = [text_id(*cell) for cell in _cells(settings, settings.elicit, own)]
        wordings = tuple(each.name for each in conditions(settings.elicit, own.wordings))
    read = tuple(by_name[name, judge] for name in names for judge in settings.judges)
    return AffectStudy(own.axes, read, layout_of(settings, material), wordings)


def texts_of(material: Material, settings: AffectSettings) -> list[AffectText]:
    """The texts that are read where none are elicited: the candidates or the sources."""
    if which_of(settings, bool(material.candidates)) == "sources":
        return [
            AffectText(source.id, source.id, source.text, source.language, segments=source.segments)
            for source in material.sources
        ]
    languages = {source.id: source.language for source in material.sources}
    return [
        AffectText(
            f"{each.source_id}/{each.system}",
            each.source_id,
            each.text,
            languages[each.source_id],
            each.system,
            segments=each.segments,
        )
        for each in material.candidates
    ]


def which_of(settings: AffectSettings, has_candidates: bool) -> str:
    """Whether "candidates" or "sources" are read, or "elicited" texts."""
    if settings.elicit is not None:
        return "elicited"
    return settings.of or ("candidates" if has_candidates else "sources")


def layout_of(settings: AffectSettings, material: Material) -> Layout:
    """What prompts begin with, one layout for all texts of a study so that their scores compare.

    By the sources alone, so that a candidate that comes later changes nothing that was asked before. Elicited texts are
    short.
    """
    if settings.layout != "auto":
        return settings.layout
    if settings.elicit is not None:
        return "task first"
    return "text first" if any(len(source.text) > LONG for source in material.sources) else "task first"


def languages_of(material: Material, settings: AffectSettings) -> tuple[Language, ...]:
    """The languages of the texts that are read, each once."""
    if settings.elicit is not None:
        return settings.elicit.languages
    return tuple(dict.fromkeys(source.language for source in material.sources))


_Cell = tuple[Target, str, Condition, int]
"""Target, system, condition and sample."""


def _cells(settings: AffectSettings, layer: ElicitSettings, own: AffectMaterial) -> list[_Cell]:
    return [
        (target, system, condition, sample)
        for target in settings.targets
        for system in layer.systems
        for condition in conditions(layer, own.wordings)
        for sample in range(layer.samples)
    ]


def _elicited(
    material: Material, settings: AffectSettings, layer: ElicitSettings, own: AffectMaterial
) -> Iterator[tuple[Name, Flow[TextAffect]]]:
    for target, system, condition, sample in _cells(settings, layer, own):
        for judge in settings.judges:
            axes = own.axes[condition.language]
            flow = _write_and_read((target, system, condition, sample), judge, settings, layer, axes, material)
            yield (text_id(target, system, condition, sample), judge), flow


def _write_and_read(
    cell: _Cell,
    judge: str,
    settings: AffectSettings,
    layer: ElicitSettings,
    axes: AxisSet,
    material: Material,
) -> Flow[TextAffect]:
    """Each judge's flow asks for the text; the first that asks pays, the others are answered by the store."""
    target, system, condition, sample = cell
    prompts, seed = material.prompts, material.seed
    text = yield from elicit(target, system, condition, sample, layer, seed, settings.retries)
    layout = layout_of(settings, material)
    # a text that was asked for may speak of "he" and "the company": whether it is about the target say the flags
    return (yield from read_text(text, judge, (target,), settings, axes, prompts, seed, layout, must_name=False))
