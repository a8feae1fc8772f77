"""`localeval.reading`: what is refused of a config once its models are known."""

from typing import Any

import pytest

from localeval.config import Config, parse_config
from localeval.errors import ConfigError
from localeval.methods.generate.pipeline import Pipeline
from localeval.methods.generate.schemas import SystemSettings
from localeval.models import Model
from localeval.models.cards import Card
from localeval.reading import check_distinct, check_judges


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


def system(name: str, of: str, **more: Any) -> Pipeline:
    settings = SystemSettings.model_validate({"model": of, **more})
    return Pipeline(name=name, settings=settings, generic=False, files={"user.jinja": "{{ text }}"}, variables={})


def test_one_system_under_two_names_is_refused() -> None:
    """Every text would count twice: also where its model has two names. Another sampling makes another system."""
    models = {"a": model("a"), "b": model("b", options={"tensor_parallel": 2}), "c": model("c", revision="s")}
    for twin in (system("y", "a", retries=1), system("y", "b")):
        with pytest.raises(
            ConfigError, match=r"^systems\.y: 'x' is the same model with the same prompt and sampling; "
        ):
            check_distinct({"x": system("x", "a"), "y": twin}, models)
    for other in (system("y", "a", temperature=0.5), system("y", "c")):
        check_distinct({"x": system("x", "a"), "y": other}, models)
