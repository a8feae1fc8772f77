"""What was generated and about which sources, on the page: pure."""

from collections.abc import Iterator, Mapping
from typing import Any

from localeval.report.console import NOTHING, counted, listed
from localeval.report.parts import Block, Part, marked, told_of
from localeval.report.pictures.picture import Table

Json = Mapping[str, Any]


def generated_part(scores: Json) -> Part | None:
    """Who wrote how much, and which texts are missing for which reason. None where no system wrote."""
    generated = scores["methods"].get("generate")
    if not generated or not generated["systems"]:
        return None
    blocks = [Block(lines=tuple(_missing_lines(generated)), table=_texts_table(generated, told_of(scores)))]
    if missing := tuple(_missing_rows(generated)):
        columns = ("system", "source", "reason", "detail")
        blocks.append(Block("Missing texts", table=Table(columns, missing)))
    return Part("generated", "What the systems wrote", tuple(blocks))


def source_blocks(scores: Json) -> Iterator[Block]:
    """Which sources were chosen and left out, by category; nothing where the run does not say."""
    sources = scores.get("sources")
    if not sources or not sources["chosen"]:
        return
    left_out: dict[str, list[str]] = {}
    for each in sources["left_out"]:
        left_out.setdefault(each["category"] or "", []).append(each["source"])
    rows = tuple(
        (
            category or "no category",
            str(each["chosen"]),
            str(each["pool"]),
            ", ".join(left_out.get(category, ())) or NOTHING,
        )
        for category, each in sources["categories"].items()
    )
    notes = (f"{sources['note'][:1].upper()}{sources['note'][1:]}.",) if sources["note"] else ()
    yield Block("Sources", notes, Table(("category", "chosen", "of", "left out"), rows) if rows else None)


def _texts_table(generated: Json, told: Mapping[str, Json]) -> Table:
    rows = tuple(
        (
            marked(name, told.get(name, {})),
            system["model"],
            str(system["texts"]),
            str(system["missing"]),
            _mean(system["characters"]),
            _mean(system["output_tokens"]),
            str(sum(each.get("asked", 1) > 1 for each in system["by_source"].values())),
        )
        for name, system in generated["systems"].items()
    )
    columns = ("system", "model", "texts", "missing", "characters, mean", "tokens, mean", "asked more than once")
    return Table(columns, rows)


def _mean(value: float | None) -> str:
    return NOTHING if value is None else f"{value:.0f}"


def _missing_lines(generated: Json) -> Iterator[str]:
    if generated["missing"]:
        reasons = listed(generated["missing_by_reason"])
        yield f"Missing: {counted(generated['missing'], 'text')} ({reasons}); nothing was scored in their place."


def _missing_rows(generated: Json) -> Iterator[tuple[str, ...]]:
    for name, system in generated["systems"].items():
        for each in system["missing_texts"]:
            yield marked(name, system), each["source"], each["reason"], each["detail"] or NOTHING
