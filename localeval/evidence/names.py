"""Which names stand in a text: capitals, acronyms, products, addresses, what is quoted, Chinese names."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from localeval.evidence.chinese_names import chinese_spans
from localeval.evidence.folding import Token, has_han, is_cyrillic, is_han, tokens
from localeval.evidence.lexicon import cases, is_closed, is_opener, is_ordinary, may_be_name
from localeval.evidence.wordlists import listed
from localeval.texts import Language

TITLES = listed(
    """
    mr mrs ms miss dr prof sir madam lord lady rev sgt lt capt doctor professor president mayor senator governor
    minister captain chairman chairwoman councilmember councilman councilwoman commissioner officer sergeant
    ceo cfo cto head director manager
    г гн госпожа господин доктор профессор
    """
)
"""Words that stand before a name and are not part of it, folded."""

_SUFFIXES = listed("inc ltd llc corp gmbh plc co s")
_CONNECTORS = listed("of de van von der den la le di da del dos al el bin ibn фон де ван на")
_CALENDAR = listed(
    """
    monday tuesday wednesday thursday friday saturday sunday january february march april may june july august
    september october november december jan feb mar apr jun jul aug sep sept oct nov dec
    """
)
"""Where a run of capitals is cut: "on 19 February Tom ..." names no February Tom."""

_CONTRACTED = frozenset({"t", "m", "ve", "re", "ll"})
_ADDRESS = re.compile(
    r"(?:https?://|www\.)[!-~]+"
    r"|(?<![a-z0-9_.+-])[a-z0-9_.+-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)+"
    r"|(?<![a-z0-9_.-])[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|org|net|edu|gov|io|ai|dev|app|uk|ru|cn|de|fr|eu)(?![a-z0-9.-]*[a-z0-9-])",
    re.IGNORECASE,
)
_QUOTED = re.compile(
    r"«([^«»\n]{2,60})»|“([^“”\n]{2,60})”|\"([^\"\n]{2,60})\"|《([^《》\n]{1,60})》|「([^「」\n]{2,60})」"
)
_SENTENCE_END = re.compile(r"[!?…:;\n•*。！？：；#]|[“\"«「(]")
_QUOTED_WORDS = 4
_QUOTED_HAN = 8
_SHOUTED_WORDS = 4
_LONGEST_RUN = 12


@dataclass(frozen=True, slots=True)
class Name:
    """A name in a text, with its offsets there: no title before it, no genitive or company form after it."""

    start: int
    end: int
    text: str


def names(text: str, language: Language) -> tuple[Name, ...]:
    """The names in a text in order, none inside another. Empty for a text that has none; raises nothing.

    A capital counts within a sentence; on a sentence's first word only where no dictionary knows the word as an
    ordinary one, or where it may be a name as well (Mark, Bill). Runs of capitalised words are one name. Acronyms,
    words with inner capitals or digits (WireGuard, B12), addresses and names in quotation marks always count.
    Chinese has no capitals: see `localeval.evidence.chinese_names`. In a Chinese text every Latin word that is not an
    ordinary English one counts.
    """
    spans = [*_addresses(text), *_quoted(text), *_runs(text, language)]
    if has_han(text):
        spans += chinese_spans(text)
    return tuple(Name(start, end, text[start:end]) for start, end in _outermost(spans))


def _outermost(spans: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The spans in order, less those that overlap one that begins earlier, or as early and is longer."""
    reached = 0
    for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        if start >= reached and end > start:
            yield start, end
            reached = end


def _addresses(text: str) -> Iterator[tuple[int, int]]:
    for found in _ADDRESS.finditer(text):
        yield found.start(), found.start() + len(found[0].rstrip(".,;:!?)»”\"'"))


def _quoted(text: str) -> Iterator[tuple[int, int]]:
    """What is quoted as a name is: titles in 《》, else a few words that begin as names do."""
    for found in _QUOTED.finditer(text):
        group = next(number for number, inner in enumerate(found.groups(), 1) if inner)
        inner = found[group]
        if found[0][0] == "《" or _is_quoted_name(inner):
            yield found.span(group)


def _is_quoted_name(inner: str) -> bool:
    words = tokens(inner)
    if not words or any(word.is_apart for word in words[1:]) or inner[-1] in ".,!?…。，！？":
        return False
    if is_han(words[0].text):
        return len(words) <= _QUOTED_HAN
    if len(words) > _QUOTED_WORDS or not words[0].text[0].isupper() or is_closed(words[0].key):
        return False
    if len(words) == 1 and not is_cyrillic(words[0].text):
        return not is_ordinary(words[0].key) or may_be_name(words[0].key)
    return is_cyrillic(words[0].text) or all(word.text[0].isupper() or is_closed(word.key) for word in words)


def _runs(text: str, language: Language) -> Iterator[tuple[int, int]]:
    """Runs of capitalised words, cut down to the name in each."""
    words = [word for word in tokens(text) if not is_han(word.text)]
    if _is_shouted(words):
        yield from ((word.start, word.end) for word in words if len(word.key) > 1 and not is_ordinary(word.key))
        return
    at = 0
    while at < len(words):
        end = at + 1
        if _is_capital(words[at]):
            end = _run_end(text, words, at)
            for run in _split(words[at:end]):
                left = _trimmed(text, run, run[0] is words[at] and _begins_sentence(text, words, at))
                if left:
                    yield left[0].start, left[-1].end
        elif language == "zh" and _is_foreign(words[at]):
            yield words[at].start, words[at].end
        at = end


def _is_shouted(words: list[Token]) -> bool:
    """Whether a text is written in capitals, which then tell nothing."""
    loud = sum(word.text.isupper() and len(word.text) > 1 for word in words)
    return loud >= _SHOUTED_WORDS and 2 * loud > len(words)


def _is_capital(word: Token) -> bool:
    return any(char.isupper() for char in word.text) and not word.text[0].isdigit()


def _is_strong(word: Token) -> bool:
    """Whether a word is a name wherever it stands: an acronym, or capitals or digits inside it."""
    inner = word.text[1:]
    return (any(char.isupper() for char in inner) and word.key != "ok") or (
        word.text[0].isalpha() and any(c.isdigit() for c in inner)
    )


def _is_foreign(word: Token) -> bool:
    return len(word.key) > 1 and word.key.isascii() and word.key.isalpha() and not is_ordinary(word.key)


def _run_end(text: str, words: list[Token], at: int) -> int:
    """The index after the last word of the run that begins at a capital."""
    end = at + 1
    while end < len(words) and end - at < _LONGEST_RUN and not words[end].is_apart:
        gap = text[words[end - 1].end : words[end].start]
        is_glued = not any(char.isspace() for char in gap)
        if any(mark in gap for mark in "«“《「") or not _CALENDAR.isdisjoint({words[end - 1].key, words[end].key}):
            break
        if _is_capital(words[end]) or (is_glued and words[end].text[0].isdigit()):
            end += 1
        elif _connects(words, end) and words[at].key not in TITLES:
            end += 2
        else:
            break
    return end


def _connects(words: list[Token], at: int) -> bool:
    """Whether a small word stands between two words of one name: Bank of America, Ludwig van Beethoven."""
    following = words[at + 1] if at + 1 < len(words) else None
    return words[at].key in _CONNECTORS and following is not None and not following.is_apart and _is_capital(following)


def _split(run: list[Token]) -> Iterator[list[Token]]:
    """A run cut where two Russian names cannot be one person's, as their cases differ: "Олег Вере"."""
    cut = 0
    for index, (left, right) in enumerate(pairwise(run), 1):
        both = cases(left.key), cases(right.key)
        if all(both) and not both[0] & both[1]:
            yield run[cut:index]
            cut = index
    yield run[cut:]


def _begins_sentence(text: str, words: list[Token], at: int) -> bool:
    if at == 0:
        return True
    gap = text[words[at - 1].end : words[at].start]
    return _SENTENCE_END.search(gap) is not None or ("." in gap and words[at].is_apart)


def _trimmed(text: str, run: list[Token], is_first: bool) -> list[Token]:
    """The name within a run: no function words and titles at its edges; empty where there is none."""
    while run and not _is_strong(run[0]) and _is_edge(run[0].key, is_first):
        run, is_first = run[1:], False
    while len(run) > 1 and (run[0].key in TITLES or run[0].key in _CONNECTORS) and len(run[1].key) > 1:
        run, is_first = run[1:], False
    while len(run) > 1 and (run[-1].key in _SUFFIXES or is_closed(run[-1].key)):
        run = run[:-1]
    if not run or (len(run) == 1 and not _stands_alone(text, run[0], is_first)):
        return []
    return run


def _is_edge(key: str, is_first: bool) -> bool:
    return is_opener(key) if is_first else is_closed(key)


def _stands_alone(text: str, word: Token, is_first: bool) -> bool:
    """Whether one capitalised word is a name."""
    after = text[word.end : word.end + 3]
    if len(word.key) < 2 or (after[:1] in "'’" and after[1:].rstrip().lower() in _CONTRACTED and is_ordinary(word.key)):
        return False
    if not _is_strong(word) and is_closed(word.key):
        return False
    return _is_strong(word) or not is_first or not is_ordinary(word.key) or may_be_name(word.key)
