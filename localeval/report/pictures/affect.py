"""The pictures of affect, judge by judge: profiles of targets, drift between wordings, a plane, shares of variance."""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from localeval.report.console import counted, p_text, score_text, shift_text, some
from localeval.report.pictures.charts import drift_chart, plane_chart, profile_chart, shares_chart
from localeval.report.pictures.picture import NoPicture, Picture, Table
from localeval.report.pictures.rows import (
    Point,
    Row,
    Score,
    counts_text,
    notes,
    points,
    score_words,
    table,
)

TARGETS_A_PICTURE = 8
MOST_PROFILE_PICTURES = 5
TARGETS_IN_PLANE = 25
NAMES_IN_PLANE = 8
PAIRS_A_PICTURE = 12
"""What a reader can still tell apart. The tables hold everything."""

_PLANE = ("valence", "dominance")


@dataclass(frozen=True, slots=True)
class Judged:
    """What one judge says in `methods.affect` of a scores.json, and what its axes are called."""

    judge: str
    affect: Mapping[str, Any]

    @property
    def part(self) -> Mapping[str, Any]:
        """The judge's own part."""
        found: Mapping[str, Any] = self.affect["judges"][self.judge]
        return found

    def axis(self, axis: str, *contracts: str) -> str:
        """What an axis is called; "(directional)" where its scores tell a direction alone under these contracts."""
        label = str(self.affect["axes"]["labels"].get(axis, axis))
        status = self.affect["status"].get(self.judge, {})
        stated = {each: status.get(each, {}).get(axis) for each in contracts}
        directional = [each for each, what in stated.items() if what == "directional"]
        if not directional:
            return label
        of = "" if len(directional) == sum(what is not None for what in stated.values()) else f" {directional[0]}"
        return f"{label} (directional{of})"


def affect_pictures(affect: Mapping[str, Any]) -> dict[str, tuple[Picture | NoPicture, ...]]:
    """The pictures of each judge in `methods.affect` of a scores.json, in the order in which a page shows them.

    A chart without data is a NoPicture that says why. Names are unique over all, whatever the case of letters.
    """
    taken: set[str] = set()
    return {
        judge: tuple(
            each if isinstance(each, NoPicture) else _named(each, taken)
            for make in (_profiles, _plane, _drifts, _variance)
            for each in make(Judged(judge, affect))
        )
        for judge in affect["judges"]
    }


def _named(picture: Picture, taken: set[str]) -> Picture:
    """The picture under a name that no other has."""
    name, number = picture.name, 1
    while name.casefold() in taken:
        number += 1
        name = f"{picture.name}_{number}"
    taken.add(name.casefold())
    return replace(picture, name=name)


def slug(words: str) -> str:
    """`words` as part of a file's name: letters and digits of ASCII, "-" in place of all else; never empty."""
    plain = unicodedata.normalize("NFKD", words).encode("ascii", "ignore").decode()
    return re.sub(r"[^A-Za-z0-9]+", "-", plain).strip("-")[:60] or "x"


def _profiles(judged: Judged) -> Iterator[Picture | NoPicture]:
    """Each target's scores, the contracts beside each other, some targets a picture."""
    rows = {name: _profile_rows(judged, name, each) for name, each in judged.part["targets"].items()}
    shown = [name for name, each in rows.items() if points(each)]
    title = f"Profiles of targets, by judge {judged.judge}"
    if not shown:
        yield NoPicture(title, _why_no_target(judged))
        return
    without = [name for name in rows if name not in shown]
    pages = [shown[at : at + TARGETS_A_PICTURE] for at in range(0, len(shown), TARGETS_A_PICTURE)]
    for number, page in enumerate(pages[:MOST_PROFILE_PICTURES]):
        found = [row for name in page for row in rows[name]]
        contracts = " and ".join(dict.fromkeys(row.names["contract"] for row in found))
        scores = [row.score for row in found]
        caption = [
            "Points are means on the axes from 0 to 1, lines their 95 % intervals.",
            f"{_which(pages, number, len(rows))}. {_said(scores, 'text')}",
            *([f"Without any score: {some(without)}."] if without else []),
            *notes(scores),
        ]
        yield Picture(
            f"profile-{slug(judged.judge)}" + (f"-{number + 1}" if len(pages) > 1 else ""),
            f"{title}: {contracts}, n = {counted(len(rows), 'target')}"
            + (f", part {number + 1}" if len(pages) > 1 else ""),
            " ".join(caption),
            table(found, "score"),
            profile_chart(points(found)),
        )


def _which(pages: Sequence[Sequence[str]], number: int, n_targets: int) -> str:
    """Which of the targets a picture shows."""
    if len(pages) == 1:
        return f"{len(pages[0])} of {counted(n_targets, 'target')}"
    first = number * TARGETS_A_PICTURE + 1
    told = f"Targets {first} to {first + len(pages[number]) - 1} of {n_targets}"
    is_cut = number + 1 == MOST_PROFILE_PICTURES < len(pages)
    return f"{told}; the others are in scores.json alone" if is_cut else told


def _why_no_target(judged: Judged) -> str:
    if judged.part["targets"]:
        return "no target has a score"
    asked = [contract for contract in judged.affect["axes"]["ids"] if contract != "whole"]
    return "no text names a target" if asked else "only the mood of whole texts was asked for"


def _profile_rows(judged: Judged, name: str, target: Mapping[str, Any]) -> list[Row]:
    contracts = {**target["profile"], **({"whole": target["whole"]} if target["whole"] else {})}
    return [
        Row({"target": name, "contract": contract, "axis": judged.axis(axis, *contracts)}, score)
        for contract, axes in contracts.items()
        for axis, score in axes.items()
    ]


def _plane(judged: Judged) -> Iterator[Picture | NoPicture]:
    """Targets by valence and dominance, or by the first two axes."""
    axes: Sequence[str] = judged.affect["axes"]["ids"].get("target", ())
    across, upward = _PLANE if set(_PLANE) <= set(axes) else (*axes[:2], "", "")[:2]
    labels = [judged.axis(each, "target") for each in (across, upward)]
    title = f"Targets in a plane, by judge {judged.judge}: contract target"
    if len(axes) < 2:
        why = "the contract target has less than two axes" if axes else "the contract target was not asked for"
        yield NoPicture(title, why)
        return
    pairs = {
        name: (each["profile"]["target"][across], each["profile"]["target"][upward])
        for name, each in judged.part["targets"].items()
        if {across, upward} <= set(each["profile"].get("target", ()))
    }
    known = {name: pair for name, pair in pairs.items() if all(score["value"] is not None for score in pair)}
    if not known:
        why = f"no target has a score on both {labels[0]} and {labels[1]}"
        yield NoPicture(title, why if judged.part["targets"] else _why_no_target(judged))
        return
    shown = dict(islice(known.items(), TARGETS_IN_PLANE))
    scores = [score for pair in shown.values() for score in pair]
    caption = [
        f"{labels[0]} across, {labels[1]} upward, with 95 % intervals as crosses; dashed lines are the middles.",
        f"{len(shown)} of {len(judged.part['targets'])} targets. {_said(scores, 'text')}",
        *notes(scores),
    ]
    rows = tuple((name, score_words(x), score_words(y), str(x["n"])) for name, (x, y) in pairs.items())
    yield Picture(
        f"plane-{slug(judged.judge)}",
        f"{title}, n = {counted(len(shown), 'target')}",
        " ".join(caption),
        Table(("target", f"{labels[0]} [95 % interval]", f"{labels[1]} [95 % interval]", "n"), rows),
        plane_chart(_in_plane(shown), labels[0], labels[1]),
    )


def _in_plane(pairs: Mapping[str, tuple[Score, Score]]) -> list[Point]:
    """The points of the plane, labelled with names, or with numbers where names would cover one another."""
    ends = {"": "value", "_low": "low", "_high": "high"}
    are_few = len(pairs) <= NAMES_IN_PLANE
    return [
        {
            "target": name,
            "number": number,
            "label": name if are_few else str(number),
            **{f"x{end}": float(x[key]) for end, key in ends.items()},
            **{f"y{end}": float(y[key]) for end, key in ends.items()},
            "x_score": score_words(x),
            "y_score": score_words(y),
            "n": int(x["n"]),
        }
        for number, (name, (x, y)) in enumerate(pairs.items(), start=1)
    ]


def _drifts(judged: Judged) -> Iterator[Picture | NoPicture]:
    """How far each wording shifts each axis, contract by contract."""
    title = f"Drift between wordings, by judge {judged.judge}"
    drift: Sequence[Mapping[str, Any]] = judged.part["drift"]
    for contract in dict.fromkeys(str(each["contract"]) for each in drift):
        pairs = [each for each in drift if each["contract"] == contract]
        rows = [row for axis in pairs[0]["axes"] for each in pairs for row in _drift_rows(judged, each, axis)]
        picked = {_pair(each) for each in pairs[:PAIRS_A_PICTURE]}
        drawn = points([row for row in rows if row.names["wordings"] in picked], shift_text)
        heading = f"{title}: contract {contract}"
        if not drawn:
            yield NoPicture(heading, f"no shift has a number: {rows[0].score['reason']}" if rows else "it has no axis")
            continue
        scores = [row.score for row in rows]
        caption = [
            "How much higher (right) or lower (left) the second wording's scores are than the first's, by target, with"
            " 95 % intervals. At the right: the rank correlation of targets between the two wordings.",
            f"{len(picked)} of {len(pairs)} pairs of wordings. {_said(scores, 'target')}",
        ]
        name = f"drift-{slug(judged.judge)}-{slug(contract)}"
        heading += f", n = {counted(max(int(score['n']) for score in scores), 'target')}"
        yield Picture(name, heading, " ".join(caption), table(rows, "shift", shift_text), drift_chart(drawn))
    if not drift:
        elicited = judged.part["wordings"]
        yield NoPicture(title, "there is one wording alone" if elicited else "no texts were elicited by wordings")


def _drift_rows(judged: Judged, pair: Mapping[str, Any], axis: str) -> Iterator[Row]:
    if axis not in pair["axes"]:
        return
    found = pair["axes"][axis]
    shift, rank = found["shift"], found["rank_correlation"]
    names = {
        "axis": judged.axis(axis, str(pair["contract"])),
        "wordings": _pair(pair),
        "p-value": p_text(shift.get("p_value")),
        "rank correlation": "none" if rank["value"] is None else f"r {rank['value']:.2f}",
        "targets moved beyond noise, %": score_text(found["moved"]["share"]),
    }
    yield Row(names, shift)


def _pair(pair: Mapping[str, Any]) -> str:
    return f"{pair['first']} → {pair['second']}"


def _variance(judged: Judged) -> Iterator[Picture | NoPicture]:
    """What share of the variance each component has."""
    title = f"Shares of variance, by judge {judged.judge}"
    rows: list[Row] = []
    why: list[str] = []
    for contract, axes in judged.part["variance"].items():
        for axis, split in axes.items():
            label = judged.axis(axis, contract)
            if "components" not in split:
                why.append(f"{contract}, {label}: {split['reason']}")
                continue
            rows += [
                Row({"contract": contract, "axis": label, "component": name}, component["share"])
                for name, component in split["components"].items()
            ]
    drawn = points(rows)
    # all components of a split rest on the same scores
    scores = list({(row.names["contract"], row.names["axis"]): row.score for row in rows}.values())
    if not drawn:
        yield NoPicture(title, "; ".join(why) or "no texts were elicited from several systems by several wordings")
        return
    caption = [
        "How much of the variance of scores lies between targets, systems, wordings and samples.",
        _said(scores, "score"),
        *(f"Left out: {each}." for each in why),
    ]
    name = f"variance-{slug(judged.judge)}"
    contracts = " and ".join(dict.fromkeys(row.names["contract"] for row in rows))
    title += f": {contracts}, n = {counted(max(int(score['n']) for score in scores), 'score')}"
    yield Picture(name, title, " ".join(caption), table(rows, "share"), shares_chart(drawn))


def _said(scores: Sequence[Score], unit: str) -> str:
    """The counts as a sentence."""
    without = sum(score["value"] is None for score in scores)
    return counts_text(scores, unit) + (f"; {without} of {len(scores)} have no score." if without else ".")
