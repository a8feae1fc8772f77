"""The people of a source, as it names those who speak."""

import re

from localeval.texts import Source

_NOBODY = re.compile(r"(?:speaker|unknown|voice|all|говорящий|说话人|спикер)\W*\w{0,3}", re.I)
_LONGEST = 40


def persons_of(source: Source) -> tuple[str, ...]:
    """The speakers of a source in the order in which they first speak; numbered and unknown voices left out."""
    speakers = dict.fromkeys(segment.speaker for segment in source.segments if segment.speaker)
    return tuple(name for name in speakers if len(name) <= _LONGEST and not _NOBODY.fullmatch(name.strip()))
