"""`localeval.models.cards`: cards by name, from files and from tables, and what is refused."""

import pickle
import re
from pathlib import Path

import pytest

from localeval.errors import ModelError
from localeval.models import Card, Model, card_names, load_card
from localeval.models.cards import HubPlace, PackagePlace, PathPlace
from localeval.models.layout import cache_layout, parameters

UNSUMMED = {"gemma4_text", "glm4_moe_lite", "mistral4", "qwen3_5_text", "qwen3_5_moe_text"}
"""Architectures whose size cannot be told from the numbers in config.json alone."""


@pytest.mark.parametrize("name", card_names())
def test_a_shipped_card_is_whole(name: str) -> None:
    """Each card carries its own name, a place, a licence, its context, where its facts were read, and roles we know."""
    card = load_card(name)
    assert card.name == name
    assert card.places
    assert card.licence
    assert card.source
    assert card.context > 0
    assert set(card.roles) <= {"judge", "auditor", "answerer", "writer", "lab"}


@pytest.mark.parametrize("name", card_names())
def test_what_a_card_calls_unverified_is_on_it(name: str) -> None:
    """A name under `unverified` is a field of the card, and a hub revision that is not a commit is among them."""
    card = load_card(name)
    table = card.model_dump()
    for path in card.unverified:
        value: object = table
        for step in path.split("."):
            value = value[int(step)] if isinstance(value, tuple | list) else value[step]  # type: ignore[index]
    for number, place in enumerate(card.places):
        if isinstance(place, HubPlace) and not re.fullmatch(r"[0-9a-f]{40}", place.revision):
            assert f"places.{number}.revision" in card.unverified


@pytest.mark.parametrize("name", card_names())
def test_a_card_s_numbers_agree_with_each_other(name: str) -> None:
    """`models check` works on every card before any download; layer sizes add up to the stated parameters, within 10 %.

    Ten, because the parameters of some cards count a part that sees images, which [config] does not describe.
    """
    card = load_card(name)
    layout = cache_layout(card.config)
    assert layout.full.count + layout.sliding.count > 0
    assert card.parameters_b is not None
    if card.config["model_type"] in UNSUMMED:
        with pytest.raises(ModelError, match="give its parameter count"):
            parameters(card.config)
    else:
        assert sum(parameters(card.config)) / 1e9 == pytest.approx(card.parameters_b, rel=0.10)


def test_families_and_sizes_are_spread() -> None:
    """Judges of at least six families ship, from 3 to over 70 billion parameters, dedicated judges among them."""
    cards = [load_card(name) for name in card_names()]
    judges = [card for card in cards if "judge" in card.roles]
    assert {"qwen", "llama", "gemma", "mistral", "phi", "gpt-oss", "glm"} <= {card.family for card in judges}
    sizes = [card.parameters_b or 0 for card in judges]
    assert min(sizes) < 4
    assert max(sizes) > 100
    assert {"prometheus-2-7b", "prometheus-2-8x7b", "selene-1-mini-8b", "flow-judge-0.1"} <= {c.name for c in judges}


def test_the_lab_cards_ask_the_hub_first_and_pin_their_packages() -> None:
    """An ordinary machine gets the original weights; a closed one joins packages of exact versions, by pinned hash."""
    for name, n_packages in (("smollm2-135m", 1), ("qwen2.5-coder-1.5b", 22)):
        hub, packages = load_card(name).places
        assert isinstance(hub, HubPlace)
        assert isinstance(packages, PackagePlace)
        assert len(packages.packages) == n_packages


def test_an_unknown_name_is_answered_with_the_nearest() -> None:
    """A misspelt card name raises ModelError that names the one meant."""
    with pytest.raises(ModelError, match=r"'smolm2-135m' is not a model card; did you mean 'smollm2-135m'\?"):
        load_card("smolm2-135m")


def test_a_name_far_from_all_lists_the_cards() -> None:
    """Where no card is near, all are named."""
    with pytest.raises(ModelError, match=r"known are .*qwen2\.5-coder-1\.5b.*smollm2-135m"):
        load_card("zzzzzz")


def test_an_unknown_field_is_refused_with_its_line(tmp_path: Path) -> None:
    """A misspelt field of a card file raises ModelError with file, line, field and the name that was meant."""
    path = tmp_path / "mine.toml"
    path.write_text('name = "mine"\nfamily = "qwen"\ncontxt = 8192\n', encoding="utf-8")
    with pytest.raises(ModelError, match=r"mine\.toml line 3: unknown field `contxt`; did you mean 'context'\?"):
        load_card(path)


def test_a_fault_in_the_second_place_is_found_there(tmp_path: Path) -> None:
    """The line is that of the place at fault, not of an earlier place with the same field."""
    path = tmp_path / "mine.toml"
    path.write_text(
        'name = "mine"\nfamily = "qwen"\n\n[[places]]\nkind = "hub"\nrepo = "a/b"\nrevision = "main"\n\n'
        '[[places]]\nkind = "hub"\nrepo = "c/d"\nrevison = "main"\n',
        encoding="utf-8",
    )
    with pytest.raises(ModelError, match=r"line 12: unknown field `places\.1\.revison`; did you mean 'revision'\?"):
        load_card(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('name = "m"\nfamily = "q"\ncontext = "long"\n', r"line 3: `context`: .*'long'"),
        ('name = "m"\nfamily = "q"\nparameters_b = nan\n', r"line 3: `parameters_b`: .*finite"),
        ('name = "m"\nfamily = "q"\ndtype = "bf16"\n', r"line 3: `dtype`: .*bfloat16"),
        ('name = "m"\n', r"`family`: Field required"),
        ("name = \n", r"not a readable model card: .*line 1"),
        ('name = "m"\nfamily = "q"\n[[places]]\nkind = "ftp"\n', r"line 3: `places\.0`: .*'ftp'"),
    ],
)
def test_what_a_card_cannot_hold_is_refused(tmp_path: Path, text: str, message: str) -> None:
    """Wrong types, NaN, unknown words, missing fields and broken TOML raise ModelError with line, field and value."""
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ModelError, match=message):
        load_card(path)


@pytest.mark.parametrize("requirement", ["tiny", "tiny>=1", "tiny @ file:///x.whl", "--index-url=x==1", "tiny==1;x"])
def test_only_exact_versions_of_packages_are_taken(requirement: str) -> None:
    """A package place pins each package to one version; anything else, options of pip above all, is refused."""
    place = {"kind": "package", "packages": [requirement], "files": "*", "gguf": "a", "size": 1, "sha256": "0" * 64}
    with pytest.raises(ModelError, match=r"places\.0\.packages\.0"):
        load_card({"name": "m", "family": "q", "places": [place]})


def test_a_relative_path_counts_from_the_card(tmp_path: Path) -> None:
    """A path place in a card file is found from that file, wherever the command runs."""
    path = tmp_path / "mine.toml"
    path.write_text(
        'name = "m"\nfamily = "q"\n[[places]]\nkind = "path"\npath = "weights"\n'
        '[[places]]\nkind = "path"\npath = "/srv/weights"\n',
        encoding="utf-8",
    )
    assert load_card(str(path)).places == (
        PathPlace(path=str(tmp_path / "weights")),
        PathPlace(path="/srv/weights"),
    )


def test_identity_tells_what_a_model_says_from_how_fast() -> None:
    """Speed options leave a model's identity alone; revision, engine, dtype and telling options change it."""
    model = Model(name="m", card=Card(name="c", family="q"), engine="vllm", revision="r", options={})
    fast = model.model_copy(
        update={"options": {"tensor_parallel": 2, "calls_per_second": 9, "cache_tokens": 5}, "name": "n"}
    )
    assert fast.identity == model.identity
    others = [
        {"revision": "s"},
        {"engine": "transformers"},
        {"options": {"grammar_backend": "guidance"}},
        {"card": Card(name="c", family="q", dtype="float32")},
    ]
    assert len({model.identity, *(model.model_copy(update=change).identity for change in others)}) == 5


def test_a_model_travels_between_processes() -> None:
    """A model survives pickling whole: the engine lives in a child process."""
    card = load_card("qwen2.5-coder-1.5b")
    model = Model(name="m", card=card, engine="vllm", folder="/x", revision="r", context=9, options={"device": "cpu"})
    assert pickle.loads(pickle.dumps(model)) == model
