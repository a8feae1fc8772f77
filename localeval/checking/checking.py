"""A check of judges from config to check.json: what `localeval judges check` calls.

A check sits as a run does, in a folder of its own: a store that is never asked twice, replies that outlive a crash, a
budget that holds. Its flows are those of the methods themselves, over texts that are known.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from localeval.bill import Bill
from localeval.checking.asking.affect import affect_flows
from localeval.checking.asking.audit import audit_flows
from localeval.checking.asking.panel import panel_flows
from localeval.checking.asking.quiz import clozes_of, quiz_flows
from localeval.checking.building import Sown, Written, build_test, check_trusted, sow, trusted_texts
from localeval.checking.keys import PEOPLE
from localeval.checking.probes.context import ProbeContext
from localeval.checking.probes.probing import probe_flows
from localeval.checking.registry import register
from localeval.checking.rewording import reword
from localeval.checking.telling import CHECK_SCHEMA, Found, check_json
from localeval.checking.texts import CheckTest
from localeval.config import Methods
from localeval.driver import Observer, drive
from localeval.errors import ConfigError, StoreError
from localeval.flow import Engines, Flow, Store
from localeval.freezing import judges_before
from localeval.ledger import Ledger
from localeval.loading import Job, load_order
from localeval.measuring import Evaluation
from localeval.models import Model
from localeval.planting.settings import CheckSettings
from localeval.reading import read_evaluation
from localeval.sitting import check_models, sit
from localeval.store.files import RunFiles
from localeval.store.folder import RunFolder, RunReader, require_run

Json = dict[str, Any]

RETRIES = 2
"""How often a rewording that changes too much is drawn again."""


@dataclass(frozen=True)
class CheckOutcome:
    """A finished check: where it is, check.json, and what was asked now."""

    folder: Path
    check: Json
    ledger: Ledger = field(default_factory=Ledger)

    @property
    def all_passed(self) -> bool:
        """Whether every judge is above its bars."""
        return all(judge["passed"] for judge in self.check["judges"])

    @property
    def n_missing(self) -> int:
        """Texts without a verdict, over all judges."""
        return sum(sum(judge["missing_by_reason"].values()) for judge in self.check["judges"])


def check_judges(
    path: Path, out: Path | None = None, reuse: Sequence[Path] = (), ledger: Ledger | None = None
) -> CheckOutcome:
    """Checks the judges of a config file, or goes on with the check: what its folder holds is not asked again.

    The folder is `out`, by default runs/<name>.check in the working directory. Every judge's result is kept under the
    judge's key besides, where a run finds it. Raises ConfigError where no judge can be checked, and what a run raises.
    """
    read, models = read_evaluation(path, is_check=True)
    evaluation = checked_evaluation(read, models)
    check_models(evaluation, models)
    place = check_path(evaluation, out)
    if judges_before(place):
        raise StoreError(f"{place}: holds a run, which a check would write over; name another folder for the check")
    beds = sow(evaluation)
    ledger = ledger or Ledger()
    with ExitStack() as stack:
        others = [stack.enter_context(RunReader.open(each)).store for each in reuse]
        folder = stack.enter_context(RunFolder.create_or_open(place))

        def gathering(store: Store, engines: Engines, observer: Observer) -> tuple[CheckTest, Found]:
            return gather_all(evaluation, beds, store, engines, observer)

        before = folder.check() or {}
        (test, found), _ = sit(folder, evaluation, models, gathering, ledger, Bill(folder.store.copied), others)
        made = str(before["made"]) if before.get("made") and not ledger.sent else f"{datetime.now(UTC):%Y-%m-%d}"
        check = check_json(evaluation, models, test, found, made)
        folder.save_check(check)
    register(check)
    return CheckOutcome(folder.path, check, ledger)


def check_path(evaluation: Evaluation, out: Path | None) -> Path:
    """The folder of a check."""
    return out or Path("runs") / f"{evaluation.config.name}.check"


def load_check(path: Path) -> Json:
    """check.json of a folder. Raises StoreError where there is none."""
    require_run(path)
    found = RunFiles(path).check()
    if found is None:
        raise StoreError(f"{path}: no check.json: no finished check; make or finish one with `localeval judges check`")
    if found.get("schema") != CHECK_SCHEMA:
        raise StoreError(f"{path}: check.json: `schema` is {found.get('schema')!r}, not {CHECK_SCHEMA!r}; check anew")
    return found


def checked_evaluation(evaluation: Evaluation, models: Mapping[str, Model]) -> Evaluation:
    """The evaluation with the methods and judges that are checked: no people, nothing that `check: methods` leaves out.

    Raises ConfigError where nothing is left, and where there is no source or no trusted text to plant into.
    """
    config = evaluation.config
    place, wanted = f"config {config.name!r}", config.check.methods
    check_trusted(evaluation)
    if not evaluation.material.sources:
        raise ConfigError(f"{place}: judges are checked on your own sources; add `sources`")
    for method in wanted:
        if getattr(config.methods, method) is None:
            raise ConfigError(f"{place}: check.methods names {method!r}, which `methods` lacks; add it there")
    methods = _of_models(config.methods, models)
    left_out = [name for name in type(methods).model_fields if wanted and name not in wanted]
    methods = methods.model_copy(update=dict.fromkeys(left_out))
    if not methods.given:
        raise ConfigError(f"{place}: no judge to check: people are not checked; add a method whose judges are models")
    return replace(evaluation, config=config.model_copy(update={"methods": methods}), systems={})


def gather_all(
    evaluation: Evaluation, beds: Sown, store: Store, engines: Engines, observer: Observer
) -> tuple[CheckTest, Found]:
    """The texts of a check, with what its paraphraser writes, and the results of `gather_check` over them."""
    test = build_test(evaluation, beds, _written(evaluation, store, engines, observer))
    return test, gather_check(evaluation, test, store, engines, observer)


def _written(evaluation: Evaluation, store: Store, engines: Engines, observer: Observer) -> Written:
    """What the config's paraphraser makes of the trusted texts; what it changed too much is left out."""
    writer, prompts, seed = evaluation.config.check.paraphraser, evaluation.material.prompts, evaluation.config.seed
    if writer is None:
        return {}
    flows = (
        ((each.source.id, each.origin), reword(each.candidate.text, each.source, [writer], prompts, seed, RETRIES))
        for each in trusted_texts(evaluation)
    )
    found = drive(flows, store, engines, observer)
    return {name: text for name, (text,) in found if isinstance(text, str)}


def gather_check(
    evaluation: Evaluation, test: CheckTest, store: Store, engines: Engines, observer: Observer | None = None
) -> Found:
    """Drives every flow of a check to its result, all in one; results by method (and "probe"), then by flow."""
    found: dict[str, dict[Any, Any]] = {}
    order = load_order(_jobs(evaluation.config.methods))
    for (method, name), result in drive(_flows(evaluation, test), store, engines, observer, order=order):
        found.setdefault(method, {})[name] = result
    return found


def probe_context(evaluation: Evaluation, test: CheckTest) -> ProbeContext:
    """What the probes work on."""
    settings: CheckSettings = evaluation.config.check
    return ProbeContext(evaluation, test.trusted, clozes_of(evaluation, test), settings)


def _flows(evaluation: Evaluation, test: CheckTest) -> Iterator[tuple[tuple[str, Any], Flow[Any]]]:
    methods = evaluation.config.methods
    if methods.quiz is not None:
        yield from ((("quiz", name), flow) for name, flow in quiz_flows(evaluation, test))
    if methods.panel is not None:
        yield from ((("panel", name), flow) for name, flow in panel_flows(evaluation, test))
    if methods.audit is not None:
        yield from ((("audit", name), flow) for name, flow in audit_flows(evaluation, test))
    if methods.affect is not None:
        yield from ((("affect", name), flow) for name, flow in affect_flows(evaluation, test))
    yield from ((("probe", name), flow) for name, flow in probe_flows(probe_context(evaluation, test)))


def _jobs(methods: Methods) -> list[Job]:
    """Which models are asked one after the other; nothing waits for anything else."""
    jobs = [Job("quiz", (methods.quiz.answerer,))] if methods.quiz is not None else []
    jobs += [Job(f"panel {each}", (each,)) for each in (methods.panel.judges if methods.panel is not None else ())]
    if methods.audit is not None:
        jobs += [Job(f"audit {each}", (methods.audit.extracted_by, each)) for each in methods.audit.auditors]
    jobs += [Job(f"affect {each}", (each,)) for each in (methods.affect.judges if methods.affect is not None else ())]
    return jobs


def _of_models(methods: Methods, models: Mapping[str, Model]) -> Methods:
    """The methods with their judges that are models; a method whose judges are all people is left out."""
    kept: Json = {}
    if methods.quiz is not None and models[methods.quiz.answerer].engine == PEOPLE:
        kept["quiz"] = None
    for method, role in (("panel", "judges"), ("audit", "auditors"), ("affect", "judges")):
        settings = getattr(methods, method)
        if settings is not None:
            judges = tuple(each for each in getattr(settings, role) if models[each].engine != PEOPLE)
            kept[method] = settings.model_copy(update={role: judges}) if judges else None
    return methods.model_copy(update=kept)
