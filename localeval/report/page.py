"""The report as one HTML page that needs no network and no other file: decision, answers, leaderboard, pictures, costs,
limits."""

import base64
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from localeval import __version__
from localeval.report.affect_answers import answer_lines, limit_lines
from localeval.report.generated_page import generated_part, source_blocks
from localeval.report.marks import Marks, mark_heading, mark_lines, mark_table, marks_of
from localeval.report.page_rows import about_lines, judge_tables, leaderboard_table
from localeval.report.parts import Block, Part
from localeval.report.pictures.picture import TEXT_SIZES, NoPicture, Picture, Spec, Table

TEMPLATES = Path(__file__).resolve().parent / "templates"

_INK = "currentColor"  # so that the style sheet decides: light, dark and print need no second drawing
_FAINT = 0.25
CONFIG: Spec = {
    "background": "transparent",
    "font": "system-ui, sans-serif",
    "axis": {
        **TEXT_SIZES["axis"],
        **{f"{part}Color": _INK for part in ("label", "title", "domain", "tick", "grid")},
        **{f"{part}Opacity": _FAINT for part in ("domain", "tick", "grid")},
    },
    "legend": {**TEXT_SIZES["legend"], "labelColor": _INK, "titleColor": _INK},
    "header": {**TEXT_SIZES["header"], "labelColor": _INK},
    "text": {**TEXT_SIZES["text"], "color": _INK},
    "view": {"stroke": _INK, "strokeOpacity": _FAINT},
}
"""How charts look in the page."""


@dataclass(frozen=True, slots=True)
class Section:
    """What one judge says."""

    judge: str
    pictures: tuple[Picture, ...]
    left_out: tuple[NoPicture, ...]
    tables: tuple[Table, ...]


@dataclass(frozen=True, slots=True)
class Selection:
    """What a run's files beside scores.json come to: the decision, and the parts that follow the leaderboard."""

    decision: Part | None = None
    parts: tuple[Part, ...] = ()


def page(
    scores: Mapping[str, Any],
    pictures: Mapping[str, Sequence[Picture | NoPicture]],
    drawing_script: str,
    passport: Mapping[str, Any] | None = None,
    selection: Selection | None = None,
) -> str:
    """The page of a run's scores.json, with the pictures of each judge, and what its other files say of the choice of
    a system. What texts, models and names say is escaped.

    `drawing_script` defines `vegaEmbed`. Nothing in the page may be fetched, and no script but that one and the
    page's own may run: its content security policy says so to the browser.
    """
    affect, marks = scores["methods"].get("affect"), marks_of(scores)
    chosen = selection or Selection()
    parts = [each for each in (_leaderboard(scores), *chosen.parts, generated_part(scores)) if each is not None]
    is_drawn = any(_drawn(each) for each in pictures.values()) or any(each.pictures for each in parts)
    return _rendered(
        drawing_script if is_drawn else "",
        name=mark_heading(scores["name"], tuple(marks.judges)),
        answers_heading=mark_heading("Answers", marks.of("affect")),
        limits_heading=mark_heading("Limits", marks.of("affect")),
        refusals=list(mark_lines(marks.lines)),
        answers=list(mark_lines(answer_lines(affect), marks.has("affect"))) if affect else [],
        about=list(mark_lines(about_lines(affect), marks.has("affect"))) if affect else [],
        decision=chosen.decision,
        parts=parts,
        sections=[_section(affect, judge, found, marks) for judge, found in pictures.items()] if affect else [],
        limits=_limits(passport, affect, marks),
        hashes=_hashes(scores),
    )


def page_of_parts(
    name: str, about: Sequence[str], parts: Sequence[Part], hashes: Mapping[str, str], drawing_script: str
) -> str:
    """A page of parts alone, under the same rules as `page`: what another thing than a run comes to."""
    return _rendered(
        drawing_script if any(each.pictures for each in parts) else "",
        name=name,
        answers_heading="",
        limits_heading="",
        refusals=[],
        answers=[],
        about=list(about),
        decision=None,
        parts=list(parts),
        sections=[],
        limits=[],
        hashes=dict(hashes),
    )


def _rendered(drawing_script: str, **values: object) -> str:
    """The template filled in; with a drawing script its charts are drawn."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    scripts = [drawing_script, _own("draw.js")] if drawing_script else []
    html = environment.get_template("report.html.j2").render(
        **values,
        config=CONFIG,
        version=__version__,
        style=Markup(_own("page.css")),
        scripts=[Markup(script) for script in scripts],
        policy=_policy(scripts),
    )
    return html.encode("utf-8", "replace").decode()  # half a surrogate pair in a name must not cost the page


def _leaderboard(scores: Mapping[str, Any]) -> Part | None:
    """The systems, and the sources that their numbers rest on."""
    table = leaderboard_table(scores)
    blocks = [*([Block(table=table)] if table else []), *source_blocks(scores)]
    refused = marks_of(scores).of("panel", "audit", "quiz")
    return Part("leaderboard", mark_heading("Systems", refused), tuple(blocks)) if blocks else None


def _section(affect: Mapping[str, Any], judge: str, found: Sequence[Picture | NoPicture], marks: Marks) -> Section:
    """One judge's pictures, which are marked already, and tables."""
    left_out = tuple(each for each in found if isinstance(each, NoPicture))
    refused = ("affect",) if marks.has("affect", judge) else ()
    tables = tuple(mark_table(table, refused) for table in judge_tables(affect, judge))
    return Section(mark_heading(judge, refused), _drawn(found), left_out, tables)


def _drawn(found: Iterable[Picture | NoPicture]) -> tuple[Picture, ...]:
    return tuple(each for each in found if isinstance(each, Picture))


def _limits(passport: Mapping[str, Any] | None, affect: Mapping[str, Any] | None, marks: Marks) -> list[str]:
    """What a study's passport and its numbers say of themselves, and which judges nobody has checked."""
    given = [str(each) for each in passport.get("limits", ())] if passport else []
    of_affect = mark_lines([*given, *(limit_lines(affect) if affect else [])], marks.has("affect"))
    return [*of_affect, *(f"{line[:1].upper()}{line[1:]}." for line in marks.quiet)]


def _hashes(scores: Mapping[str, Any]) -> dict[str, str]:
    """What the numbers depend on, by what it is: only runs that are alike in these can be compared."""
    axes = scores["methods"].get("affect", {}).get("axes", {}).get("hashes", {})
    return {
        "config": scores["config"],
        "prompts": scores["prompts"],
        **{f"axes ({language})": each for language, each in axes.items()},
        **{f"model {name}": each for name, each in scores["models"].items()},
    }


def _own(name: str) -> str:
    """One of the files beside the template."""
    return (TEMPLATES / name).read_text(encoding="utf-8")


def _policy(scripts: Iterable[str]) -> str:
    """A content security policy under which nothing is fetched and these scripts alone run."""
    hashes = [base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts]
    allowed = " ".join(f"'sha256-{each}'" for each in hashes) or "'none'"
    return f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
