"""What tells one set of weights from another, and whether a folder is still what was fetched."""

import hashlib
import json
import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from localeval.errors import ModelError
from localeval.keys import canonical
from localeval.models.packages import sha256_of

MANIFEST = "localeval-model.json"

_BLOCK = 64 * 1024
_N_BLOCKS = 16
_MAX_HEADER = 100_000_000  # the limit of the safetensors format
_TOKENIZER_FILES = (
    "tokenizer.json",
    "tokenizer.model",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
    "vocab.json",
    "merges.txt",
    "tekken.json",
    "chat_template.jinja",
    "chat_template.json",
)
_STAMPS = frozenset({"transformers_version", "_name_or_path", "_model_name_or_path"})
"""Keys of config.json and generation_config.json that say who wrote the file, not what the model is."""

State = Literal["ok", "changed", "missing", "unrecorded"]


@dataclass(frozen=True, slots=True)
class FileCheck:
    """One file of a model. "unrecorded": nothing on disk says what its bytes should be."""

    name: str
    state: State
    size: int = 0
    sha256: str = ""


def fingerprint(folder: Path) -> str:
    """40 hexadecimal digits that stand for the weights, tokenizer, chat template and generation config of a folder.

    Fast, so that every start can afford it: of each safetensors file it reads the size, the header, and 16 blocks
    of 64 KiB, the first and the last among them, evenly spread over the tensors' bytes. A change between the blocks
    that keeps every size goes unseen; `verify` reads everything. The JSON configs count by content without the
    version of the library that wrote them, so that the same conversion made elsewhere has the same fingerprint.
    Raises ModelError when the folder holds no config.json or no safetensors.
    """
    if not (folder / "config.json").is_file():
        raise ModelError(f"{folder}: no config.json; give a folder with config, tokenizer and safetensors")
    total = hashlib.sha256()
    for name in ("config.json", "generation_config.json"):
        if (folder / name).is_file():
            table = {key: value for key, value in read_json(folder / name).items() if key not in _STAMPS}
            total.update(f"{name}\n{canonical(table)}\n".encode())
    for name in _TOKENIZER_FILES:
        if (folder / name).is_file():
            total.update(f"{name}\n{sha256_of(folder / name)}\n".encode())
    weights = weight_files(folder)
    if not weights:
        raise ModelError(f"{folder}: no .safetensors file; localeval reads weights as safetensors only")
    for path in weights:
        total.update(f"{path.name}\n".encode())
        total.update(_sampled(path))
    return total.hexdigest()[:40]


def weight_files(folder: Path) -> list[Path]:
    """The safetensors files that an engine loads, by name: those of the index where there is one, else all."""
    index = folder / "model.safetensors.index.json"
    if index.is_file():
        shards = read_json(index).get("weight_map")
        if isinstance(shards, dict):
            return [folder / name for name in sorted({str(name) for name in shards.values()})]
    return sorted(folder.glob("*.safetensors"))


def tensor_bytes(path: Path) -> int:
    """Bytes of all tensors in a safetensors file, from its header alone; raises ModelError when it is not one."""
    header = read_header(path)
    ends: list[int] = []
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        offsets = entry.get("data_offsets") if isinstance(entry, dict) else None
        if not (isinstance(offsets, list) and len(offsets) == 2 and all(isinstance(n, int) for n in offsets)):
            raise ModelError(f"{path}: tensor {name!r} has no data_offsets in the header; the file is damaged")
        ends.append(offsets[1] - offsets[0])
    return sum(ends)


def read_header(path: Path) -> dict[str, object]:
    """The JSON header of a safetensors file: 8 bytes of length, little-endian, then so much JSON."""
    try:
        with path.open("rb") as file:
            (size,) = struct.unpack("<Q", file.read(8))
            if size > _MAX_HEADER:
                raise ValueError(f"a header of {size} bytes")
            header = json.loads(file.read(size))
    except (OSError, ValueError, struct.error) as error:
        raise ModelError(f"{path}: not a readable safetensors file: {error}") from None
    if not isinstance(header, dict):
        raise ModelError(f"{path}: not a readable safetensors file: the header is no table")
    return header


def read_json(path: Path) -> dict[str, object]:
    """A JSON file that holds a table; raises ModelError when it does not."""
    try:
        table = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ModelError(f"{path}: not readable as JSON: {error}") from None
    if not isinstance(table, dict):
        raise ModelError(f"{path}: not a JSON table")
    return table


def write_manifest(folder: Path, facts: Mapping[str, object]) -> None:
    """Writes `localeval-model.json` into a folder: `facts` on where it comes from, and each file's size and SHA-256."""
    files = {
        path.name: {"size": path.stat().st_size, "sha256": sha256_of(path)}
        for path in sorted(folder.iterdir())
        if path.is_file() and path.name != MANIFEST
    }
    text = json.dumps({"format": 1, **facts, "files": files}, indent=2, ensure_ascii=False)
    (folder / MANIFEST).write_text(text + "\n", encoding="utf-8")


def check_files(folder: Path) -> list[FileCheck]:
    """Every file of a model against what was recorded when it was fetched; reads every byte.

    What a file should be comes from `localeval-model.json`, or, in the hub's cache, from the name of the file that
    it links to (the SHA-256 of a large file, the git hash of a small one). "unrecorded" where neither says it.
    """
    if (folder / MANIFEST).is_file():
        recorded = read_json(folder / MANIFEST).get("files")
        if not isinstance(recorded, dict):
            raise ModelError(f"{folder / MANIFEST}: no table `files`; fetch the model again")
        return [_against(folder / name, str(entry["sha256"])) for name, entry in sorted(recorded.items())]
    names: Iterable[Path] = sorted(path for path in folder.iterdir() if path.is_file() or path.is_symlink())
    return [_against(path, _blob_name(path)) for path in names]


def _against(path: Path, expected: str) -> FileCheck:
    if not path.is_file():
        return FileCheck(path.name, "missing")
    found = sha256_of(path)
    size = path.stat().st_size
    if not expected:
        return FileCheck(path.name, "unrecorded", size, found)
    actual = _git_hash(path) if len(expected) == 40 else found
    return FileCheck(path.name, "ok" if actual == expected else "changed", size, found)


def _blob_name(path: Path) -> str:
    """The hash that the hub's cache keeps as the name of the linked file; empty where this is no such link."""
    name = path.readlink().name if path.is_symlink() else ""
    is_hash = len(name) in (40, 64) and all(digit in "0123456789abcdef" for digit in name)
    return name if is_hash else ""


def _git_hash(path: Path) -> str:
    data = path.read_bytes()  # only small files are kept under this hash
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def _sampled(path: Path) -> bytes:
    """Digest of a safetensors file's size, header and sampled blocks."""
    size = path.stat().st_size
    part = hashlib.sha256(f"{size}\n".encode())
    with path.open("rb") as file:
        prefix = file.read(8)
        length = struct.unpack("<Q", prefix)[0] if len(prefix) == 8 else _MAX_HEADER + 1
        if length > min(size, _MAX_HEADER):
            raise ModelError(f"{path}: not a readable safetensors file; fetch it again")
        part.update(prefix + file.read(length))
        start, last = 8 + length, max(size - _BLOCK, 8 + length)
        for offset in sorted({start + (last - start) * n // (_N_BLOCKS - 1) for n in range(_N_BLOCKS)}):
            file.seek(offset)
            part.update(file.read(_BLOCK))
    return part.digest()
