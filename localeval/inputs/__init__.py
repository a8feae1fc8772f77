"""Files to sources and candidates: .txt, .md, .srt, .vtt, Whisper-style JSON and JSONL."""

from localeval.inputs.collect import CandidateSpec, SourceSpec, read_candidates, read_sources

__all__ = ["CandidateSpec", "SourceSpec", "read_candidates", "read_sources"]
