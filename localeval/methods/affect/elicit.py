"""The generation layer: systems write about a target, through several wordings, several times each."""

from collections.abc import Mapping
from dataclasses import dataclass

from localeval.flow import Flow
from localeval.keys import derive_seed
from localeval.methods.affect.axes import PLACE
from localeval.methods.affect.readings import AffectText
from localeval.methods.affect.schemas import ElicitSettings, Target
from localeval.methods.affect.wordings import WordingSet
from localeval.methods.asking import ask
from localeval.prompts import one_line
from localeval.texts import Language
from localeval.values import Call, FreeText, Message, Missing, Reply, Sampling


@dataclass(frozen=True, slots=True)
class Condition:
    """One way to ask: a wording in a language and a role. `system` is "" where no role is given."""

    name: str
    language: Language
    prompt: str
    system: str = ""


def conditions(settings: ElicitSettings, sets: Mapping[Language, WordingSet]) -> tuple[Condition, ...]:
    """Every wording in every language, without a role and in each; the plain one comes first.

    A name is the wording's id, with "/" and the language where there are several, and "/" and the role where one is
    given. Raises KeyError for an id that a set lacks (`localeval.inputs.wording_files` has checked them).
    """
    found = []
    for role in ("", *settings.roles):
        for language in settings.languages:
            prompts = {wording.id: wording.prompt for wording in sets[language].wordings}
            systems = {each.id: each.system for each in sets[language].roles}
            for wording in settings.wordings:
                parts = (wording, language if len(settings.languages) > 1 else "", role)
                name = "/".join(part for part in parts if part)
                found.append(Condition(name, language, prompts[wording], systems[role] if role else ""))
    return tuple(found)


def text_id(target: Target, system: str, condition: Condition, sample: int) -> str:
    """The id of an elicited text."""
    return f"{target.name}/{system}/{condition.name}/{sample}"


def elicit(
    target: Target, system: str, condition: Condition, sample: int, settings: ElicitSettings, seed: int, retries: int
) -> Flow[AffectText]:
    """The text of one system about a target. One that is cut or empty is asked anew, and then missing."""
    name = text_id(target, system, condition, sample)
    prompt = condition.prompt.replace(PLACE, target.name)
    messages = [Message("user", (prompt,))]
    if condition.system:
        messages.insert(0, Message("system", (condition.system,)))
    sampling = Sampling(
        max_tokens=settings.tokens,
        temperature=settings.temperature,
        # not by the system's name: two systems are asked the same
        seed=derive_seed(seed, "elicit", target.name, condition.name, sample),
    )
    call = Call(system, tuple(messages), FreeText(), sampling, "affect/elicit", name)
    text = (yield from ask([call], [_read], lambda each: each, retries))[0]
    return AffectText(name, target.name, text, condition.language, system, condition.name, sample)


def _read(reply: Reply) -> str | Missing:
    if reply.missing is not None:
        return reply.missing
    if reply.finish == "length":
        return Missing("truncated", f"cut after {reply.output_tokens} tokens")
    text = reply.text.strip()
    return text if one_line(text) else Missing("invalid", "the system wrote nothing")
