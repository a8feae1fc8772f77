"""What may be said in other words without saying anything else."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from localeval.evidence.wordlists import in_order
from localeval.planting.changes import Change, in_case_of, is_kept, kept_spans

_WORDS = """
instead of=rather than|in order to=so as to|due to=because of|owing to=because of|because of=owing to
approximately=about|therefore=thus|however=nevertheless|nevertheless=however|although=even though|whereas=while
in addition=besides|additionally=in addition|furthermore=moreover|moreover=furthermore|stated that=said that
believed that=thought that|thought that=believed that|proposed that=suggested that|suggested that=proposed that
purchased=bought|bought=purchased|commences=begins|commenced=began|started to=began to|began to=started to
starts to=begins to|begins to=starts to|until=till|whole=entire|entire=whole|a year=per year|a month=per month
a week=per week|a day=per day|per year=a year|per month=a month|per week=a week|per day=a day|twice=two times
immediately=at once|frequently=often|often=frequently|discussed=talked about|assisted=helped|obtained=got
receives=gets|received=got|informed=told|informs=tells|currently=at present|at present=currently|afterwards=later
attempts to=tries to|tries to=attempts to|tried to=attempted to|attempted to=tried to|trying to=attempting to
despite=in spite of|in spite of=despite|prior to=before|regarding=concerning|concerning=regarding
for example=for instance|for instance=for example|nearly=almost|almost=nearly|several=a number of|toward=towards
towards=toward|whilst=while|amongst=among|utilises=uses|utilizes=uses|utilized=used|utilised=used|occurs=happens
occurred=happened|begins=starts|big=large|colour=color|color=colour|colours=colors|colors=colours|centre=center
center=centre|favour=favor|favor=favour|favourite=favorite|favorite=favourite|behaviour=behavior|behavior=behaviour
realises=realizes|realizes=realises|realised=realized|realized=realised|organised=organized|organized=organised
recognised=recognized|recognized=recognised|neighbours=neighbors|neighbors=neighbours|neighbour=neighbor
neighbor=neighbour|travelled=traveled|traveled=travelled|cancelled=canceled|canceled=cancelled|grey=gray|gray=grey
"""
"""Words and what may always stand for them."""
_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
_ONES = in_order(
    """
    two three four five six seven eight nine ten eleven twelve
    """
)
_FORMS: Sequence[tuple[re.Pattern[str], str]] = (
    (re.compile(rf"\b(?P<day>\d{{1,2}}) (?P<month>{_MONTHS})\b(?! ?\d|,? \d{{4}})"), r"\g<month> \g<day>"),
    (re.compile(rf"\b(?P<month>{_MONTHS}) (?P<day>\d{{1,2}})\b(?!\d|,|:| \d)"), r"\g<day> \g<month>"),
    (re.compile(r"(?<=\d)%"), " per cent"),
    (re.compile(r"(?<=\d) per ?cent\b"), "%"),
    (
        re.compile(r"£(?P<sum>\d+(?:,\d{3})*)(?![\d.,]*\d|[/-]|\s*(?:million|billion|thousand|m|k|bn)\b)"),
        r"\g<sum> pounds",
    ),
    (
        re.compile(r"(?<!US)\$(?P<sum>\d+(?:,\d{3})*)(?![\d.,]*\d|[/-]|\s*(?:million|billion|thousand|m|k|bn)\b)"),
        r"\g<sum> dollars",
    ),
    (re.compile(r"\b(?P<verb>does|do|did|is|are|was|were|has|have|had|would|could|should) not\b"), r"\g<verb>n't"),
    (re.compile(r"\b(?P<verb>does|do|did|is|are|was|were|has|have|had|would|could|should)n['’]t\b"), r"\g<verb> not"),
    (re.compile(r"\b(?P<who>[Ii]t|[Hh]e|[Ss]he|[Tt]hat|[Tt]here) is(?= (?!not\b)[a-z])"), r"\g<who>'s"),
    (re.compile(r"\b(?P<who>[Tt]hey|[Ww]e|[Yy]ou) are(?= (?!not\b)[a-z])"), r"\g<who>'re"),
    (re.compile(r"\b(?P<who>[Tt]hey|[Ww]e|[Yy]ou)['’]re\b"), r"\g<who> are"),
    (re.compile(r"\bcannot\b"), "can't"),
    (re.compile(r"\bwill not\b"), "won't"),
)
_SPELT = re.compile(rf"\b(?P<word>{'|'.join(_ONES)})\b(?= [a-z]+s\b)", re.I)


@lru_cache(maxsize=1)
def _pattern() -> re.Pattern[str]:
    words = sorted(_words(), key=lambda word: (-len(word), word))
    return re.compile(rf"(?<![\w'’-])(?:{'|'.join(map(re.escape, words))})(?![\w'’-])", re.I)


@lru_cache(maxsize=1)
def _words() -> Mapping[str, str]:
    pairs = (pair.partition("=") for pair in _WORDS.replace("\n", "|").strip("|").split("|"))
    return {word: other for word, _, other in pairs}


def english_rewordings(text: str) -> list[Change]:
    kept = kept_spans(text, "en")
    words = [
        Change(found.start(), found.end(), in_case_of(_words()[found[0].lower()], found[0]))
        for found in _pattern().finditer(text)
        if not found[0].isupper() and not is_kept(found.start(), found.end(), kept)
    ]
    forms = [
        Change(found.start(), found.end(), found.expand(form))
        for pattern, form in _FORMS
        for found in pattern.finditer(text)
    ]
    spelt = [
        Change(found.start(), found.end(), str(_ONES.index(found["word"].lower()) + 2))
        for found in _SPELT.finditer(text)
        if not is_kept(found.start(), found.end(), kept)
    ]
    return [*words, *forms, *spelt]
