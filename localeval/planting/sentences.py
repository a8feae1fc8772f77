"""Sentences that the source does not have, put in, and sentences with content, left out."""

import re
from collections.abc import Iterator, Sequence

from localeval.evidence.lookup import SourceIndex
from localeval.keys import derive_seed
from localeval.planting.inventing import invented, invented_report, unheard_matters
from localeval.planting.reports import BETWEEN, ORIGIN
from localeval.planting.schemas import Edit, Trusted
from localeval.texts import Segment

_BLOCK = re.compile(r"\s*(?:#{1,6}\s|[-*+•]\s|\d{1,3}[.)]\s|\||>)")
_LEANS_BACK = re.compile(
    r"(?:It|He|She|They|This|That|These|Those|His|Her|Their|Its|There(?:fore|upon)|Then|However|But|And|So"
    r"|Он|Она|Оно|Они|Это|Этот|Эта|Эти|Его|Её|Их|Там|Тогда|Поэтому|Однако|Но|А|И)\b|(?:这|那|他|她|它|其|因此|所以|但|然后|不过)"
)
_DECIDES = re.compile(
    r"\b(?:decid|agree|approv|reject|refus|promis|propos|suggest|recommend|must|will)|реши|согла|одобр|откл|отказ"
    r"|предлож|обеща|决定|同意|批准|拒绝|建议|答应"
)
_LEAST = {"en": 20, "ru": 20, "zh": 6}


def put_in(trusted: Trusted, persons: Sequence[str], seed: int) -> Iterator[Edit]:
    """A sentence that the source does not have in front of each sentence but the first and list items."""
    language, segments = trusted.source.language, trusted.candidate.segments
    matters = unheard_matters(trusted.source)
    for segment in segments[1:]:
        if _BLOCK.match(trusted.candidate.text, _line_start(trusted.candidate.text, segment.start)):
            continue
        invent = invented_report if trusted.origin == ORIGIN else invented
        sentence = invent(persons, matters, language, derive_seed(seed, trusted.source.id, segment.number))
        if sentence:
            gap = BETWEEN if trusted.origin == ORIGIN else "" if language == "zh" else " "
            yield Edit("invented sentence", segment.number, segment.start, segment.start, "", sentence + gap)


def left_out(trusted: Trusted, index: SourceIndex) -> Iterator[Edit]:
    """Each sentence with a name, a number or a decision taken out, where the next one does not lean on it."""
    text, segments = trusted.candidate.text, trusted.candidate.segments
    if len(segments) < 2:
        return
    for at, segment in enumerate(segments):
        words = trusted.candidate.words_of(segment)
        follower = trusted.candidate.words_of(segments[at + 1]) if at + 1 < len(segments) else ""
        has_content = index.items(words) or _DECIDES.search(words.lower())
        if len(words) < _LEAST[trusted.source.language] or not has_content or _LEANS_BACK.match(follower):
            continue
        start, end = _with_space(text, segments, at)
        yield Edit("dropped sentence", segment.number, start, end, text[start:end], "")


def _with_space(text: str, segments: Sequence[Segment], at: int) -> tuple[int, int]:
    """A sentence with the white space on that side where no paragraph ends, or where its own line does."""
    start, end = segments[at].start, segments[at].end
    before = segments[at - 1].end if at else 0
    after = segments[at + 1].start if at + 1 < len(segments) else len(text)
    if at and ("\n" not in text[before:start] or after == len(text)):
        return before, end
    if not at or "\n" in text[before:start]:
        return start, after if at + 1 < len(segments) else end
    return start, end


def _line_start(text: str, at: int) -> int:
    return text.rfind("\n", 0, at) + 1
