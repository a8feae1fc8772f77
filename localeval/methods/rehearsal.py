"""Specimen replies to any method's calls, so that `localeval plan` can drive the real flows without a model."""

from localeval.methods.affect.rehearsal import rehearse as rehearse_affect
from localeval.methods.audit.rehearsal import rehearse as rehearse_audit
from localeval.methods.generate.rehearsal import rehearse as rehearse_generate
from localeval.methods.panel.rehearsal import rehearse as rehearse_panel
from localeval.methods.quiz.rehearsal import rehearse as rehearse_quiz
from localeval.texts import Language
from localeval.values import Call


def rehearse(call: Call, number: int, language: Language) -> str:
    """The text of a specimen reply to a call; `number` tells the calls of a plan apart."""
    method = call.stage.partition("/")[0]
    if method == "panel":
        return rehearse_panel(call)
    if method == "audit":
        return rehearse_audit(call)
    if method == "affect":
        return rehearse_affect(call, language)
    if method == "generate":
        return rehearse_generate(call, language)
    if method == "check":
        return _reworded(call)
    return rehearse_quiz(call, number, language)


def _reworded(call: Call) -> str:
    """The text that is to be reworded, with a word more: what a rewording is usually as long as."""
    fenced = call.messages[-1].parts[0].strip().split("\n")
    return "\n".join(fenced[1:-1]) + " So much for that."
