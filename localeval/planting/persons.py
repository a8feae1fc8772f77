"""The people of a source, as it names those who speak."""

import re
from collections import Counter

from localeval.evidence.lexicon import is_ordinary, russian_readings
from localeval.evidence.names import names
from localeval.evidence.wordlists import listed
from localeval.texts import Language, Source

_NOBODY = re.compile(
    r"(?:speaker|unknown|voice|all|narrator|host|говорящий|ведущий|голос|все|说话人|主持人)\W*\w{0,3}", re.I
)
_LONGEST = 40
_LEAST_SAID = 2
_SAYS = listed(
    """
    said says asked asks replied replies answered answers thought thinks told tells explained explains agreed
    agrees promised promises suggested suggests nodded smiled laughed shouted whispered reported reports proposed
    proposes сказал сказала спросил спросила ответил ответила предложил предложила объяснил объяснила согласился
    согласилась
    """
)
_SURNAME_FIRST = re.compile(r"[^\W\d_]+(?:[ -][^\W\d_]+)?")


def persons_of(source: Source) -> tuple[str, ...]:
    """The speakers of a source in the order in which they first speak; where it has none, who says something in it.

    Numbered and unknown voices are left out. Without speakers, a name counts that stands at least twice before a verb
    of saying: "Anna said", "Анна сказала". Chinese text without speakers gives none.
    """
    speakers = dict.fromkeys(segment.speaker for segment in source.segments if segment.speaker)
    known = tuple(name for name in speakers if len(name) <= _LONGEST and not _NOBODY.fullmatch(name.strip()))
    return known or _who_says(source)


def _who_says(source: Source) -> tuple[str, ...]:
    """The names that stand before a verb of saying, the most frequent first."""
    if source.language == "zh":
        return ()
    counts: Counter[str] = Counter()
    for name in names(source.text, source.language):
        after = re.match(r"\s+([^\W\d_]+)", source.text[name.end : name.end + 24])
        is_plain = _SURNAME_FIRST.fullmatch(name.text) and not is_ordinary(name.text.lower())
        if after and after[1] in _SAYS and is_plain:
            counts[name.text] += 1
    return tuple(name for name, count in counts.most_common() if count >= _LEAST_SAID)


def gender_of(name: str, language: Language) -> str:
    """Of a Russian person's name "masc" or "femn", where its forename or surname tells; else ""."""
    if language != "ru":
        return ""
    for word in name.lower().replace("ё", "е").split():
        for _, marks in russian_readings(word):
            if {"Name", "Surn", "Patr"} & marks:
                return "femn" if "femn" in marks else "masc" if "masc" in marks else ""
    return ""
