"""Rules of a scripted model that plays extractor and auditor: what it says of each sentence and each claim."""

import json
import re
from collections.abc import Mapping, Sequence

Rule = dict[str, str]

NO_RELATIONS: Rule = {"contains": "List how the facts", "reply": '{"relations":[]}'}
ENTAILED: Rule = {"contains": "Does the sentence say what the claim says?", "reply": "yes"}
SUPPORTED = '{"segments":"none","verdict":"supported"}'


def claims_of(sentence: str, claims: Mapping[str, str]) -> Rule:
    """The extractor's answer for one sentence: its claims by their exact phrase."""
    return {
        "match": rf"Split this sentence:\n<sentence \w+>\n{re.escape(sentence)}\n",
        "reply": json.dumps({"claims": [{"phrase": phrase, "claim": claim} for phrase, claim in claims.items()]}),
    }


def each_sentence_whole() -> Rule:
    """An extractor that takes every sentence for one claim."""
    return {
        "match": r"Split this sentence:\n<sentence \w+>\n([^\n\"\\]*)\n",
        "template": r'{"claims":[{"phrase":"\1","claim":"\1"}]}',
    }


def accuses(claim: str, verdict: str, kind: str, segments: str = "none", look: str = "first") -> Rule:
    """An auditor's accusation of claims that hold these words, in the first or the second look, or in "any"."""
    task = {"first": "Check this claim", "second": "Look at this claim a second time"}
    wanted = "|".join(task.values()) if look == "any" else task[look]
    reply = {"segments": segments, "verdict": verdict, "kind": kind, "severity": "major"}
    return {
        "match": rf"(?:{wanted}):\n<claim \w+>\n[^\n]*{re.escape(claim)}",
        "reply": json.dumps(reply, separators=(",", ":")),
    }


def auditor(rules: Sequence[Rule]) -> list[Rule]:
    """A whole auditor: the given rules, and where none fits a plain answer that accuses nobody."""
    plain: list[Rule] = [
        NO_RELATIONS,
        ENTAILED,
        each_sentence_whole(),
        {"match": r"(?:Check this claim|a second time):", "reply": SUPPORTED},
    ]
    return [*rules, *plain]
