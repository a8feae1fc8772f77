"""Tasks and statements that are given to another person of the source."""

import re
from collections.abc import Iterator, Sequence

from localeval.evidence.folding import fold, tokens
from localeval.evidence.lookup import SourceIndex
from localeval.evidence.mentions import find_mentions
from localeval.keys import derive_seed
from localeval.planting.changes import Change
from localeval.planting.english_verbs import finite
from localeval.planting.opposites import pick_others
from localeval.planting.persons import persons_of
from localeval.texts import Language, Source

_LEADS = re.compile(
    r"(?:^|[.;:,—–(]\s*|\b(?:and|but|because|that|so|when|while|although|until|as|if|then|where)\s+|\d{4}\s+|[a-z]+ary\s+)$",
    re.I,
)
_HELPERS = frozenset(
    ["will", "would", "must", "should", "can", "has", "had", "is", "was", "does", "did", "then", "also"]
)
_REPORT = re.compile(r"^(?P<name>[^:：\n\"“«「]{1,60})[:：]\s?[\"“«「]")
_MORE_NAMES: dict[Language, tuple[str, ...]] = {
    "en": ("Rosalind", "Gareth", "Imogen", "Desmond", "Harriet", "Clive"),
    "ru": ("Аркадий", "Эдуард", "Ростислав", "Инесса", "Регина", "Таисия"),
    "zh": ("孙晓梅", "郑国强", "唐文静", "韩志远", "贾秀兰", "龚建平"),
}
_NEAREST = 3


def wrong_owners(sentence: str, source: Source, index: SourceIndex, seed: int) -> Iterator[Change]:
    """Each person who does, says or promises something in a sentence exchanged for another one of the source.

    The other is not named in the sentence, nor, where somebody is left, near that which the source has of it.
    """
    persons = persons_of(source)
    if len(persons) < 2:
        return
    for start, end, name in _subjects(sentence, persons, source.language):
        others = _free(sentence, name, persons, source, index)
        if others:
            picked = others[derive_seed("owner", seed, start) % len(others)]
            said = source.text.lower()
            yield Change(start, end, picked, pick_others(_MORE_NAMES[source.language], said, seed))


def _subjects(sentence: str, persons: Sequence[str], language: Language) -> Iterator[tuple[int, int, str]]:
    """Who does something: the offsets of the name, and the person."""
    report = _REPORT.match(sentence)
    if report and report["name"] in persons:
        yield report.start("name"), report.end("name"), report["name"]
        return
    for mention in find_mentions(sentence, persons, language):
        person = persons[mention.name]
        if sentence[mention.start : mention.end] == person and _does(sentence, mention.start, mention.end, language):
            yield mention.start, mention.end, person


def _does(sentence: str, start: int, end: int, language: Language) -> bool:
    """Whether what stands at an offset is the subject of a verb."""
    if language != "en":
        return False
    after = re.match(r"\s+([a-z]+)", sentence[end:])
    is_verb = after is not None and (after[1] in _HELPERS or after[1] in finite())
    return is_verb and _LEADS.search(sentence[:start]) is not None


def _free(sentence: str, name: str, persons: Sequence[str], source: Source, index: SourceIndex) -> Sequence[str]:
    """Who may take a person's place."""
    named = {fold(token.text) for token in tokens(sentence)}
    others = [one for one in persons if one != name and not named & {token.key for token in tokens(one)}]
    near = index.nearest(sentence, _NEAREST)
    about = {source.segments[number - 1].speaker for number in near}
    words = {token.key for token in tokens(index.words_of(near))}
    far = [one for one in others if one not in about and not words & {token.key for token in tokens(one)}]
    return far or [one for one in others if not near or source.segments[near[0] - 1].speaker != one]
