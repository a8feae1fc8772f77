"""The tokenizer of a model's folder: the same object for counting and for every engine."""

from transformers import AutoTokenizer

from localeval.engines.prompting import Tokenizer
from localeval.errors import EngineError
from localeval.models.cards import Model


def load_tokenizer(model: Model) -> Tokenizer:
    """The tokenizer in the model's folder; nothing is downloaded and no code of the folder is run.

    Raises EngineError where the folder holds none that transformers can read.
    """
    try:
        tokenizer: Tokenizer = AutoTokenizer.from_pretrained(
            model.folder, local_files_only=True, trust_remote_code=False
        )
    except (OSError, ValueError, KeyError, ImportError) as error:
        reason = str(error).strip().splitlines()[0]
        raise EngineError(f"no tokenizer can be read from {model.folder}: {reason}") from error
    return tokenizer
