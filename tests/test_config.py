"""`localeval.config`: what the user wrote becomes frozen values, or one line that says where and what to do."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from localeval.config import load_config, parse_config
from localeval.errors import ConfigError

CONFIG = """name: weekly
seed: 3
sources:
  - {path: "transcripts/*.vtt", category: meeting}
candidates:
  - {path: "summaries/{source}/{system}.md"}
models:
  m: {engine: scripted, script: rules.jsonl}
methods:
  quiz: {writer: m, answerer: m}
"""


def changed(old: str, new: str) -> str:
    assert old in CONFIG
    return CONFIG.replace(old, new)


def test_a_config_becomes_frozen_values() -> None:
    """What is written is there with its type, the rest has its default, and nothing can be changed afterwards."""
    config = parse_config(CONFIG, "c.yaml")
    assert (config.name, config.seed, config.prompts) == ("weekly", 3, None)
    assert config.sources[0].path == "transcripts/*.vtt"
    assert config.models == {"m": {"engine": "scripted", "script": "rules.jsonl"}}
    assert config.models_used == ("m",)
    with pytest.raises(ValidationError, match="frozen"):
        config.seed = 4


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("name: weekly\n", "", "c.yaml:1: name: is required"),
        ("name: weekly", "name: 2024", "c.yaml:1: name: must be text (in quotes), not 2024"),
        ("name: weekly", "name: a/b", "c.yaml:1: name: must be letters, digits and . _ - (it names the folder"),
        ("name: weekly", "nmae: weekly", "c.yaml:1: nmae: unknown key; did you mean 'name'?"),
        ("seed: 3", "seed: three", "c.yaml:2: seed: must be a valid integer"),
        ("seed: 3", "seed: -1", "c.yaml:2: seed: must be greater than or equal to 0, not -1"),
        ("seed: 3", "seed: 3\nseed: 4", 'c.yaml:3: found duplicate key "seed"; keep one of the two'),
        ("seed: 3", "seed: 2020-99-01", "c.yaml:2: a value cannot be read (month must be in 1..12); put it in quotes"),
        ("seed: 3", "seed: [1", "c.yaml:3: expected ',' or ']'"),
        ("seed: 3", "\tseed: 3", "c.yaml:2: found character '\\t' that cannot start any token; use spaces, not tabs"),
        (
            "seed: 3",
            "prompts: @x",
            "c.yaml:2: found character '@' that cannot start any token; put text that begins",
        ),
        ("seed: 3", "prompts: *x", "c.yaml:2: found undefined alias 'x'; put text that begins with * in quotes"),
        ("seed: 3", "prompts: a: b", "c.yaml:2: mapping values are not allowed here; put text that holds a colon and"),
        ("seed: 3", "seed: 3\n---\n", "c.yaml:3: a second document begins here; a config file holds one"),
        ("seed: 3", "seed: true", "c.yaml:2: seed: must be a valid integer, not true"),
        ("seed: 3", "seed:", "c.yaml:2: seed: must be a valid integer, not an empty value"),
        ("seed: 3", "1: x", "c.yaml:2: 1: Keys should be strings"),
        ("seed: 3", "seed: '\x07'", "c.yaml: not YAML: unacceptable character"),
        ("seed: 3", "prompts: 5", "c.yaml:2: prompts: must be text (in quotes), not 5"),
        ("category: meeting", "catgory: meeting", "c.yaml:4: sources.0.catgory: unknown key; did you mean 'category'?"),
        ("category: meeting", "zzz: 1", "c.yaml:4: sources.0.zzz: unknown key; known: category, id, language, path"),
        ("category: meeting", "language: no", "c.yaml:4: sources.0.language: must be 'en', 'ru' or 'zh', not 'no'"),
        ("{source}/{system}", "{src}/{system}", "c.yaml:6: candidates.0: path holds {src}; only {source} and {system}"),
        ('\n  - {path: "summ', '\n  path: {path: "summ', "c.yaml:5: candidates: must be a list"),
        ('\n  - {path: "summaries/{source}/{system}.md"}', " []", "c.yaml:5: candidates: must be a list with at least"),
        (
            "  m: {engine: scripted, script: rules.jsonl}",
            "  m: 5",
            "c.yaml:8: models.m: must be text (in quotes) or a ma",
        ),
        ("answerer: m", "answrer: m", "c.yaml:10: methods.quiz.answrer: unknown key; did you mean 'answerer'?"),
        ("answerer: m", "answerer: z", "c.yaml:10: methods.quiz: no model 'z' under `models`; known: m"),
        ("answerer: m", "answerer: m, items: q.jsonl", "c.yaml:10: methods.quiz: give either `writer`"),
        ("answerer: m", "answerer: m, blind_limit: 5", "c.yaml:10: methods.quiz: `blind_limit` 5 is more than"),
        ("answerer: m", "answerer: m, kinds: []", "c.yaml:10: methods.quiz: `kinds` is empty"),
        ("answerer: m", "answerer: m, kinds: foo", "c.yaml:10: methods.quiz.kinds: must be a list or a mapping"),
        ("answerer: m", "answerer: m, kinds: [foo]", "c.yaml:10: methods.quiz.kinds.0: must be 'entity', 'attribute'"),
        (
            "answerer: m",
            "answerer: m, kinds: {theme: 0}",
            "c.yaml:10: methods.quiz.kinds.theme: must be greater than 0",
        ),
        ("answerer: m", "answerer: m, overgenerate: .inf", "c.yaml:10: methods.quiz.overgenerate: must be a finite nu"),
        (
            "methods:\n",
            "methods:\n  panel:\n",
            "c.yaml:10: methods.panel: must have settings or be left out, not a",
        ),
        (
            "methods:\n",
            "methods:\n  audit: {auditors: [m], finalists: 2}\n",
            "c.yaml:9: methods: `audit: finalists` goes with `of: finalists`; add that, or leave it out",
        ),
        (
            "methods:\n",
            "methods:\n  audit: {auditors: [m], hardest: 2}\n",
            "c.yaml:9: methods: `audit: hardest` goes with `of: finalists`; add that, or leave it out",
        ),
        ("quiz: {writer: m, answerer: m}", "{}", "c.yaml:9: methods: names no method; add one of: quiz"),
    ],
)
def test_each_mistake_has_its_line_field_and_fix(old: str, new: str, message: str) -> None:
    """`file:line: field: what is wrong; fix`, in one line, with the value where it is short."""
    with pytest.raises(ConfigError) as caught:
        parse_config(changed(old, new), "c.yaml")
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["", "- a", "just words", "# nothing"])
def test_what_is_no_mapping_is_no_config(text: str) -> None:
    """An empty file or another YAML says what a config is."""
    with pytest.raises(ConfigError, match=r"^c\.yaml:1: a config is a mapping with name, sources"):
        parse_config(text, "c.yaml")


@pytest.mark.parametrize("text", ["[" * 500, "&all\nname: x\nmodels: *all"])
def test_bottomless_yaml_is_refused(text: str) -> None:
    """Neither endless nesting nor an alias of itself ends in a traceback."""
    with pytest.raises(ConfigError, match=r"nested too deeply|holds itself"):
        parse_config(text, "c.yaml")


def test_words_that_other_yaml_takes_for_truth_values_stay_words() -> None:
    """`no` is the language code or a system's name, not false; a number in quotes is text."""
    config = parse_config(changed("name: weekly", "name: no") + 'prompts: "5"\n', "c.yaml")
    assert (config.name, config.prompts) == ("no", "5")


def test_merged_and_aliased_parts_are_read() -> None:
    """YAML's << works, and a mistake in a merged part is told with the nearest line there is."""
    merged = '- &base {path: "a/*.txt", category: talk}\n  - {<<: *base, path: b.txt}'
    config = parse_config(changed('- {path: "transcripts/*.vtt", category: meeting}', merged), "c.yaml")
    assert [(each.path, each.category) for each in config.sources] == [("a/*.txt", "talk"), ("b.txt", "talk")]
    wrong = changed('- {path: "transcripts/*.vtt", category: meeting}', '- {<<: {path: b.txt, id: ""}}')
    with pytest.raises(ConfigError, match=r"^c\.yaml:4: sources\.0\.id: "):
        parse_config(wrong, "c.yaml")


def test_a_file_is_read_with_or_without_a_mark(tmp_path: Path) -> None:
    """A byte order mark is no part of the config; a file that is not there or no UTF-8 is named."""
    path = tmp_path / "c.yaml"
    path.write_bytes(b"\xef\xbb\xbf" + CONFIG.encode())
    assert load_config(path) == parse_config(CONFIG, "c")
    path.write_bytes(CONFIG.encode().replace(b"weekly", b"\xe9t\xe9"))
    with pytest.raises(ConfigError, match=r"c\.yaml: is not UTF-8 text \(byte 6\); save it as UTF-8"):
        load_config(path)
    with pytest.raises(ConfigError, match=r"none\.yaml: cannot be read .*give the path of a YAML config"):
        load_config(tmp_path / "none.yaml")


SNIPPETS = st.sampled_from(
    ["5", "-", "[]", "{}", "no", "null", "[x", "*a", "&a", "<<: *a", "!!int x", "2020-99-99", "0x", "? ", "{a: b}", "|",
     ".nan", "1e999", "'", '"', ": ", "\n", "\t", "%YAML 1.1", "---", "!!set {a}", "!!binary x", "\0", "#", "~", "true"]
)  # fmt: skip


@given(st.lists(st.tuples(st.integers(0, len(CONFIG)), st.integers(0, 25), SNIPPETS | st.text(max_size=4)), max_size=4))
def test_no_damage_to_a_config_ends_in_anything_but_a_config_error(edits: list[tuple[int, int, str]]) -> None:
    """Whatever is cut out or written in between, a config is read or refused in one line."""
    text = CONFIG
    for start, length, instead in edits:
        text = text[:start] + instead + text[start + length :]
    try:
        config = parse_config(text, "c.yaml")
    except ConfigError as error:
        message = str(error)
    else:
        message = f"c.yaml: {len(config.models)} models"
    assert message.startswith("c.yaml:")
    assert "\n" not in message


TWO_SYSTEMS = CONFIG + "systems:\n  x: {model: m}\n  y: {model: m, incumbent: true}\n"
FINALISTS = "  panel: {judges: [m]}\n  audit: {auditors: [m], of: finalists, incumbent: x}\n"


def test_there_is_one_incumbent_whoever_names_it() -> None:
    """The config, a system or the audit; all of them know it then."""
    audited = parse_config(f"{CONFIG}{FINALISTS}systems: {{x: {{model: m}}}}\n", "c.yaml")
    assert (audited.deployed, audited.systems["x"].incumbent) == ("x", True)
    named = parse_config(
        TWO_SYSTEMS.replace("systems:", f"{FINALISTS.replace(', incumbent: x', '')}systems:"), "c.yaml"
    )
    assert named.methods.audit is not None
    assert (named.deployed, named.methods.audit.incumbent) == ("y", "y")
    for more in ("incumbent: x\n", FINALISTS):
        text = TWO_SYSTEMS.replace("systems:", f"{more}systems:")
        with pytest.raises(ConfigError, match=r"incumbent: 'x' and 'y' cannot both be|incumbent: 'y' and 'x' cannot"):
            parse_config(text, "c.yaml")
