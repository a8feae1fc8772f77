"""English statements that become denials, and denials that become statements."""

import re
from collections.abc import Iterator

from localeval.evidence.wordlists import listed
from localeval.planting.changes import Change, clause_around, is_kept, kept_spans
from localeval.planting.english_verbs import finite, participles, verbs

DENIAL = re.compile(
    r"\b(?:not|never|no|nobody|none|nothing|neither|nor|without|hardly|barely|scarcely|cannot|nowhere|few|little|unless"
    r"|refus\w+|fail\w*|den(?:y|ies|ied)|lack\w*|un(?:able|likely))\b|n['’]t\b",
    re.I,
)
"""What denies or half denies; where it stands a denial more would be doubled or say little."""

_OPEN = re.compile(
    r"\?|\b(?:if|whether|unless|would rather|in case|provided|suppose|imagine|as though|as if|not only)\b", re.I
)
_SCOPE = re.compile(
    r"\b(?:all|every|everyone|everybody|everything|each|any|some|someone|something|both|only|either|until|till|too"
    r"|also|still|already|just|even|always|usually|often|sometimes|rather than|instead of|because|since|so that"
    r"|as|how|than|most|many|several|almost|nearly|quite|very|enough)\b",
    re.I,
)
"""What a denial in the same clause would bind to in more than one way."""
_AFTER_NOT = re.compile(
    r"\b(?:any|anyone|anybody|anything|yet|either|at all|until|till|but|nor|much|every|all|both|ever|only)\b", re.I
)

_AUXILIARY = re.compile(
    r"\b(?P<verb>is|are|was|were|will|would|can|could|should|has|have|had|does|do|did)\s+(?P<next>[A-Za-z]+)"
)
_BE = frozenset({"is", "are", "was", "were"})
_PERFECT = frozenset({"has", "have", "had"})
_NOT_AFTER_BE = listed(
    """
    there no not this that what who where when why how it he she they one
    """
)
_ADVERBS = listed(
    """
    then now soon finally later again recently currently
    """
)
_NOT = re.compile(
    r"\b(?P<verb>is|are|was|were|will|would|can|could|should|must|has|have|had|does|do|did)"
    r"(?:\s+not\b|n['’]t\b|(?<=can)not\b)(?P<next>\s+(?P<word>[A-Za-z]+))?"
)
_IRREGULAR_NOT = re.compile(r"\b(?P<verb>won|can|Won|Can)['’]t\b|\b(?P<cannot>[Cc]annot)\b")
_NO_LONGER = re.compile(r"\bno longer\b")
_WORD = re.compile(r"[A-Za-z]+")
_SUBJECT = re.compile(
    r"(?:(?:[Oo]n|[Ii]n|[Aa]t|[Ff]rom|[Aa]fter|[Bb]efore|[Dd]uring) (?:the )?(?:[\w:]+ ){1,3}?"
    r"|(?:[Ll]ater|[Tt]hen|[Ff]inally|[Ss]o|[Aa]nd|[Bb]ut|[Tt]hat)\s)?"
    r"(?:[Hh]e|[Ss]he|[Tt]hey|[Ww]e|[Ii]t|I|(?:(?:Dr|Mr|Mrs|Ms|Prof)\.? )?[A-Z][\w’'.-]*(?: [A-Z][\w’'.-]*){0,2}"
    r"|(?:[Tt]he|[Aa]|[Aa]n|[Hh]is|[Hh]er|[Tt]heir|[Ii]ts|[Oo]ur) [a-z]+)\s+"
)
"""What stands between the beginning of a clause and its verb, where it is a subject and no more."""
_OBJECT = re.compile(r"\s+(?:the|a|an|his|her|their|its|our|this|these|those|to|on|in|[A-Z]\w+|\d[\d,.]*|[£$€]\d\S*)\b")


_SURE_OBJECT = re.compile(
    r"\s+(?:the|a|an|his|her|their|its|our|this|these|those|[A-Z]\w+|\d[\d,.]*|[£$€]\d\S*|(?:on|in) (?:[A-Z]|\d))"
)
"""What stands behind a past that could be a participle, where it is none: not "designed to", "sent by"."""
_TO_DO = listed("agree decide plan promise refuse want offer need try like prefer help")


def english_denials(sentence: str) -> Iterator[Change]:
    """Every change of a sentence by which one statement is denied, or one denial taken back."""
    if _OPEN.search(sentence) or sentence.rstrip().endswith(":"):
        return
    kept = kept_spans(sentence, "en")
    for change in (*_denied(sentence), *_done(sentence), *_taken_back(sentence)):
        if not is_kept(change.start, change.end, kept) or change.start == change.end:
            yield change


def _may_be_denied(sentence: str, at: int) -> bool:
    """Whether the clause around a place has no denial, nor anything that a denial would bind to."""
    start, end = clause_around(sentence, at, "en")
    clause = sentence[start:end]
    behind = sentence[end : end + 14]
    return not (
        DENIAL.search(clause) or _SCOPE.search(clause) or re.match(r"\s?(?:because|so that|although|but not)", behind)
    )


def _denied(sentence: str) -> Iterator[Change]:
    """ "was approved" as "was not approved", "will" as "will not"."""
    for found in _AUXILIARY.finditer(sentence):
        verb, word = found["verb"], found["next"]
        if not _may_be_denied(sentence, found.start()) or not _is_auxiliary(verb, word):
            continue
        before = sentence[: found.start()].rstrip().rsplit(" ", 1)[-1].lower()
        if before in {"there", "what", "to", "that's", "as", "than", ""} or (verb in {"do", "does", "did"}):
            continue
        yield Change(found.start(), found.end("verb"), "cannot" if verb == "can" else f"{verb} not")


def _is_auxiliary(verb: str, word: str) -> bool:
    """Whether a verb form with this word behind it takes "not" and nothing else."""
    if verb in _BE:
        return word not in _NOT_AFTER_BE and word not in _ADVERBS
    if verb in _PERFECT:
        return word in participles() or (word.endswith("ed") and len(word) > 4)
    return word == "be" or word in verbs()


def _done(sentence: str) -> Iterator[Change]:
    """ "approved the plan" as "did not approve the plan", "signs on" as "does not sign on"."""
    for found in _WORD.finditer(sentence):
        known = finite().get(found[0])
        if known is None or not _may_be_denied(sentence, found.start()):
            continue
        verb, is_past = known
        start, _ = clause_around(sentence, found.start(), "en")
        is_clear = not is_past or verb.past != verb.participle or verb.base in _TO_DO
        behind = (_OBJECT if is_clear else _SURE_OBJECT).match(sentence, found.end())
        if _SUBJECT.fullmatch(sentence, start, found.start()) and behind:
            helper = "did" if is_past else "does"
            yield Change(found.start(), found.end(), f"{helper} not {verb.base}")


def _taken_back(sentence: str) -> Iterator[Change]:
    """ "was not approved" as "was approved", "did not approve" as "approved", "no longer" as "still"."""
    for found in _NOT.finditer(sentence):
        clause = sentence[slice(*clause_around(sentence, found.start(), "en"))]
        if len(DENIAL.findall(clause)) > 1 or _AFTER_NOT.search(
            sentence, found.end("verb"), _clause_end(sentence, found.start())
        ):
            continue
        verb, word = found["verb"], found["word"] or ""
        if verb in {"does", "do", "did"}:
            if word in verbs():
                known = verbs()[word]
                form = {"does": known.third, "did": known.past, "do": known.base}[verb]
                yield Change(found.start(), found.end(), form)
        elif word:
            yield Change(found.start(), found.start("next"), verb)
    for found in _IRREGULAR_NOT.finditer(sentence):
        if not _AFTER_NOT.search(sentence, found.end(), _clause_end(sentence, found.start())):
            whole = found["verb"] or found["cannot"]
            yield Change(found.start(), found.end(), {"won": "will", "Won": "Will", "can": "can"}.get(whole, whole[:3]))
    for found in _NO_LONGER.finditer(sentence):
        yield Change(found.start(), found.end(), "still")


def _clause_end(sentence: str, at: int) -> int:
    end = sentence.find(",", at)
    return len(sentence) if end < 0 else end + 5
