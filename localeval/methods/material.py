"""What every method works on."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from localeval.prompts import Prompts
from localeval.texts import Candidate, Source


@dataclass(frozen=True)
class Material:
    """The sources, the candidates about them, the prompts and the seed of one evaluation."""

    sources: Sequence[Source]
    candidates: Sequence[Candidate]
    prompts: Prompts
    seed: int

    @cached_property
    def by_source(self) -> Mapping[str, Sequence[Candidate]]:
        """The candidates of each source id, in order."""
        found: dict[str, list[Candidate]] = defaultdict(list)
        for candidate in self.candidates:
            found[candidate.source_id].append(candidate)
        return found
