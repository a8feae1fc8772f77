"""Which methods of a run have a judge that its check refuses, as scores.json says it: pure."""

from collections.abc import Mapping
from typing import Any

Json = Mapping[str, Any]


def refused_judges(scores: Json) -> dict[str, dict[str, str]]:
    """By method, the judges that are refused, each with a sentence that says by which check and why.

    Empty for a run whose judges passed or were never checked, and for one from before there were checks.
    """
    found: dict[str, dict[str, str]] = {}
    for judge in scores.get("judges", ()):
        if judge["state"] == "refused":
            reasons = "; ".join(str(reason) for reason in judge["reasons"])
            told = (
                f"{judge['method']}: the judge {judge['model']} is refused by its check of {judge['made']}: {reasons}"
            )
            found.setdefault(str(judge["method"]), {})[str(judge["model"])] = told
    return found


def unchecked_judges(scores: Json) -> dict[str, list[str]]:
    """By method, the judges that were never checked, or not in a language that they judge."""
    found: dict[str, list[str]] = {}
    for judge in scores.get("judges", ()):
        if judge["state"] == "unchecked":
            why = f" ({'; '.join(judge['reasons'])})" if judge["reasons"] else ""
            found.setdefault(str(judge["method"]), []).append(f"{judge['model']}{why}")
    return found
