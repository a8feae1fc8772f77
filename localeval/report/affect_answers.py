"""What affect answers, in words: its two questions, and how far its numbers can be believed."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from localeval.report.console import counted, decimal_text, p_text, score_text, shift_text

Json = Mapping[str, Any]
Place = tuple[str, str]
"""Contract and axis."""

_DIRECTIONAL = "directional"
_NAMED = 5
_VERDICTS = {"wording": "yes", "system": "no, the model does more"}
_SHARES = "shares of the variance, wording against model"
NO_TARGET = "no target was found in any text, so that nothing was asked of one"
_NOTHING_ELICITED = "no texts were elicited, so the wording never varied"


def answer_lines(affect: Json) -> list[str]:
    """The two questions of a study, answered in a line each for every judge, with the numbers that the answers rest on.

    `affect` is that part of scores.json. With several judges each line begins with its judge's name.
    """
    lines = []
    for name, judge in affect["judges"].items():
        whose = f"{name}: " if len(affect["judges"]) > 1 else ""
        for question, told in (
            ("Does the wording move the profile more than the model does?", _wording_or_system(affect, judge)),
            ("Do `whole` and `target` differ?", _whole_and_target(affect, judge)),
        ):
            lines.append(f"{whose}{question} {told}")
    return lines


def label_of(affect: Json, axis: str) -> str:
    """What an axis is called; its id where it has no label."""
    return str(affect["axes"]["labels"].get(axis, axis))


def finds_no_target(affect: Json, judge: Json) -> bool:
    """Whether targets were asked about, and there is none: no name that was proposed stands in its text."""
    return not judge["targets"] and any(contract != "whole" for contract in affect["axes"]["ids"])


def places_text(affect: Json, places: Iterable[Place]) -> str:
    """Axes with their contract before them, each contract once: "`target` valence, arousal; `whole` valence"."""
    by_contract: dict[str, list[str]] = {}
    for contract, axis in places:
        by_contract.setdefault(contract, []).append(label_of(affect, axis))
    return "; ".join(f"`{contract}` {', '.join(labels)}" for contract, labels in by_contract.items())


def _wording_or_system(affect: Json, judge: Json) -> str:
    """Axes with the same answer, and of those without one with the same reason, stand together."""
    told: dict[str, list[Place]] = {}
    for contract, axes in judge["answers"]["wording_or_system"].items():
        for axis, each in axes.items():
            verdict = (
                f"cannot tell ({each['reason']})" if each["answer"] == "cannot tell" else _VERDICTS[each["answer"]]
            )
            told.setdefault(verdict, []).append((contract, axis))
    if not told:
        return _sentence("cannot tell: " + ("neither was varied" if affect["of"] == "elicited" else _NOTHING_ELICITED))
    verdicts = [*_VERDICTS.values(), *(each for each in told if each not in _VERDICTS.values())]
    words = "; ".join(
        f"{verdict}: {_split_text(affect, judge, told[verdict])}" for verdict in verdicts if verdict in told
    )
    key = f" ({_SHARES})" if " against " in words else ""
    return f"{_sentence(words)}{key}"


def _split_text(affect: Json, judge: Json, places: list[Place]) -> str:
    """Axes, each with the shares that its answer rests on, where there are any."""
    numbers = [_shares(judge["variance"].get(contract, {}).get(axis, {})) for contract, axis in places]
    if not any(numbers):
        return places_text(affect, places)
    return ", ".join(f"{places_text(affect, [place])}{each}" for place, each in zip(places, numbers, strict=True))


def _shares(split: Json) -> str:
    """How much of the variance the wording holds against the model, where there is a split of both."""
    components = split.get("components", {})
    if "wording" not in components or "system" not in components:
        return ""
    return " " + " against ".join(f"{score_text(components[name]['share'])} %" for name in ("wording", "system"))


def _whole_and_target(affect: Json, judge: Json) -> str:
    """Axes of which the same is said, as of all that cannot be told for one reason, stand together."""
    labels: dict[str, list[str]] = {}
    for axis, each in judge["answers"]["whole_and_target"].items():
        labels.setdefault(_difference(each, axis, judge), []).append(label_of(affect, axis))
    told = [f"{', '.join(axes)}: {difference}" for difference, axes in labels.items()]
    return _sentence("; ".join(told) or "cannot tell: only one of the two was asked for")


def _difference(answer: Json, axis: str, judge: Json) -> str:
    overall = answer["overall"]
    if answer["answer"] == "cannot tell":
        return f"cannot tell ({answer.get('reason') or overall.get('reason') or 'no texts with both'})"
    numbers = f"`target` - `whole` {shift_text(overall)}, p {p_text(overall['p_value'])}"
    if answer["answer"] != "differ":
        return f"no difference shown ({numbers})"
    whose = [f"{name} {shift_text(judge['targets'][name]['difference'][axis])}" for name in answer["targets"]]
    more = f" and {len(whose) - _NAMED} more" if len(whose) > _NAMED else ""
    of_whom = f"for {', '.join(whose[:_NAMED])}{more}" if whose else "over all targets, for none of them alone"
    return f"yes, {of_whom} (overall {numbers})"


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]


def limit_lines(affect: Json) -> list[str]:
    """How far the numbers can be believed: each axis with its status beside what people reach, then each judge against
    the people's scores, where there are any."""
    lines = [_status_line(affect, axis, by_status) for axis, by_status in _statuses(affect).items()]
    asked = _statuses(affect)
    if sources := dict.fromkeys(each["source"] for each in affect["ceilings"] if each["axis"] in asked):
        lines.append(f"what people reach: {'; '.join(sources)}")
    for name, contracts in affect["human"].items():
        for contract, axes in contracts.items():
            lines += [_human_line(affect, (name, contract, axis), each) for axis, each in axes.items()]
    return lines


def _statuses(affect: Json) -> dict[str, dict[str, list[str]]]:
    """By axis and status, whose it is: "judge `contract`"."""
    found: dict[str, dict[str, list[str]]] = {}
    for judge, contracts in affect["status"].items():
        whose = f"{judge} " if len(affect["status"]) > 1 else ""
        for contract, axes in contracts.items():
            for axis, status in axes.items():
                found.setdefault(axis, {}).setdefault(status, []).append(f"{whose}`{contract}`")
    return found


def _status_line(affect: Json, axis: str, by_status: Mapping[str, list[str]]) -> str:
    told = ", ".join(
        status if len(by_status) == 1 else f"{status} ({', '.join(whose)})" for status, whose in by_status.items()
    )
    meaning = "; read which is higher, not by how much" if _DIRECTIONAL in by_status else ""
    return "; ".join([f"{label_of(affect, axis)}: {told}{meaning}", *_ceilings(affect, axis)])


def _ceilings(affect: Json, axis: str) -> Iterator[str]:
    """What people reach on an axis, source by source."""
    names = {
        "alpha": "alpha",
        "reliability": "reliability of their mean",
        "r_max": "so any judge's r at most",
        "writer_reader_r": "writers with readers r",
    }
    for ceiling in affect["ceilings"]:
        if ceiling["axis"] == axis:
            numbers = [f"{words} {ceiling[key]:.2f}" for key, words in names.items() if ceiling.get(key) is not None]
            yield f"people reach {', '.join(numbers)}"


def _human_line(affect: Json, place: tuple[str, str, str], found: Json) -> str:
    """One judge against people on one axis."""
    judge, contract, axis = place
    r = found["r"]
    told = f"not measured: {r['reason']}" if r["value"] is None else decimal_text(r)
    parts = [f"r with people {told}"]
    if found["mae"] is not None:
        parts.append(f"off by {found['mae']:.2f} on average")
    if found["alpha"] is not None and found["alpha"]["value"] is not None:
        parts.append(f"alpha among people {decimal_text(found['alpha'])}")
    parts.append(f"on {counted(found['n'], 'item')}")
    return f"{judge}, `{contract}` {label_of(affect, axis)}: {', '.join(parts)}"
