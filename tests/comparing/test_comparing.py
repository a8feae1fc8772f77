"""`localeval.comparing.comparing`: judges whose faults are known, beside people."""

from typing import Any

import pytest

from localeval.comparing.comparing import compare_given
from localeval.comparing.given import Given
from localeval.comparing.within import Families
from localeval.inputs.judge_labels import JudgeLabel
from tests.comparing.label_material import audited, scored

Json = dict[str, Any]


def of(item: Json, judge: str, other: str = "people") -> Json:
    found: Json = item["judges"][judge][other]
    return found


@pytest.fixture(scope="module")
def scores() -> Json:
    """Three judges of scores beside two people."""
    families = Families({"lenient": "qwen", "fair": "llama"}, {"weak": "qwen", "strong": "gemma"})
    judges = ("fair", "lenient", "blind")
    found = compare_given(Given(tuple(scored()), judges, ("Ann", "Ben"), (), families))
    item: Json = found["items"][0]
    return item


@pytest.fixture(scope="module")
def verdicts() -> Json:
    """Two judges of verdicts beside three people."""
    found = compare_given(Given(tuple(audited()), ("sharp", "trusting"), ("Ann", "Ben", "Cid"), ()))
    item: Json = found["items"][0]
    return item


def test_a_fair_judge_follows_people_within_systems_too(scores: Json) -> None:
    """High over all texts and within a system, no bias, no leniency."""
    found = of(scores, "fair")
    assert (found["n"], found["missing"]) == (60, 0)
    assert found["all"]["pearson"]["low"] > 0.9
    assert found["within"]["pearson"]["low"] > 0.3
    assert abs(found["all"]["bias"]["value"]) < 3
    assert found["gap"]["leniency"]["low"] < 0 < found["gap"]["leniency"]["high"]
    assert found["pooled_above_within"] == []


def test_a_judge_that_sees_systems_alone_is_told(scores: Json) -> None:
    """Over all texts it looks good, within a system it is worth nothing, and that is named."""
    found = of(scores, "blind")
    assert found["all"]["alpha_interval"]["value"] > 0.7
    assert found["within"]["alpha_interval"]["low"] < 0 < found["within"]["alpha_interval"]["high"]
    assert found["pooled_above_within"] == ["alpha_interval", "pearson"]


def test_leniency_to_the_weak_is_measured(scores: Json) -> None:
    """30 more for the weak, none for the strong: bias by system, and the distance of the two shrinks by half."""
    found = of(scores, "lenient")
    bias = {system: row["bias"]["value"] for system, row in found["systems"].items()}
    assert bias == pytest.approx({"weak": 30, "middle": 15, "strong": 0}, abs=5)
    gap = found["gap"]
    assert (gap["highest"], gap["lowest"]) == ("strong", "weak")
    assert gap["judge"]["value"] == pytest.approx(gap["other"]["value"] - 30, abs=5)
    assert gap["leniency"]["low"] > 20
    assert scores["raters"]["lenient"]["severity"]["value"] == pytest.approx(found["all"]["bias"]["value"])


def test_own_family_where_it_is_known(scores: Json) -> None:
    """The lenient judge is of the weak system's family: its bias there against that on others; the fair one's family
    wrote nothing, the blind one has none."""
    found = of(scores, "lenient")["own_family"]
    assert found["family"] == "qwen"
    assert found["shift"]["value"] == pytest.approx(30, abs=5)
    assert of(scores, "fair")["own_family"] is None
    assert of(scores, "blind")["own_family"] is None


def test_people_are_the_ceiling(scores: Json) -> None:
    """Their own agreement, each beside the others, and the judges beside each of them."""
    assert scores["agreement"]["raters"] == ["Ann", "Ben"]
    assert scores["agreement"]["all"]["alpha_interval"]["value"] > 0.9
    assert scores["agreement"]["within"]["alpha_interval"]["value"] > 0.5
    assert set(scores["each"]) == {"Ann", "Ben"}
    assert list(scores["judges"]["fair"]) == ["people", "Ann", "Ben"]


def test_judges_together(scores: Json) -> None:
    """Three judges as one, and how many their errors make them worth: not more than three."""
    assert scores["together"]["all"]["pearson"]["value"] > 0.8
    worth = scores["effective"]["effective"]
    assert scores["effective"]["judges"] == 3
    assert 1.0 <= worth["low"] <= worth["value"] <= 3.0


def test_verdicts_have_classes_and_a_bias(verdicts: Json) -> None:
    """Majority of three; a confusion matrix that adds up; the bias is the difference of shares called unfaithful."""
    found = of(verdicts, "sharp")
    counts = found["confusion"]["counts"]
    assert found["confusion"]["classes"] == ["faithful", "unfaithful"]
    assert sum(map(sum, counts)) == found["n"] == 90
    assert found["tied"] == 0
    right = counts[0][0] + counts[1][1]
    assert found["all"]["accuracy"]["value"] == pytest.approx(right / 90)
    shares = (counts[0][1] + counts[1][1], counts[1][0] + counts[1][1])
    assert found["all"]["kappa"]["value"] > 0.6
    sure = of(verdicts, "sharp", "Ann")
    n = sure["confusion"]["counts"]
    assert sure["all"]["bias"]["value"] == pytest.approx((n[0][1] - n[1][0]) / 90)
    assert shares[0] > 0
    assert "pearson" not in found["all"]


def test_a_judge_that_finds_nothing_is_at_chance(verdicts: Json) -> None:
    """Balanced accuracy one half and kappa 0, although it is often right about the strong."""
    found = of(verdicts, "trusting")
    assert found["all"]["balanced_accuracy"]["value"] == 0.5
    assert found["all"]["kappa"]["value"] == pytest.approx(0.0)
    assert found["confusion"]["recall"]["unfaithful"]["value"] == 0.0
    assert found["systems"]["strong"]["bias"]["value"] > found["systems"]["weak"]["bias"]["value"]


def test_what_only_one_side_rated_is_named() -> None:
    """Items without a text in common are listed, and a judge's lacking verdicts are counted."""
    labels = [each for each in scored() if not (each.rater == "fair" and each.source in ("s0", "s1"))]
    labels += [JudgeLabel("s0", "weak", "score/style", "Ann", 3.0), JudgeLabel("s1", "weak", "class/x", "fair", "y")]
    found = compare_given(Given(tuple(labels), ("fair",), ("Ann", "Ben", "lenient", "blind"), ()))
    assert found["not_compared"] == ["score/style", "class/x"]
    assert of(found["items"][0], "fair")["missing"] == 6
    assert of(found["items"][0], "fair")["all"]["bias"]["missing"] == 6


def test_an_earlier_runs_judge_is_no_person() -> None:
    """Others are compared one by one and never pooled."""
    found = compare_given(Given(tuple(scored()), ("fair",), ("Ann",), ("lenient", "blind")))
    assert list(found["items"][0]["judges"]["fair"]) == ["Ann", "lenient", "blind"]
    assert found["items"][0]["agreement"] is None
    alone = compare_given(Given(tuple(scored()), ("fair",), (), ("blind",)))
    assert list(alone["items"][0]["judges"]["fair"]) == ["blind"]


def test_without_a_judge_people_are_compared() -> None:
    """Their agreement, severity and each beside the others."""
    found = compare_given(Given(tuple(scored()), (), ("Ann", "Ben", "blind"), ()))
    item = found["items"][0]
    assert item["judges"] == {}
    assert item["effective"] is None
    assert item["each"]["blind"]["pooled_above_within"] == ["alpha_interval", "pearson"]


def test_grades_are_classes_and_numbers() -> None:
    """0, 1, 2 by order and by distance, NA as a class alone; a tie of people has no class but a mean."""
    people = {"a": (2, 2), "b": (0, 0), "c": ("NA", "NA"), "d": (1, 2), "e": (0, 1), "f": (2, 2)}
    judged = {"a": 2, "b": 0, "c": "NA", "d": 2, "e": 0, "f": 1}
    labels = []
    for source, values in people.items():
        rows = zip(("Ann", "Ben", "judge"), (*values, judged[source]), strict=True)
        for rater, value in rows:
            given = value if isinstance(value, str) else float(value)
            labels.append(JudgeLabel(source, "x", "panel/topics", rater, given))
    found = of(compare_given(Given(tuple(labels), ("judge",), ("Ann", "Ben"), ()))["items"][0], "judge")
    assert (found["n"], found["tied"]) == (6, 2)
    assert found["confusion"]["classes"] == ["0", "1", "2", "NA"]
    assert found["confusion"]["counts"] == [[1, 0, 0, 0], [0, 0, 0, 0], [0, 1, 1, 0], [0, 0, 0, 1]]
    assert found["all"]["bias"]["n"] == 5
    assert found["all"]["bias"]["value"] == pytest.approx((0 + 0 + 0.5 - 0.5 - 1) / 5)
    assert found["within"]["kappa"] == {
        "value": None,
        "reason": "one system alone",
        "n": 6,
        "missing": 0,
        "sources": 0,
    }


def test_a_judge_that_calls_everything_inapplicable_is_compared() -> None:
    """NA is a class and no number: what is of numbers has none, and says so."""
    labels = [
        JudgeLabel(f"s{n}", "a", "panel/decisions", rater, value)
        for n in range(6)
        for rater, value in (("Ann", float(n % 3)), ("judge", "NA"))
    ]
    found = of(compare_given(Given(tuple(labels), ("judge",), ("Ann",), ()))["items"][0], "judge", "Ann")
    assert found["all"]["accuracy"]["value"] == 0
    assert {name for name, score in found["all"].items() if score["value"] is None} >= {"alpha_ordinal", "bias", "mae"}


def test_verdicts_that_are_all_the_same_have_a_width() -> None:
    """Four sources in which judge and person find nothing: neither agreement nor bias is certain."""
    labels = [JudgeLabel(f"s{n}", "a", "audit", rater, "faithful") for n in range(4) for rater in ("Ann", "judge")]
    found = of(compare_given(Given(tuple(labels), ("judge",), ("Ann",), ()))["items"][0], "judge", "Ann")["all"]
    assert found["ac1"]["low"] < 0 < found["ac1"]["value"] == 1
    assert found["bias"]["high"] == pytest.approx(1 - 0.05**0.25)
