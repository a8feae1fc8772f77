"""`localeval.models.resolve`: from an entry under `models` in a config to a model, or to one line that says why not."""

import json
from pathlib import Path

import pytest

from localeval.engines.options import engine_options
from localeval.errors import ConfigError, ModelError
from localeval.models import Model, load_card, resolve
from localeval.models.hardware import has_fast_half
from localeval.models.options import OPTIONS, EngineOptions, VllmOptions, check_options
from localeval.models.verify import fingerprint
from tests.models.making import SMOLLM2, hub_cache, model_folder


@pytest.fixture
def base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a config, weights and a script beside it, and no model cache."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("HF_HOME", raising=False)
    monkeypatch.delenv("HF_HUB_CACHE", raising=False)
    model_folder(tmp_path / "weights")
    (tmp_path / "rules.jsonl").write_text('{"reply": "A"}\n', encoding="utf-8")
    (tmp_path / "mine.toml").write_text(
        'name = "mine"\nfamily = "llama"\ncontext = 4096\n[[places]]\nkind = "path"\npath = "weights"\n',
        encoding="utf-8",
    )
    return tmp_path


def table(base: Path, **options: object) -> Model:
    return resolve("m", {"card": "mine.toml", "engine": "vllm", **options}, base)


def test_a_folder_is_a_model(base: Path) -> None:
    """A path to a folder with config.json needs no card: family, context and revision come from what lies there."""
    for spec in ("weights", "./weights", str(base / "weights"), {"path": "weights"}):
        model = resolve("m", spec, base)
        assert model.folder == str(base / "weights")
        assert model.revision == fingerprint(base / "weights")
        assert (model.card.family, model.context) == ("llama", 8192)


def test_a_card_file_is_a_model(base: Path) -> None:
    """A card beside the config is found from it, and so are the weights beside the card."""
    model = resolve("m", "mine.toml", base)
    assert (model.name, model.card.name) == ("m", "mine")
    assert model.folder == str(base / "weights")


def test_a_repository_of_the_hub_is_a_model(base: Path) -> None:
    """ "owner/name" is found in the hub's cache; its own files tell family and context where no card knows it."""
    files = {path.name: path.read_bytes() for path in (base / "weights").iterdir()}
    snapshot = hub_cache(base / "cache" / "huggingface", "some/model", "c" * 40, files)
    model = resolve("m", "some/model", base)
    assert (model.folder, model.revision, model.context) == (str(snapshot), "c" * 40, 8192)
    assert (model.card.name, model.card.family) == ("some/model", "llama")
    assert resolve("m", {"card": "some/model", "context": 100}, base).context == 100


def test_a_repository_that_a_card_names_has_that_card(base: Path) -> None:
    """Qwen3 must be told not to think: writing its repository instead of its card loses nothing."""
    files = {path.name: path.read_bytes() for path in (base / "weights").iterdir()}
    hub_cache(base / "cache" / "huggingface", "Qwen/Qwen3-8B", "c" * 40, files)
    spec = {"card": "Qwen/Qwen3-8B", "dtype": "bfloat16"}
    assert resolve("m", spec, base).card == load_card("qwen3-8b")


def test_half_precision_that_is_emulated_becomes_float32(base: Path) -> None:
    """On a processor without bfloat16 the served dtype is float32, unless the config says otherwise."""
    served = table(base, device="cpu")
    wanted = table(base, device="cpu", dtype="bfloat16")
    assert served.card.dtype == ("bfloat16" if has_fast_half() else "float32")
    assert wanted.card.dtype == "bfloat16"
    assert (served.identity == wanted.identity) is has_fast_half()


def test_a_table_of_places_is_a_model(base: Path) -> None:
    """The entry may be a card itself."""
    places = [{"kind": "path", "path": str(base / "weights")}]
    model = resolve("m", {"family": "qwen", "places": places, "system_role": False}, base)
    assert (model.card.name, model.card.family, model.card.system_role) == ("m", "qwen", False)


def test_the_context_is_the_smallest_of_what_is_said(base: Path) -> None:
    """The entry, the card and config.json each limit it."""
    assert table(base).context == 4096
    assert table(base, context=1000).context == 1000
    assert table(base, context=100_000).context == 4096
    assert resolve("m", {"path": "weights", "context": 6000}, base).context == 6000
    (base / "weights" / "config.json").write_text(json.dumps({**SMOLLM2, "max_position_embeddings": 512}))
    assert table(base).context == 512


def test_the_context_of_a_model_that_also_sees_is_in_its_text_part(base: Path) -> None:
    """config.json may keep the language model's numbers in text_config."""
    (base / "weights" / "config.json").write_text(json.dumps({"model_type": "gemma3", "text_config": SMOLLM2}))
    assert resolve("m", "weights", base).context == 8192


def test_options_go_to_the_engine_and_card_fields_to_the_card(base: Path) -> None:
    """What the entry sets of either kind arrives; what it leaves alone stays out, so that defaults can improve."""
    model = table(base, tensor_parallel=2, grammar_backend="guidance", dtype="float16", chat_options={"a": True})
    assert model.options == {"tensor_parallel": 2, "grammar_backend": "guidance"}
    assert (model.card.dtype, model.card.chat_options) == ("float16", {"a": True})
    assert table(base).options == {}


def test_the_engines_read_what_an_entry_sets(base: Path) -> None:
    """Each option of an entry reaches the engine's own reading of the model; the rest has the engine's defaults."""
    options = {"tensor_parallel": 2, "cache_gib": 3.5, "block_size": 32, "max_in_flight": 7, "kv_cache_dtype": "fp8"}
    options |= {
        "device": "cpu",
        "grammar_backend": "outlines",
        "gpu_memory_utilization": 0.5,
        "max_batched_tokens": 512,
        "threads": 3,
        **dict.fromkeys(EngineOptions.model_fields, 0.5),  # prices
    }
    assert set(options) == set(OPTIONS["vllm"].model_fields)
    assert engine_options(table(base, **options)).model_dump() == options
    assert engine_options(table(base, engine="transformers", device="cpu")).model_dump(exclude_unset=True) == {
        "device": "cpu"
    }
    assert engine_options(table(base)) == VllmOptions()


def test_a_scripted_model_is_its_script(base: Path) -> None:
    """The script's bytes are its revision, wherever it lies; options say how fast, not what."""
    model = resolve("m", {"script": "rules.jsonl", "context": 8192, "calls_per_second": 200, "log": "calls.log"}, base)
    assert (model.engine, model.folder, model.context) == ("scripted", str(base / "rules.jsonl"), 8192)
    assert model.options == {"calls_per_second": 200.0, "log": str(base / "calls.log")}
    elsewhere = base / "copy.jsonl"
    elsewhere.write_bytes((base / "rules.jsonl").read_bytes())
    assert resolve("n", {"engine": "scripted", "script": "copy.jsonl"}, base).identity == model.identity
    elsewhere.write_text('{"reply": "B"}\n', encoding="utf-8")
    assert resolve("n", {"engine": "scripted", "script": "copy.jsonl"}, base).identity != model.identity


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"card": "mine.toml", "tensor_paralel": 2}, r"models\.m\.tensor_paralel: unknown .*did you mean 'tensor_par"),
        ({"script": "rules.jsonl", "tensor_parallel": 2}, r"models\.m\.tensor_parallel: unknown with engine scripted"),
        ({"card": "mine.toml", "engine": "transformers", "block_size": 2}, r"unknown with engine transformers"),
        ({"card": "mine.toml", "engine": "vlm"}, r"models\.m\.engine: 'vlm' is not one of .*did you mean 'vllm'\?"),
        ({"card": "mine.toml", "tensor_parallel": 0}, r"models\.m\.tensor_parallel: .*greater than .*got 0"),
        ({"card": "mine.toml", "grammar_backend": "lark"}, r"models\.m\.grammar_backend: .*xgrammar.*got 'lark'"),
        ({"card": "mine.toml", "dtype": "bf16"}, r"models\.m: `dtype`: .*got 'bf16'"),
        ({"card": "mine.toml", "path": "weights"}, r"`card` and `path` are both given"),
        ({"engine": "vllm"}, r"give `card`, `path`, `script` or `places`"),
        ({"engine": "scripted"}, r"the scripted engine needs `script`"),
        ({"script": "none.jsonl"}, r"models\.m\.script: .*none\.jsonl does not exist"),
        ({"script": "rules.jsonl", "context": "8k"}, r"models\.m\.context: '8k' is not a number of tokens"),
        ({"script": "rules.jsonl", "calls_per_second": 0}, r"models\.m\.calls_per_second: .*got 0"),
    ],
)
def test_what_an_entry_cannot_say_is_refused(base: Path, entry: dict[str, object], message: str) -> None:
    """A mistake in the entry raises ConfigError, one line with model, option, value and what is known."""
    if "script" not in entry and entry.get("engine") is None and "tensor_paralel" not in entry:
        entry = {"engine": "vllm", **entry}
    with pytest.raises(ConfigError, match=message) as caught:
        resolve("m", entry, base)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("qwen3-32", r"'qwen3-32' is not a model card; did you mean 'qwen3-32b'\?"),
        ("qwen3-32b", r"qwen3-32b: no weights on this machine .*run: localeval models fetch qwen3-32b"),
        ("./nowhere", r"nowhere: no config\.json"),
        ("no/where", r"no/where: no weights on this machine .*run: localeval models fetch no/where"),
        ("other.toml", r"other\.toml: not a readable model card"),
    ],
)
def test_a_model_that_is_not_here_is_one_line(base: Path, spec: str, message: str) -> None:
    """Unknown cards, absent weights and wrong paths raise ModelError with the way out."""
    with pytest.raises(ModelError, match=message):
        resolve("m", spec, base)


def test_an_option_outside_the_table_is_refused() -> None:
    """`check_options` names what is known, for callers that have not looked before."""
    with pytest.raises(ConfigError, match=r"models\.m\.cash_gib: unknown with engine vllm; did you mean 'cache_gib'\?"):
        check_options("models.m", "vllm", {"cash_gib": 2})


@pytest.mark.parametrize(
    ("name", "text", "knows"),
    [
        ("chat_template.jinja", "{% if role == 'system' %}<s>{% endif %}", True),
        ("chat_template.jinja", "{{ raise_exception('System role not supported') }} system", False),
        ("chat_template.jinja", "{% if role == 'user' %}[INST]{% endif %}", False),
        ("tokenizer_config.json", '{"chat_template": "{% if user %}"}', False),
        ("chat_template.json", '{"chat_template": "{% if system %}"}', True),
    ],
)
def test_a_bare_folder_s_template_says_whether_it_takes_a_system_message(
    base: Path, name: str, text: str, knows: bool
) -> None:
    """A template that refuses the role, or never mentions it, gets the system message in the first user message."""
    (base / "weights" / "chat_template.jinja").unlink()
    (base / "weights" / name).write_text(text, encoding="utf-8")
    assert resolve("m", "weights", base).card.system_role is knows


def test_without_a_template_a_system_role_is_assumed(base: Path) -> None:
    """Nothing says otherwise."""
    (base / "weights" / "chat_template.jinja").unlink()
    assert resolve("m", "weights", base).card.system_role
