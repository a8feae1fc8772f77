"""Whether a name that stands in a text is only a part of another, longer one: York in New York, 北京 in 北京大学."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import Literal

from localeval.evidence.chinese_names import is_person, may_end_name
from localeval.evidence.folding import Token, is_cyrillic, is_han
from localeval.evidence.lexicon import cases, is_chinese_word, is_ordinary, may_be_name
from localeval.evidence.text_names import CONNECTORS, FIRST_IN_PLACES, TextNames, is_opening
from localeval.evidence.wordlists import listed
from localeval.evidence.written_names import GENERATIONS

DEMONYMS = listed(
    "american british german french russian chinese ukrainian israeli iranian turkish canadian italian spanish mexican"
    " indian australian european texas california florida iowa ohio nazi soviet communist"
)
"""What may stand before a name with a capital and is no forename, folded."""
_OF_A_BODY = listed(
    """
    airport center centre library tower towers avenue street stadium university college school hospital institute
    foundation memorial prize award boulevard square bridge hall park organization organisation group
    """
)
_OF_THE_NAMED = listed("government administration campaign presidency cabinet era white team family")
_BETWEEN_TWO = listed(
    """
    meeting battle feud summit rivalry talks deal race debate ticket fight dispute relationship war border campaign
    matchup clash call alliance conversation agreement pact row era relations conflict duel contest friendship
    """
)
"""What follows two names that a hyphen joins and that are not one: the Biden-Warren meeting."""
_BEFORE_HYPHEN = listed("anti pro ex non post pre pan neo про анти экс пост не")
_FIRST = CONNECTORS | FIRST_IN_PLACES
_HYPHENS = "-‐‑"
_ADDRESS = re.compile(r"@|://|[^\W_]{2}\.[^\W_]{2}")
_MOST_AFTER = 2
CHINESE_TAIL = re.compile(
    "(?:政府|公司|集团|人民|人|国家队|队|市|省|州|县|总统|总理|主席|首相|总裁|先生|女士|小姐|教授|博士|方面|当局|军方|军队|军|警方|媒体|方"
    "|代表团|代表|大使|外长|防长|外交部|国防部|外交部长|外交官|股份|有限)+"
)
"""What may follow a name in Chinese without making it another's."""

Known = Literal["full", "alone", "surname"]
"""What stands in a text of a person's name: forename and surname, all of a name of one word, or only the surname."""


def is_person_in_longer(text: TextNames, first: int, last: int, known: Known) -> bool:
    """Whether a person's name is part of another's, or of a thing's: Merkel in Bob Merkel, Trump in Trump Tower.

    Before a full name anything may stand, and before a name of one word any forename, as none is known.
    """
    before, after = _beside(text, first, last)
    if _is_glued(text, first, last) or (_has_generation(text, last) and _is_elders(text, first, last, known)):
        return True
    if not before and not after:
        return False
    if _is_address(text, first, last) or (before and before[-1].key in _FIRST):
        return True
    if after and after[0].key in _OF_A_BODY:
        return True
    if text.is_headline(first, last):
        return False
    if after and not (known == "full" or after[0].key in _OF_THE_NAMED):
        return known == "surname" or not _may_follow_forename(after)
    return bool(before) and known == "surname" and _is_forename(before[-1], text.begins_sentence(first - len(before)))


def _beside(text: TextNames, first: int, last: int) -> tuple[Sequence[Token], Sequence[Token]]:
    """The words of the longer name before and after, none beyond a hyphen: what that joins is looked at elsewhere."""
    left, right = text.run(first, last)
    before = text.tokens[left:first] if left < first and text.gap(first) not in [*_HYPHENS] else ()
    after = text.tokens[last:right] if last < right and text.gap(last) not in [*_HYPHENS] else ()
    return before, after


def _is_address(text: TextNames, first: int, last: int) -> bool:
    left, right = text.run(first, last)
    return _ADDRESS.search(text.text[text.tokens[left].start : text.tokens[right - 1].end]) is not None


def is_thing_in_longer(text: TextNames, first: int, last: int) -> bool:
    """Whether any other name is part of a longer one: York in New York, New York in New York Times."""
    before, after = _beside(text, first, last)
    if _is_glued(text, first, last):
        return True
    if not before and not after:
        return False
    if _is_address(text, first, last):
        return True
    if text.is_headline(first, last):
        return bool(before) and before[-1].key in _FIRST
    if after and after[0].key not in _OF_THE_NAMED and not (after[0].key == "на" and text.gap(last).isspace()):
        return True
    is_first = len(before) == 1 and text.begins_sentence(first - 1)
    return bool(before) and not (is_first and _may_begin(before[0], last - first))


def _may_begin(token: Token, n_words: int) -> bool:
    """Whether the capital before a name is only that of its sentence: a Russian noun before a name of several words."""
    is_noun = n_words > 1 and is_cyrillic(token.key) and is_ordinary(token.key) and not may_be_name(token.key)
    return is_opening(token) or is_noun


def _is_forename(token: Token, begins: bool) -> bool:
    """Whether what stands before a surname is someone's forename or initial."""
    if token.key in DEMONYMS:
        return False
    if is_cyrillic(token.key):
        return bool(cases(token.key)) or len(token.key) == 1 or not is_ordinary(token.key)
    if begins and is_opening(token):
        return False
    return len(token.key) == 1 or may_be_name(token.key) or not is_ordinary(token.key)


def _may_follow_forename(after: Sequence[Token]) -> bool:
    """Whether words may be the rest of a person's name: Obama after Michelle, V after Mia; not Organization."""
    rest = [token for token in after if token.key not in GENERATIONS]
    return len(rest) <= _MOST_AFTER and all(
        len(token.key) == 1 or may_be_name(token.key) or not is_ordinary(token.key) for token in rest
    )


def _is_elders(text: TextNames, first: int, last: int, known: Known) -> bool:
    """Whether a name before "Jr." is another's: always, but for a lone surname that stands nowhere without it."""
    places = text.at[text.tokens[first].key]
    return known != "alone" or not all(_has_generation(text, index + 1) for index in places)


def _has_generation(text: TextNames, last: int) -> bool:
    """Whether "Jr." or "III" follows, after a comma or not."""
    if last >= len(text.tokens) or text.tokens[last].key not in GENERATIONS:
        return False
    return text.tokens[last].text[0].isupper() and text.gap(last).strip() in ("", ",")


def _is_glued(text: TextNames, first: int, last: int) -> bool:
    """Whether a hyphen or an apostrophe joins a name to another: Cortez in Ocasio-Cortez, Brien in O'Brien.

    Not where the other half stands for itself elsewhere in the text, nor in "the Trump-Putin summit".
    """
    if first > 0:
        gap, beside = text.gap(first), text.tokens[first - 1]
        if gap in ("'", "’") and len(beside.key) == 1 and beside.text.isupper() == text.tokens[first].text[0].isupper():
            return True
        if gap and gap in _HYPHENS and beside.key not in _BEFORE_HYPHEN and _is_other_half(text, first - 1, last):
            return True
    if last < len(text.tokens):
        gap = text.gap(last)
        return bool(gap) and gap in _HYPHENS and _is_other_half(text, last, last + 1)
    return False


def _is_other_half(text: TextNames, index: int, end: int) -> bool:
    """Whether what a hyphen joins to a name makes one name with it; `end` is the token after both."""
    token = text.tokens[index]
    if end < len(text.tokens) and text.tokens[end].key in _BETWEEN_TWO:
        return False
    if not (token.text[0].isupper() or token.text.isdigit()):
        return False
    return not any(_stands_free(text, other) for other in text.at[token.key])


def _stands_free(text: TextNames, index: int) -> bool:
    is_joined_after = index + 1 < len(text.tokens) and text.gap(index + 1) in [*_HYPHENS]
    return text.gap(index) not in [*_HYPHENS] and not is_joined_after and text.tokens[index].text[0].isupper()


def is_chinese_in_longer(text: TextNames, first: int, last: int) -> bool:
    """Whether a Chinese name is cut out of a longer name or word: 北京 in 北京大学, 中国 in 发展中国家.

    What follows as government, people, titles and the like do makes no longer name: 中国政府, 特朗普总统.
    """
    start, end = text.tokens[first].start, text.tokens[last - 1].end
    left, right = text.run(first, last)
    spans = [(text.tokens[left].start, text.tokens[right - 1].end)]
    words, starts = text.chinese
    at = bisect_right(starts, start) - 1
    while at < len(words) and starts[at] < end:
        if is_chinese_word(words[at][0]):
            spans.append((starts[at], starts[at] + len(words[at][0])))
        at += 1
    if any(_is_longer(text.text, (start, end), span) for span in spans):
        return True
    is_short_name = is_person(text.text[start:end]) and last - first == 2
    return is_short_name and at < len(words) and starts[at] == end and _goes_on(*words[at])


def _goes_on(word: str, tag: str) -> bool:
    """Whether the word after a Chinese name of two characters begins with a third one: 王明, 华."""
    if not is_han(word) or CHINESE_TAIL.fullmatch(word) or not may_end_name(word[0]):
        return False
    return (len(word) == 1 and tag.startswith("n")) or not is_chinese_word(word)


def _is_longer(text: str, name: tuple[int, int], span: tuple[int, int]) -> bool:
    """Whether a word or name goes on before a name or, otherwise than by a tail, after it."""
    if span[0] < name[0]:
        return True
    return span[1] > name[1] and CHINESE_TAIL.fullmatch(text[name[1] : span[1]]) is None
