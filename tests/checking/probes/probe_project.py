"""A check's material made by hand, with scripted judges that have a bias or have none, and the real drive over it."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from localeval.assets import asset_folder
from localeval.checking.cloze import Cloze, cloze_of
from localeval.checking.probes.context import Json, ProbeContext
from localeval.checking.probes.probing import probe_flows, score_probes
from localeval.config import Config, parse_config
from localeval.driver import drive
from localeval.inputs.affect_inputs import read_affect
from localeval.inputs.rubric_files import rubric_for
from localeval.inputs.segmenting import cut_sentences
from localeval.measuring import Evaluation
from localeval.methods.affect.readings import AffectMaterial
from localeval.methods.material import Material
from localeval.planting.schemas import Edit, Trusted
from localeval.prompts import read_prompts
from localeval.texts import Candidate, Language, Source
from tests.helpers import MemoryStore, ScriptedEngines, scripted_model

Rule = Mapping[str, object]

PLACES = ("Aldham", "Birling", "Corvel", "Dunmore")
TEXTS: dict[Language, tuple[str, str]] = {
    "en": (
        "The lamps for {place} cost {n} euros in all. Anna Weber pays for the lamps in March. "
        "The bridge at {place} stays closed until the painters have left.",
        "So the lamps for {place} will cost us {n} euros. Anna Weber said she would pay for the lamps in March. "
        "And the bridge at {place} has to stay closed until the painters have left. Nobody spoke against it.",
    ),
    "ru": (
        "Лампы для {place} стоят {n} евро. Анна Вебер оплатит лампы в марте. Мост в {place} пока закрыт.",
        "Лампы для {place} обойдутся нам в {n} евро. Анна Вебер сказала, что оплатит лампы в марте. "
        "А мост в {place} пока закрыт. Никто не возражал.",
    ),
    "zh": (
        "{place}的灯一共花费{n}欧元。安娜在三月为灯付款。{place}的桥仍然关闭。",
        "{place}的灯要花我们{n}欧元。安娜说她三月为灯付款。{place}的桥还得关着。没有人反对。",
    ),
}
WRONG = "7341"
"""What the planted error says instead of the price: it stands in no source."""


def trusted(number: int, language: Language = "en") -> Trusted:
    """A source about one place, and a text that says nothing wrong of it."""
    values = {"place": PLACES[number], "n": 40 + number}
    said, told = (each.format(**values) for each in reversed(TEXTS[language]))
    source = Source(f"s{number}", said, cut_sentences(said, language), language, "meeting")
    return Trusted(source, Candidate(source.id, "faithful", told, segments=cut_sentences(told, language)), "faithful")


def cloze(about: Trusted, number: int) -> Cloze:
    """The question to a wrong price."""
    text, price = about.candidate.text, f"{40 + number}"
    start = text.index(price)
    edit = Edit("number", 1, start, start + len(price), price, WRONG, ("8652", "9963", "5174"))
    found = cloze_of(about, edit, 1, PROMPTS)
    assert found is not None
    return found


PROMPTS = read_prompts(asset_folder("prompts"))
AFFECT = "affect: {judges: [%s], contracts: [whole]}"


def make_context(
    probe: str, methods: str, models: Sequence[str] = ("m",), n_sources: int = 4, language: Language = "en"
) -> ProbeContext:
    """A context with one trusted text a source and a question to each."""
    config = parse_config(
        f"""name: test
seed: 5
sources: [{{path: none.txt}}]
candidates: [{{path: none.md}}]
models: {{{", ".join(f"{each}: {{engine: scripted, script: {each}.jsonl}}" for each in models)}}}
methods: {{{methods}}}
check: {{probes: [{probe}]}}
""",
        "test.yaml",
    )
    texts = [trusted(number, language) for number in range(n_sources)]
    evaluation = make_evaluation(config, texts)
    return ProbeContext(evaluation, texts, [cloze(each, n) for n, each in enumerate(texts)], config.check)


def make_evaluation(config: Config, texts: Sequence[Trusted]) -> Evaluation:
    """The evaluation that such a config would be read as."""
    sources = [each.source for each in texts]
    material = Material(sources, [each.candidate for each in texts], PROMPTS, config.seed)
    affect = config.methods.affect
    return Evaluation(
        config,
        b"",
        material,
        rubrics={each.id: rubric_for(None, None, each.language, Path()) for each in sources},
        affect=read_affect(affect, material, Path(), []) if affect is not None else AffectMaterial(),
    )


def measured(folder: Path, context: ProbeContext, **rules: Sequence[Rule]) -> dict[tuple[str, str], Json]:
    """What the context's probe comes to with scripted models, by method and judge; each model has its own rules."""
    results, _ = run(folder, context, **rules)
    (probe,) = context.settings.probes
    scored = score_probes(context, results)
    return {each: by_probe[probe] for each, by_probe in scored.items()}


def run(folder: Path, context: ProbeContext, **rules: Sequence[Rule]) -> tuple[dict[object, object], MemoryStore]:
    """The results by place, and the store with all replies."""
    folder.mkdir(exist_ok=True)
    store, engines = MemoryStore(), ScriptedEngines(*(scripted_model(folder, own, name) for name, own in rules.items()))
    return dict(drive(probe_flows(context), store, engines)), store


def grade(score: int, **when: str) -> Rule:
    """A judge's score where a prompt contains or matches something; always without."""
    return {**when, "reply": json.dumps({"candidate": "1", "source": "1", "score": f"{score}"}, separators=(",", ":"))}


def value(found: Json) -> float:
    """The value of a score in JSON, in points there and in [-1, 1] here; it must have one that lies in its interval."""
    assert -100 <= found["low"] <= found["value"] <= found["high"] <= 100, found
    return float(found["value"]) / 100


def rows(found: Json) -> dict[str, Json]:
    """A probe's rows by case."""
    return {row["case"]: row["value"] for row in found["rows"]}
