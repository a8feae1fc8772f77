"""Prompts: Jinja files that are used byte for byte, rendered strictly, hashed into the run."""

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from jinja2 import StrictUndefined, Template, TemplateError, UndefinedError
from jinja2.sandbox import ImmutableSandboxedEnvironment

from localeval.errors import ConfigError
from localeval.keys import canonical, digest
from localeval.texts import Candidate, Language, Segment, Source

SUFFIX = ".jinja"

_LINE_ENDS = re.compile(r"(?<!\s)\s*[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]\s*")
"""What `str.splitlines` and readers take for the end of a line, with the white space around it.

The look behind keeps it to one attempt in a run of white space, however long."""


class Prompts:
    """Templates by name, such as "quiz/write.en", from the package's files or from a run that froze them."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self.texts = dict(texts)
        # keep_trailing_newline: the file is the prompt, byte for byte
        self._environment = ImmutableSandboxedEnvironment(
            undefined=StrictUndefined, keep_trailing_newline=True, autoescape=False
        )
        self._templates: dict[str, Template] = {}

    @property
    def hash(self) -> str:
        """64 hexadecimal digits over every name and text."""
        return digest(canonical(self.texts))

    def render(self, name: str, language: Language, /, **values: object) -> str:
        """The prompt in a language; raises ConfigError naming the template and what is wrong with it."""
        full = f"{name}.{language}"
        if full not in self.texts:
            raise ConfigError(f"prompts: no template {full}{SUFFIX}; add it, or choose another language for the source")
        try:
            template = self._templates.get(full)
            if template is None:
                template = self._templates[full] = self._environment.from_string(self.texts[full])
            return template.render(**values)
        except UndefinedError as error:
            raise ConfigError(
                f"prompts: {full}{SUFFIX}: {error.message}; known here: {', '.join(sorted(values))}"
            ) from error
        except TemplateError as error:
            line = getattr(error, "lineno", None)
            raise ConfigError(f"prompts: {full}{SUFFIX}{f' line {line}' if line else ''}: {error.message}") from error
        except (TypeError, ValueError, ArithmeticError, LookupError) as error:  # what the template computes
            raise ConfigError(f"prompts: {full}{SUFFIX}: {error}; known here: {', '.join(sorted(values))}") from error


def read_prompts(shipped: Path, own: Path | None = None) -> Prompts:
    """Every template below `shipped`; a file below `own` takes the place of the shipped one of the same name.

    Raises ConfigError for a file that cannot be read, and for one of the user's that takes no place: a slip in its
    name would otherwise leave the shipped prompt in use.
    """
    texts = dict(_templates(shipped))
    for name, text in _templates(own) if own is not None else ():
        if name not in texts:
            close = difflib.get_close_matches(name, texts, 1)
            hint = f"did you mean {close[0]}{SUFFIX}?" if close else f"known: {', '.join(sorted(texts))}"
            raise ConfigError(f"prompts: {own}: {name}{SUFFIX} takes the place of no shipped prompt; {hint}")
        texts[name] = text
    return Prompts(texts)


def _templates(folder: Path) -> Iterator[tuple[str, str]]:
    for path in sorted(folder.rglob(f"*{SUFFIX}")):
        try:
            text = path.read_bytes().decode("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError(f"prompts: {path}: cannot be read as UTF-8 text ({error})") from error
        if "\r" in text:  # Jinja would turn them into \n: the prompt would not be the file
            raise ConfigError(f"prompts: {path}: its lines end with CR; save it with LF alone")
        yield path.relative_to(folder).as_posix().removesuffix(SUFFIX), text


def fenced(tag: str, text: str) -> str:
    """`text` between an opening and a closing line that the text cannot contain.

    The fence carries a mark made from the text itself, so that nothing inside can close it, and the same text is
    always fenced in the same bytes, which is what the prefix cache needs.
    """
    mark = digest(text)[:8]
    while mark in text:
        mark = digest(mark + text)[:8]
    return f"<{tag} {mark}>\n{text}\n</{tag} {mark}>\n"


def source_block(source: Source) -> str:
    """The whole source, one numbered line a segment with time and speaker: byte for byte the same for every method."""
    return fenced("text", numbered(source, source.segments))


def numbered(source: Source | Candidate, segments: Sequence[Segment]) -> str:
    """Segments of a source or candidate, each on one line with its number, time and speaker."""
    lines = []
    for segment in segments:
        time = f" {clock(segment.begin_s)}" if segment.begin_s is not None else ""
        speaker = f" {one_line(segment.speaker)}:" if segment.speaker else ""
        lines.append(f"[{segment.number}]{time}{speaker} {one_line(source.words_of(segment))}")
    return "\n".join(lines)


def one_line(text: str) -> str:
    """`text` with every line end replaced by a space, so that it cannot fake a numbered line or another option."""
    return _LINE_ENDS.sub(" ", text)


def candidate_block(text: str) -> str:
    """A candidate's whole text, fenced; the same tag as a source, since an answerer must not know which it reads."""
    return fenced("text", text)


def clock(seconds: float) -> str:
    """Seconds as h:mm:ss or m:ss."""
    whole = int(seconds)
    hours, minutes = divmod(whole // 60, 60)
    return f"{hours}:{minutes:02d}:{whole % 60:02d}" if hours else f"{minutes}:{whole % 60:02d}"
