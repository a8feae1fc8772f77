"""Which of the three prompt languages a text is in."""

import re

from localeval.texts import Language

_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f]")
_CYRILLIC = re.compile(r"[\u0400-\u052f]+")
_LATIN = re.compile(r"[A-Za-z\u00c0-\u024f]+")
_HAN_PER_WORD = 1.5


def detect_language(text: str) -> Language:
    """`zh` where Chinese characters weigh most, `ru` where Cyrillic words do, else `en`.

    Counts words of each script; 1.5 Chinese characters count as one word, so that English terms in a Chinese text
    do not outvote it. Deterministic, and about scripts alone: it cannot tell Japanese (read as `zh` where it is
    mostly kanji, else as `en`) from Chinese, Ukrainian, Bulgarian or Serbian from Russian, or French and German
    from English, and a text with no letters is `en`. Where that matters, `language:` in the config decides.
    """
    han = len(_HAN.findall(text)) / _HAN_PER_WORD
    cyrillic = len(_CYRILLIC.findall(text))
    latin = len(_LATIN.findall(text))
    if han > max(cyrillic, latin):
        return "zh"
    return "ru" if cyrillic > latin else "en"
