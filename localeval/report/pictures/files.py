"""Pictures as PNG and SVG files, and the JavaScript that draws them in a page: all by vl-convert, offline."""

import html
import textwrap
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import vl_convert

from localeval.inputs.writing import write_bytes
from localeval.report.pictures.picture import TEXT_SIZES, Picture, Spec

_PIXELS_A_POINT = 2.0
_TITLE_WIDTH, _CAPTION_WIDTH = 70, 96
_NO_CHARACTER = "\u0378"  # not assigned, so no font has it
_MOST_TRIED = 200
_CONFIG: Spec = {
    "background": "white",
    "padding": 14,
    **TEXT_SIZES,
    "title": {"anchor": "start", "offset": 14, "fontSize": 14, "subtitleFontSize": 11, "subtitlePadding": 6},
}


def write_pictures(pictures: Iterable[Picture], folder: Path) -> Iterator[Path]:
    """Writes NAME.png and NAME.svg of each picture, with its title and caption, and yields each path when it is there.

    Raises InputError where one cannot be written.
    """
    for picture in pictures:
        svg = vl_convert.vegalite_to_svg(with_title(picture), allowed_base_urls=[])
        for path, data in (
            (folder / f"{picture.name}.png", vl_convert.svg_to_png(svg, scale=_PIXELS_A_POINT)),
            (folder / f"{picture.name}.svg", svg.encode()),
        ):
            write_bytes(path, data)
            yield path


def with_title(picture: Picture) -> dict[str, Any]:
    """The chart on white, with title and caption in it: as a picture that stands alone."""
    title = {
        "text": textwrap.wrap(picture.title, _TITLE_WIDTH),
        "subtitle": textwrap.wrap(picture.caption, _CAPTION_WIDTH),
    }
    return {**picture.spec, "title": title, "description": picture.title, "config": dict(_CONFIG)}


def letters_without_font(pictures: Iterable[Picture]) -> str:
    """Letters in the pictures that no font of this machine has: in a PNG file boxes stand in their place."""
    words = {word for picture in pictures for row in picture.table.rows for word in row}
    letters = sorted({c for word in words for c in word if not c.isascii() and unicodedata.category(c).startswith("L")})
    absent = _drawn(_NO_CHARACTER)
    return "".join(letter for letter in letters[:_MOST_TRIED] if _drawn(letter) == absent)


def _drawn(letter: str) -> bytes:
    """A small picture of one letter."""
    text = f'<text x="4" y="30" font-size="24" font-family="sans-serif">{html.escape(letter)}</text>'
    return vl_convert.svg_to_png(f'<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40">{text}</svg>')


@lru_cache(maxsize=1)
def drawing_script() -> str:
    """JavaScript of Vega, Vega-Lite and Vega-Embed, about 0.9 MB; it defines `vegaEmbed`."""
    return vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
