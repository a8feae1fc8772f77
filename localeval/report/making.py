"""From a run folder to its report: the page and the pictures as files."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from localeval import evaluation
from localeval.errors import InputError, NoRun
from localeval.inputs.writing import write_file
from localeval.report.marks import mark_affect, marks_of
from localeval.report.page import page
from localeval.report.pictures.affect import affect_pictures
from localeval.report.pictures.files import drawing_script, letters_without_font, write_pictures
from localeval.report.pictures.picture import NoPicture, Picture
from localeval.report.selecting import selection_of, whole_letters
from localeval.store.files import PAGE, SCORES, RunFiles
from localeval.store.folder import require_run


@dataclass(frozen=True, slots=True)
class Report:
    """What was written; the charts that were left out; letters that the PNG files could not show for want of a font."""

    written: tuple[Path, ...]
    left_out: tuple[NoPicture, ...]
    without_font: str = ""


def make_report(run: Path, html: Path | None = None, pictures: Path | None = None) -> Report:
    """Writes the page of a finished run to `html` and its pictures into the folder `pictures`; without either, the page
    to report.html in the run folder.

    Raises NoRun where `run` is no run or is not finished, InputError where a place cannot be written to or there is
    nothing to draw.
    """
    scores, passport = _read(run)
    if html is None and pictures is None:
        html = run / PAGE
    _check_places(html, pictures)
    affect = scores["methods"].get("affect")
    found = mark_affect(affect_pictures(affect), marks_of(scores)) if affect else {}
    selection = selection_of(run, scores)
    flat = [each for part in selection.parts for each in (*part.pictures, *part.left_out)]
    flat += [each for of_judge in found.values() for each in of_judge]
    drawn = [each for each in flat if isinstance(each, Picture)]
    if pictures is not None and not drawn:
        whys = [each.why for each in flat if isinstance(each, NoPicture)]
        why = whys[0] if whys else "it has no affect, and no two systems to weigh"
        raise InputError(f"{run}: there is nothing to draw ({why}): leave out --pictures")
    written: list[Path] = []
    if html is not None:
        write_file(html, page(scores, found, drawing_script() if drawn else "", passport, selection))
        written.append(html)
    if pictures is not None:
        written += write_pictures(drawn, pictures)
    left_out = tuple(each for each in flat if isinstance(each, NoPicture))
    return Report(tuple(written), left_out, letters_without_font(drawn) if pictures is not None else "")


def _read(run: Path) -> tuple[Mapping[str, Any], Mapping[str, Any] | None]:
    """The scores and the passport of a finished run."""
    require_run(run)
    if not (run / SCORES).exists():
        raise NoRun(f"{run}: no {SCORES}: the run is not finished; go on with `localeval run` and its config")
    scores, passport = evaluation.load_scores(run), RunFiles(run).passport()
    return whole_letters(scores), passport if passport is None else whole_letters(passport)


def _check_places(html: Path | None, pictures: Path | None) -> None:
    """Before anything is drawn, which takes seconds."""
    if html is not None and html.is_dir():
        raise InputError(f"--html {html} is a folder: name a file in it, such as {html / PAGE}")
    if html is not None and not html.parent.is_dir():
        raise InputError(f"--html {html}: there is no folder {html.parent}: make it first, or name another")
    if pictures is None:
        return
    try:
        pictures.mkdir(exist_ok=True)
    except OSError as error:
        what = "is a file" if pictures.exists() else f"cannot be made ({error.strerror})"
        raise InputError(f"--pictures {pictures} {what}: name a folder, in one that there is") from error
