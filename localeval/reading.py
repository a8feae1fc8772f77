"""From a config file to an evaluation: everything of the user's is read and checked here, before anything runs."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from localeval.assets import asset_folder
from localeval.config import Config, load_config
from localeval.engines.house import check_scripts
from localeval.errors import ConfigError
from localeval.inputs import read_candidates, read_sources
from localeval.inputs.affect_inputs import read_affect
from localeval.inputs.choosing import choose_sources, choose_summary
from localeval.inputs.labels import read_labels
from localeval.inputs.names import normal
from localeval.inputs.quiz_files import read_items
from localeval.inputs.rubric_files import rubric_for
from localeval.inputs.system_files import read_systems
from localeval.inputs.verdict_files import check_verdicts
from localeval.measuring import Evaluation
from localeval.methods.affect.readings import AffectMaterial
from localeval.methods.generate.pipeline import Pipeline
from localeval.methods.material import Material
from localeval.methods.panel.rubrics import Rubric
from localeval.methods.panel.schemas import Label
from localeval.methods.quiz.schemas import QuizItem
from localeval.models import Model, resolve
from localeval.prompts import read_prompts
from localeval.texts import Candidate, Source


def read_evaluation(path: Path, is_check: bool = False) -> tuple[Evaluation, dict[str, Model]]:
    """The evaluation in a config file, and its models; for a check also the model that rewords.

    Raises InputError, ConfigError or ModelError; writes nothing.
    """
    config = load_config(path)
    rewords = config.check.models if is_check else ()
    return evaluation_of(config, path.read_bytes(), path, path.resolve().parent, rewords)


def evaluation_of(
    config: Config, text: bytes, path: Path, base: Path, further: Sequence[str] = ()
) -> tuple[Evaluation, dict[str, Model]]:
    """`read_evaluation` of a config that is parsed already; `path` stands for it in messages, relative paths start at
    `base`. `further` models are resolved besides those that the config's methods and systems use."""
    pool = read_sources(config.sources, base)
    of_pool = read_candidates(config.candidates, base, pool)
    _check_systems(config, of_pool)
    chosen = choose_sources(pool, config.choose, config.seed)
    sources = chosen.sources
    ids = {source.id for source in sources}
    candidates = [each for each in of_pool if each.source_id in ids]
    own_prompts = base / config.prompts if config.prompts is not None else None
    if own_prompts is not None and not own_prompts.is_dir():
        raise ConfigError(f"{path}: prompts: {config.prompts!r} is not a folder; name one or leave it out")
    wanted = dict.fromkeys([*config.models_used, *further])
    models = {name: resolve(name, config.models[name], base) for name in wanted}
    check_scripts(models)
    check_judges(config, models)
    rubrics = _rubrics(config, pool, base)
    prompts = read_prompts(asset_folder("prompts"), own_prompts)
    systems = read_systems(config.systems, base, pool, prompts.texts)
    check_distinct(systems, models)
    _check_verdicts(config, models, of_pool, rubrics)
    material = Material(sources, candidates, prompts, config.seed)
    affect = config.methods.affect
    unwritten = [f"{source}/{system}" for source in ids for system in systems] if affect and not affect.elicit else []
    return Evaluation(
        config=config,
        config_text=text,
        material=material,
        items=tuple(item for item in _items(config, pool, base) if item.source in ids),
        rubrics={source: rubric for source, rubric in rubrics.items() if source in ids},
        labels=tuple(each for each in _labels(config, of_pool, rubrics, base) if each.source in ids),
        families={name: model.card.family for name, model in models.items()},
        affect=read_affect(affect, material, base, unwritten) if affect is not None else AffectMaterial(),
        systems=systems,
        choice=choose_summary(chosen),
    ), models


def _check_systems(config: Config, candidates: Sequence[Candidate]) -> None:
    """Raises ConfigError for a system in the config that there is no candidate of, a slip that would cost a run, and
    for one that is to write and has candidates already."""
    panel, audit = config.methods.panel, config.methods.audit
    given = {each.system for each in candidates}
    for system in config.systems:
        if normal(system) in given:
            raise ConfigError(f"systems.{system}: `candidates` has texts of this system, too; name one of them apart")
    named = {system: f"methods.panel.families.{system}" for system in (panel.families if panel is not None else ())}
    if audit is not None and audit.incumbent is not None:
        named[audit.incumbent] = "methods.audit.incumbent"
    if config.incumbent is not None:
        named[config.incumbent] = "incumbent"
    known = sorted(given | set(config.systems))
    for system, place in named.items():
        if system not in known:
            fix = f"name one of {', '.join(known)} or leave it out"
            raise ConfigError(f"{place}: {system!r} is no system of this run; {fix}")


def check_judges(config: Config, models: Mapping[str, Model]) -> None:
    """Raises ConfigError where judges, auditors or eliciting systems are one model under two names.

    They would share every reply, and each error would count twice. Scripted models may: in a rehearsal nothing is
    measured.
    """
    panel, audit, affect = config.methods.panel, config.methods.audit, config.methods.affect
    roles = {
        "methods.panel.judges": panel.judges if panel is not None else (),
        "methods.audit.auditors": audit.auditors if audit is not None else (),
        "methods.affect.judges": affect.judges if affect is not None else (),
        "methods.affect.elicit.systems": affect.elicit.systems if affect and affect.elicit else (),
    }
    for place, names in roles.items():
        first: dict[str, str] = {}
        for name in names:
            before = first.setdefault(models[name].identity, name)
            if before != name and models[name].engine != "scripted":
                what = f"{before!r} and {name!r} are the same model with the same options"
                raise ConfigError(f"{place}: {what}; name one of them, or give another model")


def check_distinct(systems: Mapping[str, Pipeline], models: Mapping[str, Model]) -> None:
    """Raises ConfigError where two systems are one model with one pipeline: they would write the same texts."""
    first: dict[tuple[str, str], str] = {}
    for name, pipeline in systems.items():
        before = first.setdefault((models[pipeline.model].identity, pipeline.hash), name)
        if before != name:
            what = f"{before!r} is the same model with the same prompt and sampling"
            raise ConfigError(f"systems.{name}: {what}; drop one of them, or change what differs in production")


def _check_verdicts(
    config: Config, models: Mapping[str, Model], candidates: Sequence[Candidate], rubrics: Mapping[str, Rubric]
) -> None:
    """Raises InputError for a verdict in a file about what is not in this run."""
    systems = sorted({each.system for each in candidates} | set(config.systems))
    for model in models.values():
        if model.engine == "verdicts":
            check_verdicts(Path(model.folder), sorted(rubrics), systems, rubrics)


def _items(config: Config, sources: Sequence[Source], base: Path) -> tuple[QuizItem, ...]:
    quiz = config.methods.quiz
    return read_items(base / quiz.items, sources) if quiz and quiz.items else ()


def _rubrics(config: Config, sources: Sequence[Source], base: Path) -> dict[str, Rubric]:
    panel = config.methods.panel
    if panel is None:
        return {}
    wanted = {source.id: (source.category, source.language) for source in sources}
    read = {each: rubric_for(panel.rubric, *each, base) for each in dict.fromkeys(wanted.values())}
    return {source: read[each] for source, each in wanted.items()}


def _labels(
    config: Config, candidates: Sequence[Candidate], rubrics: Mapping[str, Rubric], base: Path
) -> tuple[Label, ...]:
    panel = config.methods.panel
    if panel is None or panel.labels is None:
        return ()
    cells = {(each.source_id, each.system) for each in candidates}
    cells |= {(source, system) for source in rubrics for system in config.systems}
    criteria = {source: rubric.criterion_ids for source, rubric in rubrics.items()}
    return read_labels(base / panel.labels, cells, criteria)
