"""SubRip (.srt) and WebVTT (.vtt) files to cues.

Read here line by line and not by pysubs2, which drops text without a word: a last line of digits in a cue, what
stands between "<" and ">" in speech, WebVTT voices. It also takes cue identifiers, notes and cues whose times it
cannot read for spoken words. The tests hold the two readers against each other on well-formed files.
"""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from localeval.inputs.decoding import is_blank
from localeval.inputs.dialogue import is_dialogue, label_of
from localeval.inputs.passages import Passage
from localeval.inputs.wording import problem, show

_ARROW = "-->"
_TIME = re.compile(r"(?:([0-9]{1,6}):)?([0-5]?[0-9]):([0-5]?[0-9])(?:[.,]([0-9]{1,9}))?")
_TAG = re.compile(
    r"</?(?:[cbiusv]|ruby|rt|lang|font|span)(?:[.\s][^<>]*)?>|<(?:[0-9]+:)?[0-9]{2}:[0-9]{2}\.[0-9]{3}>|\{\\[^{}]*\}",
    re.IGNORECASE,
)
_VOICE = re.compile(r"<v(?:\.[^\s<>]*)?(?:\s+(?P<name>[^<>]*))?>|</v>", re.IGNORECASE)
_ENTITY = re.compile(r"&(?:[A-Za-z]{2,8}|#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6});")
_WRAP = re.compile(r"(?<!\s)\s*\n\s*")  # tried once in a run of white space, however long
_HAN_WRAP = re.compile(
    r"(?<=[\u3001-\u303f\u3400-\u9fff\uff00-\uffef])\s*\n\s*(?=[\u3000-\u303f\u3400-\u9fff\uff00-\uffef])"
)
_NOT_SPOKEN = re.compile(r"(?:NOTE|STYLE|REGION)(?:\s|$)")


@dataclass(slots=True)
class _Cue:
    begin_s: float
    end_s: float
    lines: list[str] = field(default_factory=list)


def read_srt(text: str, place: str) -> list[Passage]:
    """The cues of a SubRip file, in file order; see `read_vtt`. Text before the first cue is an error."""
    return _passages(_cues(text, place, is_vtt=False), place, is_vtt=False)


def read_vtt(text: str, place: str) -> list[Passage]:
    """The cues of a WebVTT file, in file order, with times in seconds and speakers where the file names them.

    A speaker is a voice tag (`<v Anna>`), or a name at the start of cues ("Anna: …") where the file as a whole looks
    like a dialogue. A cue with several voices becomes several passages with the cue's times. Tags go, character
    references are read, a line wrapped inside a cue is joined (by a space, between Chinese characters by nothing),
    cues without words are left out, header, NOTE, STYLE and REGION blocks are not spoken.
    Automatic captions that repeat the last line in each cue are left as they are: whether it was said twice cannot
    be known. Raises InputError, naming the line, for a time that cannot be read and for a cue that ends before it
    begins; and for a file without cues.
    """
    return _passages(_cues(text, place, is_vtt=True), place, is_vtt=True)


def _cues(text: str, place: str, *, is_vtt: bool) -> list[_Cue]:
    lines = text.split("\n")
    cues: list[_Cue] = []
    is_skipping = False
    for index, line in enumerate(lines):
        is_first_of_block = index == 0 or not lines[index - 1].strip()
        if not line.strip():
            is_skipping = False
        elif is_skipping or (is_vtt and is_first_of_block and _NOT_SPOKEN.match(line)):
            is_skipping = True
        elif _ARROW in line:
            begin_s, end_s = _times(line, f"{place} line {index + 1}")
            cues.append(_Cue(begin_s, end_s))
        elif not _is_identifier(lines, index, len(cues), is_vtt=is_vtt):
            _add(cues, line, f"{place} line {index + 1}", is_vtt=is_vtt)
    return cues


def _add(cues: list[_Cue], line: str, place: str, *, is_vtt: bool) -> None:
    if cues:
        cues[-1].lines.append(line)
    elif not is_vtt:  # a WebVTT file may open with metadata, an SRT file may not: it could be speech
        raise problem(place, f"{show(line)} stands before the first cue", "give it a cue with times or remove it")


def _is_identifier(lines: list[str], index: int, n_cues: int, *, is_vtt: bool) -> bool:
    """Whether a line is the number or name of the cue below it and not the last line of the cue above."""
    number = lines[index].strip()
    if index + 1 == len(lines) or _ARROW not in lines[index + 1]:
        return n_cues == 0 and number == "1"
    if index == 0 or not lines[index - 1].strip():
        return is_vtt or number.isdecimal()
    return number == str(n_cues + 1)


def _times(line: str, place: str) -> tuple[float, float]:
    left, _, right = line.partition(_ARROW)
    ends: list[float] = []
    for name, written in (("begin", left.strip()), ("end", (right.split() or [""])[0])):
        match = _TIME.fullmatch(written)
        if match is None:
            fix = "write `HH:MM:SS,mmm --> HH:MM:SS,mmm`"
            raise problem(place, f"{name} time {show(written)} cannot be read", fix)
        hours, minutes, seconds, fraction = match.groups()
        ends.append(int(hours or 0) * 3600 + int(minutes) * 60 + float(f"{seconds}.{fraction or 0}"))
    begin_s, end_s = (round(end, 6) for end in ends)
    if end_s < begin_s:
        raise problem(place, f"the cue ends at {end_s:g} s, before it begins at {begin_s:g} s", "correct its times")
    return begin_s, end_s


def _passages(cues: list[_Cue], place: str, *, is_vtt: bool) -> list[Passage]:
    found = [passage for cue in cues for passage in _voices(cue, is_vtt=is_vtt) if not is_blank(passage.text)]
    if not found:
        what = "has cues without words alone" if cues else f"has no cues (no line with `{_ARROW}`)"
        raise problem(place, what, "check that it is a subtitle file, or save plain text as .txt")
    return found if any(passage.speaker for passage in found) else _named(found)


def _voices(cue: _Cue, *, is_vtt: bool) -> Iterator[Passage]:
    text = "\n".join(cue.lines)
    start, speaker = 0, None
    for voice in _VOICE.finditer(text) if is_vtt else ():
        yield Passage(_plain(text[start : voice.start()], is_vtt=is_vtt), cue.begin_s, cue.end_s, speaker)
        name = _plain(voice["name"] or "", is_vtt=is_vtt)
        start, speaker = voice.end(), name or None
    yield Passage(_plain(text[start:], is_vtt=is_vtt), cue.begin_s, cue.end_s, speaker)


def _plain(text: str, *, is_vtt: bool) -> str:
    text = _TAG.sub("", text)
    if is_vtt:
        text = _ENTITY.sub(lambda entity: html.unescape(entity[0]), text)
    return _WRAP.sub(" ", _HAN_WRAP.sub("", text.strip()))


def _named(passages: list[Passage]) -> list[Passage]:
    labels = [label_of(passage.text) for passage in passages]
    if not is_dialogue([passage.text for passage in passages], [label for label in labels if label and label.speaker]):
        return passages
    return [
        replace(passage, text=label.rest, speaker=label.speaker) if label and label.speaker and label.rest else passage
        for passage, label in zip(passages, labels, strict=True)
    ]
