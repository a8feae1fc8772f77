"""What a run's decision, ledger and plan come to on the page: read, checked, made into parts."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from localeval.bill.writing import LEDGER_SCHEMA
from localeval.decision.recommend import DECISION_SCHEMA
from localeval.errors import StoreError
from localeval.estimating.plan_file import PLAN_SCHEMA
from localeval.report.costs_page import costs_part
from localeval.report.costs_terminal import compared_in
from localeval.report.decision_page import decision_part
from localeval.report.expected_page import expected_part
from localeval.report.marks import decision_refused, mark_heading
from localeval.report.page import Selection
from localeval.report.parts import Part, told_of
from localeval.report.pictures.front import front_pictures
from localeval.report.pictures.picture import NoPicture, Picture
from localeval.store.files import DECISION, LEDGER, PLAN, RunFiles

Json = Mapping[str, Any]


def selection_of(run: Path, scores: Json) -> Selection:
    """The decision of a run, its pictures, what it cost and what had been expected, as far as the run has them.

    Raises StoreError, which names the file, for one that is damaged or of another version.
    """
    files = RunFiles(run)
    decision = _checked(files, DECISION, files.decision(), DECISION_SCHEMA)
    ledger = _checked(files, LEDGER, files.ledger(), LEDGER_SCHEMA)
    plan = _checked(files, PLAN, files.plan(), PLAN_SCHEMA)
    currency = str((ledger or {}).get("currency", ""))
    parts: list[Part | None] = []
    first = None
    if decision is not None:
        first = _made(files, DECISION, lambda: decision_part(decision, currency))
        parts.append(_made(files, DECISION, lambda: _front_part(decision, currency)))
    if ledger is not None:
        parts.append(_made(files, LEDGER, lambda: costs_part(ledger, told_of(scores))))
    if ledger is not None and plan is not None:
        compared = compared_in(run, ledger)
        parts.append(_made(files, PLAN, lambda: expected_part(plan, ledger, compared)))
    return Selection(first, tuple(part for part in parts if part is not None))


def whole_letters(body: Json) -> dict[str, Any]:
    """The same without halves of surrogate pairs, which JSON may hold and no file or picture can."""
    whole: dict[str, Any] = json.loads(json.dumps(body, ensure_ascii=False).encode("utf-8", "replace"))
    return whole


def _front_part(decision: Json, currency: str) -> Part | None:
    found = front_pictures(decision, currency)
    if not found:
        return None
    drawn = tuple(each for each in found if isinstance(each, Picture))
    left_out = tuple(each for each in found if isinstance(each, NoPicture))
    refused = decision_refused(decision)
    return Part("front", mark_heading("Systems weighed", refused), pictures=drawn, left_out=left_out)


def _checked(files: RunFiles, name: str, body: Json | None, schema: str) -> Json | None:
    """The content of a file that is read here, None where there is none."""
    if body is None:
        return None
    if body.get("schema") != schema:
        fix = "remove it" if name == PLAN else f"make it anew with `localeval score {files.path}`"
        told = f"`schema` is {body.get('schema')!r}, this localeval reads {schema!r}"
        raise StoreError(f"{files.path / name}: {told}: {fix}")
    return whole_letters(body)


def _made(files: RunFiles, name: str, make: Callable[[], Part | None]) -> Part | None:
    try:
        return make()
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise files.damaged(name, error) from error
