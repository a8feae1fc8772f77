"""What is compared: the judges' labels and everybody else's, read from runs and files and held against the run."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from pathlib import Path

from localeval.comparing.verdicts import Known, known_in_run, labels_of_run, texts_in_run
from localeval.comparing.within import Families
from localeval.errors import ConfigError
from localeval.evaluation import load_run
from localeval.inputs.judge_labels import BLIND, JudgeLabel, LabelRow, read_label_rows, resolved
from localeval.inputs.label_items import FORMS, form_of
from localeval.inputs.wording import meant, name_of, problem, show
from localeval.measuring import Evaluation, Results
from localeval.methods.panel.schemas import is_known_family, with_families

PEOPLE = "people"
"""What the people are called together; one alone goes by its own name."""

_OF_THE_FILE = ("score", "class")
"""Scales that no judge of a run gives."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What is to be compared: a run or none, label files and runs, the raters in the files that are judges, and which
    items and systems alone (patterns such as `panel/*`, names; none: all)."""

    run: Path | None
    labels: tuple[Path, ...]
    judges: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Given:
    """Labels of judges, people and others, each rater of a name of its own.

    `people` are the raters in files who are no judges: they are pooled. `others` are the judges of earlier runs, as
    RUN:MODEL. `asides` counts labels that could not be held against the run, by reason.
    """

    labels: tuple[JudgeLabel, ...]
    judges: tuple[str, ...]
    people: tuple[str, ...]
    others: tuple[str, ...]
    families: Families = field(default_factory=Families)
    asides: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class _Run:
    """A run whose judges are compared."""

    path: Path
    evaluation: Evaluation
    results: Results
    labels: tuple[JudgeLabel, ...]
    known: Known


def read_given(asked: Asked) -> Given:
    """Everything that is to be compared. Raises InputError, ConfigError or StoreError with one line that says what is
    wrong and what to do: docs/judges.md."""
    run = _read_run(asked.run) if asked.run is not None else None
    files = [each for each in asked.labels if not each.is_dir()]
    folders = [each for each in asked.labels if each.is_dir()]
    _require_names_apart(folders)
    earlier = [_read_run(each) for each in folders]
    rows = [row for path in files for row in read_label_rows(path)]
    rows, asides = _held_against(rows, run, asked.items) if run is not None else (_without_ids(rows), {})
    _require_apart(rows, run)
    in_files = tuple(dict.fromkeys(row.label.rater for row in rows))
    _require_judges(asked, in_files)
    labels = [row.label for row in rows]
    others: list[JudgeLabel] = []
    for each in earlier:
        found, n_other = _of_earlier(each, run)
        others += found
        asides["another text in an earlier run"] = asides.get("another text in an earlier run", 0) + n_other
    judged = run.labels if run is not None else ()
    chosen = _chosen([*judged, *labels, *others], asked)
    return Given(
        labels=chosen,
        judges=(*dict.fromkeys(each.rater for each in judged), *asked.judges),
        people=tuple(each for each in in_files if each not in asked.judges),
        others=tuple(dict.fromkeys(each.rater for each in others)),
        families=_families(run.evaluation) if run is not None else Families(),
        asides={reason: n for reason, n in asides.items() if n},
    )


def _read_run(path: Path) -> _Run:
    evaluation, results = load_run(path)
    methods = evaluation.config.methods
    return _Run(path, evaluation, results, labels_of_run(results, methods), known_in_run(results, methods))


def _held_against(
    rows: Sequence[LabelRow], run: _Run, patterns: Sequence[str]
) -> tuple[list[LabelRow], dict[str, int]]:
    """The rows about texts of the run, and how many are about what it left out or did not ask."""
    known, left_out = run.known, {each["source"] for each in run.evaluation.choice.get("left_out", ())}
    items = {item for _, _, item in known.matters}
    kept: list[LabelRow] = []
    asides = {"a source that the run left out": 0, "a text of which the judges were not asked this": 0}
    for row in resolved(rows, known.matters):
        label = row.label
        if patterns and not _matches(label.item, patterns):
            continue
        if label.source in left_out:
            asides["a source that the run left out"] += 1
            continue
        _require_known(row, known, items)
        is_own = (form := form_of(label.item)) is not None and form.scale in _OF_THE_FILE
        if is_own or (label.source, label.system, label.item) in known.matters:
            kept.append(row)
        else:
            asides["a text of which the judges were not asked this"] += 1
    return kept, asides


def _require_known(row: LabelRow, known: Known, items: Iterable[str]) -> None:
    """Raises InputError where a row names a source, a system or an item that the run has not."""
    place, label = row
    if label.source not in known.sources:
        fix = f"{meant(label.source, known.sources)}correct it, or remove the row"
        raise problem(f"{place}: source", f"the run has no source {show(label.source)}", fix)
    if label.system not in known.systems and label.system:
        fix = f"{meant(label.system, known.systems)}expected one of {', '.join(sorted(filter(None, known.systems)))}"
        raise problem(f"{place}: system", f"the run has no system {show(label.system)}", fix)
    form = form_of(label.item)
    if form is None or form.scale in _OF_THE_FILE or label.item in items:
        return
    if form.scale == "fate" and any(item.startswith("quiz/") for item in items):
        what = f"no question of the run's quiz has the id {show(label.item.removeprefix('quiz/'))}"
        raise problem(f"{place}: item", what, "these are labels of another quiz; take those of this one")
    groups = sorted({found.group for item in items if (found := form_of(item)) is not None})
    fix = f"expected {', '.join(groups)}; leave others out with --item"
    raise problem(f"{place}: item", f"no judge of the run was asked for {show(label.item)}", fix)


def _without_ids(rows: Sequence[LabelRow]) -> list[LabelRow]:
    """The rows of files alone. Raises InputError for an id of a blind sheet, which only its run can tell."""
    for place, label in rows:
        if label.system.startswith(BLIND):
            what = f"{show(label.system.removeprefix(BLIND))} stands for a text of a run"
            raise problem(f"{place}: id", what, "give the RUN that the sheet was made of")
    return list(rows)


def _require_apart(rows: Sequence[LabelRow], run: _Run | None) -> None:
    """Raises InputError where a rater rated the same in two files, or has a name that stands for somebody else."""
    judges = {each.rater for each in run.labels} if run is not None else set()
    seen: dict[tuple[str, str, str, str], str] = {}
    for place, label in rows:
        if label.rater in judges:
            raise problem(f"{place}: rater", f"{show(label.rater)} is a judge of the run, too", "name the rater apart")
        if label.rater == PEOPLE:
            raise problem(f"{place}: rater", f"{show(PEOPLE)} stands for all raters together", "name the rater apart")
        matter = (label.source, label.system, label.item, label.rater)
        if matter in seen:
            what = f"{show(label.rater)} also rated {show(label.item)} of this text in {seen[matter]}"
            raise problem(place, what, "keep one of the two, or name another rater")
        seen[matter] = place


def _require_names_apart(runs: Sequence[Path]) -> None:
    """Raises ConfigError where two earlier runs have folders of one name, by which their judges go."""
    names = [each.resolve().name for each in runs]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        what = f"two runs have folders called {twice!r}, and RUN:MODEL would stand for judges of both"
        raise ConfigError(f"--labels: {what}; name each once, or rename one of the folders")


def _require_judges(asked: Asked, raters: Sequence[str]) -> None:
    """Raises ConfigError where `--judge` names nobody, or nobody is left to compare with."""
    for judge in asked.judges:
        if judge not in raters:
            raise ConfigError(
                f"--judge: no label is of a rater {judge!r}; {meant(judge, raters)}known: {_list(raters)}"
            )
    if asked.judges and not set(raters) - set(asked.judges) and not any(each.is_dir() for each in asked.labels):
        raise ConfigError("--judge: every rater is a judge, and nobody is left to compare with; leave one out")


def _of_earlier(earlier: _Run, run: _Run | None) -> tuple[list[JudgeLabel], int]:
    """The labels of an earlier run about the same texts, raters as RUN:MODEL, and how many are about another text."""
    name = earlier.path.resolve().name
    labels = [replace(each, rater=f"{name}:{each.rater}") for each in earlier.labels]
    if run is None:
        return labels, 0
    mine, theirs = texts_in_run(run.results), texts_in_run(earlier.results)
    changed = {text for text in mine if mine[text] != theirs.get(text)}
    shared = [each for each in labels if (each.source, each.system, each.item) in run.known.matters]
    # of another source the same text may say what is wrong
    same = [each for each in shared if changed.isdisjoint(((each.source, each.system), (each.source, "")))]
    return same, len(shared) - len(same)


def _chosen(labels: Sequence[JudgeLabel], asked: Asked) -> tuple[JudgeLabel, ...]:
    """The labels of the items and systems that are asked for. Raises ConfigError where one of these is not there."""
    groups = sorted({form.group for each in labels if (form := form_of(each.item)) is not None})
    for pattern in asked.items:
        if not any(_matches(each.item, (pattern,)) for each in labels):
            raise ConfigError(f"--item: nobody rated {pattern!r}; there are {_list(groups) or FORMS}")
    systems = sorted({each.system for each in labels})
    for system in asked.systems:
        if system not in systems:
            raise ConfigError(f"--system: nobody rated a text of {system!r}; there are {_list(systems)}")
    return tuple(
        each
        for each in labels
        if (not asked.items or _matches(each.item, asked.items)) and (not asked.systems or each.system in asked.systems)
    )


def _matches(item: str, patterns: Iterable[str]) -> bool:
    form = form_of(item)
    return any(fnmatchcase(item, each) or (form is not None and form.group == each) for each in patterns)


def _families(evaluation: Evaluation) -> Families:
    """The families of the run's models, and of the systems as the panel takes them."""
    panel = evaluation.config.methods.panel
    written = {name: evaluation.families.get(each.model, "") for name, each in evaluation.systems.items()}
    systems = with_families(panel, written).families if panel is not None else written
    return Families(
        {name: family for name, family in evaluation.families.items() if is_known_family(family)},
        {name: family for name, family in systems.items() if is_known_family(family)},
    )


def _list(names: Iterable[str]) -> str:
    return ", ".join(name or "(the source itself)" for name in names)


def files_named(asked: Asked) -> list[str]:
    """The label files and runs, as the user named them."""
    return [name_of(path) for path in asked.labels]
