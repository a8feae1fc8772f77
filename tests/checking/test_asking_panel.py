"""What a panel is asked about the texts of a check, and beside which others."""

from collections.abc import Iterator
from pathlib import Path

from localeval.checking.asking.panel import OTHERS, panel_flows
from localeval.checking.texts import WHOLE, CheckTest, CheckText, Role, edited
from localeval.inputs.segmenting import cut_sentences
from localeval.measuring import Evaluation
from localeval.methods.panel.rubrics import FAITHFULNESS
from localeval.planting.schemas import Edit, Trusted
from localeval.reading import read_evaluation
from localeval.texts import Candidate
from localeval.values import Call

TEXT = "Anna pays 40 euros. Boris leaves on Monday."
CONFIG = """name: talk
sources: [{path: talk.txt, category: meeting}]
candidates: [{path: "texts/{system}/{source}.md"}]
models: {one: {engine: scripted, script: one.jsonl}}
methods: {panel: {judges: [one], mode: MODE}}
"""
WRONG = Edit("number", 1, 10, 12, "40", "70")
DROPPED = Edit("dropped sentence", 2, 19, 43, " Boris leaves on Monday.", "")


def evaluation(folder: Path, mode: str) -> Evaluation:
    """One source, and texts of four systems: as many stand in a line-up."""
    (folder / "talk.txt").write_text(TEXT)
    for system in "abcd":
        (folder / "texts" / system).mkdir(parents=True)
        (folder / "texts" / system / "talk.md").write_text(TEXT)
    (folder / "one.jsonl").write_text('{"reply": "?"}')
    (folder / "talk.yaml").write_text(CONFIG.replace("MODE", mode))
    return read_evaluation(folder / "talk.yaml")[0]


def check_test(given: Evaluation, *edits: Edit | None) -> CheckTest:
    """The text itself for None, else a copy with an error."""
    source = given.material.sources[0]
    trusted = Trusted(source, Candidate("talk", "a", TEXT, segments=cut_sentences(TEXT, "en")), "a")
    texts = []
    for number, edit in enumerate(edits):
        name, role = f"t{number}", "untouched" if edit is None else "planted"
        copy = Candidate("talk", name, TEXT, segments=trusted.candidate.segments)
        shown = copy if edit is None else edited(trusted, edit, name)
        texts.append(CheckText(name, _role(role), WHOLE, "talk", source, trusted, shown, edit))
    return CheckTest(tuple(texts), (trusted,), {}, "")


def _role(name: str) -> Role:
    return "planted" if name == "planted" else "untouched"


def asked(given: Evaluation, test: CheckTest) -> Iterator[tuple[str, Call]]:
    """What the first round asks, by the criteria that its flow is about."""
    for (_, _, criteria, _), flow in panel_flows(given, test):
        yield from ((criteria, call) for call in next(flow))


def test_sound_and_planted_texts_stand_in_one_line_up(tmp_path: Path) -> None:
    """A judge sees them side by side, as it does systems; line-ups of errors alone would tell nothing apart."""
    given = evaluation(tmp_path, "lineup")
    calls = [call for criteria, call in asked(given, check_test(given, None, WRONG)) if criteria == FAITHFULNESS]
    assert len(calls) == 2
    for call in calls:
        shown = "".join(call.messages[1].parts)
        assert "70 euros" in shown
        assert shown.count("40 euros") == 2  # the source and the sound one


def test_other_criteria_are_asked_where_a_sentence_was_dropped(tmp_path: Path) -> None:
    """Of that text and of what it is compared with; of a source where none was, faithfulness alone is asked."""
    given = evaluation(tmp_path, "pointwise")
    others = len(given.rubrics["talk"].criteria) - 1
    found = [*asked(given, check_test(given, None, WRONG, DROPPED))]
    assert sum(criteria == FAITHFULNESS for criteria, _ in found) == 2
    assert sum(criteria == OTHERS for criteria, _ in found) == 2 * others
    assert {criteria for criteria, _ in asked(given, check_test(given, None, WRONG))} == {FAITHFULNESS}
