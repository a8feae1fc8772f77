"""`localeval.models.verify`: fingerprints that tell weights apart, and files checked byte by byte."""

import json
import struct
from pathlib import Path

import pytest

from localeval.errors import ModelError
from localeval.models.verify import MANIFEST, check_files, fingerprint, tensor_bytes, weight_files, write_manifest
from tests.models.making import SMOLLM2, hub_cache, model_folder, safetensors

LARGE = bytes(range(256)) * 16_384  # 4 MiB: 16 blocks of 64 KiB are a quarter of it


def test_a_fingerprint_depends_on_content_alone(tmp_path: Path) -> None:
    """Two folders with the same files have the same fingerprint, 40 hexadecimal digits, wherever they lie."""
    first, second = model_folder(tmp_path / "a"), model_folder(tmp_path / "b" / "c")
    assert fingerprint(first) == fingerprint(second)
    assert len(fingerprint(first)) == 40
    assert int(fingerprint(first), 16)


@pytest.mark.parametrize("name", ["tokenizer.json", "chat_template.jinja", "generation_config.json", "config.json"])
def test_a_change_beside_the_weights_changes_it(tmp_path: Path, name: str) -> None:
    """Tokenizer, chat template, generation config and config all decide what a model says."""
    folder = model_folder(tmp_path)
    before = fingerprint(folder)
    text = (folder / name).read_text(encoding="utf-8")
    (folder / name).write_text(text.replace("2", "3").replace("{}", '{"a": 1}').replace("system", "sister"))
    assert fingerprint(folder) != before


@pytest.mark.parametrize("position", [0, 1_000, len(LARGE) - 1])
def test_a_change_in_a_sampled_block_of_the_weights_changes_it(tmp_path: Path, position: int) -> None:
    """The first block and the last are among the sampled ones, so is the header with every tensor's place."""
    before = fingerprint(model_folder(tmp_path / "a", weights=LARGE))
    changed = LARGE[:position] + bytes([LARGE[position] ^ 1]) + LARGE[position + 1 :]
    assert fingerprint(model_folder(tmp_path / "b", weights=changed)) != before


def test_more_or_other_tensors_change_it(tmp_path: Path) -> None:
    """A renamed tensor or a further shard gives another fingerprint."""
    folder = model_folder(tmp_path)
    seen = {fingerprint(folder)}
    safetensors(folder / "model.safetensors", {"a": bytes(range(256)) * 64, "c": b"\0" * 100})
    seen.add(fingerprint(folder))
    safetensors(folder / "more.safetensors", {"d": b"1"})
    seen.add(fingerprint(folder))
    assert len(seen) == 3


def test_who_wrote_the_config_does_not_count(tmp_path: Path) -> None:
    """The library's version, the name of its maker, the order of keys and unrelated files leave it alone."""
    folder = model_folder(tmp_path)
    before = fingerprint(folder)
    stamped = {"transformers_version": "9.9", "_name_or_path": "x", **dict(reversed(SMOLLM2.items()))}
    (folder / "config.json").write_text(json.dumps(stamped, indent=4), encoding="utf-8")
    (folder / "README.md").write_text("hello", encoding="utf-8")
    write_manifest(folder, {"card": "mine"})
    assert fingerprint(folder) == before


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda folder: (folder / "config.json").unlink(), "no config.json"),
        (lambda folder: (folder / "model.safetensors").unlink(), "no .safetensors file"),
        (lambda folder: (folder / "model.safetensors").write_bytes(b"1234"), "not a readable safetensors"),
        (lambda folder: (folder / "model.safetensors").write_bytes(struct.pack("<Q", 1 << 60)), "not a readable"),
        (lambda folder: (folder / "config.json").write_text("{"), "not readable as JSON"),
        (lambda folder: (folder / "config.json").write_text("[]"), "not a JSON table"),
    ],
)
def test_what_is_no_model_has_no_fingerprint(tmp_path: Path, damage: object, message: str) -> None:
    """A folder without config or weights, or with broken ones, raises ModelError that names the file."""
    folder = model_folder(tmp_path)
    assert callable(damage)
    damage(folder)
    with pytest.raises(ModelError, match=message):
        fingerprint(folder)


def test_the_index_says_which_files_are_weights(tmp_path: Path) -> None:
    """Where an index lists shards, a second copy of the weights beside them does not count."""
    folder = model_folder(tmp_path)
    safetensors(folder / "consolidated.safetensors", {"a": b"1"})
    assert [path.name for path in weight_files(folder)] == ["consolidated.safetensors", "model.safetensors"]
    index = {"weight_map": {"a": "model.safetensors", "b": "model.safetensors"}}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index), encoding="utf-8")
    assert [path.name for path in weight_files(folder)] == ["model.safetensors"]


def test_tensor_bytes_are_read_from_the_header(tmp_path: Path) -> None:
    """The sum of all tensors, without the header; a file that is none raises ModelError."""
    path = safetensors(tmp_path / "a.safetensors", {"a": b"12345", "b": b"678"})
    assert tensor_bytes(path) == 8
    path.write_bytes(b"\x02\0\0\0\0\0\0\0[]")
    with pytest.raises(ModelError, match="the header is no table"):
        tensor_bytes(path)
    text = b'{"a": {"data_offsets": [0]}}'
    path.write_bytes(struct.pack("<Q", len(text)) + text)
    with pytest.raises(ModelError, match="tensor 'a' has no data_offsets"):
        tensor_bytes(path)


def test_every_byte_is_checked_against_the_manifest(tmp_path: Path) -> None:
    """A change that the fingerprint cannot see, a missing file and untouched ones are told apart."""
    folder = model_folder(tmp_path, weights=LARGE)
    write_manifest(folder, {"card": "mine"})
    before = fingerprint(folder)
    path = folder / "model.safetensors"
    data = bytearray(path.read_bytes())
    between = len(LARGE) // 15 - 80_000  # in a gap between two sampled blocks
    data[between] ^= 1
    path.write_bytes(data)
    assert fingerprint(folder) == before
    (folder / "tokenizer.json").unlink()
    states = {file.name: file.state for file in check_files(folder)}
    assert states == {
        "model.safetensors": "changed",
        "tokenizer.json": "missing",
        "config.json": "ok",
        "generation_config.json": "ok",
        "chat_template.jinja": "ok",
    }


def test_the_hub_s_own_names_are_checked(tmp_path: Path) -> None:
    """In the hub's cache a file's hash is the name of what it links to: SHA-256 of large ones, git's of small ones."""
    files = {"config.json": b"{}", "model.safetensors": b"weights"}
    snapshot = hub_cache(tmp_path, "some/model", "c" * 40, files)
    assert {file.name: file.state for file in check_files(snapshot)} == dict.fromkeys(files, "ok")
    for name in files:
        (snapshot / name).resolve().write_bytes(b"other")
    assert {file.name: file.state for file in check_files(snapshot)} == dict.fromkeys(files, "changed")


def test_a_folder_without_a_record_is_not_called_whole_by_name(tmp_path: Path) -> None:
    """Nothing on disk says what the bytes should be: each file is unrecorded, with its hash."""
    checks = check_files(model_folder(tmp_path))
    assert {file.state for file in checks} == {"unrecorded"}
    assert all(len(file.sha256) == 64 for file in checks)


def test_a_broken_manifest_is_one_line(tmp_path: Path) -> None:
    """A manifest without its table of files raises ModelError that names it."""
    folder = model_folder(tmp_path)
    (folder / MANIFEST).write_text("{}", encoding="utf-8")
    with pytest.raises(ModelError, match=r"localeval-model\.json: no table `files`"):
        check_files(folder)
