"""What a study's numbers do not allow to be said, in plain sentences."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from localeval.methods.affect.readings import AffectStudy
from localeval.methods.affect.schemas import AffectSettings
from localeval.stats.estimate import FEW_SOURCES

LEAST_COVERAGE = 0.8
"""Of fewer scores than this among those asked it is said that what is missing may differ from what is there."""

_UNKNOWN = frozenset({"", "unknown"})


def limits_of(
    study: AffectStudy,
    settings: AffectSettings,
    scores: Mapping[str, Any],
    families: Mapping[str, str],
    identities: Mapping[str, str],
    systems: Sequence[str],
) -> list[str]:
    """One sentence each, gravest first; `systems` wrote the texts, `families` and `identities` are by model name."""
    return [
        *_of_axes(scores),
        *_of_judges(settings, families, identities, systems),
        *_of_readings(settings, scores),
        *_of_what_is_missing(scores),
        *_of_design(study, settings, systems),
    ]


def _of_axes(scores: Mapping[str, Any]) -> Iterator[str]:
    """What the axes are fit for, and how far people agree on them."""
    labels: Mapping[str, str] = scores["axes"]["labels"]
    by_status: dict[str, dict[str, None]] = {}
    for by_contract in scores["status"].values():
        for by_axis in by_contract.values():
            for axis, status in by_axis.items():
                by_status.setdefault(status, {})[labels[axis]] = None
    if "directional" in by_status:
        names = ", ".join(by_status["directional"])
        yield f"Directional only: {names}. Read which of two is higher at most, and no score as an amount."
    if "not calibrated" in by_status:
        names = ", ".join(by_status["not calibrated"])
        yield f"Not calibrated: {names}. That judges follow people there in general does not show that these do here."
    if not scores["human"]:
        yield "No labels were given, so nothing here was held against people's scores."
    ceilings = [each for each in scores["ceilings"] if each["axis"] in labels]
    if ceilings:
        told = ", ".join(f"{labels[each['axis']]} {each['alpha']:.2f} ({each['r_max']:.2f})" for each in ceilings)
        yield f"People agree only so far, by alpha of EmoBank's readers (the most that r with them can be): {told}."


def _of_judges(
    settings: AffectSettings, families: Mapping[str, str], identities: Mapping[str, str], systems: Sequence[str]
) -> Iterator[str]:
    """Who scored, and whether it scored what was its own."""
    if len(settings.judges) == 1:
        yield f"One judge alone, {settings.judges[0]}: what is particular to it is in every number."
    for judge in settings.judges:
        family = families.get(judge, "")
        same = {each for each, identity in identities.items() if identity == identities.get(judge)}
        writers = settings.elicit.systems if settings.elicit is not None else ()
        if judge in systems or same & set(writers):
            yield f"{judge} scored texts that it wrote itself, and models favour their own."
        kin = [each for each in systems if each != judge and families.get(each, "") == family]
        if kin and family not in _UNKNOWN:
            yield f"{judge} is of the family of {', '.join(kin)} ({family}), and models favour what is like their own."


def _of_readings(settings: AffectSettings, scores: Mapping[str, Any]) -> Iterator[str]:
    """How scores were read."""
    read_from = scores["judged"]["read_from"]
    drawn, n = read_from["samples"], sum(read_from.values())
    if drawn:
        yield f"{drawn} of {n} readings are means of {settings.samples} draws, not read from probabilities."
    if not settings.evidence:
        yield "No evidence was asked for: no score was held against the words of its text."
    if not settings.flags and set(settings.contracts) != {"whole"}:
        yield "No flags were asked for: refusals, generic texts and texts about something else are among the scores."
    if settings.propose:
        yield f"Targets were proposed by a model, {settings.judges[0]}: what it does not notice is not in the study."


def _of_what_is_missing(scores: Mapping[str, Any]) -> Iterator[str]:
    """Whether what is missing may differ from what is there."""
    asked, missing = scores["asked"], scores["missing"]
    if not asked or missing == asked:
        yield "There is no score at all."
    elif missing > (1 - LEAST_COVERAGE) * asked:
        reasons: Mapping[str, int] = scores["missing_by_reason"]
        worst = max(reasons, key=lambda reason: reasons[reason])
        share = (asked - missing) / asked
        yield f"Only {share:.0%} of what was asked has a score (mostly: {worst}); the rest may differ from it."
    if scores["missing_texts"]:
        yield f"{scores['missing_texts']} of {scores['texts']} texts were not given by the systems that were asked."
    if scores["missing_proposals"]:
        yield f"For {scores['missing_proposals']} readings of texts no targets could be proposed."


def _of_design(study: AffectStudy, settings: AffectSettings, systems: Sequence[str]) -> Iterator[str]:
    """How few there are of what the numbers are to speak of."""
    counts = {"sources": len({read.text.group for read in study.read})}
    if settings.elicit is not None:
        counts = {"targets": len(settings.targets)}
    if systems:
        counts["systems"] = len(systems)
    for what, n in counts.items():
        if n < FEW_SOURCES:
            yield f"Few {what} ({n}): the numbers say little of others."
