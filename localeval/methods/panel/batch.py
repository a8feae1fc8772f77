"""Batched judging: a whole line-up by all criteria in one call, for judges of whom every call costs."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from localeval.keys import derive_seed
from localeval.methods.panel.calls import letter, lettered, line_up, temperature
from localeval.methods.panel.rubrics import Criterion, Rubric
from localeval.methods.panel.schemas import GRADES, NA, BatchReply, Cell, PanelSettings, Verdict
from localeval.outputs import cited_pattern, read_cited, read_json
from localeval.prompts import Prompts, one_line, source_block
from localeval.texts import Candidate, Source
from localeval.values import Call, JsonObject, Message, Missing, Reply, Sampling

MOST_CITED = 2
"""Numbers that each half of a verdict's evidence may have: output is what a batch costs."""

_LETTER_TOKENS = 8
"""What a reply spends on each candidate besides its verdicts."""


class Batch(NamedTuple):
    """Candidates that are judged in one call, in the order of their letters, for the so-manieth time."""

    candidates: tuple[Candidate, ...]
    repeat: int


class BatchCalls:
    """Builds the calls of one source's batches, and reads their replies. Pure, like `PanelCalls`."""

    def __init__(
        self,
        source: Source,
        candidates: Sequence[Candidate],
        rubric: Rubric,
        settings: PanelSettings,
        prompts: Prompts,
        seed: int,
    ) -> None:
        self._source = source
        self._candidates = candidates
        self._criteria = rubric.criteria
        self._settings = settings
        self._prompts = prompts
        self._seed = seed
        self._block = source_block(source)

    def batches(self) -> list[Batch]:
        """Every line-up of every repeat, shared out over as few calls as the settings allow, evenly.

        The shuffled order is cut, so that with each repeat others stand together.
        """
        most = self._settings.batch_candidates
        found = []
        for repeat in range(self._settings.repeats):
            order = line_up(self._source, self._candidates, repeat, self._seed)
            n_calls = -(-len(order) // most)
            cuts = [len(order) * call // n_calls for call in range(n_calls + 1)] if order else []
            found += [Batch(tuple(order[begin:end]), repeat) for begin, end in pairwise(cuts)]
        return found

    def judge(self, model: str, batch: Batch) -> Call:
        """Asks one judge for every verdict of a batch."""
        settings, language = self._settings, self._source.language
        system = self._prompts.render("shared/system", language)
        parts = (self._block, self._prompts.render("panel/batch", language, most=MOST_CITED))
        line_up_shown, question = lettered(batch.candidates), self._question(batch)
        n_tokens = _LETTER_TOKENS + len(self._criteria) * settings.batch_tokens
        sampling = Sampling(
            max_tokens=len(batch.candidates) * n_tokens,
            temperature=temperature(settings, batch.repeat),
            seed=derive_seed(self._seed, "panel", self._source.id, "batch", batch.repeat),
        )
        messages = (Message("system", (system,)), Message("user", (*parts, line_up_shown, question)))
        return Call(model, messages, self._output(batch), sampling, "panel/judge", self._source.id)

    def read(self, reply: Reply, batch: Batch) -> tuple[Verdict, ...]:
        """One reply as verdicts, candidate by candidate in the order of the batch, criterion by criterion.

        All of them stand or none does: a reply that lacks one, cites what there is not or says NA where that is not
        allowed is missing for all, since what stands beside a fault is no better known.
        """
        read = read_json(reply, BatchReply)
        found = read if isinstance(read, Missing) else self._verdicts(read.root, batch)
        if isinstance(found, Missing):
            return tuple(
                Verdict(found, position=place, line_up=len(batch.candidates))
                for place in range(len(batch.candidates))
                for _ in self._criteria
            )
        return found

    def _verdicts(self, told: Mapping[str, Mapping[str, Cell]], batch: Batch) -> tuple[Verdict, ...] | Missing:
        fault = _other_names("candidate", told, self._letters(batch))
        verdicts = []
        for place, candidate in enumerate(batch.candidates):
            cells = told.get(letter(place), {})
            fault = fault or _other_names(f"criterion of {letter(place)}", cells, [each.id for each in self._criteria])
            if fault is not None:
                return fault
            for criterion in self._criteria:
                verdict = self._verdict(cells[criterion.id], candidate, criterion)
                if isinstance(verdict.score, Missing):
                    return Missing(verdict.score.reason, f"{letter(place)}.{criterion.id}: {verdict.score.detail}")
                verdicts.append(replace(verdict, position=place, line_up=len(batch.candidates)))
        return tuple(verdicts)

    def _verdict(self, cell: Cell, candidate: Candidate, criterion: Criterion) -> Verdict:
        """One verdict without its place."""
        cited = read_cited(cell.candidate, len(candidate.segments))
        proof = read_cited(cell.source, len(self._source.segments))
        if isinstance(cited, Missing):
            return Verdict(cited)
        if isinstance(proof, Missing):
            return Verdict(proof)
        if cell.score != NA:
            return Verdict(GRADES[int(cell.score)], cited, proof)
        return Verdict(NA if criterion.allows_na else Missing("invalid", "NA is not allowed"), cited, proof)

    def _letters(self, batch: Batch) -> list[str]:
        return [letter(place) for place in range(len(batch.candidates))]

    def _question(self, batch: Batch) -> str:
        """The criteria, and the form of the reply."""
        ids = [criterion.id for criterion in self._criteria]
        cell = json.dumps(dict.fromkeys(Cell.model_fields, "…"), ensure_ascii=False, separators=(",", ":"))
        return self._prompts.render(
            "panel/batch_item",
            self._source.language,
            criteria=[
                {
                    "id": criterion.id,
                    "statement": one_line(criterion.statement),
                    "levels": [(grade, one_line(criterion.levels[grade])) for grade in GRADES],
                    "not_applicable": NA if criterion.allows_na else "",
                }
                for criterion in self._criteria
            ],
            letters=", ".join(self._letters(batch)),
            ids=", ".join(ids),
            form=f'{{"{letter(0)}":{{"{ids[0]}":{cell},…}},…}}',
        )

    def _output(self, batch: Batch) -> JsonObject:
        """The grammar, in which what is shared stands once: where none constrains a model, the schema is in its prompt.

        It is finite, without any free text, so that a reply that has its room is never cut.
        """
        grades = [str(grade) for grade in GRADES]
        shared: dict[str, object] = {
            "source": _cited(len(self._source.segments)),
            "grade": {"type": "string", "enum": grades},
            "grade_or_na": {"type": "string", "enum": [*grades, NA]},
        }
        for n in sorted({len(candidate.segments) for candidate in batch.candidates}):
            shared[f"of_{n}"] = _cited(n)
            for grade in ("grade", "grade_or_na"):
                fields = {"candidate": f"of_{n}", "source": "source", "score": grade}
                shared[f"{grade}_of_{n}"] = _object({name: _shared(of) for name, of in fields.items()})
            cells = {each.id: f"grade{'_or_na' * each.allows_na}_of_{n}" for each in self._criteria}
            shared[f"all_of_{n}"] = _object({name: _shared(of) for name, of in cells.items()})
        by_letter = {
            letter(place): _shared(f"all_of_{len(candidate.segments)}")
            for place, candidate in enumerate(batch.candidates)
        }
        # not sorted: the grammar follows the order of the properties
        return JsonObject(json.dumps({"$defs": shared} | _object(by_letter), separators=(",", ":")))


def _object(properties: Mapping[str, object]) -> dict[str, object]:
    """A JSON schema of an object that has just these properties."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _cited(last: int) -> dict[str, str]:
    """A JSON schema of numbers from 1 to `last`."""
    return {"type": "string", "pattern": f"^{cited_pattern(last, MOST_CITED)}$"}


def _shared(name: str) -> dict[str, str]:
    return {"$ref": f"#/$defs/{name}"}


def _other_names(what: str, given: Mapping[str, object], wanted: Sequence[str]) -> Missing | None:
    """Why the names are not the wanted ones; None where they are, in whatever order."""
    absent = [name for name in wanted if name not in given]
    further = [name for name in given if name not in wanted]
    if not absent and not further:
        return None
    return Missing("invalid", f"no {what} {absent[0]}" if absent else f"{what} {further[0]!r} was not asked for")
