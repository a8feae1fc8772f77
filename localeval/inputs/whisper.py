"""Whisper-style JSON: `{"segments": [{"start": 0.0, "end": 2.5, "text": "…", "speaker": "…"}]}`, or the bare list."""

from localeval.inputs.decoding import is_blank
from localeval.inputs.fields import as_object, kind_of, optional_text, parse_json, seconds_field, text_field
from localeval.inputs.passages import Passage
from localeval.inputs.wording import problem
from localeval.texts import Language

_LANGUAGES: dict[str, Language] = {
    "en": "en",
    "english": "en",
    "ru": "ru",
    "russian": "ru",
    "zh": "zh",
    "chinese": "zh",
}


def read_whisper(text: str, place: str) -> tuple[list[Passage], Language | None]:
    """The segments in file order, and the language where the file names one of the three.

    Each segment needs `start` and `end` (seconds) and `text`; `speaker` is optional; other fields are ignored.
    Segments without words are left out. Raises InputError that names the field, as in `a.json: segments[3].end: …`.
    """
    value = parse_json(text, place)
    if isinstance(value, list):
        return passages_of(value, place, "segments"), None
    if not isinstance(value, dict):
        raise problem(place, f"is {kind_of(value)}", "expected an object with `segments`, or a list of segments")
    if "segments" not in value:
        raise problem(f"{place}: segments", "is missing", "expected a list of objects with start, end and text")
    language = value.get("language")
    known = _LANGUAGES.get(language.lower()) if isinstance(language, str) else None
    return passages_of(value["segments"], place, "segments"), known


def passages_of(value: object, place: str, name: str) -> list[Passage]:
    """The passages in a list of segment objects; `place` and `name` say in errors where the list stands."""
    if not isinstance(value, list):
        raise problem(f"{place}: {name}", f"is {kind_of(value)}", "expected a list of objects with start, end and text")
    found = [_passage(item, f"{place}: {name}[{index}]") for index, item in enumerate(value)]
    if all(is_blank(passage.text) for passage in found):
        raise problem(f"{place}: {name}", "has no words", "expected segments with text")
    return [passage for passage in found if not is_blank(passage.text)]


def _passage(item: object, place: str) -> Passage:
    row = as_object(item, place)
    begin_s = seconds_field(row, "start", place, ".")
    end_s = seconds_field(row, "end", place, ".")
    if end_s < begin_s:
        raise problem(f"{place}.end", f"is {end_s!r}, before `start` {begin_s!r}", "correct the times")
    return Passage(text_field(row, "text", place, "."), begin_s, end_s, optional_text(row, "speaker", place, "."))
