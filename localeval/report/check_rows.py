"""What a check found, as rows of words that a terminal and a page share: pure."""

from collections.abc import Iterator, Mapping
from typing import Any

from localeval.report.console import counted, score_text

Check = Mapping[str, Any]
"""check.json: docs/judges.md."""

HEADINGS = ("judge", "method", "found", "false alarm", "balanced", "missing", "verdict")
NO_TEXTS = "·"


def judge_rows(check: Check) -> list[tuple[str, ...]]:
    """One row a judge and method, by `HEADINGS`; shares as per cent with their intervals."""
    return [
        (
            judge["model"],
            judge["method"],
            score_text(judge["detection"]),
            score_text(judge["false_alarm"]),
            score_text(judge["balanced"]),
            f"{100 * judge['missing']:.0f} %",
            "passed" if judge["passed"] else "refused",
        )
        for judge in check["judges"]
    ]


def reason_lines(check: Check) -> Iterator[str]:
    """Why each judge that is refused is."""
    for judge in check["judges"]:
        if not judge["passed"]:
            yield f"{judge['method']} by {judge['model']} is refused: {'; '.join(judge['reasons'])}"


def failure_lines(check: Check) -> Iterator[str]:
    """Of which judges nothing is kept, since their engines failed."""
    for judge in check["judges"]:
        if failed := judge["missing_by_reason"].get("engine error"):
            yield (
                f"{judge['method']} by {judge['model']}: {failed} without a verdict because the engine failed; "
                "nothing is kept of it, check again"
            )


def column(judge: Mapping[str, Any]) -> str:
    """What a judge of a method is called at the head of a column."""
    return f"{judge['method']} {judge['model']}"


def kind_rows(check: Check) -> list[tuple[str, ...]]:
    """Found of planted by kind of error, then blamed of controls; a column for each judge and method."""
    judges = check["judges"]
    kinds = dict.fromkeys(kind for judge in judges for kind in judge["by_kind"])
    controls = dict.fromkeys(kind for judge in judges for kind in judge["by_control"])
    found = [(kind, *(share_of(judge["by_kind"].get(kind)) for judge in judges)) for kind in kinds]
    blamed = [(f"{kind}, blamed", *(share_of(judge["by_control"].get(kind)) for judge in judges)) for kind in controls]
    return found + blamed


def share_of(score: Mapping[str, Any] | None) -> str:
    """ "3 of 5": how many of how many; a sign where there are none."""
    if score is None or not score["n"]:
        return NO_TEXTS
    return f"{round(score['value'] * score['n'])} of {score['n']}"


def place_rows(judge: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """Found of planted by length of the source (rows) and place in it (five columns), then blamed at that length."""
    rows: dict[str, list[Mapping[str, Any]]] = {}
    for cell in judge["heat"]:
        rows.setdefault(length_words(cell["characters"]), []).append(cell)
    return [
        (length, *(share_of(cell["detection"]) for cell in cells), share_of(cells[0]["false_alarm"]))
        for length, cells in rows.items()
    ]


def place_headings(judge: Mapping[str, Any]) -> tuple[str, ...]:
    """The columns of `place_rows`."""
    spans = dict.fromkeys(tuple(cell["position"]) for cell in judge["heat"])
    return ("characters", *(f"{100 * low:.0f}-{100 * high:.0f} %" for low, high in spans), "blamed")


def length_words(characters: list[int]) -> str:
    """ "4,300" or "4,300-6,100"."""
    low, high = characters
    return f"{low:,}" if low == high else f"{low:,}-{high:,}"


def shortened_line(judge: Mapping[str, Any]) -> str:
    """What the judge would have said had it seen a part of the source alone; empty where that was not asked."""
    shown = judge["shortened"]
    if shown is None:
        return ""
    seen, unseen = shown["seen"], shown["unseen"]
    return (
        f"shown the first {100 * shown['share']:.0f} % of each source alone: sound texts blamed "
        f"{share_of(seen['false_alarm'])} where all they say stands there, {share_of(unseen['false_alarm'])} where it "
        f"does not; errors found {share_of(seen['detection'])} and {share_of(unseen['detection'])}"
    )


def probe_lines(judge: Mapping[str, Any]) -> Iterator[str]:
    """What each probe found, a line each."""
    for name, probe in judge["probes"].items():
        shift = probe["shift"]
        if shift["value"] is None:
            yield f"{name}: not measured: {probe['note'] or shift['reason']}"
            continue
        number = points_words(shift)
        note = f"; {probe['note']}" if probe["note"] else ""
        yield f"{name}: {number} {probe['unit']}: {probe['what']}{note}"


def points_words(score: Mapping[str, Any]) -> str:
    """A value that is in points of 100 already, with its sign and interval."""
    value, low, high = (round(score[each]) + 0 for each in ("value", "low", "high"))
    return f"{value:+d} [{low:+d} to {high:+d}]"


def test_line(check: Check) -> str:
    """What the judges were checked with."""
    test = check["test"]
    sources = len(test["sources"])
    return (
        f"{counted(test['planted'], 'planted error')} and {counted(test['controls'], 'control')} about "
        f"{counted(sources, 'source')}; trusted: {', '.join(test['trusted'])}; {check['made']}"
    )


def not_planted_line(check: Check) -> str:
    """The kinds of error that could not be planted; empty where all could."""
    absent = check["test"]["not_planted"]
    return f"not planted, for want of a place: {', '.join(absent)}" if absent else ""
