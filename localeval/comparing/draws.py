"""Which texts were put on sheets for people, and which of them because judges were in doubt: kept beside the run.

People's labels come back without that, and a mean over texts that were picked for doubt is no mean over all.
"""

import json
from collections.abc import Mapping, Set
from pathlib import Path
from typing import Any

from localeval.errors import StoreError
from localeval.keys import canonical
from localeval.store.files import write_in_one_step

SHEETS = "sheets.json"
SHEETS_SCHEMA = "localeval.sheets/1"

Json = dict[str, Any]
Text = tuple[str, str]
"""(source, system)"""


def read_draws(run: Path) -> tuple[Json, ...]:
    """The draws of a run's sheets, first one first; none where no sheet was made.

    Each has `seed`, `budget`, `items`, and `texts` of `source`, `system`, `why`, `chance`, `doubt`. Raises StoreError
    for a damaged file.
    """
    path = run / SHEETS
    try:
        body = json.loads(path.read_text(encoding="utf-8"))
        draws = tuple(body["draws"])
        _texts(draws, "why")
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise StoreError(f"{path}: cannot be read ({error.strerror}); check its permissions") from None
    except (ValueError, KeyError, TypeError) as error:
        what = f"is damaged ({type(error).__name__}: {str(error)[:80]})"
        raise StoreError(f"{path}: {what}; remove it, and take its sheets for lost") from None
    return draws


def add_draw(run: Path, draw: Mapping[str, Any]) -> None:
    """Keeps a draw behind those that there are. Raises StoreError where the file cannot be written."""
    body = {"schema": SHEETS_SCHEMA, "draws": [*read_draws(run), dict(draw)]}
    write_in_one_step(run / SHEETS, canonical(body).encode() + b"\n")


def drawn(draws: tuple[Json, ...]) -> frozenset[Text]:
    """The texts that stood on any sheet."""
    return frozenset(_texts(draws, "why"))


def alone(draws: tuple[Json, ...], labelled: Set[Text]) -> frozenset[Text]:
    """The texts that stand for themselves alone: picked because judges were in doubt, or on a sheet before the last
    that picked such. A sheet of which nothing is labelled counts as if it had not been made.

    What an earlier sheet drew, it drew also from among the texts that a later one picked for doubt. Of these nobody but
    those that it drew would be left among the texts of no doubt, and too many of them would be labelled.
    """
    told = [_texts((draw,), "why") for draw in draws]
    told = [texts for texts in told if not labelled.isdisjoint(texts)]
    last = max((n for n, texts in enumerate(told) if "doubt" in texts.values()), default=0)
    return frozenset(text for n, texts in enumerate(told) for text, why in texts.items() if n < last or why == "doubt")


def _texts(draws: tuple[Json, ...], field: str) -> dict[Text, str]:
    return {(str(each["source"]), str(each["system"])): str(each[field]) for draw in draws for each in draw["texts"]}
