"""People's scores of affect in a JSONL file, against which the judges are held. Unknown fields are ignored."""

from collections.abc import Collection, Mapping
from pathlib import Path

from localeval.inputs.decoding import is_blank, read_text
from localeval.inputs.fields import kind_of, optional_text, rows_of, text_field
from localeval.inputs.wording import meant, name_of, problem, show
from localeval.methods.affect.axes import CONTRACTS, Contract
from localeval.methods.affect.readings import AffectLabel

_Matter = tuple[str, str, Contract, str]


def read_affect_labels(
    path: Path,
    texts: Collection[str],
    targets: Mapping[str, Collection[str]],
    axes: Mapping[Contract, Collection[str]],
) -> tuple[AffectLabel, ...]:
    """Labels `{text, target, contract?, axis, value, rater?}` in file order, `value` in [0, 1]; never empty.

    `texts` are the ids of the texts that are read; none means that any is accepted, as those of texts that are yet to
    be written. `targets` are the names that each text may be scored for; a text that is not among them may be scored
    for any. `axes` are the ids of the axes under each contract that is asked. `contract` is "target" where a row does
    not say; under "whole" there is no target. Raises InputError with file, line and field where a row is not JSON,
    lacks a field, names what there is not, has another value, or scores what the same rater scored before; and where
    of one matter some rows name a rater and others do not.
    """
    known_texts = dict.fromkeys(texts)
    lines: dict[_Matter, dict[str, str]] = {}
    labels: list[AffectLabel] = []
    for where, row in rows_of(read_text(path), name_of(path)):
        label = _label(row, where, known_texts, targets, axes)
        raters = lines.setdefault((label.text, label.target, label.contract, label.axis), {})
        _require_new(label, raters, where)
        raters[label.rater] = where
        labels.append(label)
    return tuple(labels)


def _label(
    row: Mapping[str, object],
    where: str,
    texts: Mapping[str, None],
    targets: Mapping[str, Collection[str]],
    axes: Mapping[Contract, Collection[str]],
) -> AffectLabel:
    text = text_field(row, "text", where)
    if is_blank(text) or (texts and text not in texts):
        fix = f"{meant(text, texts)}give a source's id, or SOURCE/SYSTEM for a candidate"
        raise problem(f"{where}: text", f"there is no text {show(text)}", fix)
    contract = _contract(row, where, axes)
    target = _target(row, where, contract, targets.get(text))
    axis = text_field(row, "axis", where)
    if axis not in axes[contract]:
        fix = f"{meant(axis, axes[contract])}expected {', '.join(axes[contract])}"
        raise problem(f"{where}: axis", f"there is no axis {show(axis)} under {contract!r}", fix)
    rater = optional_text(row, "rater", where) or ""
    return AffectLabel(text, contract, axis, _value(row, where), target, rater)


def _contract(row: Mapping[str, object], where: str, axes: Mapping[Contract, Collection[str]]) -> Contract:
    written = optional_text(row, "contract", where) or "target"
    contract = next((each for each in CONTRACTS if each == written), None)
    if contract is None:
        fix = f"{meant(written, CONTRACTS)}expected {', '.join(CONTRACTS)}"
        raise problem(f"{where}: contract", f"there is no contract {show(written)}", fix)
    if contract not in axes:
        fix = f"asked are {', '.join(axes)}; add it to `contracts` or remove the row"
        raise problem(f"{where}: contract", f"{contract!r} is not asked", fix)
    return contract


def _target(row: Mapping[str, object], where: str, contract: Contract, known: Collection[str] | None) -> str:
    target = optional_text(row, "target", where) or ""
    if contract == "whole":
        if target:
            fix = 'leave it out, or put `"contract": "target"`'
            raise problem(f"{where}: target", f"is {show(target)}, but 'whole' is about the text alone", fix)
        return ""
    if not target:
        fix = 'add `"target": "NAME"`, or `"contract": "whole"` for the mood of the text'
        raise problem(f"{where}: target", "is missing", fix)
    if known is not None and target not in known:
        fix = f"{meant(target, known)}expected {', '.join(known) or 'a text with targets'}"
        raise problem(f"{where}: target", f"there is no target {show(target)} in this text", fix)
    return target


def _value(row: Mapping[str, object], where: str) -> float:
    if "value" not in row:
        raise problem(f"{where}: value", "is missing", 'add `"value": NUMBER`, from 0 to 1')
    value = row["value"]
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise problem(f"{where}: value", f"is {kind_of(value)}", "expected a number from 0 to 1, without quotes")
    if not 0 <= value <= 1:
        raise problem(f"{where}: value", f"is {show(value)}", "expected a number from 0 to 1")
    return float(value)


def _require_new(label: AffectLabel, raters: Mapping[str, str], where: str) -> None:
    """Raises InputError where the rater of the label scored the same before, or only some rows name theirs."""
    matter = f"{show(label.axis)} of {show(label.target) if label.target else 'this text'}"
    before = raters.get(label.rater)
    if before is not None and label.rater:
        raise problem(f"{where}: rater", f"{show(label.rater)} scored {matter} also in {before}", "keep one row")
    if before is not None:
        fix = 'keep one row, or say by whom each is: `"rater": "…"`'
        raise problem(f"{where}: axis", f"{matter} is also scored in {before}", fix)
    if raters and ("" in raters or not label.rater):
        other = next(iter(raters.values()))
        what = f"is given here and not in {other}" if label.rater else f"is missing here and given in {other}"
        raise problem(f"{where}: rater", f"{what}, for {matter}", "name the rater in all rows about it, or in none")
