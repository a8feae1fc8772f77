"""Answers that were given elsewhere, into the store of the run that asks for them."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from localeval.engines.verdicts import PANEL
from localeval.exchange.asked import Asked, FrozenRun, Overlay
from localeval.inputs.answer_forms import fault_of
from localeval.inputs.verdict_files import GivenVerdict, check_matters, read_verdicts
from localeval.inputs.wording import problem, show
from localeval.store.folder import RunFolder
from localeval.values import Reply

IMPORTED = "imported"
"""The engine of a reply that came in by a file."""


@dataclass(frozen=True, slots=True)
class Refused:
    """A row that did not enter: its file and line, and why."""

    place: str
    reason: str


@dataclass(frozen=True, slots=True)
class Imported:
    """What became of a file's rows.

    `entered` came in, `replaced` of them in another answer's place; `there` were in the store already, as they are;
    `otherwise` are answered in the store in other words, and left so; `unanswered` have no text yet.
    """

    entered: int
    replaced: int
    there: int
    otherwise: int
    unanswered: int
    refused: tuple[Refused, ...]


def import_verdicts(
    file: Path, run: Path, model: str | None = None, replace: bool = False, strict: bool = False
) -> Imported:
    """Puts a file's answers into a run's store, each to the call that it answers.

    Rows by key answer the call of that key, of `model` alone where it is given; rows by source, system and criterion
    are verdicts of the judge `model`. A row that the run does not ask, or whose text has not the form that was asked
    for, is refused; with `strict` one such row refuses the file. What is answered already stays, unless `replace`.
    The run's results leave the folder where an answer came in: `localeval run` makes them anew.

    Raises InputError where the file has a mistake, with `strict` where a row is refused, and for an unknown model;
    nothing is written then. Raises StoreError where the run cannot be read or written.
    """
    rows = read_verdicts(file)
    with RunFolder.open(run) as folder:
        frozen = FrozenRun(folder)
        if model is not None:
            frozen.require(model)
        _check(rows, frozen, model)
        taking = _Taking(frozen, folder, model, replace)
        taking.take([row for row in rows if row.text])
        if strict and taking.refused:
            first = taking.refused[0]
            what = f"{first.reason} ({len(taking.refused)} of {len(rows)} rows are refused)"
            raise problem(first.place, what, "nothing was imported: correct it, or leave out --strict")
        taking.write()
        return Imported(
            entered=len(taking.added),
            replaced=len(taking.replaced),
            there=taking.there,
            otherwise=taking.otherwise,
            unanswered=sum(not row.text for row in rows),
            refused=tuple(taking.refused),
        )


def _check(rows: Sequence[GivenVerdict], frozen: FrozenRun, model: str | None) -> None:
    """Raises InputError for rows by source, system and criterion of nobody, or about nothing of the run."""
    evaluation = frozen.evaluation
    by_matter = [row for row in rows if not row.key]
    if by_matter and model is None:
        judges = evaluation.config.methods.panel.judges if evaluation.config.methods.panel is not None else ()
        fix = f"say whose it is with --model NAME (judges: {', '.join(judges) or 'none'})"
        raise problem(by_matter[0].place, "is a verdict without a key", fix)
    material = evaluation.material
    sources = {source.id for source in material.sources}
    sources |= {str(each["source"]) for each in evaluation.choice.get("left_out", ())}  # refused, and no mistake
    systems = {*evaluation.config.systems, *(each.system for each in material.candidates)}
    check_matters(by_matter, sources, systems, evaluation.rubrics)


@dataclass
class _Taking:
    """The rows of a file on their way to their calls."""

    frozen: FrozenRun
    folder: RunFolder
    model: str | None
    replace: bool
    added: dict[str, tuple[Asked, Reply]] = field(default_factory=dict)
    replaced: list[str] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)
    there: int = 0
    otherwise: int = 0

    def take(self, rows: Sequence[GivenVerdict]) -> None:
        """Finds each row's call. An answer may bring up further calls, which later rows answer."""
        waiting = list(rows)
        while waiting:
            overlay = Overlay(self.folder.store.get, {key: reply for key, (_, reply) in self.added.items()})
            calls = _Calls(self.frozen.asked(overlay), self.model)
            n_before = len(self.added)
            left = []
            for row in waiting:
                asked = calls.find(row)
                if asked is None:
                    left.append(row)
                else:
                    self._answer(row, asked)
            waiting = left
            if len(self.added) == n_before:
                break
        self.refused += [Refused(row.place, self._why_not(row)) for row in waiting]
        self.refused.sort(key=lambda refused: int(refused.place.rpartition(" ")[2]))

    def write(self) -> None:
        """Into the store; returns once it is durable there."""
        self.folder.store.forget(self.replaced)
        for asked, reply in self.added.values():
            self.folder.store.append(asked.call, reply)
        self.folder.store.flush()
        if self.added:
            self.folder.drop_scores()

    def _answer(self, row: GivenVerdict, asked: Asked) -> None:
        text = row.reply_to(asked.call.output)
        if fault := fault_of(asked.call.output, text):
            self.refused.append(Refused(row.place, f"the answer has not the form that was asked for: {fault}"))
            return
        before = self.added[asked.key][1] if asked.key in self.added else asked.reply
        if before is not None and before.missing is not None:  # why there was no answer gives way to one
            before = None
        if before is not None and before.text == text:
            self.there += 1
        elif before is not None and (not self.replace or asked.key in self.added):
            self.otherwise += 1
        else:
            self.added[asked.key] = asked, Reply(asked.key, text, engine=IMPORTED)
            if before is not None:
                self.replaced.append(asked.key)

    def _why_not(self, row: GivenVerdict) -> str:
        if row.key:
            whose = f" of {self.model}" if self.model is not None else ""
            return f"the run asks no call{whose} with this key; its prompts, models or seed may have changed"
        return f"the run asks {self.model} for no verdict on {show(row.item)} of {show(row.subject)}"


class _Calls:
    """The calls of a run, by what rows name them by."""

    def __init__(self, asked: Sequence[Asked], model: str | None) -> None:
        own = [each for each in asked if model in (None, each.call.model)]
        self._by_key = {key: each for each in own for key in (each.key, each.row_key)}
        self._by_matter: dict[tuple[str, str], list[Asked]] = defaultdict(list)
        for each in own:
            if each.call.stage == PANEL:
                self._by_matter[each.call.subject, each.call.item].append(each)

    def find(self, row: GivenVerdict) -> Asked | None:
        """The call that a row answers. Of those that ask for the same verdict again: the first that is open, or the
        last, which counts."""
        if row.key:
            return self._by_key.get(row.key)
        same = self._by_matter.get((row.subject, row.item), [])
        return next((each for each in same if each.reply is None or each.reply.missing is not None), None) or (
            same[-1] if same else None
        )
