"""The people of a source, as it names those who speak."""

import re
from collections import Counter

from localeval.evidence.lexicon import is_ordinary, russian_readings
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
_SAID_BY = re.compile(
    r"(?<![\w’'-])(?P<name>[A-ZА-ЯЁ][^\W\d_]+(?:[ -][A-ZА-ЯЁ][^\W\d_]+)?)\s+(?P<verb>[a-zа-яё]+)(?![\w’'-])"
)


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
    counts = Counter(
        found["name"]
        for found in _SAID_BY.finditer(source.text)
        if found["verb"] in _SAYS and not all(is_ordinary(word.lower()) for word in found["name"].split())
    )
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
