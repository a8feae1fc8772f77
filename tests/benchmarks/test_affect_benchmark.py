"""The benchmark of affect: its figures against ones computed by hand, and the whole of it with a scripted judge."""

import json
import math
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from benchmarks.affect.__main__ import main
from benchmarks.affect.asking import TARGET_STAGE, Clock, Cost, metered
from benchmarks.affect.readings import ReadingRow, told
from localeval.errors import ModelError
from localeval.flow import Flow
from localeval.public_sets.emobank import read_moods
from localeval.public_sets.moods import MoodRow, correlation
from localeval.public_sets.newsmtsc import Mention, Sentence, draw_sentences, read_sentences
from localeval.public_sets.shares import paired_difference
from localeval.public_sets.signs import confusion, fitted_signs, macro_f1, macro_f1_difference, signs
from localeval.public_sets.targets import Known, TargetRow, known, order, separation
from localeval.stats.estimate import Estimate, Undefined
from localeval.values import Call, Choice, Message, Missing, Reply, Sampling

ROOT = Path(__file__).resolve().parent.parent.parent
FOUR = (5, 6, 7, 8)
GOOD, BAD, MIDDLE = ({str(point): 0.0} for point in (9, 1, 5))


def row(sentence: str, label: int, value: float | Missing, whole: float | Missing = 0.5) -> TargetRow:
    """A target of a sentence with differently labelled ones."""
    return TargetRow(sentence, True, f"{label} at {value}", label, value, 0.1, whole)


def table_of(rows: Sequence[TargetRow]) -> Known:
    """The columns of rows that all have their values."""
    found = known(rows)
    assert found.missing == 0
    return found


ORDERED = table_of(
    [
        row("a", 1, 0.8, 0.2),
        row("a", -1, 0.2, 0.2),
        row("b", 0, 0.5, 0.9),
        row("b", -1, 0.5, 0.9),
        row("c", 1, 0.3, 0.5),
        row("c", 0, 0.4, 0.5),
        row("c", 0, 0.1, 0.5),
    ]
)
"""Right; tied; wrong and right (the two neutral ones of c are no pair)."""


def test_macro_f1_is_the_mean_over_three_signs() -> None:
    """Negative 2/4, neutral 4/5, positive 0/2: .4333."""
    truth = np.array([-1, -1, 0, 0, 1])
    said = np.array([-1, 0, 0, 0, -1])
    found = macro_f1(confusion(truth, said, [0, 0, 1, 1, 2], np.ones(5)), 5, 1)
    assert isinstance(found, Estimate)
    assert found.value == pytest.approx((0.5 + 0.8 + 0.0) / 3)
    assert found.low <= found.value <= found.high
    assert (found.n, found.missing, found.sources) == (5, 1, 3)


def test_weights_count_a_target_more_often() -> None:
    """With the positive target twice: negative 2/5, neutral 4/5, positive 0."""
    truth, said = np.array([-1, -1, 0, 0, 1]), np.array([-1, 0, 0, 0, -1])
    found = macro_f1(confusion(truth, said, [0, 0, 1, 1, 2], np.array([1.0, 1, 1, 1, 2])), 5, 0)
    assert isinstance(found, Estimate)
    assert found.value == pytest.approx((0.4 + 0.8) / 3)


def test_a_difference_of_macro_f1_is_paired() -> None:
    """The same signs twice differ by nothing, with an interval without width."""
    table = confusion(np.array([-1, 0, 1]), np.array([-1, 0, 0]), [0, 1, 2], np.ones(3))
    found = macro_f1_difference(table, table, 3, 0)
    assert isinstance(found, Estimate)
    assert (found.value, found.low, found.high) == (0.0, 0.0, 0.0)


def test_the_points_beside_the_middle_take_a_side() -> None:
    """Of nine points the fourth is negative, the fifth neutral, the sixth positive; a cut itself is neutral."""
    assert signs(np.array([0.0, 0.375, 0.4, 0.5, 0.6, 0.625, 1.0])).tolist() == [-1, -1, 0, 0, 0, 1, 1]


def test_cuts_are_fitted_on_the_other_half() -> None:
    """A judge that is too friendly by .2 is put right by cuts that other sentences gave; the fixed ones fail it."""
    truth = np.array([-1, 0, 1] * 6)
    values = truth * 0.1 + 0.75
    sources = [n // 3 for n in range(18)]
    said, cuts = fitted_signs(values, truth, sources, np.ones(18), seed=1)
    assert said.tolist() == truth.tolist()
    assert all(low == pytest.approx(0.7) and high == pytest.approx(0.8) for low, high in cuts)
    assert signs(values).tolist() == [1] * 18


def test_a_half_never_sees_its_own_labels() -> None:
    """Labels that contradict each other between the halves: each half gets the other's cuts, and all are wrong."""
    values = np.array([0.2, 0.8] * 2)
    truth = np.array([-1, 0, 0, 1])
    said, _ = fitted_signs(values, truth, [0, 0, 1, 1], np.ones(4), seed=1)
    assert said.tolist() == [0, 1, -1, 0]


def test_order_counts_pairs_of_different_labels_with_ties_half() -> None:
    """Four pairs: right, tied, wrong, right."""
    found = order(ORDERED)
    assert isinstance(found.target, Estimate)
    assert found.target.value == pytest.approx(2.5 / 4)
    assert (found.target.n, found.target.sources) == (4, 3)


def test_whole_ties_every_pair() -> None:
    """A number for the sentence is the same for all its targets, so `whole` has .5 and no error."""
    found = order(ORDERED)
    assert isinstance(found.whole, Estimate)
    assert (found.whole.value, found.whole.low, found.whole.high) == (0.5, 0.5, 0.5)
    assert not isinstance(found.difference, Undefined)
    assert found.difference.estimate.value == pytest.approx(0.125)


def test_polar_pairs_are_of_a_positive_and_a_negative() -> None:
    """There is one, in the right order: its interval holds much, and one sentence is too few for a test."""
    found = order(ORDERED, "polar")
    assert isinstance(found.target, Estimate)
    assert (found.target.value, found.target.n, found.target.sources) == (1.0, 1, 1)
    assert found.target.low < 0.5
    assert isinstance(found.difference, Undefined)
    assert found.difference.reason == "a paired test needs two sources"


def test_the_difference_is_clustered_by_sentence() -> None:
    """Gaps .5, .5, -.5 in sentences of one, one and one: mean 1/6, error 1/3, t .5 with two degrees: p .667."""
    found = paired_difference(np.array([0.5, 0.5, -0.5]), [0, 1, 2])
    assert not isinstance(found, Undefined)
    assert found.estimate.value == pytest.approx(1 / 6)
    assert found.p_value == pytest.approx(2 / 3, abs=1e-3)
    # the same gaps ten times in each sentence are no further evidence
    again = paired_difference(np.repeat([0.5, 0.5, -0.5], 10), [n // 10 for n in range(30)])
    assert not isinstance(again, Undefined)
    assert again.p_value == pytest.approx(found.p_value)
    assert again.estimate.high == pytest.approx(found.estimate.high)


def test_a_gap_that_never_varies_is_no_chance_and_none_is_no_gap() -> None:
    """p 0 for the same gap everywhere, 1 for none."""
    for gap, p_value in ((0.5, 0.0), (0.0, 1.0)):
        found = paired_difference(np.full(4, gap), [0, 1, 2, 3])
        assert not isinstance(found, Undefined)
        assert found.p_value == p_value


def test_pairs_with_a_pronoun_are_told_apart() -> None:
    """Of two pairs, one right and one with "He" wrong, the named ones are all right."""
    rows = [row("a", 1, 0.8), row("a", -1, 0.2), replace(row("b", 1, 0.2), name="He"), row("b", -1, 0.8)]
    every, named = (order(table_of(rows), kind).target for kind in ("all", "named"))
    assert isinstance(every, Estimate)
    assert isinstance(named, Estimate)
    assert (every.value, every.n, named.value, named.n) == (0.5, 2, 1.0, 1)


def test_a_few_sentences_that_agree_are_no_certainty() -> None:
    """Three pairs, all in the right order: with a least spread of a quarter t is 3.46 with two degrees, p .074."""
    found = order(table_of([row(name, label, 0.5 + label / 4) for name in "abc" for label in (-1, 1)]))
    assert isinstance(found.target, Estimate)
    assert found.target.value == 1.0
    assert found.target.low < 0.6
    assert not isinstance(found.difference, Undefined)
    assert found.difference.estimate.value == 0.5
    assert found.difference.p_value == pytest.approx(0.0742, abs=1e-3)


def test_separation_is_over_all_sentences() -> None:
    """Positive .8 and .3 against negative .2 and .5: three of four above."""
    found = separation(ORDERED.value, ORDERED.label, ORDERED.sentence)
    assert isinstance(found, Estimate)
    assert found.value == pytest.approx(3 / 4)


def test_separation_needs_both_signs() -> None:
    """Without a negative target there is nothing to be above."""
    assert isinstance(separation(np.array([0.2, 0.4]), np.array([1, 0]), [0, 1]), Undefined)


def test_a_missing_value_leaves_and_is_counted() -> None:
    """Of either contract: the two are compared on the same targets."""
    gone = Missing("no evidence")
    found = known([row("a", 1, 0.8), row("a", -1, gone), row("b", 0, 0.5, gone)])
    assert found.value.tolist() == [0.8]
    assert found.missing == 2


def test_strata_are_weighed_to_the_whole_data_set() -> None:
    """One mixed sentence stands for 324, two others stand for 1,464, whatever the number of their targets."""
    rows = [row("a", 1, 0.8), row("a", -1, 0.1), *(TargetRow(name, False, "x", 0, 0.5, 0.1, 0.5) for name in "bc")]
    assert table_of(rows).as_all.tolist() == [324, 324, 732, 732]


def test_correlation_with_readers_leaves_missing_out() -> None:
    """Pearson's r over the rest, five documents; the missing one is counted."""
    values: list[float | Missing] = [0.1, 0.5, 0.4, 0.9, Missing("invalid"), 0.7]
    readers = [0.2, 0.4, 0.5, 0.8, 0.9, 0.5]
    rows = [
        MoodRow(f"{n}", f"d{n}", "valence", value, 0.1, reader, 0.5)
        for n, (value, reader) in enumerate(zip(values, readers, strict=True))
    ]
    found = correlation(rows, lambda each: each.reader)
    assert isinstance(found, Estimate)
    by_hand = np.corrcoef([0.1, 0.5, 0.4, 0.9, 0.7], [0.2, 0.4, 0.5, 0.8, 0.5])[0, 1]
    assert found.value == pytest.approx(by_hand)
    assert (found.n, found.missing, found.sources) == (5, 1, 5)


def test_draws_are_within_two_errors_of_their_own_mean() -> None:
    """Spread .2 and four draws: the error is .1, so .2 away is within and .21 is not."""
    reading = ReadingRow("s", "t", 0.5, 0.2, 0.7, FOUR)
    assert reading.is_within is True
    assert ReadingRow("s", "t", 0.5, 0.2, 0.71, FOUR).is_within is False
    assert ReadingRow("s", "t", 0.5, 0.2, Missing("invalid"), ()).is_within is None
    assert ReadingRow("s", "t", 0.5, 0.0, 0.5, FOUR).is_within is True


def test_costs_are_of_a_stage_and_of_every_reply() -> None:
    """Two calls of the stage and one of another, in two rounds."""

    def flow() -> Flow[str]:
        yield [call(TARGET_STAGE), call("affect/whole")]
        yield [call(TARGET_STAGE)]
        return "done"

    def call(stage: str) -> Call:
        return Call("m", (Message("user", ("x",)),), Choice(("1",)), Sampling(1), stage)

    running = metered(flow(), TARGET_STAGE)
    assert len(next(running)) == 2
    reply = Reply("k", "1", prompt_tokens=100, cached_tokens=60, output_tokens=1)
    assert len(running.send([reply, reply])) == 1
    with pytest.raises(StopIteration) as stop:
        running.send([reply])
    assert stop.value.value == ("done", Cost(2, 200, 120, 2))
    assert told(Cost(2, 200, 120, 2), 2) == "1.0 calls, 100 prompt tokens, 40 of them computed, 1.0 output, n 2"


def test_samples_grow_and_prefer_mixed_sentences() -> None:
    """Two of three are mixed as far as there are any, and the larger sample holds the smaller."""
    pool = [Sentence(f"{n}", "text", (Mention("A", 1), Mention("B", 1 if n % 2 else -1))) for n in range(40)]
    small, large = (draw_sentences(pool, n, seed=1) for n in (9, 30))
    assert sum(each.is_mixed for each in small) == 6
    assert sum(each.is_mixed for each in large) == 20
    assert {each.id for each in small} < {each.id for each in large}
    assert len(draw_sentences(pool, 1000, seed=1)) == 40
    assert [each.id for each in draw_sentences(pool, 9, seed=2)] != [each.id for each in small]


def test_there_is_no_time_without_minutes() -> None:
    """A clock of no seconds opens nothing; one of a minute does."""
    assert not Clock(0.0).has_time
    assert Clock(60.0).has_time


def bench(*arguments: object) -> Result:
    """The finished benchmark, with a scale of nine points: `exit_code`, `stdout` and `stderr`."""
    done = CliRunner().invoke(main, ["--scale", "9", *(str(each) for each in arguments)])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


def write_lines(path: Path, rows: Sequence[Mapping[str, object]]) -> None:
    """A JSONL file, with its folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(each) + "\n" for each in rows), encoding="utf-8")


def write_data(folder: Path, n: int = 6) -> Path:
    """`n` sentences that praise Anna, blame Boris and name Clara; and `n` sad, plain and merry sentences."""
    sentences = [
        {
            "id": f"s{number}",
            "sentence": f"In year {number} Anna saved the town that Boris had ruined, said Clara.",
            "targets": [
                {"mention": "Anna", "label": "positive"},
                {"mention": "“Boris", "label": "negative"},
                {"mention": "Clara", "label": "neutral"},
            ],
        }
        for number in range(n)
    ]
    moods = []
    for number in range(n):
        mean = 1.5 + number % 3  # 1.5 sad, 2.5 plain, 3.5 merry
        word = ("sad", "plain", "merry")[number % 3]
        means = [mean, mean, 3.0 + number % 20 / 10]
        moods.append({"id": f"doc{number}_1_2", "text": f"A {word} tale {number}.", "reader": means, "vad": means})
    write_lines(folder / "newsmtsc" / "sentences.jsonl", sentences)
    write_lines(folder / "emobank" / "test.jsonl", moods)
    return folder


def judge(folder: Path, *rules: Mapping[str, object], options: str = "") -> str:
    """A scripted model that knows Anna, Boris and Clara, and moods by their word."""
    targets = [
        {"match": f"text show {name}: ", "reply": next(iter(shares)), "logprobs": shares}
        for name, shares in (("Anna", GOOD), ("Boris", BAD), ("Clara", MIDDLE))
    ]
    moods = [
        {"match": f"A {word} tale", "reply": next(iter(shares)), "logprobs": shares}
        for word, shares in (("sad", BAD), ("plain", MIDDLE), ("merry", GOOD))
    ]
    other = {"reply": "5", "logprobs": MIDDLE}
    write_lines(folder / "rules.jsonl", [*rules, *targets, *moods, other])
    return f"{{engine: scripted, script: {folder / 'rules.jsonl'}{options}}}"


def figure(output: str, name: str) -> str:
    """What stands behind a name in the printed columns."""
    found = re.search(rf"^ +{re.escape(name)} +(.*)$", output, re.MULTILINE)
    assert found, output
    return found[1]


def test_a_judge_that_knows_the_targets_has_full_marks(tmp_path: Path) -> None:
    """Macro-F1 and order 1; `whole` is always in the middle: F1 of neutral alone, 1/2 over three signs, ties all."""
    data = write_data(tmp_path / "data")
    kept = ("--out", tmp_path / "out", "--rows", tmp_path / "rows.jsonl")
    done = bench("--data", data, "--model", judge(tmp_path), "--readings", 9, *kept)
    assert done.exit_code == 0, done.stdout + done.stderr
    assert "6 sentences, 6 with differently labelled targets" in done.stdout
    assert figure(done.stdout, "target, cuts 0.4 and 0.6").startswith("1.000 [1.000 to 1.000], n 18;")
    assert figure(done.stdout, "whole, cuts 0.4 and 0.6").startswith("0.167 ")
    assert figure(done.stdout, "all pairs: target").startswith("1.000 [")
    assert figure(done.stdout, "all pairs: whole").startswith("0.500 ")
    assert figure(done.stdout, "a positive and a negative: target minus whole").startswith("+0.500 ")
    assert figure(done.stdout, "valence").startswith("1.000 ")
    assert figure(done.stdout, "within 2 standard errors").startswith("1.000 [")
    assert figure(done.stdout, "by probabilities").startswith("1.0 calls,")
    assert figure(done.stdout, "by draws").startswith("5.0 calls,")
    assert "FAILS" not in done.stdout
    rows = [json.loads(line) for line in (tmp_path / "rows.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [sum(each["set"] == name for each in rows) for name in ("newsmtsc", "emobank", "readings")] == [18, 18, 9]
    assert {(each["target"], each["value"]) for each in rows if each["set"] == "newsmtsc"} == {
        ("Anna", 1.0),
        ("Boris", 0.0),
        ("Clara", 0.5),
    }


def test_words_are_a_scale_of_three(tmp_path: Path) -> None:
    """Good for Anna and bad for Boris are 1 and 0; probabilities in between are expected values in between."""
    data = write_data(tmp_path / "data")
    words = [
        {"match": f"text show {name}: ", "reply": word, "logprobs": shares}
        for name, word, shares in (
            ("Anna", "good", {"good": math.log(0.7), "neutral": math.log(0.3)}),
            ("Boris", "bad", {"bad": 0.0}),
            ("Clara", "neutral", {"neutral": 0.0}),
        )
    ]
    model = judge(tmp_path, *words, {"reply": "neutral", "logprobs": {"neutral": 0.0}})
    kept = ("--out", tmp_path / "out", "--rows", tmp_path / "rows.jsonl")
    done = bench("--data", data, "--model", model, "--emobank", 0, "--readings", 0, "--scale", "words", *kept)
    assert done.exit_code == 0, done.stdout + done.stderr
    rows = [json.loads(line) for line in (tmp_path / "rows.jsonl").read_text(encoding="utf-8").splitlines()]
    assert {each["target"]: (each["value"], each["shares"]) for each in rows} == {
        "Anna": (pytest.approx(0.85), [0.0, 0.3, 0.7]),
        "Boris": (0.0, [1.0, 0.0, 0.0]),
        "Clara": (0.5, [0.0, 1.0, 0.0]),
    }


def test_what_was_answered_is_not_asked_again(tmp_path: Path) -> None:
    """The second run sends nothing and prints the same figures, costs included."""
    data = write_data(tmp_path / "data")
    command = ("--data", data, "--model", judge(tmp_path), "--readings", 9, "--out", tmp_path / "out")
    first, second = bench(*command), bench(*command)
    n_calls = 6 * 4 + 6 * 3 + 9 * 5
    assert f"{n_calls} calls sent, 0 from the store" in first.stdout, first.stdout + first.stderr
    assert "0 calls sent" in second.stdout
    bodies = [re.sub(r"(?m)^.*( in all|from the store.*)$", "", each.stdout) for each in (first, second)]
    assert bodies[0] == bodies[1]


def test_a_judge_of_moods_alone_fails(tmp_path: Path) -> None:
    """It gives every target of a sentence the same: half of the pairs are right, and that is no better than `whole`."""
    data = write_data(tmp_path / "data")
    deaf = {"contains": "In what light does the text show", "reply": "9", "logprobs": GOOD}
    done = bench(
        "--data", data, "--model", judge(tmp_path, deaf), "--emobank", 0, "--readings", 0, "--out", tmp_path / "o"
    )
    assert done.exit_code == 1, done.stdout + done.stderr
    assert figure(done.stdout, "all pairs: target").startswith("0.500 ")
    assert "FAILS: `target` orders them better than `whole`" in done.stdout
    assert "EmoBank" not in done.stdout
    assert "Readings" not in done.stdout


def test_a_draw_that_is_not_the_expectation_shows(tmp_path: Path) -> None:
    """Probabilities say the middle and draws the top: .5 too high, never within two errors."""
    data = write_data(tmp_path / "data")
    torn = {"contains": "In what light does the text show", "reply": "9", "logprobs": MIDDLE}
    done = bench(
        "--data", data, "--model", judge(tmp_path, torn), "--emobank", 0, "--readings", 9, "--out", tmp_path / "o"
    )
    assert done.exit_code == 1, done.stdout + done.stderr
    assert figure(done.stdout, "draws minus probabilities").startswith("+0.500 ")
    assert figure(done.stdout, "mean absolute difference").startswith("0.500 ")
    assert figure(done.stdout, "within 2 standard errors").startswith("0.000 ")
    assert "FAILS: draws lie within 2 standard errors" in done.stdout


def test_what_the_time_does_not_hold_is_left_and_said(tmp_path: Path) -> None:
    """A slow judge answers some of the sentences, the figures are of those, and the next run has the rest to do."""
    data = write_data(tmp_path / "data", n=120)
    slow = judge(tmp_path, options=", calls_per_second: 100")
    command = ("--data", data, "--newsmtsc", 120, "--emobank", 120, "--readings", 0, "--out", tmp_path / "out")
    done = bench(*command, "--model", slow, "--minutes", 0.02)
    found = re.search(r"(\d+) of 240 sentences were read: the time was over", done.stdout)
    assert found, done.stdout + done.stderr
    assert 10 < int(found[1]) < 200
    n_targets, n_sentences = map(int, re.findall(r"NewsMTSC: (\d+) targets of (\d+) sentences", done.stdout)[0])
    assert n_targets == 3 * n_sentences
    rest = bench(*command, "--model", judge(tmp_path, options=", calls_per_second: 100000"))
    n_stored = int(re.findall(r"(\d+) from the store", rest.stdout)[0])
    assert n_stored > 30, rest.stdout
    assert "240 of 240 sentences were read" in rest.stdout


def test_evidence_that_is_not_in_the_text_makes_targets_missing(tmp_path: Path) -> None:
    """With --evidence a judge that invents its phrases has no target left, and the figures say why."""
    data = write_data(tmp_path / "data")
    invents = {"contains": "- phrase:", "reply": '{"phrase":"never said","other":"","reason":"so"}'}
    command = ("--data", data, "--emobank", 0, "--readings", 0, "--evidence", "--out", tmp_path / "out")
    done = bench(*command, "--model", judge(tmp_path, invents))
    assert done.exit_code == 1, done.stdout + done.stderr
    assert "no target has both values: no evidence" in done.stdout


@pytest.mark.parametrize("name", ["newsmtsc/sentences.jsonl", "emobank/test.jsonl"])
def test_absent_data_is_said_in_one_line(tmp_path: Path, name: str) -> None:
    """With the file that was looked for and the option that does without it."""
    data = write_data(tmp_path / "data")
    (data / name).unlink()
    done = bench("--data", data, "--model", judge(tmp_path), "--out", tmp_path / "out")
    assert done.exit_code == 2
    assert f"{name} does not exist" in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "out").exists()


def test_a_place_for_rows_is_looked_for_first(tmp_path: Path) -> None:
    """Not when all has been asked."""
    data, rows = write_data(tmp_path / "data"), tmp_path / "nowhere" / "rows.jsonl"
    done = bench("--data", data, "--model", judge(tmp_path), "--out", tmp_path / "out", "--rows", rows)
    assert done.exit_code == 2
    assert "nowhere is no folder" in " ".join(done.stderr.split())
    assert not (tmp_path / "out").exists()


def test_mistakes_are_told_in_one_line(tmp_path: Path) -> None:
    """As the shell has it: a line that is no row, with its file and number."""
    data = write_data(tmp_path / "data")
    with (data / "newsmtsc" / "sentences.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"id": "s", "sentence": "x", "targets": [{"mention": "x", "label": "maybe"}]}\n')
    command = [sys.executable, "-m", "benchmarks.affect", "--data", str(data), "--model", judge(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 2
    assert re.fullmatch(r"error: .*sentences.jsonl line 7: targets\[0\]: label: is 'maybe'; expected .*\n", done.stderr)


@pytest.mark.parametrize(("model", "told"), [("{engine: [", "is no YAML"), ("7", "is no model")])
def test_a_model_that_is_none_is_said(tmp_path: Path, model: str, told: str) -> None:
    """A slip in the table, and a number."""
    done = bench("--data", write_data(tmp_path / "data"), "--model", model, "--out", tmp_path / "out")
    assert done.exit_code == 2
    assert told in " ".join(done.stderr.split())
    assert not (tmp_path / "out").exists()


def test_an_unknown_card_is_an_error_of_the_user(tmp_path: Path) -> None:
    """Raised before anything is written."""
    with pytest.raises(ModelError, match="is not a model card"):
        bench("--data", write_data(tmp_path / "data"), "--model", "no-such-card", "--out", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_data_is_read_as_it_lies(tmp_path: Path) -> None:
    """Names lose the quotation marks around them, 1 to 5 becomes 0 to 1, and an id tells its document."""
    data = write_data(tmp_path)
    with (data / "newsmtsc" / "sentences.jsonl").open("a", encoding="utf-8") as file:
        twice = [{"mention": "Anna", "label": "positive"}, {"mention": '" Anna', "label": "negative"}]
        file.write(json.dumps({"id": "twice", "sentence": 'Anna, " Anna', "targets": twice}) + "\n")
    with (data / "emobank" / "test.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"id": "d_1_2", "text": "x", "reader": null, "vad": [1, 2, 3]}\n')
    sentences, moods = read_sentences(data), read_moods(data)
    assert len(sentences) == 6
    assert sentences[0].mentions == (Mention("Anna", 1), Mention("Boris", -1), Mention("Clara", 0))
    assert len(moods) == 6
    assert moods[0].reader == {"valence": 0.125, "arousal": 0.125, "dominance": 0.5}
    assert moods[0].document == "doc0"
