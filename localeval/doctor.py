"""What can run on this machine: read from what is installed, loading none of it."""

import os
import platform
import shutil
import sqlite3
import sys
from pathlib import Path
from typing import Literal, NamedTuple

from localeval import __version__
from localeval.engines.installed import default_engine, installed_engines, package_version
from localeval.errors import EngineError
from localeval.models.check import listings
from localeval.models.places import models_cache

State = Literal["good", "note", "bad"]

_ROOM_GIB = 6


class Finding(NamedTuple):
    """One line of the examination; `fix` is empty where nothing needs to be done."""

    what: str
    state: State
    found: str
    fix: str = ""


def examine() -> list[Finding]:
    """The findings, in the order in which people would look."""
    python = platform.python_version()
    return [
        Finding("localeval", "good", f"{__version__}, Python {python} at {sys.executable}"),
        Finding("processors", "good", f"{os.cpu_count()} of {platform.machine()}"),
        *_engines(),
        _ray(),
        Finding("sqlite", "good", sqlite3.sqlite_version),
        _room(models_cache()),
        _weights(),
    ]


def _engines() -> list[Finding]:
    findings = []
    try:
        for what, found in installed_engines().items():
            state: State = "note" if found == "not installed" else "good"
            findings.append(Finding(what, state, found))
        findings.append(Finding("engine by default", "good", default_engine()))
    except EngineError as error:
        fix = "until then `run` works with scripted models, and `score` and `show` with finished runs"
        findings.append(Finding("engine by default", "bad", str(error), fix))
    return findings


def _ray() -> Finding:
    """What spreads a run over GPUs and machines."""
    version = package_version("ray")
    if version is None:
        return Finding("ray", "note", "not installed", "for `run --cluster`, install localeval[cluster]")
    return Finding("ray", "good", f"{version}, for `run --cluster`")


def _room(folder: Path) -> Finding:
    """Free disk where weights are kept."""
    place = next(each for each in (folder, *folder.parents) if each.exists())
    free = shutil.disk_usage(place).free / 2**30
    found = f"{free:.0f} GiB free for weights in {folder}"
    if free >= _ROOM_GIB:
        return Finding("disk", "good", found)
    return Finding("disk", "note", found, "make room, or set XDG_CACHE_HOME to a larger disk")


def _weights() -> Finding:
    here = [each.card.name for each in listings() if each.weights]
    if here:
        return Finding("weights here", "good", ", ".join(here))
    return Finding("weights here", "note", "none", "localeval models fetch qwen2.5-coder-1.5b, or name a folder")
