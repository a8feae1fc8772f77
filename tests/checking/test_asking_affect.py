"""What affect's judges are asked about the texts of a check."""

from pathlib import Path

from localeval.checking.asking.affect import affect_flows, affect_rulings
from localeval.checking.texts import WHOLE, CheckTest, CheckText
from localeval.inputs.segmenting import cut_sentences
from localeval.planting.schemas import Trusted
from localeval.reading import read_evaluation
from localeval.texts import Candidate

TEXT = "Anna pays 40 euros. Boris leaves on Monday."
CONFIG = """name: talk
sources: [{path: talk.txt}]
candidates: [{path: "{system}/{source}.md"}]
models: {one: {engine: scripted, script: one.jsonl}}
methods:
  panel: {judges: [one]}
  affect: {judges: [one], targets: [Anna], elicit: {systems: [one], languages: [ru]}}
"""


def test_a_source_in_a_language_without_axes_is_not_asked_about(tmp_path: Path) -> None:
    """Texts are elicited in Russian, the source of another method is English: there is no verdict, and no fault."""
    (tmp_path / "talk.txt").write_text(TEXT)
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "talk.md").write_text(TEXT)
    (tmp_path / "one.jsonl").write_text('{"reply": "?"}')
    (tmp_path / "talk.yaml").write_text(CONFIG)
    evaluation, _ = read_evaluation(tmp_path / "talk.yaml")
    assert list(evaluation.affect.axes) == ["ru"]
    source = evaluation.material.sources[0]
    trusted = Trusted(source, Candidate("talk", "a", TEXT, segments=cut_sentences(TEXT, "en")), "a")
    text = CheckText("t1", "untouched", WHOLE, "talk", source, trusted, trusted.candidate)
    test = CheckTest((text,), (trusted,), {}, "")
    assert list(affect_flows(evaluation, test)) == []
    assert list(affect_rulings(evaluation, test, {})) == []
