"""Whether a rewording keeps what a program can see."""

import re

from localeval.evidence.folding import tokens
from localeval.evidence.lexicon import forms
from localeval.evidence.names import names
from localeval.evidence.quantities import compare, quantities
from localeval.texts import Language

_SHORTEST, _LONGEST = 0.6, 1.6
_DENIALS = {
    "en": re.compile(r"\b(?:not|never|no|nobody|none|nothing|neither|nor|without|cannot|nowhere)\b|n['’]t\b", re.I),
    "ru": re.compile(r"\b(?:не|ни|нет|никто|ничего|никогда|без|нельзя|невозможно)\b", re.I),
    "zh": re.compile(r"没有|没|不(?!过|仅|但|断|管|论)|未(?!来)|无(?!论|线)|别(?=[^的人处名])|非(?!常)"),
}


def why_not_paraphrase(text: str, written: str, language: Language) -> str:
    """Why a rewording may not stand for a text: "" where nothing speaks against it, else the reason, for people.

    It is another text, of 0.6 to 1.6 times the length, has the same names, every number, date and time of the text
    and no other, and as many denials. What only a reader sees, such as a word that became its opposite, is not seen.
    """
    if not written.strip():
        return "it is empty"
    if written.split() == text.split():
        return "it is the same text"
    share = len(written) / max(len(text), 1)
    if not _SHORTEST <= share <= _LONGEST:
        return f"it is {share:.1f} times as long"
    return (
        _other_names(text, written, language)
        or _other_quantities(text, written, language)
        or _other_denials(text, written, language)
    )


def _other_names(text: str, written: str, language: Language) -> str:
    for one, other, verb in ((text, written, "lacks the name"), (written, text, "has the new name")):
        held = {form for token in tokens(other) for form in forms(token.key)}
        squeezed = "".join(token.key for token in tokens(other))
        for name in names(one, language):
            keys = [token.key for token in tokens(name.text)]
            if "".join(keys) not in squeezed and not all(held & forms(key) for key in keys):
                return f"it {verb} {name.text!r}"
    return ""


def _other_quantities(text: str, written: str, language: Language) -> str:
    for one, other, verb in ((text, written, "lacks"), (written, text, "has the new")):
        said = quantities(other, language, loose=True)
        for quantity in quantities(one, language):
            if not any(compare(quantity, each) == "exact" for each in said):
                return f"it {verb} {quantity.kind} {quantity.text!r}"
    return ""


def _other_denials(text: str, written: str, language: Language) -> str:
    before, after = (len(_DENIALS[language].findall(one)) for one in (text, written))
    return "" if before == after else f"it has {after} denials in place of {before}"
