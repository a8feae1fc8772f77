"""`localeval.comparing.correcting`: means of a run corrected by labels of known truth."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from localeval.comparing.correcting import correct, corrections
from localeval.comparing.draws import add_draw
from localeval.comparing.given import Given
from localeval.errors import ConfigError, InputError
from localeval.inputs.judge_labels import JudgeLabel
from tests.comparing.judged_run import FAITHFUL, SYSTEMS, JudgedRun, make_run
from tests.comparing.label_material import audited, write_labels


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> JudgedRun:
    """A finished run before two judges."""
    return make_run(tmp_path_factory.mktemp("judged"))


@pytest.fixture(scope="module")
def corrected(judged: JudgedRun, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """By twelve labels of each system."""
    path = write_labels(tmp_path_factory.mktemp("labels") / "ann.jsonl", judged.labels(judged.some(12)))
    return correct(judged.folder, [path])


def true_mean(judged: JudgedRun, system: str) -> float:
    """The mean of all true grades of a system."""
    return float(np.mean([grade for (_, name), grade in judged.truth.items() if name == system]))


def test_means_are_nearer_to_the_truth(judged: JudgedRun, corrected: dict[str, Any]) -> None:
    """Each interval holds the true mean; corrected means are nearer than the judges' where these are far off."""
    (item,) = corrected["items"]
    assert (item["item"], item["scale"], item["labels"]) == (FAITHFUL, "grade", 36)
    assert set(item["systems"]) == set(SYSTEMS)
    for system, part in item["systems"].items():
        assert part["labels"] == 12
        assert part["corrected"]["low"] <= true_mean(judged, system) <= part["corrected"]["high"]
        assert part["corrected"]["n"] == 24
        assert part["worth"] > 10
        assert 0 <= part["weight"] <= 1
    gamma = item["systems"]["gamma"]
    far, near = (abs(gamma[name]["value"] - true_mean(judged, "gamma")) for name in ("judged", "corrected"))
    assert near < far
    assert item["all"]["by_system"]
    whole = float(np.mean(list(judged.truth.values())))
    assert item["all"]["corrected"]["low"] <= whole <= item["all"]["corrected"]["high"]


def test_ranks_before_and_after(corrected: dict[str, Any]) -> None:
    """The best is first in both; those that are not told apart share a rank."""
    ranks = {name: part["rank"] for name, part in corrected["items"][0]["systems"].items()}
    assert ranks["alpha"] == {"judged": 1, "corrected": 1}
    assert ranks["gamma"]["judged"] > 1
    assert ranks["gamma"]["corrected"] > 1


def test_judges_count_by_how_well_they_meet_the_labels(corrected: dict[str, Any]) -> None:
    """Weights sum to 1 and are above 0; one is not the other."""
    weights = corrected["items"][0]["weights"]
    assert sum(weights.values()) == pytest.approx(1)
    assert all(weight > 0 for weight in weights.values())
    assert weights["sharp"] != weights["kind"]


def test_a_judge_of_noise_counts_nothing(tmp_path: Path, judged: JudgedRun) -> None:
    """Labels that are the opposite of what both judges say leave equal weights, and the weight of both at 0."""
    texts = judged.some(12)
    wrong = [
        JudgeLabel(each.source, each.system, each.item, "Ann", 2.0 - float(each.value)) for each in judged.labels(texts)
    ]
    found = correct(judged.folder, [write_labels(tmp_path / "wrong.jsonl", wrong)])
    (item,) = found["items"]
    assert item["weights"] == {"sharp": 0.5, "kind": 0.5}
    assert item["systems"]["gamma"]["weight"] == 0
    assert item["systems"]["gamma"]["worth"] == pytest.approx(12)


def test_raters_are_averaged(tmp_path: Path, judged: JudgedRun) -> None:
    """Two raters who always differ by 2 have the mean in common, and count as one label a text."""
    texts = judged.some(8)
    ann = judged.labels(texts)
    ben = [JudgeLabel(each.source, each.system, each.item, "Ben", 2.0 - float(each.value)) for each in ann]
    found = correct(judged.folder, [write_labels(tmp_path / "two.jsonl", [*ann, *ben])])
    (item,) = found["items"]
    assert item["labels"] == 24
    assert {part["labels_alone"]["value"] for part in item["systems"].values()} == {1.0}
    assert found["people"] == ["Ann", "Ben"]


def test_probabilities_are_calibrated(corrected: dict[str, Any]) -> None:
    """Of "kind", which is .9 sure of a third of the bad texts: its error without chance is above 0, calibrated it is
    smaller, and the curves can be applied."""
    by_judge = {each["judge"]: each for each in corrected["calibration"]}
    assert set(by_judge) == {"sharp", "kind"}
    kind = by_judge["kind"]
    assert (kind["n"], kind["event"], kind["items"]) == (36, "grade 2", [FAITHFUL])
    assert set(kind["measured"]) == {"plain", "isotonic", "platt"}
    assert kind["measured"]["platt"]["ece"] < kind["measured"]["plain"]["ece"] + 0.02
    assert kind["curves"]["platt"]["kind"] == "platt"
    assert sum(each["share"]["n"] for each in kind["measured"]["plain"]["bins"]) == 36


def test_too_few_labels_are_told_and_not_used(tmp_path: Path, judged: JudgedRun) -> None:
    """A system with three labels has no corrected mean, and says why; all texts together still have one."""
    texts = [text for n, text in enumerate(judged.some(8)) if n < 16 or n >= 21]
    found = correct(judged.folder, [write_labels(tmp_path / "few.jsonl", judged.labels(texts))])
    (item,) = found["items"]
    gamma = item["systems"]["gamma"]
    assert gamma["corrected"]["value"] is None
    assert gamma["corrected"]["reason"] == "a correction needs labels from 6 sources, there are 3"
    assert gamma["judged"]["value"] is not None
    assert (gamma["labels"], gamma["rank"]) == (3, None)
    assert not item["all"]["by_system"]
    assert item["all"]["corrected"]["value"] is not None
    assert "it takes 20 of 5" in found["calibration"][0]["reason"]


def test_what_was_picked_for_doubt_stands_for_itself(tmp_path: Path) -> None:
    """All labels of doubtful texts, and the others' drawn at random: labels alone are weighed, too."""
    judged = make_run(tmp_path / "made")
    sources = sorted({source for source, _ in judged.truth})
    bad = [(source, "beta") for source in sources if judged.truth[source, "beta"] == 0][:6]
    rest = [(source, "beta") for source in sources if (source, "beta") not in bad]
    path = write_labels(tmp_path / "ann.jsonl", judged.labels([*bad, *rest[:9]]))
    plain = correct(judged.folder, [path])["items"][0]["systems"]["beta"]["labels_alone"]["value"]
    told = [{"source": s, "system": m, "why": "doubt", "chance": 1.0, "doubt": 1.0} for s, m in bad]
    add_draw(judged.folder, {"seed": 1, "budget": 15, "items": [FAITHFUL], "texts": told})
    found = correct(judged.folder, [path])
    weighed = found["items"][0]["systems"]["beta"]["labels_alone"]["value"]
    expected = (sum(judged.truth[text] for text in bad) + 18 * np.mean([judged.truth[text] for text in rest[:9]])) / 24
    assert weighed == pytest.approx(expected)
    assert weighed > plain
    assert found["picked"] == 6
    with pytest.raises(InputError, match="none that was drawn at random has a label"):
        correct(judged.folder, [write_labels(tmp_path / "bad.jsonl", judged.labels(bad))])


def test_rogan_gladen_takes_faults(judged: JudgedRun, tmp_path: Path) -> None:
    """Shares of texts with faithfulness below 2, with what is known of the judges; nothing has a weight or a rank."""
    path = write_labels(tmp_path / "ann.jsonl", judged.labels(judged.some(18)))
    found = correct(judged.folder, [path], "rogan-gladen")
    (item,) = found["items"]
    assert item["what"] == "share of texts with faithfulness below 2"
    assert set(item["known"]) == {"sensitivity", "specificity"}
    for system, part in item["systems"].items():
        faulty = 1 - true_mean(judged, system) / 2
        assert part["corrected"]["low"] <= faulty <= part["corrected"]["high"]
        assert (part["worth"], part["weight"], part["rank"]) == (None, None, None)


def test_rogan_gladen_is_refused_near_chance(judged: JudgedRun, tmp_path: Path) -> None:
    """Labels that have nothing to do with the judges' grades: sensitivity + specificity - 1 may be 0."""
    rng = np.random.default_rng(9)
    texts = judged.some(12)
    noise = [JudgeLabel(s, m, FAITHFUL, "Ann", float(2 * rng.integers(2))) for s, m in texts]
    with pytest.raises(InputError, match=r"hardly tells faulty from sound.*leave --method out"):
        correct(judged.folder, [write_labels(tmp_path / "noise.jsonl", noise)], "rogan-gladen")


def given_verdicts(n_labelled: int = 14) -> Given:
    """Verdicts of the judges "sharp" and "trusting" on thirty texts of three systems, of three people on some."""
    labels = [x for x in audited() if x.rater in ("sharp", "trusting") or int(x.source[1:]) < n_labelled]
    return Given(tuple(labels), ("sharp", "trusting"), ("Ann", "Ben", "Cid"), ())


def test_verdicts_are_shares_of_unfaithful_texts() -> None:
    """A judge that calls everything faithful meets people by chance alone and counts nothing; few faults rank first."""
    (item,), aside = corrections(given_verdicts(), frozenset())
    assert aside == []
    assert (item["item"], item["scale"]) == ("audit", "verdict")
    assert item["weights"] == {"sharp": 1.0, "trusting": 0.0}
    for system, true in (("weak", 0.8), ("middle", 0.5), ("strong", 0.2)):
        assert item["systems"][system]["corrected"]["low"] < true < item["systems"][system]["corrected"]["high"]
    assert item["systems"]["strong"]["rank"] == {"judged": 1, "corrected": 1}
    assert item["systems"]["weak"]["rank"]["corrected"] > 1


def test_rogan_gladen_takes_verdicts() -> None:
    """Sensitivity and specificity count fewer texts than were labelled, since those of a source are alike."""
    (item,), _ = corrections(given_verdicts(), frozenset(), "rogan-gladen")
    assert all(0.7 < each["right"] / each["n"] <= 1 for each in item["known"].values())
    assert sum(each["n"] for each in item["known"].values()) < 42
    for system, true in (("weak", 0.8), ("middle", 0.5), ("strong", 0.2)):
        assert item["systems"][system]["corrected"]["low"] < true < item["systems"][system]["corrected"]["high"]
    assert item["all"]["corrected"]["n"] == 90


def test_rogan_gladen_allows_for_texts_of_one_source() -> None:
    """Ten systems that err about the same ten of twenty sources tell as much as few of them: .5 within .2, not .08."""
    labels = [
        JudgeLabel(f"s{n}", f"m{m}", "audit", rater, "unfaithful" if n % 2 else "faithful")
        for n in range(20)
        for m in range(10)
        for rater in (("judge", "Ann") if m < 3 else ("judge",))
    ]
    (item,), _ = corrections(Given(tuple(labels), ("judge",), ("Ann",), ()), frozenset(), "rogan-gladen")
    found = item["all"]["corrected"]
    assert (found["value"], found["n"], found["sources"]) == (pytest.approx(0.5), 200, 20)
    assert found["high"] - found["low"] > 0.36


def test_few_of_a_kind_leave_the_judge_unknown() -> None:
    """Four labelled texts: no sensitivity and no specificity, and the reason names the kind that is short."""
    (item,), _ = corrections(given_verdicts(1), frozenset(), "rogan-gladen")
    assert "it takes 5 faulty and as many sound ones" in item["systems"]["weak"]["corrected"]["reason"]
    assert item["known"] is None
    assert item["systems"]["weak"]["judged"]["value"] is not None


@pytest.mark.parametrize(
    ("labels", "told"),
    [
        ([JudgeLabel("s00", "alpha", FAITHFUL, "Ann", 2.0)], "a correction needs labels from 6 sources, there are 1"),
        ([JudgeLabel("s00", "delta", FAITHFUL, "Ann", 2.0)], "the run has no system 'delta'"),
        ([JudgeLabel("s99", "alpha", FAITHFUL, "Ann", 2.0)], "the run has no source 's99'"),
    ],
)
def test_mistakes_are_told(judged: JudgedRun, tmp_path: Path, labels: list[JudgeLabel], told: str) -> None:
    """Too few labels, unknown systems and sources are one line each."""
    with pytest.raises(InputError, match=told):
        correct(judged.folder, [write_labels(tmp_path / "bad.jsonl", labels)])


def test_a_run_is_no_file_of_labels(judged: JudgedRun) -> None:
    """Judges cannot be corrected by judges."""
    with pytest.raises(ConfigError, match="is a folder; name a file of people's labels"):
        correct(judged.folder, [judged.folder])
