"""Speaker turns in plain text: who speaks, since when, and what."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from localeval.inputs.passages import Passage

_CLOCK = r"[0-9]{1,3}:[0-5][0-9](?::[0-5][0-9])?(?:[.,][0-9]{1,3})?"
_BEFORE, _AFTER = rf"[\[(]?(?P<before>{_CLOCK})[\])]?", rf"[\[(]?(?P<after>{_CLOCK})[\])]?"
_SPAN = re.compile(rf"[\[(](?P<begin>{_CLOCK})(?:\s{{0,3}}(?:-->|[-–—])\s{{0,3}}(?P<end>{_CLOCK}))?[\])]")
_NAME = r"(?P<name>[^\W_][^:：\n!?;,，。\[\]<>\"“”*|/#]{0,59}?)"
_START = rf"(?:{_BEFORE}\s{{0,3}}(?:[-–—]\s{{0,3}})?)?{_NAME}\s{{0,3}}"
_LABEL = re.compile(rf"{_START}(?:{_AFTER}\s{{0,3}})?(?::(?=\s|$)|：)")
_NAME_AND_CLOCK = re.compile(rf"{_START}{_AFTER}")
_BOLD = re.compile(r"(?P<lead>[^*]{0,16})\*\*(?P<label>[^*]{1,90}?)\s{0,3}(?:[:：]\*\*|\*\*\s{0,3}[:：])")
_ROLE = re.compile(r"[(（][^()（）]*[)）]")
_HAN = re.compile(r"[\u3400-\u9fff]")
_DIVIDER = re.compile(r"\s*(?:#{1,6}\s|[-*_=]{3,}\s*$)")

_MOST_LINES_A_TURN = 15
_LONGEST_LABEL = 120
_MOST_WORDS = 5
_MOST_HAN = 10
_ABBREVIATION = re.compile(r"(?:[^\W\d_]\.)+|[^\W\d_]{2,4}\.")


@dataclass(frozen=True, slots=True)
class Label:
    """What stands before the words of a turn: name and clock times in seconds, where given; then the `rest`."""

    speaker: str | None
    begin_s: float | None
    rest: str
    end_s: float | None = None


def label_of(line: str) -> Label | None:
    """The label at the start of a line, or None.

    Reads `Anna: …`, `[00:01:02] Anna: …`, `Anna (00:01:02): …`, `**Anna:** …`, `张三：…`, a name with a clock time
    alone on the line, and a time or a span of time in brackets with nobody's name, `[00:01 --> 00:04] …`. A name has
    at most five words (ten Chinese characters), a role in brackets not counted.
    """
    span = span_of(line)
    if span is None:
        return _name_of(line.strip())
    named = _name_of(span.rest.lstrip("-–— "))
    return span if named is None else replace(span, speaker=named.speaker, rest=named.rest)


def span_of(line: str) -> Label | None:
    """The clock time or span of time in brackets at the start of a line, whoever speaks; None where there is none."""
    words = line.strip()
    match = _SPAN.match(words)
    if match is None:
        return None
    begin_s, end_s = _seconds(match["begin"]), None if match["end"] is None else _seconds(match["end"])
    is_sound = end_s is None or begin_s <= end_s
    return Label(None, begin_s, words[match.end() :].strip(), end_s) if is_sound else None


def _name_of(words: str) -> Label | None:
    head = words[:_LONGEST_LABEL]
    bold = _BOLD.match(head)
    match = _LABEL.match(f"{bold['lead']}{bold['label']}:" if bold else head)
    end = bold.end() if bold else match.end() if match else len(words)
    match = match or _NAME_AND_CLOCK.fullmatch(words[: _LONGEST_LABEL + 1])
    if match is None or not _is_name(match["name"]):
        return None
    clock = match["before"] or match["after"]
    return Label(match["name"].strip(), None if clock is None else _seconds(clock), words[end:].strip())


def read_turns(text: str) -> list[Passage] | None:
    """The turns of a dialogue in order, or None where the text as a whole does not look like one.

    A line without a label goes on with the turn before it. A Markdown heading, and whatever stands before the first
    turn, has no speaker. A label that nothing follows is kept as text, so that no word is lost. Line breaks within
    a turn stay, blank lines go. The end of a turn is None where the file has no spans of time. Where most lines
    have a time and nobody's name, a colon further on is no name either.
    """
    lines = text.split("\n")
    labels = [label_of(line) for line in lines]
    if sum(label.speaker is None for label in labels if label) * 2 > sum(label is not None for label in labels):
        labels = [span_of(line) for line in lines]
    if not is_dialogue([line for line in lines if line.strip()], [label for label in labels if label]):
        return None
    header = _header_lines(lines, labels)
    labels[:header] = [None] * header
    return _turns(lines, labels)


def is_dialogue(lines: Sequence[str], labels: Sequence[Label]) -> bool:
    """Whether a text is a dialogue, from its lines that are not blank and the labels found in them.

    One label ("Note: …") never makes one. Two or more do when they begin half of the lines. When they begin fewer,
    as in hard-wrapped text, but one line in fifteen, they do if most carry clock times or if two speakers come
    back twice each.
    """
    if len(labels) < 2 or len(labels) * _MOST_LINES_A_TURN < len(lines):
        return False
    is_timed = sum(label.begin_s is not None for label in labels) * 2 > len(labels)
    steady = [name for name, times in Counter(label.speaker for label in labels).items() if name and times >= 3]
    return is_timed or len(steady) >= 2 or len(labels) * 2 >= len(lines)


def _header_lines(lines: Sequence[str], labels: Sequence[Label | None]) -> int:
    """How many lines of "Date: …", "Place: …" come first: leading paragraphs none of whose labels comes back."""
    times = Counter(label.speaker for label in labels if label)
    if max(times.values()) < 2:
        return 0
    first = next(
        n for n, label in enumerate(labels) if label and (times[label.speaker] > 1 or label.begin_s is not None)
    )
    return max((number + 1 for number in range(first) if not lines[number].strip()), default=0)


def _turns(lines: Sequence[str], labels: Sequence[Label | None]) -> list[Passage]:
    turns: list[Passage] = []
    words: list[str] = []
    said: Label | None = None
    written = ""

    def close() -> None:
        if any(words):
            joined = "\n".join(words)
            turns.append(Passage(joined, said.begin_s, said.end_s, said.speaker) if said else Passage(joined))
        elif said is not None:
            turns.append(Passage(written))

    for line, label in zip(lines, labels, strict=True):
        is_divider = label is None and _DIVIDER.match(line) is not None
        if label is not None or is_divider or (said is None and not line.strip()):
            close()
            said, written, words = label, line.strip(), [label.rest] if label and label.rest else []
        if label is None and line.strip():
            words.append(line.strip())
            if is_divider:
                close()
                words = []
    close()
    return turns


def _is_name(name: str) -> bool:
    bare = _ROLE.sub("", name).strip()
    words = bare.split()
    if not any(c.isalpha() for c in bare) or len(words) > _MOST_WORDS or len(_HAN.findall(bare)) > _MOST_HAN:
        return False
    return all(word[0].isupper() and _ABBREVIATION.fullmatch(word) for word in words if "." in word)


def _seconds(clock: str) -> float:
    seconds = 0.0
    for part in clock.replace(",", ".").split(":"):
        seconds = seconds * 60 + float(part)
    return seconds
