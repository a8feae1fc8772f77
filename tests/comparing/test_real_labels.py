"""Public labels through `localeval judges compare`: the published figures come out.

SQuALITY lies in the data folder with 105 of its 300 rated texts. So its published agreement (alpha .80 over all texts,
.28 within model-written text) cannot come out: what does is held against an alpha worked out another way.
"""

import gzip
import json
import os
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from localeval.cli import main

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("LOCALEVAL_DATA", ROOT.parent / "shared" / "data"))

Json = dict[str, Any]


def needs(*parts: str) -> Path:
    """A file of the data folder; the test is skipped where it is absent."""
    path = DATA.joinpath(*parts)
    if not path.is_file():
        pytest.skip(f"{path} is not there; set LOCALEVAL_DATA to the folder of the public labelled sets")
    return path


def compared(*words: object) -> Json:
    """What the command prints as JSON."""
    result = CliRunner().invoke(main, ["judges", "compare", "--json", *map(str, words)], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    found: Json = json.loads(result.stdout)
    return found


def written(path: Path, rows: Iterator[Json]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def elitr_rows(path: Path) -> Iterator[Json]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            raters = ("gpt4", "prometheus", "human_gold", "human_silver")
            yield {
                "source": row["meeting"],
                "system": row["model"],
                "item": f"score/answer/{row['qid']}",
                "ratings": {rater: row[rater] for rater in raters},
            }


@pytest.fixture(scope="module")
def elitr(tmp_path_factory: pytest.TempPathFactory) -> Json:
    """ELITR-Bench: two hosted judges and the crowd's mean beside the experts."""
    path = needs("elitr_bench", "scored_responses.jsonl.gz")
    labels = written(tmp_path_factory.mktemp("elitr") / "elitr.jsonl", elitr_rows(path))
    judges = [word for judge in ("gpt4", "prometheus", "human_silver") for word in ("--judge", judge)]
    found = compared("--labels", labels, *judges)
    assert (found["judges"], found["people"]) == (["gpt4", "prometheus", "human_silver"], ["human_gold"])
    item: Json = found["items"][0]
    return item


@pytest.mark.parametrize(
    ("judge", "r", "bias"), [("gpt4", 0.82, 0.64), ("prometheus", 0.24, -1.24), ("human_silver", 0.89, None)]
)
def test_elitr_judges_beside_experts(elitr: Json, judge: str, r: float, bias: float | None) -> None:
    """GPT-4 r .82 and bias +.64, Prometheus r .24 and bias -1.24, the crowd's mean r .89, on 390 answers."""
    found = elitr["judges"][judge]["human_gold"]
    assert (found["n"], found["all"]["pearson"]["sources"]) == (390, 8)
    assert round(found["all"]["pearson"]["value"], 2) == r
    if bias is not None:
        assert round(found["all"]["bias"]["value"], 2) == bias


def test_elitr_leniency_by_answerer(elitr: Json) -> None:
    """GPT-4's bias: own answers +.40, LongAlpaca +1.02, Vicuna +.49; the gap 3.38 of people shrinks to 2.76."""
    found = elitr["judges"]["gpt4"]["human_gold"]
    bias = {system: round(row["bias"]["value"], 2) for system, row in found["systems"].items()}
    assert bias == {"GPT-4": 0.40, "LongAlpaca-7B": 1.02, "Vicuna-13B-v1.5": 0.49}
    gap = found["gap"]
    assert (gap["highest"], gap["lowest"]) == ("GPT-4", "LongAlpaca-7B")
    assert (round(gap["other"]["value"], 2), round(gap["judge"]["value"], 2)) == (3.38, 2.76)
    assert gap["leniency"]["low"] > 0
    assert round(found["all"]["mae"]["value"], 2) == 1.16


def squality_rows(path: Path) -> Iterator[Json]:
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        for aspect in ("correctness", "coverage", "overall"):
            yield {
                "source": row["passage_id"],
                "system": row["system"],
                "item": f"score/{aspect}/{row['q']}",
                "ratings": {each["rater"]: each[aspect] for each in row["ratings"]},
            }


def alpha_by_pairs(ratings: list[list[float]]) -> float:
    """Krippendorff's alpha at interval level from every two values, as its definition has it."""
    given = [each for each in ratings if len(each) > 1]
    values = [value for each in given for value in each]
    n = len(values)
    observed = sum(2 * sum((a - b) ** 2 for a, b in combinations(each, 2)) / (len(each) - 1) for each in given) / n
    expected = 2 * sum((a - b) ** 2 for a, b in combinations(values, 2)) / (n * (n - 1))
    return 1 - observed / expected


@pytest.fixture(scope="module")
def squality(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """SQuALITY's ratings as labels."""
    path = needs("squality", "human_eval.jsonl")
    return written(tmp_path_factory.mktemp("squality") / "squality.jsonl", squality_rows(path))


def test_squality_agreement_is_mostly_of_systems(squality: Path) -> None:
    """Alpha over all texts is high and that within model-written text low: the same as by definition, to 2 decimals."""
    rows = [json.loads(line) for line in squality.read_text(encoding="utf-8").splitlines()]
    for words, systems in (((), {"bart", "bart-dpr", "human"}), (("bart", "bart-dpr"), {"bart", "bart-dpr"})):
        chosen = [word for system in words for word in ("--system", system)]
        found = {item["item"]: item for item in compared("--labels", squality, *chosen)["items"]}
        for aspect in ("correctness", "coverage", "overall"):
            given = [
                list(map(float, row["ratings"].values()))
                for row in rows
                if row["item"].startswith(f"score/{aspect}/") and row["system"] in systems
            ]
            alpha = found[f"score/{aspect}"]["agreement"]["all"]["alpha_interval"]
            assert alpha["n"] == len(given)
            assert alpha["value"] == pytest.approx(alpha_by_pairs(given))
            if len(rows) == 900:  # all of the set
                published = {3: (0.46, 0.78, 0.80), 2: (-0.05, 0.27, 0.28)}[len(systems)]
                place = ("correctness", "coverage", "overall").index(aspect)
                assert round(alpha["value"], 2) == published[place]


def test_squality_one_rater_marks_high(squality: Path) -> None:
    """Rater 6 averages 81 on correctness, far above the others; rescaling each rater lifts alpha there."""
    found = compared("--labels", squality, "--item", "score/correctness", "--judge", "6")["items"][0]
    assert round(found["raters"]["6"]["mean"]) == 81
    assert all(row["mean"] < 60 for name, row in found["raters"].items() if name != "6")
    assert found["raters"]["6"]["severity"]["low"] > 15
    everybody = compared("--labels", squality, "--item", "score/correctness")["items"][0]["agreement"]["all"]
    assert everybody["alpha_z"]["value"] - everybody["alpha_interval"]["value"] > 0.1
    overall = compared("--labels", squality, "--item", "score/overall", "--judge", "6")["items"][0]
    assert "alpha_interval" in overall["judges"]["6"]["people"]["pooled_above_within"]
