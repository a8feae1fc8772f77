"""English words with one true opposite, each in every form."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from localeval.planting.english_verbs import Verb, regular, verbs

_VERBS = """
increase/decrease rise/fall grow/shrink accept/reject approve/reject open/close buy/sell begin/end
start/finish raise/lower add/remove hire/dismiss support/oppose include/exclude improve/worsen
strengthen/weaken widen/narrow lengthen/shorten love/hate like/dislike remember/forget praise/criticise lend/borrow
expand/reduce confirm/deny accelerate/slow encourage/discourage appear/disappear save/waste
"""
_IRREGULAR = {
    "shrink": Verb("shrink", "shrinks", "shrank", "shrunk"),
    "borrow": regular("borrow"),
}
_ONE_WAY = frozenset({"approve", "shrink"})
"""Verbs that are no opposite's only opposite: "rejected" becomes "accepted", not "approved"."""

_WORDS = """
higher/lower larger/smaller bigger/smaller earlier/later better/worse longer/shorter faster/slower
warmer/colder hotter/colder easier/harder stronger/weaker wider/narrower highest/lowest largest/smallest
biggest/smallest earliest/latest best/worst longest/shortest fastest/slowest strongest/weakest
positive/negative possible/impossible safe/dangerous public/private above/below inside/outside indoors/outdoors
majority/minority advantage/disadvantage advantages/disadvantages success/failure profit/loss satisfied/dissatisfied
happy/unhappy necessary/unnecessary temporary/permanent maximum/minimum weekday/weekend weekdays/weekends
morning/afternoon mornings/afternoons useful/useless successful/unsuccessful simple/complicated easy/difficult
early/late more/fewer optimistic/pessimistic voluntary/compulsory acceptable/unacceptable familiar/unfamiliar
agreement/disagreement increase/decrease increases/decreases always/never indoor/outdoor
important/unimportant reliable/unreliable popular/unpopular convenient/inconvenient comfortable/uncomfortable
friendly/unfriendly legal/illegal correct/incorrect complete/incomplete satisfactory/unsatisfactory
rich/poor strong/weak wide/narrow heavy/light thick/thin bright/dark tall/short improvement/deterioration
internal/external upper/lower before/after
"""
_PHRASES = {
    "more than": "less than",
    "less than": "more than",
    "fewer than": "more than",
    "at least": "at most",
    "at most": "at least",
    "in favour of": "against",
    "in favor of": "against",
    "agreed to": "refused to",
    "refused to": "agreed to",
    "agrees to": "refuses to",
    "refuses to": "agrees to",
    "agreed with": "disagreed with",
    "disagreed with": "agreed with",
    "agrees with": "disagrees with",
    "allowed to": "forbidden to",
    "forbidden to": "allowed to",
    "more expensive": "cheaper",
    "cheaper": "more expensive",
    "less expensive": "dearer",
    "turned down": "accepted",
    "went up": "went down",
    "went down": "went up",
    "gone up": "gone down",
    "gone down": "gone up",
    "goes up": "goes down",
    "goes down": "goes up",
}
_NOT_WORDS = frozenset({"before", "after", "upper", "more", "fewer", "end", "ends", "like", "likes", "open", "close"})
_FIXED = re.compile(
    r"\b(?:at (?:best|worst)|had better|better off|so long|no longer|sooner or later|as of late|of late|too late"
    r"|more or less|more and more|once more|any more|best known|latest (?:news|version)|at the latest|full[- ]time"
    r"|full (?:stop|name|moon)|public (?:holiday|house|school|sector|transport)|private sector|heavy (?:rain|metal)"
    r"|outside of|open to|light(?:ly)? of|short of|old (?:man|age)|young (?:man|woman)|rich in|poor (?:man|thing)"
    r"|early bird|up to date|up to (?:him|her|them|you|us)|opening|closed-circuit|better known|above all|inside out"
    r"|(?:begin|began|begun|start|end|finish)\w* (?:to|with|by|off|out|over|as|up|in|\w+ing)"
    r"|started? up|ended? up|lost (?:in|without|contact|control)|easy[- ]to|open(?:s|ed)? (?:source|mind|up)"
    r"|best (?:of|interests?)|tall order|dark (?:blue|green|red)|light (?:blue|green|red))\b",
    re.I,
)


@lru_cache(maxsize=1)
def opposites() -> Mapping[str, str]:
    """Each word that has one with its opposite, in the same form; phrases of two words too."""
    found: dict[str, str] = {}
    for pair in _VERBS.split():
        left, right = (_verb(base) for base in pair.split("/"))
        for one, other in zip(left[1:], right[1:], strict=True):
            found.setdefault(one, other)
            if left.base not in _ONE_WAY:
                found.setdefault(other, one)
    for pair in _WORDS.split():
        one, other = pair.split("/")
        found.setdefault(one, other)
        found.setdefault(other, one)
    return {word: other for word, other in found.items() if word not in _NOT_WORDS} | _PHRASES


def fixed_phrases(sentence: str) -> Iterator[tuple[int, int]]:
    """Where a word is part of a phrase that has no opposite."""
    return (found.span() for found in _FIXED.finditer(sentence))


@lru_cache(maxsize=1)
def sorts() -> Mapping[str, str]:
    """Of each opposite's form what it is: "past", "third", "more", "most" or "word"; alike are one another's others."""
    found: dict[str, str] = {}
    for pair in _VERBS.split():
        for base in pair.split("/"):
            _, third, past, participle = _verb(base)
            found |= {third: "third", past: "past"}
            found.setdefault(participle, "participle")
    for pair in _WORDS.split():
        for word in pair.split("/"):
            sort = "more" if word.endswith("er") else "most" if word.endswith("est") else "word"
            found.setdefault(word, sort)
    return found


def _verb(base: str) -> Verb:
    return _IRREGULAR.get(base) or verbs().get(base) or regular(base)
