"""The demo's own texts: readable, of the promised size, and blind."""

import json
import re
import time
from itertools import combinations
from pathlib import Path

import pytest

from localeval.config import load_config
from localeval.evaluation import n_missing, run
from localeval.inputs import CandidateSpec, SourceSpec, read_candidates, read_sources
from localeval.texts import Candidate, Source

DEMO = Path(__file__).resolve().parent.parent / "demo"
SYSTEMS = {"fabricating", "faithful", "omitting"}


def read(folder: Path) -> tuple[tuple[Source, ...], tuple[Candidate, ...]]:
    """The transcripts and summaries in a folder, as the demo's config asks for them."""
    sources = read_sources((SourceSpec(path="transcripts/*"),), folder)
    return sources, read_candidates((CandidateSpec(path="summaries/{source}/{system}.md"),), folder, sources)


def test_config_asks_for_both_meetings() -> None:
    """demo.yaml is a good config whose patterns find two transcripts and three summaries of each."""
    config = load_config(DEMO / "demo.yaml")
    sources = read_sources(config.sources, DEMO)
    candidates = read_candidates(config.candidates, DEMO, sources)
    assert [source.id for source in sources] == ["clinic", "ferry"]
    found = {(candidate.source_id, candidate.system) for candidate in candidates}
    assert found == {(source.id, system) for source in sources for system in SYSTEMS}


@pytest.mark.parametrize(("folder", "language"), [("", "en"), ("ru", "ru"), ("zh", "zh")])
def test_transcripts_keep_speakers_and_language(folder: str, language: str) -> None:
    """Every segment of every transcript has a speaker, subtitles have times, and the language is recognised."""
    sources, candidates = read(DEMO / folder)
    assert {candidate.system for candidate in candidates} == SYSTEMS
    for source in sources:
        assert source.language == language
        assert len({segment.speaker for segment in source.segments}) >= 3
        assert all(segment.speaker for segment in source.segments)
        has_times = not source.path.endswith(".txt")
        assert all((segment.begin_s is not None) == has_times for segment in source.segments)


def test_english_texts_have_the_promised_size() -> None:
    """Transcripts have 500 to 900 words, summaries 120 to 200: none gives itself away by its length."""
    sources, candidates = read(DEMO)
    assert all(500 <= len(source.text.split()) <= 900 for source in sources)
    assert all(120 <= len(candidate.text.split()) <= 200 for candidate in candidates)


@pytest.mark.parametrize("folder", ["", "ru", "zh"])
def test_summaries_are_blind(folder: str) -> None:
    """No summary names its kind, and the three of one meeting differ in what they say, not in how long they are."""
    _, candidates = read(DEMO / folder)
    for candidate in candidates:
        assert not [system for system in SYSTEMS if system[:5] in candidate.text.lower()]
    for one, other in combinations(candidates, 2):
        if one.source_id == other.source_id:
            assert one.text != other.text
            assert abs(len(one.text) - len(other.text)) < 0.15 * len(one.text)


def test_dry_run_goes_through_in_three_languages(tmp_path: Path) -> None:
    """The shipped rules answer every prompt on the English, Russian and Chinese meetings: nothing is missing."""
    methods = run(DEMO / "dry-run.yaml", tmp_path / "run").scores["methods"]
    assert {name: method["missing"] for name, method in methods.items()} == dict.fromkeys(methods, 0)
    scores, affect = methods["quiz"], methods["affect"]
    assert {name: target["texts"] for name, target in affect["judges"]["judge"]["targets"].items()} == {
        "Marcus": 3,
        "Tom": 3,
        "Вера": 3,
        "小林": 3,
    }
    assert (affect["missing_proposals"], affect["asked"]) == (0, 12 * (3 + 3))
    assert {name: source["items"] for name, source in scores["quiz"]["sources"].items()} == {
        "clinic": 6,
        "ferry": 6,
        "klub": 6,
        "guoyuan": 6,
    }
    assert {name: control["cap_r"]["value"] for name, control in scores["controls"].items()} == {
        "empty": 0.0,
        "unrelated": 0.0,
        "source": 1.0,
    }


def test_the_rules_of_the_dry_run_are_quick_on_a_long_text() -> None:
    """Whoever rehearses with transcripts of one's own waits for no rule: a search from every place took minutes."""
    text = f"<text 1>\n{'Anna said that the harbour would open in May.' * 3000}\n</text>\n\nA task."
    begin = time.process_time()
    rules = [json.loads(line) for line in (DEMO / "dry-run.jsonl").read_text(encoding="utf-8").splitlines()]
    found = [rule for rule in rules if "match" in rule and re.search(rule["match"], text, re.DOTALL)]
    assert not found
    assert time.process_time() - begin < 5.0


SELECTION = DEMO / "selection"


def test_selection_and_its_dry_run_differ_in_the_models_alone() -> None:
    """What the dry run rehearses is what the real one asks."""
    real, dry = load_config(SELECTION / "select.yaml"), load_config(SELECTION / "dry-run.yaml")
    same = {"name": "", "models": {}}
    assert real.model_copy(update=same) == dry.model_copy(update=same)
    assert list(real.models) == list(dry.models)


def test_selection_is_rehearsed_to_its_decision(tmp_path: Path) -> None:
    """Three systems of two models, four transcripts, both models judge: three loads, 84 calls, and a recommendation."""
    outcome = run(SELECTION / "dry-run.yaml", tmp_path / "run")
    assert n_missing(outcome.scores) == 0
    assert outcome.ledger.sent == 12 + 12 * 3 * 2
    assert {name: account.loads for name, account in outcome.ledger.accounts.items()} == {"big": 2, "small": 1}
    assert outcome.decision["recommended"] == "minutes"
    assert outcome.decision["systems"]["brief"]["incumbent"]
    assert run(SELECTION / "dry-run.yaml", tmp_path / "run").ledger.sent == 0
