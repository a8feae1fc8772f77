"""Where the data files that come with localeval lie: model cards and prompts."""

from pathlib import Path

from localeval.errors import LocalevalError

_PACKAGE = Path(__file__).resolve().parent


def asset_folder(name: str) -> Path:
    """The folder `name` ("models", "prompts"): of the checkout that this package runs from, else of the wheel.

    Raises LocalevalError when neither holds it: the installation is broken.
    """
    checkout = _PACKAGE.parent
    # the project file tells a checkout from a site-packages folder in which some other package left a folder `name`
    for folder, proof in ((checkout / name, checkout / "pyproject.toml"), (_PACKAGE / "_data" / name, _PACKAGE)):
        if folder.is_dir() and proof.exists():
            return folder
    raise LocalevalError(f"{_PACKAGE}: the data folder {name!r} is missing; install localeval again")
