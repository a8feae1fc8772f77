"""What a judge made of one text of a check, in one form for every method."""

from dataclasses import dataclass
from typing import Literal

from localeval.checking.texts import CheckText, Role
from localeval.planting.settings import CheckedMethod
from localeval.values import Missing

LightKind = Literal["praise", "blame", "neutral"]


@dataclass(frozen=True, slots=True)
class Ruling:
    """One judge on one text.

    `kind` is the kind of error, the light of an affect sentence, or the control's name. `is_flagged` says that the
    judge found something wrong: a hit where something was planted, a false alarm where nothing was. `weighs`: whether
    it enters the bars. `characters` is the length of the source that the text was held against.
    """

    method: CheckedMethod
    model: str
    text: str
    role: Role
    kind: str
    view: str
    origin: str
    language: str
    characters: int
    position: float | None
    is_flagged: bool | Missing
    weighs: bool = True

    @property
    def is_planted(self) -> bool:
        """Whether there is something to be found."""
        return self.role == "planted"

    @property
    def said(self) -> str:
        """The ruling in words."""
        if isinstance(self.is_flagged, Missing):
            return f"missing: {self.is_flagged.reason}"
        if self.is_planted:
            return "found" if self.is_flagged else "passed over"
        return "blamed" if self.is_flagged else "sound"


def ruling(
    method: CheckedMethod,
    model: str,
    text: CheckText,
    is_flagged: bool | Missing,
    weighs: bool = True,
    place: tuple[int, float | None] | None = None,
) -> Ruling:
    """The ruling on a text. `place` are characters and position, by default of the source it was held against."""
    characters, position = (len(text.source.text), text.position) if place is None else place
    kind = text.edit.kind if text.edit is not None else text.role
    return Ruling(
        method,
        model,
        text.id,
        text.role,
        kind,
        text.view,
        text.origin,
        text.language,
        characters,
        position,
        is_flagged,
        weighs,
    )
