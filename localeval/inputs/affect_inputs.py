"""What affect reads of the user's besides sources and candidates: axes, wordings, people's labels; and the targets."""

from collections.abc import Sequence
from pathlib import Path

from localeval.evidence.mentions import find_mentions, suggest_names
from localeval.inputs.affect_labels import read_affect_labels
from localeval.inputs.axis_files import axes_for, require_same_axes
from localeval.inputs.wording import problem, show
from localeval.inputs.wording_files import require_wordings, wordings_for
from localeval.methods.affect.axes import CONTRACTS, AxisSet, Contract
from localeval.methods.affect.method import languages_of, texts_of
from localeval.methods.affect.readings import AffectLabel, AffectMaterial, AffectText
from localeval.methods.affect.schemas import AffectSettings, Target
from localeval.methods.material import Material


def read_affect(
    settings: AffectSettings, material: Material, base: Path, unwritten: Sequence[str] = ()
) -> AffectMaterial:
    """The files that the settings name, checked against the texts. Raises InputError or ConfigError, one line.

    `unwritten` are the ids of texts that systems are still to write: whom they name is not known yet.
    """
    languages = languages_of(material, settings)
    axes = {language: axes_for(settings.axes, language, base) for language in languages}
    require_same_axes(axes, "methods.affect.axes")
    _require_contracts(settings, next(iter(axes.values())))
    layer = settings.elicit
    wordings = {language: wordings_for(layer.file, language, base) for language in languages} if layer else {}
    if layer is not None:
        require_wordings(wordings, layer.wordings, layer.roles)
    texts = texts_of(material, settings) if layer is None else []
    for text in texts:
        if isinstance(text.text, str) and not any(map(str.isalnum, text.text)):
            raise problem(f"text {text.id}", "has no letter or digit", "leave it out")
    if texts and not unwritten:
        for target in settings.targets:
            _require_named(target, texts)
    ids = next(iter(axes.values())).ids(settings.contracts)
    return AffectMaterial(axes, wordings, _labels(settings, [*(text.id for text in texts), *unwritten], ids, base))


def _require_contracts(settings: AffectSettings, axes: AxisSet) -> None:
    for contract in settings.contracts:
        if not axes.of(contract):
            known = ", ".join(each for each in CONTRACTS if axes.of(each))
            fix = f"its axes belong to {known}; correct `contracts` or add `{contract}` to an axis"
            raise problem("methods.affect.axes", f"{settings.axes} has no axis for {contract!r}", fix)


def _require_named(target: Target, texts: Sequence[AffectText]) -> None:
    """A target that no text names is a slip of the user's: whoever is named instead is told."""
    if not any(map(str.isalnum, "".join(target.names))):
        fix = "add `aliases` that the texts call it by"
        raise problem(f"target {show(target.name)}", "has no letter or digit, by which a name is found", fix)
    close: dict[str, None] = {}
    for text in texts:
        assert isinstance(text.text, str)
        if find_mentions(text.text, target.names, text.language, is_person=target.kind == "person"):
            return
        close.update(dict.fromkeys(suggest_names(text.text, target.name, text.language)))
    where = f"the text {show(texts[0].id)}" if len(texts) == 1 else f"any of the {len(texts)} texts"
    meant = " or ".join(show(name) for name in list(close)[:3])
    fix = f"did you mean {meant}?" if meant else "give it as it stands there, or add `aliases`"
    raise problem(f"target {show(target.name)}", f"does not stand in {where}", fix)


def _labels(
    settings: AffectSettings, texts: Sequence[str], ids: dict[Contract, tuple[str, ...]], base: Path
) -> tuple[AffectLabel, ...]:
    """People's labels of the texts, which are given by their ids."""
    if settings.labels is None:
        return ()
    if settings.propose:
        targets: dict[str, list[str]] = {}  # the proposed ones are not known yet
    else:
        targets = {text: [target.name for target in settings.targets] for text in texts}
    return read_affect_labels(base / settings.labels, texts, targets, ids)
