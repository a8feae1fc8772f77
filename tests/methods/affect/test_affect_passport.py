"""The passport of a study, and the limits that it states."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from localeval.methods.affect.passport import passport
from localeval.methods.affect.readings import AffectLabel, AffectStudy, Flags, Portrait, Reading
from localeval.methods.affect.schemas import AffectSettings, Target
from localeval.methods.affect.score import score_affect
from localeval.methods.affect.wordings import Role, Wording, WordingSet
from localeval.values import Missing
from tests.methods.affect.readings import UNNAMED, VAD, Design, portrait, read, settings, study, text

WORDINGS = WordingSet(
    language="en",
    wordings=tuple(Wording(id=f"wording{n}", prompt=f"Write ({n}) about {{target}}.") for n in range(4)),
    roles=(Role(id="critic", system="You are a critic."), Role(id="fan", system="You are a fan.")),
)
ONE = dict.fromkeys(VAD, 0.75)


def issued(
    made: AffectStudy,
    asked: AffectSettings,
    families: Mapping[str, str] | None = None,
    labels: tuple[AffectLabel, ...] = (),
    weights: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """The passport of a study, as a run issues it."""
    scores = score_affect(made, asked, labels)
    identities = {"judge": "f" * 64, **(weights or {})}
    return passport("demo", "1.0", made, asked, scores, identities, families or {}, "p" * 64, {"en": WORDINGS})


def sources(n: int = 6, flags: Flags | Missing | None = None) -> AffectStudy:
    """Sources that portray Ada."""
    return study([read(text(f"t{k}"), ONE, [portrait("Ada", ONE, flags or Flags(1.0))]) for k in range(n)])


def test_passport_says_what_the_numbers_rest_on() -> None:
    """Scorer, contracts, axes with anchors, targets, reading, coverage, flags, status, ceilings; no date, no path."""
    made, asked = sources(), settings()
    found = issued(made, asked, {"judge": "qwen"})
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert (found["schema"], found["name"]) == ("localeval.passport/1", "demo")
    assert found["made"] == {"localeval": "1.0"}
    assert found["scorers"] == {
        "judge": {
            "identity": "f" * 64,
            "family": "qwen",
            "prompts": "p" * 64,
            "axes": {"en": made.axes["en"].hash},
        }
    }
    assert found["contracts"] == ["target", "whole"]
    valence = found["axes"]["en"]["axes"][0]
    assert valence["id"] == "valence"
    assert valence["target"]["anchors"] == {"0.0": "none", "0.5": "some", "1.0": "all"}
    assert valence["target"]["words"] == ["low", "middle", "high"]
    assert [axis["id"] for axis in found["axes"]["en"]["axes"]] == list(VAD)
    assert found["targets"] == [{"name": "Ada", "kind": "other", "aliases": [], "proposed": False}]
    assert (found["of"], found["systems"], found["wordings"]) == ("sources", {}, None)
    assert found["reading"]["points"] == 3
    assert found["coverage"] == {
        "texts": 6,
        "missing_texts": 0,
        "asked": 36,
        "scored": 36,
        "share": 1.0,
        "missing_by_reason": {},
        "missing_proposals": 0,
    }
    assert found["flags"]["judge"]["portraits"] == 6
    assert found["status"]["judge"]["target"]["arousal"] == "directional"
    assert [each["axis"] for each in found["ceilings"]] == list(VAD)


def test_texts_from_files_are_no_models_of_the_run() -> None:
    """A system that is called as the judge is: who wrote a text that came in a file is not known."""
    rows = [read(text(f"t{k}/judge", f"t{k}", system="judge"), ONE, [portrait("Ada", ONE)]) for k in range(3)]
    found = issued(study(rows), settings(), {"judge": "qwen"})
    assert found["systems"] == {"judge": {"identity": None, "family": ""}}


def test_passport_of_elicited_texts_has_their_wordings() -> None:
    """The conditions, and the prompts and roles that were used; who wrote, with what is known of it."""
    design = Design()
    asked = design.settings(elicit={"roles": ["fan"]})
    found = issued(design.study(lambda *cell: 0.5), asked, {"system0": "qwen", "judge": "llama"})
    assert found["wordings"] == {
        "ids": ["wording0", "wording1"],
        "samples": 3,
        "temperature": 0.7,
        "tokens": 300,
        "languages": {
            "en": {
                "hash": WORDINGS.hash,
                "prompts": {f"wording{n}": f"Write ({n}) about {{target}}." for n in range(2)},
                "roles": {"fan": "You are a fan."},
            }
        },
    }
    assert found["systems"]["system0"] == {"identity": None, "family": "qwen"}
    assert [each["name"] for each in found["targets"]] == [f"target{n}" for n in range(6)]


def test_proposed_targets_are_told_from_given_ones() -> None:
    """What a model found stands behind what the user named."""
    rows = [read(text("a"), ONE, [portrait("Bob", ONE), portrait("Ada", ONE)])]
    found = issued(study(rows), settings(propose=3))
    assert [(each["name"], each["proposed"]) for each in found["targets"]] == [("Ada", False), ("Bob", True)]
    assert "Targets were proposed by a model, judge: what it does not notice is not in the study." in found["limits"]


def test_a_sound_study_still_has_the_limits_of_its_kind() -> None:
    """Without labels, with one judge: directional axes, the ceilings, and who scored alone. No more."""
    limits = issued(sources(), settings())["limits"]
    assert [each.split(":")[0].split(",")[0] for each in limits] == [
        "Directional only",
        "Not calibrated",
        "No labels were given",
        "People agree only so far",
        "One judge alone",
    ]
    assert "Arousal, Dominance" in limits[0]
    assert "Valence 0.34 (0.85), Arousal 0.25 (0.78), Dominance 0.22 (0.77)" in limits[3]


def test_labels_lift_the_limits_of_what_they_calibrate() -> None:
    """An axis that people's scores bear out under every contract is no longer called directional."""
    true = np.random.default_rng(3).uniform(0.1, 0.9, 40)
    rows = [read(text(f"t{n}"), {}, [portrait("Ada", dict.fromkeys(VAD, float(v)))]) for n, v in enumerate(true)]
    labels = tuple(
        AffectLabel(f"t{n}", "target", axis, float(v), "Ada")
        for axis in ("arousal", "dominance")
        for n, v in enumerate(np.clip(true + 0.02 * (-1.0) ** np.arange(40), 0, 1))
    )
    found = issued(study(rows), settings(contracts=["target"]), labels=labels)
    assert found["status"]["judge"]["target"]["dominance"] == "calibrated"
    assert found["human"]["judge"]["target"]["arousal"]["n"] == 40
    starts = [each[:12] for each in found["limits"]]
    assert "Directional " not in starts
    assert "No labels we" not in starts
    assert "Not calibrat" in starts


@pytest.mark.parametrize(
    ("families", "words"),
    [
        ({}, "system0 scored texts that it wrote itself"),
        ({"system0": "qwen", "system1": "qwen", "system2": "llama"}, "system0 is of the family of system1 (qwen)"),
    ],
)
def test_judge_that_wrote_is_named(families: Mapping[str, str], words: str) -> None:
    """A judge that is one of the systems, or of the family of one."""
    design = Design()
    made = design.study(lambda *cell: 0.5, judge="system0")
    limits = issued(made, design.settings(judges=["system0"]), families)["limits"]
    assert any(words in each for each in limits)


def test_the_same_weights_under_another_name_are_the_same_model() -> None:
    """A judge that wrote texts is named, whatever the config calls the writer."""
    design = Design()
    made = design.study(lambda *cell: 0.5)
    words = "judge scored texts that it wrote itself, and models favour their own."
    assert words in issued(made, design.settings(), weights={"system1": "f" * 64})["limits"]
    assert words not in issued(made, design.settings(), weights={"system1": "e" * 64})["limits"]


def test_models_without_a_family_are_no_kin() -> None:
    """Two models of which nothing is known are not of one family, nor are different ones."""
    design = Design()
    made = design.study(lambda *cell: 0.5)
    for families in ({}, {"judge": "unknown", "system0": "unknown"}, {"judge": "qwen", "system0": "llama"}):
        assert not any("favour" in each for each in issued(made, design.settings(), families)["limits"])


def test_missing_scores_are_a_limit_below_the_bar() -> None:
    """Coverage below 80 % is said with its main reason, texts that were not given besides."""
    rows = list(sources(5).read)
    rows[0] = read(text("t0"), ONE, [Portrait(Target(name="Ada"), UNNAMED)])
    assert not any(each.startswith("Only") for each in issued(study(rows), settings())["limits"])
    rows[1:3] = [read(text(f"t{n}"), ONE, [Portrait(Target(name="Ada"), UNNAMED)]) for n in (1, 2)]
    limits = issued(study(rows), settings())["limits"]
    assert "Only 70% of what was asked has a score (mostly: not covered); the rest may differ from it." in limits
    rows[3] = read(replace(text("t3"), text=Missing("refused", "")), {})
    assert "1 of 5 texts were not given by the systems that were asked." in issued(study(rows), settings())["limits"]
    assert "There is no score at all." in issued(study([]), settings())["limits"]


def test_way_of_reading_is_a_limit_where_it_is_a_weak_one() -> None:
    """Draws instead of probabilities, no evidence, no flags."""
    drawn = [
        replace(each, whole=tuple(replace(item, readings=(Reading(0.5, 0.1, (), (5,)),)) for item in each.whole))
        for each in sources().read
    ]
    limits = issued(study(drawn), settings(evidence=False, flags=False))["limits"]
    assert "18 of 36 readings are means of 5 draws, not read from probabilities." in limits
    assert sum(each.startswith(("No evidence", "No flags")) for each in limits) == 2
    mood = issued(study(drawn), settings(contracts=["whole"], targets=[], flags=False))["limits"]
    assert not any(each.startswith("No flags") for each in mood)


def test_few_of_anything_is_a_limit() -> None:
    """Fewer than five sources, targets or systems say little of others."""
    assert "Few sources (4): the numbers say little of others." in issued(sources(4), settings())["limits"]
    design = Design(targets=4, systems=3)
    limits = issued(design.study(lambda *cell: 0.5), design.settings())["limits"]
    assert "Few targets (4): the numbers say little of others." in limits
    assert "Few systems (3): the numbers say little of others." in limits
