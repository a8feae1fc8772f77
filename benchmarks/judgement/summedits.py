"""Does the audit find planted errors? On SummEdits, beside a plain "rate 1 to 10" prompt of the same model.

Every summary is audited by the shipped audit (prompts, checks by program, second looks) and rated once. The same
replies with the checks left out say what the checks are worth, in pairs over the same summaries.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from localeval.assets import asset_folder
from localeval.cli.progress import Progress
from localeval.driver import drive
from localeval.engines.house import LocalEngines
from localeval.flow import Flow
from localeval.methods.audit.method import audit_flows
from localeval.methods.audit.schemas import CandidateAudit
from localeval.models import Model
from localeval.outputs import read_choice
from localeval.prompts import fenced, read_prompts, source_block
from localeval.public_sets.audits import checked_verdict, document_counts, material_of, settings_of, unchecked_verdict
from localeval.public_sets.summedits import Summary, SummEdits
from localeval.stats.detection import FAULTY, SOUND, balanced_accuracy, balanced_difference
from localeval.stats.estimate import Score, Undefined
from localeval.store.folder import RunFolder
from localeval.texts import Candidate, Source
from localeval.values import Call, Choice, Message, Missing, Sampling

JUDGE = "judge"
SEED = 1
"""Of the calls; what is drawn has a seed of its own."""
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
class Verdict:
    """What was said of a summary: FAULTY, SOUND or missing, by each way of asking."""

    with_checks: int | Missing
    without_checks: int | Missing
    rating: int | Missing


def ask(
    drawn: SummEdits, model: Model, out: Path, progress: Progress
) -> tuple[dict[str, CandidateAudit], dict[str, int | Missing]]:
    """The audits and the ratings by summary, all in one load of the model; what `out` holds is not asked again."""
    material = material_of(drawn, read_prompts(asset_folder("prompts")), SEED)
    audits: dict[str, CandidateAudit] = {}
    ratings: dict[str, int | Missing] = {}

    def flows() -> Iterator[tuple[str, Flow[CandidateAudit | int | Missing]]]:
        for source in material.sources:
            for candidate in material.by_source[source.id]:
                yield candidate.system, rate(source, candidate, material.prompts.render("shared/system", "en"))
        for (_, system, _), flow in audit_flows(material, settings_of(JUDGE)):
            yield system, flow

    with RunFolder.create_or_open(out / "run") as folder:
        engines = LocalEngines({JUDGE: model}, folder.path)
        for name, result in drive(flows(), folder.store, engines, progress):
            if isinstance(result, CandidateAudit):
                audits[name] = result
            else:
                ratings[name] = result
    return audits, ratings


def rate(source: Source, candidate: Candidate, system_prompt: str) -> Flow[int | Missing]:
    """The rating from 1 to 10 of a candidate by the plain prompt, or why there is none."""
    question = (
        f"\nSomebody wrote this summary of the text above:\n{fenced('summary', candidate.text)}"
        "Rate from 1 to 10 how faithful it is to the text: 10 if all of it is true by the text, 1 if most is false. "
        "Reply with one number.\n"
    )
    messages = (Message("system", (system_prompt,)), Message("user", (source_block(source), question)))
    call = Call(JUDGE, messages, RATINGS, Sampling(max_tokens=2), "bench/rate", f"{source.id}/{candidate.system}")
    (reply,) = yield [call]
    rating = read_choice(reply, RATINGS)
    return rating if isinstance(rating, Missing) else int(rating)


def verdict(audit: CandidateAudit, rating: int | Missing) -> Verdict:
    """What the audit, the auditor unchecked and the rating say of one summary."""
    return Verdict(checked_verdict(audit), unchecked_verdict(audit), _rated(rating, SOUND_FROM))


def _rated(rating: int | Missing, threshold: int) -> int | Missing:
    return rating if isinstance(rating, Missing) else SOUND if rating >= threshold else FAULTY


def report(
    items: Sequence[Summary], audits: Mapping[str, CandidateAudit], ratings: Mapping[str, int | Missing]
) -> bool:
    """Prints the figures; whether the checks are at least no worse than none, and the audit above chance."""
    verdicts = {item.id: verdict(audits[item.id], ratings[item.id]) for item in items}
    audited = document_counts(items, {name: each.with_checks for name, each in verdicts.items()})
    unchecked = document_counts(items, {name: each.without_checks for name, each in verdicts.items()})
    rated = document_counts(items, {name: each.rating for name, each in verdicts.items()})
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


def _shown(score: Score) -> str:
    if isinstance(score, Undefined):
        return f"- ({score.reason})"
    missing = f", {score.missing} missing" if score.missing else ""
    return f"{score.value * 100:5.1f} [{score.low * 100:.1f}-{score.high * 100:.1f}], n {score.n}{missing}"


def _told(counts: np.ndarray) -> str:
    (caught, missed), (blamed, passed) = counts.sum(0)
    return f"errors found {caught:.0f} of {caught + missed:.0f}, sound blamed {blamed:.0f} of {blamed + passed:.0f}"


def _best(items: Sequence[Summary], ratings: Mapping[str, int | Missing]) -> str:
    """The rating at the threshold that happens to serve best: what no user could know beforehand."""

    def at(threshold: int) -> Score:
        return balanced_accuracy(
            document_counts(items, {name: _rated(each, threshold) for name, each in ratings.items()})
        )

    found = {threshold: at(threshold) for threshold in range(2, 11)}
    threshold, score = max(found.items(), key=lambda pair: -1.0 if isinstance(pair[1], Undefined) else pair[1].value)
    return f"{_shown(score)}  (sound from {threshold}, chosen afterwards)"


def _difference(name: str, items: Sequence[Summary], verdicts: Mapping[str, Verdict], first: str, second: str) -> bool:
    """Prints a paired difference; whether it is above 0."""
    places = {name: n for n, name in enumerate(dict.fromkeys(item.document for item in items))}
    joint = np.zeros((len(places), 2, 2, 2))
    for item in items:
        one, other = getattr(verdicts[item.id], first), getattr(verdicts[item.id], second)
        if not isinstance(one, Missing) and not isinstance(other, Missing):
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
    for (opinion, check, became), n in sorted(counts.items()):
        print(f"  {n:4} {opinion}; {check}: {became}")
