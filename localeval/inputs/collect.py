"""The way in: what the config names, as sources and candidates."""

from localeval.inputs.candidates import read_candidates
from localeval.inputs.sources import read_sources
from localeval.inputs.specs import CandidateSpec, SourceSpec

__all__ = ["CandidateSpec", "SourceSpec", "read_candidates", "read_sources"]
