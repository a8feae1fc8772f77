"""What one must know before one acts on a recommendation."""

from collections.abc import Iterator, Mapping
from typing import Any

from localeval.decision.contest import Contest
from localeval.decision.measures import MeasureName, absent_texts, sources_of
from localeval.decision.words import counted, joined, name_of
from localeval.methods.refused import refused_judges

FEW_SOURCES = 8
"""With fewer, only large differences can be told from chance."""


def warnings(contest: Contest, scores: Mapping[str, Any], ledger: Mapping[str, Any] | None) -> list[str]:
    """One line for each thing, the gravest first."""
    return [
        *_refused(scores),
        *_scripted(ledger),
        *_few_sources(scores),
        *_one_category(scores),
        *_generic(contest),
        *_related_judges(contest, scores),
        *_missing(contest, scores),
        *_unaudited(contest, scores),
        *_by_chance(contest),
        *_unknown(contest),
    ]


def _refused(scores: Mapping[str, Any]) -> Iterator[str]:
    """Judges that their check refuses, and whose numbers are here all the same; affect decides nothing."""
    for method, judges in refused_judges(scores).items():
        if method != "affect":
            yield from judges.values()


def _scripted(ledger: Mapping[str, Any] | None) -> Iterator[str]:
    models = [each["model"] for each in (ledger or {}).get("models", []) if each.get("kind") == "scripted"]
    if models:
        yield f"scripted, so a rehearsal and no measurement: {joined(models)}"


def _few_sources(scores: Mapping[str, Any]) -> Iterator[str]:
    n = len(sources_of(scores))
    if n < FEW_SOURCES:
        yield f"{counted(n, 'source')} only: what is found here may be otherwise on others"


def _one_category(scores: Mapping[str, Any]) -> Iterator[str]:
    """What the choice of sources notes: one category alone, none at all, or some that were left out."""
    note = scores.get("sources", {}).get("note")
    if note:
        yield str(note)


def _generic(contest: Contest) -> Iterator[str]:
    names = [name for name, system in contest.systems.items() if system.is_generic]
    if names:
        verb = "use" if len(names) > 1 else "uses"
        yield f"{joined(names)} {verb} the generic prompt, which is nobody's production"


def _related_judges(contest: Contest, scores: Mapping[str, Any]) -> Iterator[str]:
    """Judges that wrote some of the texts, or are of the family of some systems: of all, they favour nobody."""
    panel = scores["methods"].get("panel", {})
    wrote = {name: body["model"] for name, body in scores["methods"].get("generate", {}).get("systems", {}).items()}
    families = panel.get("settings", {}).get("families", {})
    for judge, body in panel.get("judges", {}).items():
        own = [name for name in contest.systems if wrote.get(name) == judge]
        if own and len(own) < len(contest.systems):
            yield f"{judge} judges its own texts ({joined(own)}); it may favour them"
        family = body.get("family")
        kin = [name for name in contest.systems if family and families.get(name) == family and name not in own]
        if kin and len(kin) + len(own) < len(contest.systems):
            yield f"{judge} is of the family of {joined(kin)} ({family}); it may favour them"


def _missing(contest: Contest, scores: Mapping[str, Any]) -> Iterator[str]:
    n = len(sources_of(scores))
    for name, absent in absent_texts(scores).items():
        if absent:
            which = joined(absent) if len(absent) <= 3 else f"{joined(absent[:3])}, ..."
            of = f"{len(absent)} of {counted(n, 'source')}"
            yield f"{name}: no text about {of} ({which}); its numbers are of the others"
    judged = scores["methods"].get("panel", {}).get("systems", {})
    for name in contest.systems:
        lacking = judged.get(name, {}).get("missing_cells", [])
        if lacking:
            yield f"{name}: {counted(len(lacking), 'text')} without a consensus, since too few judges could be read"


def _unaudited(contest: Contest, scores: Mapping[str, Any]) -> Iterator[str]:
    """Sources that finalists were not audited on, claims that no auditor has judged, texts that could not be read."""
    audit, n = scores["methods"].get("audit", {}), len(sources_of(scores))
    chosen = audit.get("finalists", {}).get("sources", [])
    if 0 < len(chosen) < n:
        yield f"audited on {len(chosen)} of {counted(n, 'source')} alone: fabrications about the others are not known"
    audited = audit.get("systems", {})
    for name in contest.systems:
        cells = audited.get(name, {}).get("by_source", {}).values()
        open_claims, judged = (sum(int(cell[field]) for cell in cells) for field in ("missing", "claims"))
        unread = sum(bool(cell.get("unreadable")) for cell in cells)
        said = [f"{open_claims} of {counted(open_claims + judged, 'claim')} without a verdict"] if open_claims else []
        said += [f"{counted(unread, 'text')} whose claims could not be read"] if unread else []
        if said:
            yield f"{name}: {joined(said)}; fabrications may be among them"


def _by_chance(contest: Contest) -> Iterator[str]:
    """Where a system passes and the interval crosses the bar."""
    for name, verdict in contest.verdicts.items():
        if not verdict.passes:
            continue
        found = [
            line for rule in contest.rules if (line := rule.straddle(contest.systems[name].measures[rule.measure]))
        ]
        if found:
            yield f"{name} fulfils the rules by value alone: {'; '.join(found)}"


def _unknown(contest: Contest) -> Iterator[str]:
    """Fabrications that nobody looked for, where others were audited."""
    measure: MeasureName = "fabrications"
    known = {name: contest.value(name, measure) is not None for name in contest.systems}
    lacking = [name for name, is_known in known.items() if not is_known]
    if lacking and any(known.values()):
        yield f"{name_of(measure)} of {joined(lacking)} are not known: not known is not none"
