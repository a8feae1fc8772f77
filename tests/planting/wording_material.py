"""Meetings in three languages with summaries that are right, and the demo's: for planting and its oracle."""

from pathlib import Path

from localeval.inputs import CandidateSpec, SourceSpec, read_candidates, read_sources
from localeval.planting.schemas import Trusted

MEETINGS = Path(__file__).resolve().parent / "meetings"
DEMO = Path(__file__).resolve().parent.parent.parent / "demo"


def own_texts() -> tuple[Trusted, ...]:
    """Two meetings in each language."""
    return tuple(one for folder in sorted(MEETINGS.iterdir()) for one in _read(folder, "*.txt", "{source}.{system}.md"))


def demo_texts() -> tuple[Trusted, ...]:
    """The demo's four meetings with their faithful summaries."""
    candidates = "summaries/{source}/{system}.md"
    return tuple(
        one for folder in (DEMO, DEMO / "ru", DEMO / "zh") for one in _read(folder, "transcripts/*", candidates)
    )


def _read(folder: Path, sources: str, candidates: str) -> list[Trusted]:
    """The faithful summaries of a folder with their sources, read as a user's files are."""
    read = read_sources([SourceSpec(path=sources)], folder)
    written = read_candidates([CandidateSpec(path=candidates)], folder, read)
    by_id = {source.id: source for source in read}
    return [Trusted(by_id[one.source_id], one, one.system) for one in written if one.system == "faithful"]
