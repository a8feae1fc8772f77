"""Does the audit find planted errors? On SummEdits, beside a plain "rate 1 to 10" prompt of the same model.

Every summary is audited by the shipped audit (prompts, checks by program, second looks) and rated once. The same
replies with the checks left out say what the checks are worth, in pairs over the same summaries.
"""

import json
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.judgement.rows import write_rows
from localeval.cli.progress import Progress
from localeval.driver import drive
from localeval.engines.house import LocalEngines
from localeval.flow import Flow
from localeval.methods.audit.method import audit_flows
from localeval.methods.audit.schemas import CandidateAudit
from localeval.outputs import read_choice
from localeval.prompts import fenced, source_block
from localeval.reading import read_evaluation
from localeval.stats.detection import FAULTY, SOUND, balanced_accuracy, balanced_difference
from localeval.stats.estimate import Score, Undefined
from localeval.store.folder import RunFolder
from localeval.texts import Candidate, Source
from localeval.values import Call, Choice, Message, Missing, Sampling

DOMAINS = ("qmsumm", "sales_email")
LONGEST = 2500
"""Characters of a document that is drawn: what is computed on two cores in twenty minutes is the documents, mostly."""
RATINGS = Choice(tuple(str(n) for n in range(1, 11)))
SOUND_FROM = 6
"""A rating of the upper half of the scale says that a summary is sound."""

YARDSTICKS = (
    "published, balanced accuracy on all of qmsumm (SummEdits, Laban et al. 2023): people 90.7, GPT-4 79.6, "
    "GPT-3.5 69.2, QAFactEval 62.4, Mistral-7b 55.9, Llama2-7b 50.7; chance 50"
)


@dataclass(frozen=True)
class Item:
    """A summary of a document, sound or with a planted error."""

    id: str
    document: str
    text: str
    truth: int


@dataclass(frozen=True)
class Verdict:
    """What was said of an item: FAULTY, SOUND or missing (None), by each way of asking."""

    with_checks: int | None
    without_checks: int | None
    rating: int | None


def draw(folder: Path, documents: int, summaries: int, seed: int) -> tuple[dict[str, str], list[Item]]:
    """Documents by id, as many of each domain, and of each document half sound and half faulty summaries.

    Raises FileNotFoundError, naming the file, where the data is not there.
    """
    texts = {row["doc_id"]: row for row in _rows(folder / "summedits" / "docs.jsonl")}
    rows = list(_rows(folder / "summedits" / "items.jsonl"))
    rng = random.Random(seed)
    chosen: dict[str, str] = {}
    items: list[Item] = []
    for domain in DOMAINS:
        short = sorted(name for name, row in texts.items() if row["domain"] == domain and len(row["doc"]) <= LONGEST)
        for name in rng.sample(short, min(documents // len(DOMAINS), len(short))):
            chosen[name] = texts[name]["doc"]
            for label, truth in ((1, SOUND), (0, FAULTY)):
                found = sorted((r for r in rows if r["doc_id"] == name and r["label"] == label), key=lambda r: r["id"])
                for row in rng.sample(found, min(summaries // 2, len(found))):
                    items.append(Item(row["id"], name, row["summary"], truth))
    return chosen, items


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        yield from (json.loads(line) for line in lines)


def write_project(out: Path, texts: Mapping[str, str], items: Sequence[Item], model: str) -> Path:
    """The config file of an evaluation of the items, each a system of its own."""
    sources = [{"id": name, "text": text} for name, text in texts.items()]
    candidates = [{"source": item.document, "system": item.id, "text": item.text} for item in items]
    write_rows(out / "sources.jsonl", sources)
    write_rows(out / "candidates.jsonl", candidates)
    config = out / "summedits.yaml"
    # claims and relations would cost a weak model's errors and most of the time (docs/judgement.md)
    config.write_text(
        f"""name: summedits
sources: [{{path: sources.jsonl, language: en}}]
candidates: [{{path: candidates.jsonl}}]
models: {{judge: {model}}}
methods: {{audit: {{auditors: [judge], units: [sentence]}}}}
""",
        encoding="utf-8",
    )
    return config


def ask(config: Path, out: Path, progress: Progress) -> tuple[dict[str, CandidateAudit], dict[str, int | None]]:
    """The audits and the ratings by system, all in one load of the model; what `out` holds is not asked again."""
    evaluation, models = read_evaluation(config)
    settings, material = evaluation.config.methods.audit, evaluation.material
    assert settings is not None
    audits: dict[str, CandidateAudit] = {}
    ratings: dict[str, int | None] = {}

    def flows() -> Iterator[tuple[tuple[str, str], Flow[Any]]]:
        for source in material.sources:
            for candidate in material.by_source[source.id]:
                yield (
                    ("rating", candidate.system),
                    rate(source, candidate, material.prompts.render("shared/system", "en")),
                )
        for (_, system, _), flow in audit_flows(material, settings):
            yield ("audit", system), flow

    with RunFolder.create_or_open(out / "run") as folder:
        engines = LocalEngines(models, folder.path)
        for (kind, system), result in drive(flows(), folder.store, engines, progress):
            (audits if kind == "audit" else ratings)[system] = result
    return audits, ratings


def rate(source: Source, candidate: Candidate, system_prompt: str) -> Flow[int | None]:
    """The rating from 1 to 10 of a candidate by the plain prompt; None where there is none."""
    question = (
        f"\nSomebody wrote this summary of the text above:\n{fenced('summary', candidate.text)}"
        "Rate from 1 to 10 how faithful it is to the text: 10 if all of it is true by the text, 1 if most is false. "
        "Reply with one number.\n"
    )
    messages = (Message("system", (system_prompt,)), Message("user", (source_block(source), question)))
    call = Call("judge", messages, RATINGS, Sampling(max_tokens=2), "bench/rate", f"{source.id}/{candidate.system}")
    (reply,) = yield [call]
    rating = read_choice(reply, RATINGS)
    return None if isinstance(rating, Missing) else int(rating)


def verdict(audit: CandidateAudit, rating: int | None) -> Verdict:
    """What the audit, the auditor unchecked and the rating say of one item."""
    final = [each.outcome for each in audit.findings]
    first = [each.first.opinion for each in audit.findings]
    return Verdict(
        with_checks=_said([outcome if isinstance(outcome, Missing) else outcome == "fabrication" for outcome in final]),
        without_checks=_said(
            [opinion if isinstance(opinion, Missing) else opinion != "supported" for opinion in first]
        ),
        rating=None if rating is None else (SOUND if rating >= SOUND_FROM else FAULTY),
    )


def _said(accused: Sequence[bool | Missing]) -> int | None:
    """One sentence that is accused makes the summary faulty, whatever is not known of the others."""
    if any(each is True for each in accused):
        return FAULTY
    return None if any(isinstance(each, Missing) for each in accused) else SOUND


def report(items: Sequence[Item], audits: Mapping[str, CandidateAudit], ratings: Mapping[str, int | None]) -> bool:
    """Prints the figures; whether the checks are at least no worse than none, and the audit above chance."""
    verdicts = {item.id: verdict(audits[item.id], ratings[item.id]) for item in items}
    audited = _counts(items, {name: each.with_checks for name, each in verdicts.items()})
    unchecked = _counts(items, {name: each.without_checks for name, each in verdicts.items()})
    rated = _counts(items, {name: each.rating for name, each in verdicts.items()})
    n_documents = len({item.document for item in items})
    print(f"SummEdits, {', '.join(DOMAINS)}: {len(items)} summaries of {n_documents} documents, half with an error")
    for name, counts in (
        ("audit, with checks", audited),
        ("audit, checks off", unchecked),
        (f"rate 1 to 10, sound from {SOUND_FROM}", rated),
    ):
        print(
            f"{name:32} {_shown(balanced_accuracy(counts, len(items) - round(float(counts.sum()))))}  {_told(counts)}"
        )
    print(f"{'rate 1 to 10, best threshold':32} {_best(items, ratings)}")
    better = _difference("checks on minus off", items, verdicts, "with_checks", "without_checks")
    _difference("audit minus rating", items, verdicts, "with_checks", "rating")
    _checks(audits.values())
    print(YARDSTICKS)
    return better


def _counts(items: Sequence[Item], said: Mapping[str, int | None]) -> np.ndarray:
    """Shape [documents, truth, verdict]."""
    places = {name: n for n, name in enumerate(dict.fromkeys(item.document for item in items))}
    counts = np.zeros((len(places), 2, 2))
    for item in items:
        found = said[item.id]
        if found is not None:
            counts[places[item.document], item.truth, found] += 1
    return counts


def _shown(score: Score) -> str:
    if isinstance(score, Undefined):
        return f"- ({score.reason})"
    missing = f", {score.missing} missing" if score.missing else ""
    return f"{score.value * 100:5.1f} [{score.low * 100:.1f}-{score.high * 100:.1f}], n {score.n}{missing}"


def _told(counts: np.ndarray) -> str:
    (caught, missed), (blamed, passed) = counts.sum(0)
    return f"errors found {caught:.0f} of {caught + missed:.0f}, sound blamed {blamed:.0f} of {blamed + passed:.0f}"


def _best(items: Sequence[Item], ratings: Mapping[str, int | None]) -> str:
    """The rating at the threshold that happens to serve best: what no user could know beforehand."""

    def at(threshold: int) -> Score:
        said = {name: None if r is None else (SOUND if r >= threshold else FAULTY) for name, r in ratings.items()}
        return balanced_accuracy(_counts(items, said))

    found = {threshold: at(threshold) for threshold in range(2, 11)}
    threshold, score = max(found.items(), key=lambda pair: -1.0 if isinstance(pair[1], Undefined) else pair[1].value)
    return f"{_shown(score)}  (sound from {threshold}, chosen afterwards)"


def _difference(name: str, items: Sequence[Item], verdicts: Mapping[str, Verdict], first: str, second: str) -> bool:
    """Prints a paired difference; whether it is above 0."""
    places = {name: n for n, name in enumerate(dict.fromkeys(item.document for item in items))}
    joint = np.zeros((len(places), 2, 2, 2))
    for item in items:
        one, other = getattr(verdicts[item.id], first), getattr(verdicts[item.id], second)
        if one is not None and other is not None:
            joint[places[item.document], item.truth, one, other] += 1
    found = balanced_difference(joint)
    if isinstance(found, Undefined):
        print(f"{name:32} - ({found.reason})")
        return False
    e = found.estimate
    print(f"{name:32} {e.value * 100:+5.1f} [{e.low * 100:+.1f} to {e.high * 100:+.1f}], p {found.p_value:.3f}")
    return e.value > 0


def _checks(audits: Iterable[CandidateAudit]) -> None:
    """Prints what became of the auditor's opinions, by what the program found."""
    counts: Counter[tuple[str, str, str]] = Counter()
    for audit in audits:
        for each in audit.findings:
            first = each.first.opinion
            outcome = each.outcome
            if not isinstance(first, Missing):
                counts[first, each.check, outcome.reason if isinstance(outcome, Missing) else outcome] += 1
    for (first, check, outcome), n in sorted(counts.items()):
        print(f"  {n:4} {first}; {check}: {outcome}")
