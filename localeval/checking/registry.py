"""The last check of each judge, found again by the judge's key: one small file a judge in the user's cache."""

import json
import os
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from localeval.errors import StoreError
from localeval.stats.estimate import score_from_json

Json = dict[str, Any]

JUDGE_SCHEMA = "localeval.judge/1"
SCORES = ("detection", "false_alarm", "balanced")


def judges_cache() -> Path:
    """The folder of the last checks: localeval/judges in $XDG_CACHE_HOME, by default in ~/.cache. Makes nothing.

    Raises StoreError where neither can be told.
    """
    given = os.environ.get("XDG_CACHE_HOME", "")
    if given and Path(given).is_absolute():  # a relative one is not to be heeded, says the specification
        return Path(given) / "localeval" / "judges"
    try:
        return Path.home() / ".cache" / "localeval" / "judges"
    except RuntimeError as error:
        raise StoreError("judges: there is no home folder to keep checks in; set XDG_CACHE_HOME to a folder") from error


def register(check: Mapping[str, Any]) -> tuple[Path, ...]:
    """Keeps what a check (check.json) found of each of its judges, in place of what was found before.

    Nothing is kept of a judge whose engine failed: that says nothing of the judge, and those calls are asked again.
    Returns the files that were written, in the order of the judges. Raises StoreError where one cannot be.
    """
    folder = judges_cache()
    written = []
    for judge in check["judges"]:
        if judge.get("missing_by_reason", {}).get("engine error"):
            continue
        path = folder / f"{judge['key']}.json"
        _write(path, json.dumps(record_of(judge, check), ensure_ascii=False, indent=1, allow_nan=False) + "\n")
        written.append(path)
    return tuple(written)


def record_of(judge: Mapping[str, Any], check: Mapping[str, Any]) -> Json:
    """What is kept of one judge of a check."""
    test = check["test"]
    return {
        "schema": JUDGE_SCHEMA,
        "key": judge["key"],
        "method": judge["method"],
        "model": judge["model"],
        "identity": check["models"][judge["model"]],
        "passed": judge["passed"],
        "reasons": list(judge["reasons"]),
        "bars": dict(judge["bars"]),
        "made": check["made"],
        "name": check["name"],
        "test": {
            "hash": test["hash"],
            "sources": len(test["sources"]),
            "languages": _languages(judge),
            "planted": test["planted"],
            "controls": test["controls"],
        },
        **{name: judge[name] for name in SCORES},
        "missing": judge["missing"],
    }


def _languages(judge: Mapping[str, Any]) -> list[str]:
    """The languages in which a judge gave verdicts on errors and on controls: a source into which nothing could be
    planted is no check in its language."""
    return sorted(
        language
        for language, scores in judge["by_language"].items()
        if all(scores[name]["n"] for name in ("detection", "false_alarm"))
    )


def last_check(key: str) -> Json | None:
    """What the last check found of the judge with a key; None where there was none.

    A file that is damaged, of another version or not to be read gives None as well, and one line on standard error.
    """
    try:
        path = judges_cache() / f"{key}.json"
        if not path.exists():
            return None
        return _checked(json.loads(path.read_bytes()), key)
    except StoreError as error:
        _warn(str(error))
    except OSError as error:
        _warn(f"{path}: cannot be read ({error.strerror}); the judge counts as unchecked")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        why = " ".join(str(error).split())[:120]
        _warn(f"{path}: is damaged ({why}); the judge counts as unchecked until `localeval judges check`")
    return None


def _checked(body: Any, key: str) -> Json:
    """The content of a file, every part of it that is read; raises what plain access raises on another."""
    if body["schema"] != JUDGE_SCHEMA:
        raise ValueError(f"`schema` is {body['schema']!r}, this localeval reads {JUDGE_SCHEMA!r}")
    if body["key"] != key:
        raise ValueError(f"`key` is {body['key']!r}")
    for name in SCORES:
        score_from_json(body[name])
    missing, test = body["missing"], body["test"]
    if isinstance(missing, bool) or not isinstance(missing, (int, float)) or not 0.0 <= missing <= 1.0:
        raise ValueError(f"`missing` is {missing!r}, which is no share")
    if not isinstance(test["languages"], list) or not isinstance(body["made"], str):
        raise ValueError("`test` or `made` is not what a check writes")
    found: Json = body
    return found


def _write(path: Path, text: str) -> None:
    """Replaces a file in one step. Several checks may end at once, so each writes under a name of its own first."""
    part = ""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, part = tempfile.mkstemp(prefix=".", suffix=".part", dir=path.parent)
        with os.fdopen(handle, "w", encoding="utf-8", errors="replace") as file:
            file.write(text)
        os.replace(part, path)
    except OSError as error:
        if part:
            Path(part).unlink(missing_ok=True)
        fix = "free disk space, change its permissions, or set XDG_CACHE_HOME to another folder"
        raise StoreError(f"{path} cannot be written ({error.strerror}): {fix}") from error


def _warn(line: str) -> None:
    print(f"localeval: {line}", file=sys.stderr)
