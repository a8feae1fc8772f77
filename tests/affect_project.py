"""Studies of affect on disk, with scripted judges that read what stands in the text."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

Rule = Mapping[str, object]

FLAGS: Rule = {
    "contains": "- coverage:",
    "reply": '{"coverage":"mainly","refusal":"no","generic":"no","mismatch":"no"}',
}


def score(match: str, point: int, points: int = 9, sure: bool = True) -> Rule:
    """A rule that gives a point where a prompt for a score matches: with probabilities, or (not `sure`) without."""
    rule: dict[str, object] = {"match": f"(?s){match}.*one number from 1 to {points}", "reply": str(point)}
    return rule | ({"logprobs": {str(point): -0.1, str((point + 1) // 2): -2.4}} if sure else {})


def evidence(match: str, *phrases: str) -> Rule:
    """A rule that gives phrases where a prompt for evidence matches."""
    phrase, other = (*phrases, "", "")[:2]
    reply = json.dumps({"phrase": phrase, "other": other, "reason": "as it says"}, ensure_ascii=False)
    return {"match": f"(?s){match}.*- phrase:", "reply": reply}


def make_study(
    folder: Path, texts: Mapping[str, str], rules: Iterable[Rule], settings: str, judges: tuple[str, ...] = ("judge",)
) -> Path:
    """The config file of a study of texts that are sources, by name; every judge follows the same rules."""
    (folder / "texts").mkdir(parents=True)
    for name, text in texts.items():
        (folder / "texts" / f"{name}.txt").write_text(text, encoding="utf-8")
    config = folder / "study.yaml"
    (folder / "rules.jsonl").write_text("".join(json.dumps(rule) + "\n" for rule in rules), encoding="utf-8")
    models = "".join(f"  {judge}: {{engine: scripted, script: rules.jsonl}}\n" for judge in judges)
    sources = 'sources:\n  - {path: "texts/*.txt", language: en}\n' if texts else ""
    numbers = "" if "scale:" in settings else "scale: 9, "
    affect = f"  affect: {{judges: [{judges[0]}], {numbers}{settings}}}\n"
    config.write_text(f"name: study\n{sources}models:\n{models}methods:\n{affect}", encoding="utf-8")
    return config
