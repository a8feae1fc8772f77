"""A system as it stands in production: its templates, variables and sampling, and the prompts that they make."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Literal

from localeval.keys import canonical, digest
from localeval.methods.generate.schemas import Scalar, SystemSettings
from localeval.methods.generate.templates import templates_of
from localeval.methods.settings import Frozen
from localeval.prompts import SUFFIX, clock, one_line
from localeval.texts import Source
from localeval.values import Message

VARIABLES = "variables.yaml"

Role = Literal["system", "user"]

_TEMPLATE = re.compile(rf"(system|user)(?:\.(.+))?{re.escape(SUFFIX)}")


class Pipeline(Frozen):
    """One system: everything that makes its prompts, so that they can be made anew without the user's files.

    `files` holds what the folder held, by name, byte for byte; `variables` those of the folder and of the config, the
    config's before the folder's.
    """

    name: str
    settings: SystemSettings
    generic: bool
    """Whether the prompt is the one that comes with localeval, nobody's production."""
    files: dict[str, str]
    variables: dict[str, Scalar]

    @property
    def model(self) -> str:
        """The model that writes, by the name that the config gives it."""
        return self.settings.model

    @property
    def incumbent(self) -> bool:
        """Whether this is the system that is deployed now."""
        return self.settings.incumbent

    @cached_property
    def hash(self) -> str:
        """64 hexadecimal digits over everything but the name and the model: templates, variables, sampling, what is
        stripped, the longest text. Of variables.yaml its values count, not how they are written."""
        settings = self.settings
        sampling = [settings.temperature, settings.top_p, settings.tokens]
        return digest(canonical([self.templates, self.variables, sampling, sorted(set(settings.strip))]))

    @property
    def templates(self) -> dict[str, str]:
        """The files that are templates."""
        return {name: text for name, text in self.files.items() if name.endswith(SUFFIX)}

    def template_for(self, role: Role, source: Source) -> str | None:
        """The file that makes a message about a source: its category's, else the one for all. None: there is none."""
        names = [f"{role}{SUFFIX}"]
        if self.generic:
            names = [f"generic{'_system' if role == 'system' else ''}.{source.language}{SUFFIX}"]
        elif own := categories_of(self.files, role).get(plain_category(source.category or "")):
            names.insert(0, own)
        return next((name for name in names if name in self.files), None)

    def render(self, source: Source) -> tuple[Message, ...]:
        """The messages about a source, as production sends them. Raises InputError with file and line.

        A system message of nothing but white space is left out. The long text stands in a part of its own
        (`parts_around`), without a byte being changed.
        """
        return rendered(self, source, self.settings.prompt)


def rendered(pipeline: Pipeline, source: Source, folder: str) -> tuple[Message, ...]:
    """`Pipeline.render`, with `folder` before the names of files in messages."""
    templates = templates_of(tuple(sorted(pipeline.templates.items())), folder)
    values = values_of(source, pipeline.variables)
    messages: list[Message] = []
    roles: tuple[Role, ...] = ("system", "user")
    for role in roles:
        file = pipeline.template_for(role, source)
        text = templates.render(file, values) if file is not None else ""
        if text.strip():
            messages.append(Message(role, parts_around(text, (values["transcript"], values["text"]))))
        elif role == "user":
            what = f"the prompt about source {source.id!r} is empty"
            raise templates.fault(file or f"user{SUFFIX}", 1, what, "write what the system is asked, with {{ text }}")
    return tuple(messages)


def values_of(source: Source, variables: Mapping[str, Scalar]) -> dict[str, object]:
    """What the templates are given about a source, and the variables. What a source does not have is ""."""
    segments = [
        {
            "number": segment.number,
            "text": source.words_of(segment),
            "begin": clock(segment.begin_s) if segment.begin_s is not None else "",
            "end": clock(segment.end_s) if segment.end_s is not None else "",
            "speaker": segment.speaker or "",
        }
        for segment in source.segments
    ]
    return {
        **variables,
        "text": source.text,
        "transcript": "\n".join(map(_line, segments)),
        "segments": segments,
        "id": source.id,
        "category": source.category or "",
        "language": source.language,
    }


def parts_around(text: str, said: Sequence[object]) -> tuple[str, ...]:
    """`text` in up to three parts: what stands before the first of `said` that it holds, that, and what follows.

    Cut at the starts of lines alone, at or before it and at or after its end: there every tokenizer cuts, too, so that
    the tokens are those of the whole message.
    """
    for each in said:
        words = str(each).strip()
        begin = text.find(words) if words else -1
        if begin >= 0:
            end = begin + len(words)
            starts = [found.end() for found in re.finditer(r"\n(?=\S)", text)]
            first = max((start for start in starts if start <= begin), default=0)
            last = min((start for start in starts if start >= end), default=len(text))
            return tuple(part for part in (text[:first], text[first:last], text[last:]) if part)
    return (text,)


def plain_category(category: str) -> str:
    """A category as names of files have it: case, spaces, `-` and `_` do not matter, as with rubrics."""
    return re.sub(r"[\s_-]+", "_", category.strip()).casefold()


def seat_of(file: str) -> tuple[Role, str] | None:
    """(role, category) that a file's name stands for, "" for all categories; None for a file of another name."""
    found = _TEMPLATE.fullmatch(file)
    if found is None:
        return None
    return ("system" if found[1] == "system" else "user"), found[2] or ""


def categories_of(files: Mapping[str, str], role: Role) -> dict[str, str]:
    """The files of a role that are for one category, by the category in its plain form."""
    seats = {file: seat_of(file) for file in files}
    return {plain_category(seat[1]): file for file, seat in seats.items() if seat and seat[0] == role and seat[1]}


def unused_templates(pipeline: Pipeline, sources: Sequence[Source]) -> tuple[str, ...]:
    """The templates for categories that no source has, sorted: none of them is put to the test by a run."""
    categories = {plain_category(source.category or "") for source in sources}
    return tuple(sorted(_of_others(pipeline, categories)))


def _of_others(pipeline: Pipeline, categories: set[str]) -> Iterator[str]:
    roles: tuple[Role, ...] = ("system", "user")
    for role in roles:
        for category, file in categories_of(pipeline.files, role).items():
            if category not in categories:
                yield file


def _line(segment: Mapping[str, object]) -> str:
    """One line of a transcript: time and speaker, where the source has them, and the words."""
    time = f"[{segment['begin']}] " if segment["begin"] else ""
    speaker = f"{one_line(str(segment['speaker']))}: " if segment["speaker"] else ""
    return f"{time}{speaker}{one_line(str(segment['text']))}"
