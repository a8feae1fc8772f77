"""What the readers of files with cues or turns hand to the cutter."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Passage:
    """Words that were said or written in one go; times in seconds, None where the file has none."""

    text: str
    begin_s: float | None = None
    end_s: float | None = None
    speaker: str | None = None
