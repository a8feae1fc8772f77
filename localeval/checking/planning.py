"""What a check would ask, and how long that would take: rehearsed like a run."""

from pathlib import Path
from typing import Any

from localeval.checking.building import sow
from localeval.checking.checking import check_path, checked_evaluation, gather_all
from localeval.driver import Observer
from localeval.estimating.calibrating import estimated
from localeval.flow import Engines, Store
from localeval.planning import planned
from localeval.reading import read_evaluation
from localeval.rehearsing import rehearsed
from localeval.store.folder import RunReader


def plan_check(path: Path, out: Path | None = None) -> dict[str, Any]:
    """The plan of a check of the config's judges, in the form of plan.json. Writes nothing, loads no model.

    What the folder of the check holds already counts as stored. Raises what `check_judges` raises before it asks.
    """
    read, models = read_evaluation(path, is_check=True)
    evaluation = checked_evaluation(read, models)
    beds = sow(evaluation)

    def gathering(store: Store, engines: Engines, observer: Observer) -> object:
        return gather_all(evaluation, beds, store, engines, observer)

    sources, folder = evaluation.material.sources, check_path(evaluation, out)
    if not folder.exists():
        return estimated(evaluation, models, planned(rehearsed(gathering, sources, models, None), models), None)
    with RunReader.open(folder) as reader:
        plan = planned(rehearsed(gathering, sources, models, reader.store), models)
    return estimated(evaluation, models, plan, None)
