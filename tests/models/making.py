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


def tiny_gguf(path: Path) -> Path:
    """A GGUF file of a llama with one layer of 32 numbers, a byte-level vocabulary and a chat template."""
    import numpy
    from gguf import GGUFWriter

    writer = GGUFWriter(str(path), "llama")
    hidden, wide, heads = 32, 64, 2
    letters = [chr(code) for code in (*range(33, 127), *range(161, 173), *range(174, 256), *range(256, 324))]
    tokens = ["<|endoftext|>", "<|im_start|>", "<|im_end|>", *letters, "ab"]
    writer.add_context_length(128)
    writer.add_embedding_length(hidden)
    writer.add_block_count(1)
    writer.add_feed_forward_length(wide)
    writer.add_head_count(heads)
    writer.add_head_count_kv(heads)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(hidden // heads)
    writer.add_vocab_size(len(tokens))
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("smollm")
    writer.add_token_list(tokens)
    writer.add_token_types([3, 3, 3] + [1] * (len(tokens) - 3))
    writer.add_token_merges(["a b"])
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_unk_token_id(0)
    writer.add_chat_template("{% for m in messages %}<|im_start|>{{ m['role'] }}:{{ m['content'] }}{% endfor %}")
    sizes = dict.fromkeys(("attn_q", "attn_k", "attn_v", "attn_output"), (hidden, hidden))
    sizes |= {"ffn_gate": (wide, hidden), "ffn_up": (wide, hidden), "ffn_down": (hidden, wide)}
    random = numpy.random.default_rng(0)
    writer.add_tensor("token_embd.weight", random.standard_normal((len(tokens), hidden)).astype(numpy.float16))
    for name, size in sizes.items():
        writer.add_tensor(f"blk.0.{name}.weight", random.standard_normal(size).astype(numpy.float16))
    for name in ("blk.0.attn_norm", "blk.0.ffn_norm", "output_norm"):
        writer.add_tensor(f"{name}.weight", numpy.ones(hidden, numpy.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path
