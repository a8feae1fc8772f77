"""A source, candidates about it, a rubric and replies by hand, for the calls and the flow of the panel."""

import json
import math

from localeval.inputs.segmenting import cut_sentences, cut_text
from localeval.keys import call_key
from localeval.methods.panel.rubrics import Criterion, Rubric
from localeval.methods.panel.schemas import PanelSettings
from localeval.texts import Candidate, Language, Source
from localeval.values import Call, Reply

SAID: dict[Language, str] = {
    "en": "The bridge opens on 3 June. Ana pays for the lamps. Rain delayed the painters by a week. "
    "The council meets again in July. Nobody asked about the toll.",
    "ru": "Мост откроют 3 июня. Лампы оплачивает Анна. Дождь задержал маляров на неделю. "
    "Совет снова соберётся в июле. О плате никто не спросил.",
    "zh": "大桥6月3日通车。灯由安娜付款。下雨让油漆工晚了一周。委员会七月再开会。没有人问过路费。",
}


def source(id: str = "s", language: Language = "en") -> Source:
    """Five sentences about a bridge."""
    cut = cut_text(SAID[language], language)
    assert len(cut.segments) == 5
    return Source(id, cut.text, cut.segments, language)


def candidate(system: str, text: str, about: Source) -> Candidate:
    """A text by a system, cut like any candidate."""
    return Candidate(about.id, system, text, segments=cut_sentences(text, about.language))


def candidates(about: Source, *systems: str) -> list[Candidate]:
    """One text a system; the first system's has two sentences and each further one's has one more."""
    return [
        candidate(system, " ".join(f"Point {place}.{line} holds here." for line in range(place + 2)), about)
        for place, system in enumerate(systems)
    ]


FAITHFULNESS = Criterion.model_validate(
    {
        "id": "faithfulness",
        "statement": "All is grounded.",
        "levels": {0: "Much is not.", 1: "A detail is not.", 2: "All is."},
    }
)
DATES = Criterion.model_validate(
    {
        "id": "dates",
        "na": True,
        "statement": "The dates are given.",
        "levels": {0: "None is.", 1: "Some are.", 2: "All are."},
    }
)


def rubric(*criteria: Criterion) -> Rubric:
    """Faithfulness and dates, or what is given."""
    return Rubric(category="default", language="en", criteria=criteria or (FAITHFULNESS, DATES))


def settings(**options: object) -> PanelSettings:
    """One judge named j, unless told."""
    return PanelSettings.model_validate({"judges": ["j"]} | options)


def said(score: str, cited: str = "1", proof: str = "2", **more: str) -> str:
    """The text of a judge's reply."""
    return json.dumps({"candidate": cited, "source": proof, "score": score} | more, separators=(",", ":"))


def reply(call: Call, text: str, **chances: float) -> Reply:
    """A reply; with `chances` the score's token has these probabilities, by option (s0, s1, s2, NA)."""
    logprobs: tuple[tuple[tuple[str, float], ...], ...] = ()
    if chances:
        ranked = sorted(chances.items(), key=lambda each: -each[1])
        score = tuple((option.removeprefix("s"), math.log(p)) for option, p in ranked)
        logprobs = ((('":"', -0.01),), score, (('"}', -0.01),), (("</s>", -0.01),))
    return Reply(call_key(call, call.model), text, logprobs=logprobs, output_tokens=20)
