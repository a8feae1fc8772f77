"""What systems wrote, in scores.json: how much and what is missing, nothing of a clock."""

import json
from dataclasses import replace

from localeval.methods.generate.schemas import GeneratedText
from localeval.methods.generate.score import score_generate
from localeval.values import Missing
from tests.methods.generate.generate_systems import system

FILES = {"user.jinja": "{{ text }}"}
PIPELINES = {"a": system(FILES, "a", incumbent=True), "b": system(FILES, "b", model="big")}
TEXTS = (
    GeneratedText("x", "a", "12345", output_tokens=3, seconds=1.0),
    GeneratedText("y", "a", "123456789", output_tokens=6, asked=2),
    GeneratedText("x", "b", Missing("truncated", "cut after 9 tokens"), "length", 3, output_tokens=9),
    GeneratedText("y", "b", Missing("invalid", "the system wrote nothing"), asked=2),
)


def test_each_system_has_its_texts_and_what_is_missing() -> None:
    """Lengths are means of the whole texts; a cut one is named with its reason and counts nowhere."""
    scores = score_generate(TEXTS, PIPELINES)
    assert (scores["missing"], scores["missing_by_reason"]) == (2, {"invalid": 1, "truncated": 1})
    assert scores["systems"]["a"] == {
        "model": "small",
        "incumbent": True,
        "generic": False,
        "pipeline": PIPELINES["a"].hash,
        "texts": 2,
        "missing": 0,
        "missing_texts": [],
        "characters": 7.0,
        "output_tokens": 4.5,
        "by_source": {
            "x": {"characters": 5, "asked": 1, "finish": "stop"},
            "y": {"characters": 9, "asked": 2, "finish": "stop"},
        },
    }
    second = scores["systems"]["b"]
    assert (second["texts"], second["missing"], second["characters"], second["output_tokens"]) == (2, 2, None, None)
    assert second["missing_texts"] == [
        {"source": "x", "reason": "truncated", "detail": "cut after 9 tokens"},
        {"source": "y", "reason": "invalid", "detail": "the system wrote nothing"},
    ]
    assert second["by_source"]["x"] == {"characters": None, "asked": 3, "finish": "length"}


def test_no_time_is_in_it() -> None:
    """Equal replies give equal bytes, however long they took."""
    slower = tuple(replace(each, seconds=99.0, first_token_s=9.0) for each in TEXTS)
    assert json.dumps(score_generate(slower, PIPELINES)) == json.dumps(score_generate(TEXTS, PIPELINES))


def test_a_system_without_texts_is_there() -> None:
    """With nothing, not left out."""
    assert score_generate((), PIPELINES)["systems"]["b"]["texts"] == 0
