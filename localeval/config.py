"""The config file: YAML, parsed once into frozen values; unknown keys are refused by name, with their line."""

import re
from pathlib import Path
from typing import Any

from pydantic import Field, field_validator, model_validator

from localeval.decision.schemas import SelectSettings
from localeval.errors import ConfigError
from localeval.inputs import CandidateSpec, SourceSpec
from localeval.inputs.specs import ChooseSettings
from localeval.methods.affect.schemas import AffectSettings
from localeval.methods.audit.schemas import AuditSettings
from localeval.methods.generate.schemas import SystemSettings
from localeval.methods.leaderboard import Measure, method_of
from localeval.methods.panel.schemas import PanelSettings
from localeval.methods.quiz.schemas import QuizSettings
from localeval.methods.settings import Frozen
from localeval.models.prices import Prices
from localeval.planting.settings import CheckSettings
from localeval.yaml_files import Document, Kind, parse_document, read_document

ModelEntry = str | dict[str, Any]
"""A card's name, a folder, or a table of a card and engine options: see `localeval.models.resolve`."""


class Methods(Frozen):
    """What is measured. One field a method."""

    quiz: QuizSettings | None = None
    panel: PanelSettings | None = None
    audit: AuditSettings | None = None
    affect: AffectSettings | None = None

    @property
    def given(self) -> tuple[QuizSettings | PanelSettings | AuditSettings | AffectSettings, ...]:
        """The settings of the methods that are named."""
        return tuple(each for each in (self.quiz, self.panel, self.audit, self.affect) if each is not None)

    @field_validator("quiz", "panel", "audit", "affect", mode="before")
    @classmethod
    def _not_empty(cls, settings: object) -> object:
        if settings is None:
            raise ValueError("must have settings or be left out")
        return settings

    @model_validator(mode="after")
    def _consistent(self) -> "Methods":
        if not self.given:
            raise ValueError("names no method; add one of: quiz, panel, audit, affect")
        if self.audit is None:
            return self
        if self.audit.of == "finalists" and self.panel is None:
            raise ValueError("`audit: of: finalists` needs a `panel`, whose consensus says who they are")
        for key in ("finalists", "hardest"):
            if self.audit.of == "all" and key in self.audit.model_fields_set:
                raise ValueError(f"`audit: {key}` goes with `of: finalists`; add that, or leave it out")
        return self


class Config(Frozen):
    """One evaluation, as the user wrote it."""

    name: str
    seed: int = Field(default=1, ge=0, lt=2**31, strict=True)
    sources: tuple[SourceSpec, ...] = Field(default=(), min_length=1)
    """Needed by every method but an affect that elicits its texts."""
    candidates: tuple[CandidateSpec, ...] = Field(default=(), min_length=1)
    """Needed by every method but an affect of sources or of elicited texts."""
    choose: ChooseSettings | None = None
    """Default: all sources."""
    systems: dict[str, SystemSettings] = Field(default_factory=dict)
    """Candidate systems that write about every source in this run, beside the `candidates` that are there already."""
    models: dict[str, ModelEntry] = Field(min_length=1)
    methods: Methods
    prompts: str | None = None
    """Folder of prompt files that take the place of the package's files of the same name."""
    rank_by: tuple[Measure, ...] | None = Field(default=None, min_length=1)
    """What the leaderboard is sorted by. Default: fabrications, consensus, cap_f1, as far as the methods give them."""
    incumbent: str | None = Field(default=None, min_length=1)
    """The system that is deployed now, one of `systems` or of the candidates'; the same as its `incumbent: true`."""
    select: SelectSettings | None = None
    """Which system is recommended. Default: the first of the leaderboard, without rules."""
    prices: Prices = Prices()
    check: CheckSettings = CheckSettings()
    """How `localeval judges check` checks the judges, and the bars below which a run refuses them."""

    @field_validator("name")
    @classmethod
    def _names_a_folder(cls, name: str) -> str:
        if not re.fullmatch(r"\w[\w.-]*", name):
            raise ValueError("must be letters, digits and . _ - (it names the folder of the run)")
        return name

    @model_validator(mode="after")
    def _one_incumbent(self) -> "Config":
        if len(named := self._incumbents) > 1:
            raise ValueError(f"incumbent: {' and '.join(map(repr, named))} cannot both be deployed; keep one")
        return self

    @property
    def deployed(self) -> str | None:
        """The incumbent, however the config names it; None where it names none."""
        return next(iter(self._incumbents), None)

    @property
    def _incumbents(self) -> tuple[str, ...]:
        """Everybody who is called the incumbent, each once: the rest of the config, a system, the audit may say so."""
        flagged = [name for name, system in self.systems.items() if system.incumbent]
        audit = self.methods.audit
        named = [self.incumbent, *flagged, audit.incumbent if audit is not None else None]
        return tuple(dict.fromkeys(name for name in named if name is not None))

    @property
    def reads_sources(self) -> bool:
        """Whether anything reads sources; only an affect of elicited texts does not."""
        return bool(self.systems) or _needs(self.methods, "sources")

    @property
    def models_used(self) -> tuple[str, ...]:
        """The models that the systems and the methods ask, each once."""
        writing = [system.model for system in self.systems.values()]
        return tuple(dict.fromkeys([*writing, *(model for method in self.methods.given for model in method.models)]))


def _needs(methods: Methods, place: str) -> bool:
    """Whether a method reads what stands under `place`, sources or candidates."""
    if methods.quiz or methods.panel or methods.audit:
        return True
    affect = methods.affect
    return affect is not None and affect.elicit is None and (place == "sources" or affect.of == "candidates")


_KIND = Kind("config", "name, sources, candidates, models and methods", ConfigError)


def load_config(path: Path) -> Config:
    """The config in a file. Raises ConfigError with `file:line: field: what is wrong; fix`."""
    return _config(read_document(path, _KIND))


def parse_config(text: str, name: str) -> Config:
    """The config in a text; `name` stands for the file in messages. Raises ConfigError."""
    return _config(parse_document(text, name, _KIND))


def _config(document: Document) -> Config:
    config = _filled(document.read_as(Config))
    if not config.sources and config.reads_sources:
        raise document.fault((), "sources: is required")
    if not config.candidates and not config.systems and _needs(config.methods, "candidates"):
        raise document.fault((), "candidates: is required, or `systems` that write them")
    for name, system in config.systems.items():
        if system.model not in config.models:
            known = ", ".join(config.models)
            what = f"systems.{name}.model: no model {system.model!r} under `models`; known: {known}"
            raise document.fault(("systems", name, "model"), what)
    for method, settings in config.methods:
        unknown = [model for model in settings.models if model not in config.models] if settings is not None else []
        if unknown:
            known = ", ".join(config.models)
            what = f"methods.{method}: no model {unknown[0]!r} under `models`; known: {known}"
            raise document.fault(("methods", method), what)
    if config.check.paraphraser is not None and config.check.paraphraser not in config.models:
        known = ", ".join(config.models)
        what = f"check.paraphraser: no model {config.check.paraphraser!r} under `models`; known: {known}"
        raise document.fault(("check", "paraphraser"), what)
    for measure in config.rank_by or ():
        if getattr(config.methods, method_of(measure)) is None:
            fix = f"needs the method {method_of(measure)}; add it or rank by something else"
            raise document.fault(("rank_by",), f"rank_by: {measure} {fix}")
    for said, needs in config.select.needs if config.select is not None else ():
        if not (config.systems if needs == "systems" else getattr(config.methods, needs)):
            what = "`systems` that write" if needs == "systems" else f"the method {needs}"
            raise document.fault(("select",), f"select.{said} needs {what}; add that, or leave this out")
    return config


def _filled(config: Config) -> Config:
    """What the config leaves to its own other parts: affect reads what systems write, finalists hold the incumbent."""
    affect, audit = config.methods.affect, config.methods.audit
    filled: dict[str, Any] = {}
    if config.systems and affect is not None and affect.of is None and affect.elicit is None:
        filled["affect"] = affect.model_copy(update={"of": "candidates"})
    if audit is not None and audit.of == "finalists" and audit.incumbent is None:
        filled["audit"] = audit.model_copy(update={"incumbent": config.deployed})
    systems = {
        name: system.model_copy(update={"incumbent": name == config.deployed})
        for name, system in config.systems.items()
    }
    return config.model_copy(update={"methods": config.methods.model_copy(update=filled), "systems": systems})
