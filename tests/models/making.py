"""Small model folders, wheels and caches, made by hand: real files in the real formats."""

import hashlib
import json
import struct
import zipfile
from collections.abc import Mapping
from pathlib import Path

SMOLLM2 = {
    "model_type": "llama",
    "hidden_size": 576,
    "intermediate_size": 1536,
    "num_hidden_layers": 30,
    "num_attention_heads": 9,
    "num_key_value_heads": 3,
    "head_dim": 64,
    "vocab_size": 49152,
    "max_position_embeddings": 8192,
    "tie_word_embeddings": True,
}


def safetensors(path: Path, tensors: Mapping[str, bytes]) -> Path:
    """Writes a safetensors file whose tensors are the given bytes."""
    header: dict[str, object] = {"__metadata__": {"format": "pt"}}
    offset = 0
    for name, data in tensors.items():
        header[name] = {"dtype": "U8", "shape": [len(data)], "data_offsets": [offset, offset + len(data)]}
        offset += len(data)
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + b"".join(tensors.values()))
    return path


def model_folder(folder: Path, config: Mapping[str, object] = SMOLLM2, weights: bytes = bytes(range(256)) * 64) -> Path:
    """A folder with everything that an engine wants to see."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    (folder / "generation_config.json").write_text('{"eos_token_id": 2}', encoding="utf-8")
    (folder / "tokenizer.json").write_text("{}", encoding="utf-8")
    (folder / "chat_template.jinja").write_text("{{ system }}", encoding="utf-8")
    safetensors(folder / "model.safetensors", {"a": weights, "b": b"\0" * 100})
    return folder


def hub_cache(home: Path, repo: str, commit: str, files: Mapping[str, bytes]) -> Path:
    """The hub's cache with one repository at "main": blobs named by their hash, a snapshot that links to them."""
    repository = home / "hub" / f"models--{repo.replace('/', '--')}"
    snapshot = repository / "snapshots" / commit
    (repository / "blobs").mkdir(parents=True)
    (repository / "refs").mkdir()
    snapshot.mkdir(parents=True)
    (repository / "refs" / "main").write_text(commit, encoding="utf-8")
    for name, data in files.items():
        is_large = name.endswith(".safetensors")
        git = hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()
        blob = repository / "blobs" / (hashlib.sha256(data).hexdigest() if is_large else git)
        blob.write_bytes(data)
        (snapshot / name).symlink_to(blob)
    return snapshot


def wheel(folder: Path, name: str, version: str, files: Mapping[str, bytes]) -> Path:
    """A wheel that pip accepts, holding `files`."""
    folder.mkdir(parents=True, exist_ok=True)
    stem = f"{name.replace('-', '_')}-{version}"
    path = folder / f"{stem}-py3-none-any.whl"
    facts = f"{stem}.dist-info"
    with zipfile.ZipFile(path, "w") as archive:
        for inside, data in files.items():
            archive.writestr(inside, data)
        archive.writestr(f"{facts}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        archive.writestr(f"{facts}/WHEEL", "Wheel-Version: 1.0\nGenerator: by hand\nTag: py3-none-any\n")
        names = [*files, f"{facts}/METADATA", f"{facts}/WHEEL", f"{facts}/RECORD"]
        archive.writestr(f"{facts}/RECORD", "".join(f"{each},,\n" for each in names))
    return path
