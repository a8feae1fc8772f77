"""`localeval plan --calibrate`: a few sources are evaluated for real, and what that took corrects the estimate.

The pilot's replies stay in the run folder, where the run finds them: nothing of it is wasted.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from localeval.bill import Bill
from localeval.bill.pricing import kind_of
from localeval.bill.tally import together
from localeval.checking.gate import judge_states
from localeval.errors import ConfigError
from localeval.estimating.estimates import Estimate, Measured, Pilot, estimate
from localeval.estimating.plan_file import pilot_of, plan_json
from localeval.estimating.terms import Machine, notes_of, terms_of
from localeval.evaluation import run_path
from localeval.gathering import gather
from localeval.ledger import Account, Ledger
from localeval.measuring import Evaluation
from localeval.methods.generate.pipeline import unused_templates
from localeval.models import Model
from localeval.planning import Plan, plan_of
from localeval.reading import read_evaluation
from localeval.sitting import check_models, sit
from localeval.store.files import PLAN, RunFiles
from localeval.store.folder import RunFolder, RunReader
from localeval.texts import Source


def estimated_plan(path: Path, out: Path | None = None) -> dict[str, Any]:
    """The plan of a config file with seconds and money, in the form of plan.json. Writes nothing, loads nothing.

    What an earlier calibration in the run folder measured corrects it. Raises what reading the config raises.
    """
    evaluation, models = read_evaluation(path)
    folder = run_path(evaluation, out)
    if not folder.exists():
        return estimated(evaluation, models, plan_of(evaluation, models, None), None)
    with RunReader.open(folder) as reader:
        planned = plan_of(evaluation, models, reader.store)
        pilot = _earlier(reader, models)
    return estimated(evaluation, models, planned, pilot)


def calibrate(path: Path, out: Path | None = None, n_sources: int = 1, ledger: Ledger | None = None) -> dict[str, Any]:
    """Runs a pilot of so many sources of middling length in the run's folder; returns and keeps plan.json.

    Raises ConfigError where there is no source, and what a run raises.
    """
    evaluation, models = read_evaluation(path)
    # a pilot measures time and money, which a refused judge takes like any other: the plan says that it is refused
    evaluation = replace(evaluation, judges=judge_states(evaluation, models))
    pilot = pilot_evaluation(evaluation, n_sources)
    planned = plan_of(pilot, models, None)  # of all its calls: those that are stored already were measured, too
    bill, ledger = Bill(), ledger or Ledger()
    check_models(evaluation, models)
    with RunFolder.create_or_open(run_path(evaluation, out)) as folder:
        sit(folder, evaluation, models, partial(gather, pilot), ledger, bill)
        loads = {
            name: each for name, each in ledger.accounts.items() if each.loads and kind_of(models[name]) == "local"
        }
        measured = _measured(pilot, planned, bill, loads, _earlier(folder, models))
        found = estimated(evaluation, models, plan_of(evaluation, models, folder.store), measured)
        folder.save_plan(found)
    return found


def pilot_evaluation(evaluation: Evaluation, n_sources: int) -> Evaluation:
    """The evaluation of the sources of middling length alone. Raises ConfigError where there is none.

    Texts that affect elicits are of no source, and are left out of a pilot.
    """
    sources = evaluation.material.sources
    if not sources:
        raise ConfigError("plan --calibrate: the config has no sources to take a pilot from; plan without --calibrate")
    chosen = middling(sources, n_sources)
    material = evaluation.material
    methods = evaluation.config.methods
    if methods.affect is not None and methods.affect.elicit is not None:
        methods = methods.model_copy(update={"affect": None})
    return replace(
        evaluation,
        config=evaluation.config.model_copy(update={"methods": methods}),
        material=replace(
            material,
            sources=[source for source in sources if source.id in chosen],
            candidates=[each for each in material.candidates if each.source_id in chosen],
        ),
        items=tuple(item for item in evaluation.items if item.source in chosen),
        rubrics={source: rubric for source, rubric in evaluation.rubrics.items() if source in chosen},
    )


def middling(sources: Sequence[Source], n_sources: int) -> frozenset[str]:
    """The ids of the so many sources around the median length."""
    by_length = sorted(sources, key=lambda source: (len(source.text), source.id))
    first = max(0, (len(by_length) - n_sources) // 2)
    return frozenset(source.id for source in by_length[first : first + n_sources])


def _measured(
    pilot: Evaluation, planned: Plan, bill: Bill, loads: Mapping[str, Account], earlier: Pilot | None
) -> Pilot:
    """What the pilot took. Where all its replies were stored nothing was loaded: its loads are the earlier ones'."""
    again = earlier is not None and not loads
    return Pilot(
        sources=tuple(source.id for source in pilot.material.sources),
        planned=planned.stages,
        measured=tuple(_stages_of(bill)),
        load_s=earlier.load_s
        if earlier is not None and again
        else {name: each.load_s / each.loads for name, each in loads.items()},
        loads=earlier.loads if earlier is not None and again else {name: each.loads for name, each in loads.items()},
    )


def _stages_of(bill: Bill) -> Iterator[Measured]:
    """What was measured, by model and stage; no seconds where a reply came without them."""
    for model, stage in sorted({(line.model, line.stage) for line in bill.lines}):
        tally = together(paid.own for line, paid in bill.lines.items() if (line.model, line.stage) == (model, stage))
        if tally.sent:
            computed = tally.prompt_tokens - tally.cached_tokens
            seconds = None if tally.untimed else tally.device_s
            yield Measured(model, stage, tally.sent, tally.prompt_tokens, computed, tally.output_tokens, seconds)


def _earlier(files: RunFiles, models: Mapping[str, Model]) -> Pilot | None:
    """The pilot that the run folder knows of, unless the config has other models now."""
    kept = files.plan()
    if kept is None:
        return None
    try:
        pilot = pilot_of(kept)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise files.damaged(PLAN, error) from error
    asked = {each.model for each in pilot.measured} if pilot is not None else set()
    return pilot if asked <= set(models) else None


def estimated(
    evaluation: Evaluation, models: Mapping[str, Model], planned: Plan, pilot: Pilot | None
) -> dict[str, Any]:
    """A plan with seconds and money, in the form of plan.json."""
    machine = Machine.here(models)
    terms = terms_of(models, evaluation.config.prices, machine)
    found: Estimate = estimate(planned, terms, pilot)
    notes = [*notes_of(found, models, evaluation.config.prices, machine), *_of_templates(evaluation)]
    judges = judge_states(evaluation, models)
    return plan_json(found, machine.shown, evaluation.config.prices.currency, notes, judges)


def _of_templates(evaluation: Evaluation) -> Iterator[str]:
    """What of the systems' prompts the run will not put to the test."""
    for name, pipeline in evaluation.systems.items():
        if unused := unused_templates(pipeline, evaluation.material.sources):
            yield f"{name}: no source of the run has the category of {', '.join(unused)}"
