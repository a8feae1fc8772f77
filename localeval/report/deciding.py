"""Deciding anew about a finished run, by its own rules or others."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from localeval.config import load_config
from localeval.decision.recommend import decide
from localeval.decision.schemas import SelectSettings
from localeval.errors import ConfigError
from localeval.evaluation import load_scores
from localeval.methods.leaderboard import Measure
from localeval.store.files import CONFIG, LEDGER, SCORES, RunFiles


def decide_anew(run: Path, require: Sequence[str] | None = None, best: Measure | None = None) -> dict[str, Any]:
    """What decision.json of a run would be with other rules (None: its own) or another `best`; nothing is written.

    From scores.json and ledger.json alone. Raises ConfigError for what is no rule and for a `best` that the run has not
    measured, StoreError where the run is not finished or its files are damaged.
    """
    scores, files = load_scores(run), RunFiles(run)
    own = load_config(run / CONFIG).select or SelectSettings()
    changed: dict[str, object] = {
        **({} if require is None else {"require": require}),
        **({"best": best} if best else {}),
    }
    settings = _settings(own.model_dump() | changed)
    ledger = files.ledger()
    try:
        return decide(scores, ledger, settings)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise files.damaged(SCORES if ledger is None else f"{SCORES} or {LEDGER}", error) from error


def _settings(given: dict[str, object]) -> SelectSettings:
    try:
        return SelectSettings.model_validate(given)
    except ValidationError as error:
        what = str(error.errors()[0]["msg"]).removeprefix("Value error, ")
        raise ConfigError(f"--require: {what}") from error
