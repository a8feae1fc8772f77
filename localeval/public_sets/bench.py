"""`localeval bench judges` as one call: the sets that are there, their stored verdicts, and models asked on them."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from localeval.driver import Observer
from localeval.errors import ConfigError
from localeval.public_sets.asking import ASKED_SETS, ask_models, draw
from localeval.public_sets.contents import contents, present_sets
from localeval.public_sets.judged import judged_rows
from localeval.public_sets.judges import read_models
from localeval.public_sets.published import SetName
from localeval.public_sets.stored import stored_rows
from localeval.public_sets.table import SetContents, TableRow, table_json


@dataclass(frozen=True, slots=True)
class Request:
    """What is wanted.

    `sets`: none for all that lie in `data`. `models`: as they are named on the command line; each is asked `items`
    items of each set (0: all), drawn with `seed`. Replies are kept in `out`.
    """

    data: Path
    sets: Sequence[SetName] = ()
    models: Sequence[str] = ()
    items: int = 40
    seed: int = 1
    out: Path = Path("runs/bench-judges")


@dataclass(frozen=True, slots=True)
class Bench:
    """What was found."""

    contents: list[SetContents]
    rows: list[TableRow]

    @property
    def n_missing(self) -> int:
        """Verdicts of models that were asked here and gave none."""
        return sum(sum(row.reasons.values()) for row in self.rows if row.is_local and row.is_headline)

    def as_json(self) -> dict[str, object]:
        """As docs/judges.md says."""
        return table_json(self.contents, self.rows)


def bench(request: Request, observer: Observer | None = None) -> Bench:
    """The table of the sets in a folder. Raises InputError, ConfigError or ModelError, one line, before anything is
    asked; what engines and store raise."""
    sets = present_sets(request.data, request.sets)
    models = read_models(request.models, Path.cwd())
    told = contents(request.data, sets)
    rows = stored_rows(request.data, sets, request.seed)
    if models:
        asked = [name for name in sets if name in ASKED_SETS]
        if not asked:
            raise ConfigError(
                f"--model: nobody can be asked on {', '.join(sets)}; add --set {ASKED_SETS[0]}, or leave it out"
            )
        drawn = draw(request.data, asked, request.items, request.seed)
        rows += judged_rows(drawn, ask_models(drawn, models, request.out, request.seed, observer))
    return Bench(told, rows)
