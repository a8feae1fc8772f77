"""The registry: the last check of each judge, by its key, in the user's cache."""

import json
from pathlib import Path

import pytest

from localeval.checking.keys import Judge
from localeval.checking.registry import judges_cache, last_check, register
from localeval.errors import StoreError
from tests.checking.registered import GOOD, POOR, check_of

JUDGE = Judge("small", "audit", "i" * 64, "k" * 64)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of the test's own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "localeval" / "judges"


def test_what_was_registered_is_found_again(cache: Path) -> None:
    """With its scores, its bars, the day, and what it was checked with; by its key alone."""
    written = register(check_of({JUDGE: GOOD}, ("zh", "en")))
    assert written == (cache / f"{JUDGE.key}.json",)
    found = last_check(JUDGE.key)
    assert found is not None
    assert found["passed"] is True
    assert found["identity"] == JUDGE.identity
    assert found["detection"]["value"] == 0.9
    assert found["made"] == "2026-11-30"
    assert found["test"] == {"hash": "abc", "sources": 2, "languages": ["en", "zh"], "planted": 60, "controls": 24}
    assert last_check("x" * 64) is None


def test_a_language_without_a_text_was_not_checked(cache: Path) -> None:
    """A source in it alone says nothing: there must have been errors and controls that the judge gave a verdict on."""
    check = check_of({JUDGE: GOOD}, ("en", "ru", "zh"))
    scores = check["judges"][0]["by_language"]
    del scores["zh"]
    scores["ru"]["detection"] |= {"value": None, "reason": "nothing", "n": 0}
    register(check)
    found = last_check(JUDGE.key)
    assert found is not None
    assert found["test"]["languages"] == ["en"]


def test_a_later_check_takes_the_place_of_the_earlier(cache: Path) -> None:
    """One file a judge, and no litter beside it."""
    register(check_of({JUDGE: GOOD}))
    register(check_of({JUDGE: POOR}))
    found = last_check(JUDGE.key)
    assert found is not None
    assert found["passed"] is False
    assert [path.name for path in cache.iterdir()] == [f"{JUDGE.key}.json"]


def test_nothing_is_made_by_looking(cache: Path) -> None:
    """A look-up leaves no folder behind."""
    assert last_check(JUDGE.key) is None
    assert not cache.exists()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("{", ""),
        ('"localeval.judge/1"', '"localeval.judge/9"'),
        (f'"key": "{"k" * 64}"', f'"key": "{"x" * 64}"'),
        ('"low": 0.8', '"low": 0.99'),
        ('"missing": 0.02', '"missing": 7'),
        ('"missing": 0.02', '"missing": NaN'),
        ('"detection"', '"detected"'),
        ('"made": "2026-11-30"', '"made": 5'),
        ('"value": 0.9', '"value": "much"'),
        ('"languages": [\n   "en"\n  ]', '"languages": 5'),
    ],
)
def test_a_damaged_file_is_told_in_one_line(
    cache: Path, capsys: pytest.CaptureFixture[str], old: str, new: str
) -> None:
    """And the judge counts as unchecked."""
    register(check_of({JUDGE: GOOD}))
    path = cache / f"{JUDGE.key}.json"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    assert last_check(JUDGE.key) is None
    told = capsys.readouterr().err
    assert len(told.splitlines()) == 1
    assert str(path) in told
    assert "unchecked" in told


def test_a_file_that_is_no_object_is_damaged_too(cache: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A list, or bytes that are no text."""
    cache.mkdir(parents=True)
    for content in (json.dumps([1]).encode(), b"\xff\xfe\x00", b"[" * 100_000):
        (cache / f"{JUDGE.key}.json").write_bytes(content)
        assert last_check(JUDGE.key) is None
        assert len(capsys.readouterr().err.splitlines()) == 1


def test_a_cache_that_cannot_be_written_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the path and what to do."""
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    with pytest.raises(StoreError, match=r"cannot be written .*XDG_CACHE_HOME"):
        register(check_of({JUDGE: GOOD}))


def test_a_relative_cache_is_not_heeded(monkeypatch: pytest.MonkeyPatch) -> None:
    """As the specification of these folders has it."""
    monkeypatch.setenv("XDG_CACHE_HOME", "here")
    assert judges_cache() == Path.home() / ".cache" / "localeval" / "judges"


def test_nothing_is_kept_of_a_judge_whose_engine_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that was down says nothing of its judge: no file, and so no refusal."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    judge = {"key": "k" * 64, "missing_by_reason": {"engine error": 3}}
    assert register({"judges": [judge], "models": {}, "test": {}}) == ()
    assert last_check("k" * 64) is None
