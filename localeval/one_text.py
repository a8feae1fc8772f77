"""Affect of one text: `localeval affect` and the same as a Python call."""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from localeval.config import Config, parse_config
from localeval.errors import ConfigError, InputError, ModelError
from localeval.evaluation import Outcome, run_evaluation
from localeval.inputs.named_files import is_path
from localeval.keys import digest
from localeval.ledger import Ledger
from localeval.methods.affect.axes import Contract
from localeval.methods.affect.schemas import Target
from localeval.models.check import listings
from localeval.reading import evaluation_of

_PLACE = "localeval affect"
"""Stands for the config file in messages."""
_LONGEST_PLACE = 100
"""Characters of a path in a message: somebody may give the text itself."""
_PROPOSED = 5
"""How many targets the judge may propose where none is given."""
_PATHS = ("path", "script", "log")
"""What in a table of a model is a path."""


def affect(
    text: Path,
    targets: Sequence[Target] = (),
    judge: str | Mapping[str, Any] | None = None,
    *,
    propose: int = 0,
    contracts: Sequence[Contract] = ("target", "whole"),
    axes: str = "vad",
    repeats: int = 1,
    evidence: bool = True,
    out: Path | None = None,
    ledger: Ledger | None = None,
) -> Outcome:
    """How one text portrays its targets: the finished run, as `localeval.evaluation.run` returns it.

    `text` is a file; `judge` is a card, a folder, a script (.jsonl) or a table of a card and options, and by default
    the largest model whose weights are here. Where no target is given and `propose` is 0 the judge proposes up to
    five. The run's folder is `out`, by default runs/affect-NAME with a mark of the
    path, so that two texts of one name have two runs; its config can be run again. Raises InputError,
    ConfigError or ModelError, one line.
    """
    _require_file(text)
    config = {
        "name": f"affect-{_stem(text)}-{digest(str(text.resolve()))[:6]}",
        "sources": [{"path": str(text.resolve())}],
        "models": {"judge": _model(judge)},
        "methods": {
            "affect": {
                "judges": ["judge"],
                "targets": [target.model_dump(exclude_defaults=True) for target in targets],
                "propose": propose if targets or propose or set(contracts) == {"whole"} else _PROPOSED,
                "contracts": list(contracts),
                "axes": _absolute(axes) if is_path(axes) else axes,
                "repeats": repeats,
                "evidence": evidence,
            }
        },
    }
    written = json.dumps(config, ensure_ascii=False, indent=1)  # JSON is YAML
    read = evaluation_of(_parsed(written), written.encode(), Path(_PLACE), Path.cwd())
    if len(read[0].material.sources) != 1:
        n = len(read[0].material.sources)
        raise ConfigError(f"{text}: holds {n} texts; give it as `sources` of a config and use `localeval run`")
    # one text is looked at, no systems are compared: a judge below the bars is marked, not refused
    return run_evaluation(*read, out, (), ledger, force=True)


def _parsed(written: str) -> Config:
    """The config; what is wrong with it is told without its line, which nobody has seen."""
    try:
        return parse_config(written, _PLACE)
    except ConfigError as error:
        raise ConfigError(re.sub(rf"^{_PLACE}:\d+: ", "", str(error))) from error


def _require_file(text: Path) -> None:
    """Raises InputError for what is no file: a folder, nothing, or the text itself in place of its path."""
    try:
        if text.is_file():
            return
        why = ""
    except OSError as error:
        why = f" ({error.strerror})"
    place = " ".join(str(text).split())
    shown = place if len(place) <= _LONGEST_PLACE else f"{place[:_LONGEST_PLACE]} ..."
    raise InputError(f"{shown}: is no file{why}; name a file that holds the text")


def largest_model_here() -> str:
    """The card of the largest model whose weights are on this machine; raises ModelError where there is none."""
    here = [each.card for each in listings() if each.weights]
    if not here:
        raise ModelError("no model has its weights on this machine; get one with `localeval models fetch CARD`")
    return max(here, key=lambda card: (card.parameters_b or 0.0, card.name)).name


def _model(judge: str | Mapping[str, Any] | None) -> str | dict[str, Any]:
    """The judge as a config names it, paths in full: the config then lies in the folder of the run."""
    if judge is None:
        return largest_model_here()
    if isinstance(judge, str):
        if judge.endswith(".jsonl"):
            return {"engine": "scripted", "script": _absolute(judge)}
        return _absolute(judge) if judge.endswith(".toml") or Path(judge).expanduser().is_dir() else judge
    return {key: _absolute(each) if key in _PATHS and isinstance(each, str) else each for key, each in judge.items()}


def _absolute(path: str) -> str:
    return str(Path(path).expanduser().resolve())


def _stem(text: Path) -> str:
    """The file's name as a part of a run's name."""
    return re.sub(r"[^\w.-]+", "-", text.stem).strip("-.") or "text"
