"""Run as a script: turns a GGUF file into a folder of safetensors. The only module here that loads torch.

    python -P convert_child.py MODEL.gguf FOLDER DTYPE

Prints the versions that did it, as one line of JSON. Imports nothing of localeval, so that it runs from its path.
"""

import functools
import json
import sys
from importlib.metadata import version
from pathlib import Path


def convert(gguf: Path, folder: Path, dtype: str) -> dict[str, str]:
    """Writes model, tokenizer with its chat template, and generation config; returns the versions of the libraries."""
    import gguf as reading
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer, GgufConfig

    # transformers reads the file three times and builds its table of tensor names once for each part of the model:
    # half of the time of a small model. It looks both up at each use, so remembering them here is enough.
    reading.GGUFReader = functools.cache(reading.GGUFReader)
    reading.get_tensor_name_map = functools.cache(reading.get_tensor_name_map)
    tokenizer = AutoTokenizer.from_pretrained(gguf.parent, gguf_file=gguf.name)
    model = AutoModelForCausalLM.from_pretrained(
        gguf.parent,
        gguf_file=gguf.name,
        dtype=getattr(torch, dtype),
        quantization_config=GgufConfig(dequantize=True),
    )
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return {name: version(name) for name in ("torch", "transformers", "gguf")}


if __name__ == "__main__":
    with open(sys.argv[1], "rb") as file:
        if file.read(4) != b"GGUF":
            sys.exit("not a GGUF file")  # before torch is loaded, which takes seconds
    print(json.dumps(convert(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3])))
