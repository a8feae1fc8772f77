"""What the systems wrote, as it stands in scores.json: how much, and what is missing. Nothing here says how good."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from localeval.methods.generate.pipeline import Pipeline
from localeval.methods.generate.schemas import GeneratedText
from localeval.values import Missing

Json = dict[str, Any]


def score_generate(texts: Sequence[GeneratedText], pipelines: Mapping[str, Pipeline]) -> Json:
    """The part `methods.generate` of scores.json: docs/scores.md describes it field by field.

    Nothing of it depends on a clock, so that equal replies give equal bytes.
    """
    reasons = Counter(each.text.reason for each in texts if isinstance(each.text, Missing))
    return {
        "missing": reasons.total(),
        "missing_by_reason": dict(sorted(reasons.items())),
        "systems": {
            name: _system(pipeline, [each for each in texts if each.system == name])
            for name, pipeline in pipelines.items()
        },
    }


def _system(pipeline: Pipeline, texts: Sequence[GeneratedText]) -> Json:
    whole = [each for each in texts if not isinstance(each.text, Missing)]
    return {
        "model": pipeline.model,
        "incumbent": pipeline.incumbent,
        "generic": pipeline.generic,
        "pipeline": pipeline.hash,
        "texts": len(texts),
        "missing": len(texts) - len(whole),
        "missing_texts": [
            {"source": each.source, "reason": each.text.reason, "detail": each.text.detail}
            for each in texts
            if isinstance(each.text, Missing)
        ],
        "characters": _mean([len(each.text) for each in whole if isinstance(each.text, str)]),
        "output_tokens": _mean([each.output_tokens for each in whole]),
        "by_source": {each.source: _text(each) for each in texts},
    }


def _text(each: GeneratedText) -> Json:
    return {
        "characters": len(each.text) if isinstance(each.text, str) else None,
        "asked": each.asked,
        "finish": each.finish,
    }


def _mean(numbers: Sequence[int]) -> float | None:
    """The mean of the whole texts; None where there is none."""
    return sum(numbers) / len(numbers) if numbers else None
