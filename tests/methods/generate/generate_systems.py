"""Sources with and without times and speakers, and systems of given templates."""

from collections.abc import Mapping

from localeval.inputs.passages import Passage
from localeval.inputs.segmenting import cut_passages, cut_text
from localeval.methods.generate.pipeline import Pipeline
from localeval.methods.generate.schemas import SystemSettings
from localeval.texts import Language, Source

WORDS = "The bridge opens on 3 June. Ana pays for the lamps. Nobody asked about the toll."


def plain(id: str = "s", language: Language = "en", text: str = WORDS) -> Source:
    """A text without times and speakers."""
    cut = cut_text(text, language)
    return Source(id, cut.text, cut.segments, language)


def meeting(id: str = "m", category: str | None = "meeting") -> Source:
    """Two turns with times and speakers; the second goes over a line end."""
    turns = [Passage("Is it open?", 0.0, 4.0, "Ana"), Passage("From 3 June.\nPerhaps.", 65.5, 3700.0, "Ben")]
    cut = cut_passages(turns, "en")
    return Source(id, cut.text, cut.segments, "en", category)


def system(files: Mapping[str, str], name: str = "terse", **settings: object) -> Pipeline:
    """A system of these files; its variables are those of its settings."""
    own = SystemSettings.model_validate({"model": "small", "prompt": "own"} | settings)
    return Pipeline(name=name, settings=own, generic=False, files=dict(files), variables=own.variables)
