"""`localeval models`: list, show, fetch, check and verify, as a user types them."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from localeval.cli import main
from localeval.models import card_names
from localeval.models.verify import fingerprint, write_manifest
from tests.models.making import model_folder


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """An empty home for the caches."""
    return tmp_path / "home"


def localeval(home: Path, *words: str) -> Result:
    """Runs `localeval models WORDS`, offline, with caches under `home`."""
    environment = {"XDG_CACHE_HOME": str(home), "HF_HUB_OFFLINE": "1", "HF_HOME": None, "HF_HUB_CACHE": None}
    return CliRunner(env=environment).invoke(main, ["models", *words])


def cached(home: Path, name: str = "smollm2-135m") -> Path:
    """Small weights where the fetched model of a lab card would lie."""
    short = {"smollm2-135m": "b179c9523d0e"}[name]
    folder = model_folder(home / "localeval" / "models" / f"{name}-{short}")
    write_manifest(folder, {"card": name})
    return folder


def test_list_names_every_card_and_what_is_here(home: Path) -> None:
    """One line a card, with size, context, family, whether its weights are here, and roles; the same as JSON."""
    folder = cached(home)
    result = localeval(home, "list")
    assert result.exit_code == 0
    rows = result.output.splitlines()[1:]
    assert [row.split()[0] for row in rows] == card_names()
    assert next(row for row in rows if row.startswith("smollm2-135m")).split()[1:5] == [
        "0.135B",
        "8192",
        "smollm",
        "yes",
    ]
    assert next(row for row in rows if row.startswith("qwen3-32b")).split()[4] == "no"
    table = {each["name"]: each for each in json.loads(localeval(home, "list", "--json").output)}
    assert table["smollm2-135m"]["weights"] == {"folder": str(folder), "revision": fingerprint(folder)}
    assert table["qwen3-32b"]["weights"] is None


def test_show_tells_a_card_s_facts(home: Path) -> None:
    """Licence, context, places in order, and what could not be verified."""
    result = localeval(home, "show", "qwen2.5-coder-1.5b")
    assert result.exit_code == 0
    for fact in ("Apache-2.0", "32,768 tokens", "hub Qwen/Qwen2.5-Coder-1.5B-Instruct at main", "part1==0.2.0 to"):
        assert fact in result.output
    assert "unverified  places.0.revision" in result.output
    assert json.loads(localeval(home, "show", "qwen2.5-coder-1.5b", "--json").output)["family"] == "qwen"


def test_show_takes_a_folder_and_a_file(home: Path, tmp_path: Path) -> None:
    """A folder of weights and a card file do in place of a name."""
    folder = model_folder(tmp_path / "weights")
    assert f"here        {folder}" in localeval(home, "show", str(folder)).output
    card = tmp_path / "mine.toml"
    card.write_text('name = "mine"\nfamily = "llama"\n', encoding="utf-8")
    assert localeval(home, "show", str(card)).output.startswith("mine\n")


def test_check_says_what_fits(home: Path) -> None:
    """Exit code 0 and `fits`, or 3 and `does not fit`; the longest source, and what limits it."""
    result = localeval(home, "check", "smollm2-135m", "--memory", "24", "--tokens", "6000")
    assert result.exit_code == 0
    assert "23,040 bytes a token" in result.output
    assert "6,000 tokens need 0.13 GiB of cache: fits" in result.output
    assert "longest prompt and answer: 8,192 tokens, limited by context" in result.output
    large = localeval(home, "check", "llama-3.3-70b-instruct", "--memory", "80", "--tokens", "60000")
    assert large.exit_code == 3
    assert "does not fit" in large.output
    shared = localeval(
        home, "check", "llama-3.3-70b-instruct", "--memory", "80", "--tokens", "60000", "--tp", "4", "--json"
    )
    assert shared.exit_code == 0
    assert json.loads(shared.output)["fits"] is True


def test_check_reads_a_config_of_the_user_s(home: Path, tmp_path: Path) -> None:
    """--config FILE describes the model instead of the card."""
    folder = model_folder(tmp_path)
    words = ("check", "qwen3-32b", "--memory", "24", "--tokens", "6000", "--config", str(folder / "config.json"))
    assert "at most 23,040 bytes a token" in localeval(home, *words).output


def test_verify_reads_every_byte(home: Path) -> None:
    """Exit code 0 for a whole model, 3 once a byte of it has changed; the same as JSON."""
    folder = cached(home)
    result = localeval(home, "verify", "smollm2-135m")
    assert (result.exit_code, result.output.splitlines()[-1]) == (0, f"{folder}: whole")
    (folder / "tokenizer.json").write_text("[]", encoding="utf-8")
    result = localeval(home, "verify", "smollm2-135m")
    assert result.exit_code == 3
    assert "not whole: delete the folder and fetch it again" in result.output
    table = json.loads(localeval(home, "verify", "smollm2-135m", "--json").output)
    assert table["is_whole"] is False
    assert [file["name"] for file in table["files"] if file["state"] == "changed"] == ["tokenizer.json"]


def test_fetch_prints_the_folder(home: Path) -> None:
    """The folder goes to standard output, alone, so that a script can use it."""
    folder = cached(home)
    result = localeval(home, "fetch", "smollm2-135m")
    assert (result.exit_code, result.stdout) == (0, f"{folder}\n")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("show", "smolm2-135m"), "did you mean 'smollm2-135m'?"),
        (("fetch", "qwen3-32b"), "not asked, HF_HUB_OFFLINE is set"),
        (("verify", "qwen3-32b"), "run: localeval models fetch qwen3-32b"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_2(home: Path, words: tuple[str, ...], message: str) -> None:
    """No traceback; the line names the way out."""
    result = localeval(home, *words)
    assert result.exit_code == 2
    assert message in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1
    assert "Traceback" not in result.output


def test_check_without_a_config_is_one_line(home: Path, tmp_path: Path) -> None:
    """A card that knows nothing of its architecture asks for --config."""
    card = tmp_path / "mine.toml"
    card.write_text('name = "mine"\nfamily = "llama"\n', encoding="utf-8")
    result = localeval(home, "check", str(card), "--memory", "24", "--tokens", "6000")
    assert result.exit_code == 2
    assert "give --config FILE" in result.stderr
