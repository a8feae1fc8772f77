"""Rows of generation: each text that a system wrote, or why there is none."""

from collections.abc import Mapping
from dataclasses import dataclass

from localeval.methods.generate.schemas import GeneratedText
from localeval.report.rows import why
from localeval.values import Missing


@dataclass(frozen=True, slots=True)
class TextRow:
    """One text and what it took; `text` is "" where `reason` says why there is none."""

    source: str
    system: str
    text: str
    reason: str
    asked: int
    output_tokens: int
    thinking_tokens: int
    seconds: float
    first_token_s: float | None


def generate_details(
    texts: Mapping[tuple[str, str], GeneratedText], system: str | None, source: str | None
) -> tuple[TextRow, ...]:
    """The texts of the chosen systems about the chosen sources (None: all), in the order of `texts`."""
    return tuple(
        _row(each) for each in texts.values() if system in (None, each.system) and source in (None, each.source)
    )


def _row(text: GeneratedText) -> TextRow:
    return TextRow(
        source=text.source,
        system=text.system,
        text=text.text if isinstance(text.text, str) else "",
        reason=why(text.text) if isinstance(text.text, Missing) else "",
        asked=text.asked,
        output_tokens=text.output_tokens,
        thinking_tokens=text.thinking_tokens,
        seconds=text.seconds,
        first_token_s=text.first_token_s,
    )
