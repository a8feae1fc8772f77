"""The readers of public sets: frozen rows, and every mistake in one line with file, line and fix."""

import gzip
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from localeval.errors import InputError
from localeval.public_sets import elitr, emobank, llmbar, newsmtsc, qmsum, squality, summedits, tofueval
from localeval.stats.detection import FAULTY, SOUND
from tests.public_sets.set_files import Row, pair, votes, write_all, write_lines

Reader = Callable[[Path], object]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder with every set."""
    return write_all(tmp_path)


def test_pairs_carry_votes_and_what_is_longer(data: Path) -> None:
    """A vote that could not be read is 0, and so is one by a judge that never voted."""
    pairs = llmbar.read_pairs(data)
    assert len(pairs) == 8
    natural, misleading = pairs[0], pairs[-1]
    assert (natural.is_natural, natural.gold, natural.longer) == (True, 1, 1)
    assert (misleading.is_natural, misleading.gold) == (False, 2)
    assert misleading.by("GPT-4") == (2, 2)
    assert misleading.by("PaLM2") == (1, 0)
    assert misleading.by("nobody") == (0, 0)


def test_marks_are_right_wrong_or_none(data: Path) -> None:
    """Of a misleading pair whose second output is right: GPT-4 twice right, Falcon once, PaLM2 once wrong."""
    last = llmbar.read_pairs(data)[-1:]
    found = llmbar.marks(last, [[last[0].by(judge)] for judge in ("GPT-4", "Falcon", "PaLM2")])
    assert found.tolist() == [[[1.0, 1.0], [-1.0, 1.0], [-1.0, 0.0]]]


def test_answers_are_read_packed(data: Path) -> None:
    """By question and answerer, with every rater's score."""
    answers = elitr.read_answers(data)
    assert len({each.id for each in answers}) == len(answers) == 24
    assert answers[0].scores == {"human_gold": 5.0, "gpt4": 6.0, "prometheus": 6.0, "human_silver": 5.5}
    assert answers[0].expert == 5.0


def test_ratings_make_a_table(data: Path) -> None:
    """Texts by raters; a rater who did not rate is masked."""
    rows = list(squality.read_rated(data))
    table = squality.rating_table([*rows[:2], squality.Rated("s9", 0, "bart", None, rows[1].ratings[:1])], "coverage")
    assert table.raters == ("a", "b")
    assert table.values.tolist() == [[90.0, 90.0], [10.0, 30.0], [10.0, 0.0]]
    assert table.is_given.tolist() == [[True, True], [True, True], [True, False]]
    assert table.stories == [0, 0, 1]


def test_who_did_not_rate_is_left_out(data: Path) -> None:
    """1, 1, 1 stands for nobody: the means of the set leave it out; `as listed` keeps it."""
    moods = emobank.read_moods(data)
    values, given = emobank.ratings(moods, "readers", "valence")
    assert given.sum(1).tolist() == [2] * len(moods)
    assert (values.sum(1) / 2).tolist() == [mood.reader["valence"] * 4 + 1 for mood in moods]
    assert emobank.ratings(moods, "readers as listed", "valence")[1].sum(1).tolist() == [3] * len(moods)
    assert [mood.document for mood in moods] == ["doc0", "doc0", "doc1", "doc1", "doc2", "doc2"]


def test_sentences_tell_mixed_from_others(data: Path) -> None:
    """Two targets of one name cannot be asked about, but are labelled all the same."""
    twice = [{"mention": "Anna", "label": "positive"}, {"mention": '" Anna', "label": "negative"}]
    path = data / "newsmtsc" / "sentences.jsonl"
    path.write_text(path.read_text() + json.dumps({"id": "twice", "sentence": "Anna, Anna", "targets": twice}) + "\n")
    every, asked = newsmtsc.read_labelled(data), newsmtsc.read_sentences(data)
    assert (len(every), len(asked)) == (8, 7)
    assert [each.is_mixed for each in asked] == [True] * 6 + [False]


def test_summaries_belong_to_documents(data: Path) -> None:
    """With what was done to them."""
    whole = summedits.read_summedits(data)
    assert summedits.domains(whole) == ("qmsumm", "sales_email")
    assert [each.truth for each in whole.summaries[:4]] == [SOUND, SOUND, FAULTY, FAULTY]
    assert whole.summaries[2].edits == ("number",)


def test_faults_and_key_points_are_lists(data: Path) -> None:
    """Several kinds of error in one field; a list that Python wrote into a string."""
    wrong = [each for each in tofueval.read_summary_sentences(data) if not each.is_right]
    assert [each.faults for each in wrong] == [("Extrinsic Information", "Contradiction")] * 2
    assert tofueval.read_key_points(data)[0].points == ("1. It is cut.", "2. By half.")


def test_questions_name_turns(data: Path) -> None:
    """A general one none."""
    general, specific = qmsum.read_queries(data)
    assert (general.is_general, general.spans) == (True, ())
    assert (specific.is_general, specific.spans) == (False, ((1, 2),))
    assert qmsum.read_meetings(data)[0].characters == len("Let us begin.It costs 20 euros.Agreed.")


DAMAGES: tuple[tuple[Reader, str, int, Row, str], ...] = (
    (llmbar.read_pairs, "llmbar/items.jsonl", 2, {"label": 3}, "label: is 3; expected a number from 1 to 2"),
    (llmbar.read_pairs, "llmbar/items.jsonl", 2, {"label": 2}, "label: is 2, and 1 in judge_verdicts.jsonl"),
    (llmbar.read_pairs, "llmbar/items.jsonl", 2, {"subset": "Odd"}, "subset: is 'Odd'; expected Natural or Neighbor"),
    (llmbar.read_pairs, "llmbar/judge_verdicts.jsonl", 3, {"verdicts": {"J|V": ["1"]}}, "verdicts: J|V: has 1 votes"),
    (
        llmbar.read_pairs,
        "llmbar/judge_verdicts.jsonl",
        3,
        {"verdicts": {"J|V": ["1", 2]}},
        "verdicts: J|V: holds 2; expected",
    ),
    (elitr.read_answers, "elitr_bench/scored_responses.jsonl.gz", 5, {"gpt4": 11}, "gpt4: is 11; expected a number"),
    (
        elitr.read_answers,
        "elitr_bench/scored_responses.jsonl.gz",
        5,
        {"model": None},
        "model: is null; expected a string",
    ),
    (
        squality.read_rated,
        "squality/human_eval.jsonl",
        1,
        {"ratings": "none"},
        "ratings: is a string ('none'); expected",
    ),
    (squality.read_rated, "squality/human_eval.jsonl", 1, {"q": 0.5}, "q: is 0.5; expected a whole number"),
    (emobank.read_moods, "emobank/test.jsonl", 4, {"reader": [1, 2]}, "reader: has 2 values; expected 3"),
    (
        emobank.read_moods,
        "emobank/test.jsonl",
        4,
        {"writer_raw": [[1, 2, 6]]},
        "writer_raw[0]: is 6; expected a number",
    ),
    (newsmtsc.read_labelled, "newsmtsc/sentences.jsonl", 1, {"targets": [3]}, "targets[0]: is a number (3); expected"),
    (
        summedits.read_summedits,
        "summedits/items.jsonl",
        6,
        {"doc_id": "no"},
        "doc_id: is 'no', no document of docs.jsonl",
    ),
    (summedits.read_summedits, "summedits/items.jsonl", 6, {"edit_types": [1]}, "edit_types: holds a number (1)"),
    (
        tofueval.read_summary_sentences,
        "tofueval/sentences.jsonl",
        1,
        {"type": "Odd"},
        "type: names a fault of a sentence",
    ),
    (
        tofueval.read_key_points,
        "tofueval/key_points.jsonl",
        1,
        {"key_points": "open()"},
        "key_points: is 'open()'; expected",
    ),
    (qmsum.read_queries, "qmsum/queries.jsonl", 2, {"spans": [["1", "9"]]}, "spans: holds \"['1', '9']\"; expected"),
    (
        qmsum.read_meetings,
        "qmsum/transcripts.jsonl",
        1,
        {"turns": [["Anna"]]},
        "turns: holds \"['Anna']\"; expected [speaker",
    ),
)


@pytest.mark.parametrize(("read", "file", "line", "change", "told"), DAMAGES)
def test_a_mistake_is_one_line_with_its_place(
    data: Path, read: Reader, file: str, line: int, change: Row, told: str
) -> None:
    """File, line, field, value and what is expected, whatever is wrong."""
    path = data / file
    raw = path.read_bytes()
    rows = [json.loads(each) for each in (gzip.decompress(raw) if path.suffix == ".gz" else raw).splitlines()]
    rows[line - 1] |= change
    write_lines(path, rows)
    with pytest.raises(InputError) as caught:
        read(data)
    message = str(caught.value)
    assert message.startswith(f"{path.as_posix()} line {line}: {told}"), message
    assert "\n" not in message
    assert ";" in message


def test_what_is_no_file_of_the_set_is_said(data: Path) -> None:
    """Absent, not packed, not JSON, an id twice, votes on an unknown pair."""
    packed = data / "elitr_bench" / "scored_responses.jsonl.gz"
    packed.write_text("plain")
    with pytest.raises(InputError, match=r"scored_responses\.jsonl\.gz: cannot be read \(Not a gzipped file"):
        elitr.read_answers(data)
    packed.unlink()
    with pytest.raises(InputError, match=r"scored_responses\.jsonl\.gz: cannot be read \(No such file"):
        elitr.read_answers(data)
    (data / "emobank" / "test.jsonl").write_text("{\n")
    with pytest.raises(InputError, match=r"test\.jsonl line 1 column \d+: is not JSON"):
        emobank.read_moods(data)
    write_lines(data / "llmbar" / "items.jsonl", [pair(0), pair(0)])
    with pytest.raises(InputError, match=re.escape("items.jsonl: has 'Natural_000' twice")):
        llmbar.read_pairs(data)
    write_lines(data / "llmbar" / "items.jsonl", [pair(0)])
    write_lines(data / "llmbar" / "judge_verdicts.jsonl", [votes(pair(1))])
    with pytest.raises(InputError, match="has votes on 'Natural_001', which is no pair"):
        llmbar.read_pairs(data)


def test_drawings_are_nested_and_shared_out(data: Path) -> None:
    """Half natural pairs, two of three sentences mixed, answers by whole questions; 0 is everything."""
    pairs, answers = llmbar.read_pairs(data), elitr.read_answers(data)
    sentences, moods = newsmtsc.read_sentences(data), emobank.read_moods(data)
    assert [each.is_natural for each in llmbar.draw_pairs(pairs, 4, 7)] == [True, True, False, False]
    few, more = ({each.id for each in llmbar.draw_pairs(pairs, n, 7)} for n in (2, 6))
    assert few < more
    assert llmbar.draw_pairs(pairs, 0, 7) == pairs
    drawn = elitr.draw_answers(answers, 4, 3)
    assert len({(each.meeting, each.question_id) for each in drawn}) == 2
    assert drawn == elitr.draw_answers(answers, 6, 3)[:4]
    assert sum(each.is_mixed for each in newsmtsc.draw_sentences(sentences, 3, 1)) == 2
    assert [each.id for each in emobank.draw_moods(moods, 3, 1)][:2] == [
        each.id for each in emobank.draw_moods(moods, 2, 1)
    ]
    assert len(elitr.draw_answers(answers, 0, 3)) == len(answers)


def test_summaries_are_drawn_half_and_half(data: Path) -> None:
    """Of as many documents of each domain, none longer than is allowed."""
    whole = summedits.read_summedits(data)
    drawn = summedits.draw_summaries(whole, ("qmsumm", "sales_email"), 2, 2, 1)
    assert len(drawn.documents) == 2
    assert sorted(each.truth for each in drawn.summaries) == [FAULTY, FAULTY, SOUND, SOUND]
    assert not summedits.draw_summaries(whole, ("qmsumm",), 2, 2, 1, longest=10).documents
