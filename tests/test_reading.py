"""`localeval.reading`: what is refused of a config once its models are known."""

from typing import Any

import pytest

from localeval.config import Config, parse_config
from localeval.errors import ConfigError
from localeval.models import Model
from localeval.models.cards import Card
from localeval.reading import check_judges


def config(methods: str) -> Config:
    head = "name: x\nsources: [{path: s}]\ncandidates: [{path: c.jsonl}]\nmodels: {a: a, b: b}\n"
    text = f"{head}methods: {{{methods}}}\n"
    return parse_config(text, "x.yaml")


def model(name: str, **more: Any) -> Model:
    return Model.model_validate(
        {"name": name, "card": Card(name=name, family="f"), "engine": "vllm", "revision": "r"} | more
    )


@pytest.mark.parametrize(
    ("methods", "place"),
    [("panel: {judges: [a, b]}", "methods.panel.judges"), ("audit: {auditors: [a, b]}", "methods.audit.auditors")],
)
def test_one_model_under_two_names_is_no_second_judge(methods: str, place: str) -> None:
    """It would repeat itself, and confirm its own accusations; what only changes its speed makes no other model."""
    twins = {"a": model("a"), "b": model("b", options={"tensor_parallel": 2})}
    with pytest.raises(ConfigError, match=f"{place}: 'a' and 'b' are the same model") as caught:
        check_judges(config(methods), twins)
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize("more", [{"revision": "s"}, {"options": {"quantization": "fp8"}}, {"engine": "transformers"}])
def test_models_that_may_say_another_thing_are_two(more: dict[str, Any]) -> None:
    """Other weights, options or engine; and scripted models, with which nothing is measured."""
    both = config("panel: {judges: [a, b]}, audit: {auditors: [a, b]}")
    check_judges(both, {"a": model("a"), "b": model("b", **more)})
    check_judges(both, {name: model(name, engine="scripted") for name in "ab"})


def test_a_judge_may_be_an_auditor_too() -> None:
    """Two roles are not two voices."""
    check_judges(config("panel: {judges: [a]}, audit: {auditors: [a]}"), {"a": model("a"), "b": model("b")})
