"""Run as a script: downloads one repository of the model hub into the local hub cache.

    python -P hub_child.py REPOSITORY REVISION

Prints one line of JSON: the folder, or the reason why there is none. Progress goes to standard error. Imports nothing
of localeval, so that it runs from its path.
"""

import json
import sys


def download(repo: str, revision: str) -> str:
    """The snapshot's folder. Only safetensors, configs and tokenizer files of the top folder are asked for."""
    from huggingface_hub import snapshot_download

    return str(
        snapshot_download(
            repo,
            revision=revision,
            allow_patterns=["*.safetensors", "*.json", "*.jinja", "*.txt", "tokenizer*", "*.model"],
            # subfolders and "consolidated" hold a second copy of the weights in another layout
            ignore_patterns=["*/*", "consolidated*"],
        )
    )


if __name__ == "__main__":
    try:
        answer = {"folder": download(sys.argv[1], sys.argv[2])}
    except Exception as error:  # whatever went wrong, the next place is tried
        answer = {"reason": " ".join(str(error).split())[:300] or type(error).__name__}
    print(json.dumps(answer))
