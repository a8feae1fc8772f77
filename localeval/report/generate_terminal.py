"""Generation on a terminal: what is missing of it beneath the leaderboard, and each text."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rich.text import Text

from localeval.report.console import ASIDE, LACKING, counted, listed, literal
from localeval.report.generate_view import TextRow


def generate_lines(generated: Mapping[str, Any]) -> Iterator[str]:
    """Beneath the leaderboard: who wrote, through whose prompts, and what is missing."""
    for name, system in generated["systems"].items():
        marks = [
            mark for mark, holds in (("incumbent", system["incumbent"]), ("generic prompt", system["generic"])) if holds
        ]
        told = f" ({', '.join(marks)})" if marks else ""
        length = f", {system['characters']:.0f} characters each" if system["characters"] is not None else ""
        yield f"{name}{told}: {counted(system['texts'], 'text')} by {system['model']}{length}"
        for each in system["missing_texts"]:
            yield f"missing: {name} about {each['source']}: {each['reason']}: {each['detail']}"
    if generated["missing"]:
        reasons = listed(generated["missing_by_reason"])
        yield f"missing: {counted(generated['missing'], 'text')} ({reasons}); nothing was scored in their place"


def generate_detail_lines(rows: Iterable[TextRow]) -> Iterator[Text]:
    """Each text with what it took."""
    for row in rows:
        yield literal(f"{row.source}, {row.system}", "bold")
        if row.reason:
            yield literal(f"  missing: {row.reason}", LACKING)
        else:
            for line in row.text.splitlines():
                yield literal(f"  {line}")
        yield Text(f"  {_took(row)}", style=ASIDE)


def _took(row: TextRow) -> str:
    parts = [counted(row.output_tokens, "token")]
    if row.thinking_tokens:
        parts.append(f"{row.thinking_tokens} of them thought")
    parts.append(f"{row.seconds:.1f} s")
    if row.first_token_s is not None:
        parts.append(f"the first after {row.first_token_s:.1f} s")
    if row.asked > 1:
        parts.append(f"asked {row.asked} times")
    return ", ".join(parts)
