"""Run as a script: downloads one repository of the model hub into the local hub cache.

    python -P hub_child.py REPOSITORY REVISION

Prints the folder, or on failure one line of reason to stderr. Imports nothing of localeval.
"""

import sys


def download(repo: str, revision: str) -> str:
    """The snapshot's folder. Only safetensors, configs and tokenizer files of the top folder are asked for."""
    from huggingface_hub import snapshot_download

    return str(
        snapshot_download(
            repo,
            revision=revision,
            allow_patterns=["*.safetensors", "*.json", "*.jinja", "*.txt", "tokenizer*", "*.model"],
            # a second copy of the weights in another layout, as some publishers add it
            ignore_patterns=["*/*", "consolidated*"],
        )
    )


if __name__ == "__main__":
    try:
        print(download(sys.argv[1], sys.argv[2]))
    except Exception as error:
        sys.exit(" ".join(str(error).split())[:300] or type(error).__name__)
