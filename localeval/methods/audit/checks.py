"""What a program finds of a claim in the whole source, and what that does to an auditor's opinion of it.

A program only ever takes an accusation back or has it looked at again; it accuses nobody by itself. What stands in
the source exactly speaks for a claim. What stands there similarly speaks for nothing: a garbled name that was spelt
properly and one that was turned into another look the same.
"""

import re
from dataclasses import dataclass

from localeval.evidence.folding import tokens
from localeval.evidence.lookup import Found, SourceIndex
from localeval.evidence.wordlists import listed
from localeval.methods.audit.schemas import VALUE_FAULTS, Check, Claim, Ruling

_LEAST_WORDS, _LEAST_IDEOGRAPHS = 4, 8
_IDEOGRAPH = re.compile(r"[\u3400-\u9fff]")
_SHOWN_SEGMENTS = 4
"""Segments that are put in front of an auditor in the second look, at most."""
_DENIALS = listed(
    """
    not no t never nobody none nothing neither nor without cannot dont doesnt didnt isnt wasnt wont cant
    не ни нет нельзя никто никогда ничего без 不 没 沒 未 无 無 非 别
    """
)
"""Words, folded, that may turn into its opposite what stands beside them; the "t" is that of "didn't"."""
_DENYING_REACH = 6
"""Words on either side of a phrase among which one that denies it is looked for."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What was found, what it means, and what is to be done about it.

    With `is_rejected` an accusation falls and counts against the auditor. With `segments` not None the auditor looks a
    second time, with these segments in front (none: nothing like it stands anywhere).
    """

    check: Check
    found: tuple[Found, ...] = ()
    is_rejected: bool = False
    segments: tuple[int, ...] | None = None


def check(claim: Claim, ruling: Ruling, index: SourceIndex) -> Checked:
    """Holds an opinion on a claim against the whole source."""
    if ruling.opinion == "supported":
        return _check_support(claim, index)
    if is_telling(claim.phrase) and (stands := index.find_phrase(claim.phrase)):
        return _check_words_that_stand(claim, ruling, stands, index)
    found = index.find(claim.phrase)
    if ruling.opinion == "contradicted" and ruling.segments:
        return _check_contradiction(claim, ruling, found, index)
    return _check_absence(claim, ruling, found, index)


def is_telling(phrase: str) -> bool:
    """Whether a phrase is long enough that its standing in the source says something: "the plan" stands anywhere."""
    # by both counts: "1 - 2 - 3" has three words, and "I don't know" too
    n_words = min(len(phrase.split()), len(tokens(phrase)))
    return n_words >= _LEAST_WORDS or len(_IDEOGRAPH.findall(phrase)) >= _LEAST_IDEOGRAPHS


def _check_support(claim: Claim, index: SourceIndex) -> Checked:
    """A name or number that the source does not have as such is looked at again: it may have been overlooked."""
    found = index.find(claim.phrase)
    if all(each.match == "exact" for each in found):
        return Checked("everything stands in the source" if found else "nothing to check", found)
    return Checked(_what(found), found, segments=_places(found, claim, index))


def _check_words_that_stand(claim: Claim, ruling: Ruling, stands: tuple[int, ...], index: SourceIndex) -> Checked:
    """The phrase was said; what can still be accused is what the claim adds to it, and what the source denies of it."""
    if ruling.kind in VALUE_FAULTS:
        beyond = _beyond(claim, (), index)
        is_open = any(each.match != "exact" for each in beyond)
    else:
        beyond = ()
        is_open = _says_more(claim) or _is_denied(claim.phrase, index)
    if not is_open:
        return Checked("phrase stands in the source", is_rejected=True)
    return Checked("phrase stands in the source", beyond, segments=stands[:_SHOWN_SEGMENTS])


def _says_more(claim: Claim) -> bool:
    """Whether a claim has a word that its phrase has not, be it a name for a "she", a "not" or an "all"."""
    return not {word.key for word in tokens(claim.text)} <= {word.key for word in tokens(claim.phrase)}


def _is_denied(phrase: str, index: SourceIndex) -> bool:
    """Whether something that may deny it stands beside a phrase wherever the source has it."""
    return all(not _DENIALS.isdisjoint(words) for words in index.beside(phrase, _DENYING_REACH))


def _beyond(claim: Claim, found: tuple[Found, ...], index: SourceIndex) -> tuple[Found, ...]:
    """What the claim as it stands alone names besides what was found of its phrase: a name in place of a pronoun."""
    known = {each.item.text.casefold() for each in found}
    return tuple(each for each in index.find(claim.text) if each.item.text.casefold() not in known)


def _check_contradiction(claim: Claim, ruling: Ruling, found: tuple[Found, ...], index: SourceIndex) -> Checked:
    """The cited segments must be able to contradict: where the accused name or number stands in them, only another
    value there, or a denial, does."""
    if any(each.match == "near" for each in found) and all(each.match != "absent" for each in found):
        return Checked(_what(found), found, segments=_places(found, claim, index))
    if ruling.kind not in VALUE_FAULTS or not found or any(each.match != "exact" for each in found):
        return Checked(_what(found), found)
    if all(set(each.segments) & set(ruling.segments) for each in found):
        check: Check = "everything stands in the cited segments"
        if _may_say_otherwise(ruling.segments, found, index):
            return Checked(check, found, segments=ruling.segments[:_SHOWN_SEGMENTS])
        return Checked(check, found, is_rejected=True)
    segments = dict.fromkeys(number for each in found for number in each.segments[:1])
    return Checked("everything stands in the source", found, segments=tuple(segments)[:_SHOWN_SEGMENTS])


def _may_say_otherwise(segments: tuple[int, ...], found: tuple[Found, ...], index: SourceIndex) -> bool:
    """Whether segments that hold what was found also hold another number or date of its kind, or deny something."""
    words = index.words_of(segments)
    kinds = {each.item.kind for each in found} - {"name"}
    known = {each.item.text.casefold() for each in found}
    has_rival = any(each.kind in kinds and each.text.casefold() not in known for each in index.items(words))
    return has_rival or any(word.key in _DENIALS for word in tokens(words))


def _check_absence(claim: Claim, ruling: Ruling, found: tuple[Found, ...], index: SourceIndex) -> Checked:
    """An accusation that rests on nothing being there (a contradiction that cites nothing is one too)."""
    if not found:
        return Checked("nothing to check", segments=index.nearest(claim.phrase))
    if any(each.match == "absent" for each in found):
        return Checked("does not stand in the source", found)
    if any(each.match == "near" for each in found):
        return Checked("only something similar stands in the source", found, segments=_places(found, claim, index))
    if claim.unit == "relation" or ruling.kind not in VALUE_FAULTS:
        # the names and numbers are all there: what is accused is how they hang together
        return Checked("everything stands in the source", found, segments=_places(found, claim, index))
    beyond = _beyond(claim, found, index)
    if any(each.match != "exact" for each in beyond):
        return Checked(_what(beyond), (*found, *beyond), segments=_places((*beyond, *found), claim, index))
    return Checked("everything stands in the source", found, is_rejected=True)


def _what(found: tuple[Found, ...]) -> Check:
    if not found:
        return "nothing to check"
    if any(each.match == "absent" for each in found):
        return "does not stand in the source"
    if any(each.match == "near" for each in found):
        return "only something similar stands in the source"
    return "everything stands in the source"


def _places(found: tuple[Found, ...], claim: Claim, index: SourceIndex) -> tuple[int, ...]:
    """Where to look again: first what is only similar, then what is exact, then what reads most like the phrase."""
    doubtful = [number for each in found if each.match == "near" for number in each.segments[:2]]
    sure = [number for each in found if each.match == "exact" for number in each.segments[:1]]
    return tuple(sorted(dict.fromkeys([*doubtful, *sure, *index.nearest(claim.phrase)][:_SHOWN_SEGMENTS])))
