"""Plain English for a bench of speed: minutes of a meeting that a seed decides, and how long a text is."""

import random
import re
from collections.abc import Iterator

TOKENS_A_WORD = 1.2
"""Tokens of SmolLM2 for a word or sign of texts like these: digits are one each."""

_WHO = (
    "chair", "treasurer", "site manager", "clerk", "planner", "surveyor", "head teacher", "driver", "ward sister",
    "caretaker", "librarian", "engineer", "buyer", "trainer", "architect", "editor", "forester", "registrar",
)  # fmt: skip
_WHAT = (
    "north pump", "bus route", "reading room", "summer course", "water bill", "school roof", "cycle path", "archive",
    "ferry timetable", "garden wall", "heating plan", "recycling yard", "market square", "night shift", "lift",
    "ticket machine", "sports hall", "flood barrier", "dairy", "bridge survey", "kitchen", "weather station",
    "parking scheme", "choir room", "orchard", "server room", "boat house", "emergency exit", "newsletter", "museum",
)  # fmt: skip
_DO = (
    "repair", "inspect", "repaint", "extend", "close", "reopen", "replace", "measure", "insure", "rent out", "clean",
    "move", "redesign", "fund", "document", "test",
)  # fmt: skip
_WHY = (
    "the old contract ends", "nobody has used it since spring", "the insurer asked for it", "visitors complained twice",
    "prices may rise again", "the last storm damaged it", "the council promised it", "two offers came in too high",
    "the drawings were out of date", "the supplier was late", "the children need it first", "the ground is still wet",
)  # fmt: skip
_WHERE = (
    "behind the station", "on the second floor", "near the harbour", "in the old mill", "beside the playground",
    "under the town hall", "at the eastern gate", "along the canal", "next to the bakery", "by the upper lake",
)  # fmt: skip
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
_SENTENCES = (
    "We should {do} the {what} {where} before {day}, because {why}.",
    "The {who} offered to {do} the {what}, and it would cost about {money} in all.",
    "Last year the {what} took {number} days, and this time the {who} expects {few} more.",
    "I do not agree that the {what} can wait until {day}.",
    "If we {do} the {what} first, the {other} {where} has to stay as it is.",
    "The {who} sent {number} letters about the {what}, and only {few} were answered.",
    "Nobody has told us who will {do} the {other}, so let us ask the {who}.",
    "My proposal is to spend {money} on the {what} and nothing on the {other}.",
    "It was agreed that the {who} will {do} the {what} by {day}.",
    "We measured the {what} again and found {number} faults, most of them {where}.",
    "The {other} is still an open question, since {why}.",
    "Please put down that the {who} voted against the plan to {do} the {what}.",
    "For the {what} we have {money} left, which is enough for {few} months.",
    "Can the {who} tell us on {day} whether the {other} is ready?",
    "The reason is simple: {why}, and the {what} cannot be moved.",
    "Of {number} members, all but {few} want to {do} the {what} {where}.",
)


def length(text: str) -> int:
    """Roughly the tokens of a text."""
    return round(TOKENS_A_WORD * sum(1 for _ in re.finditer(r"\w+|[^\w\s]", text)))


def meeting(seed: str, tokens: int) -> str:
    """The transcript of a meeting of about so many tokens, one turn a line; another seed, another meeting."""
    rng = random.Random(seed)
    speakers = [who.capitalize() for who in rng.sample(_WHO, 5)]
    lines: list[str] = []
    have = 0
    while have < tokens:
        turn = " ".join(_sentence(rng) for _ in range(rng.randint(1, 4)))
        lines.append(f"{rng.choice(speakers)}: {turn}")
        have += length(lines[-1]) + _NUMBERING
    return "\n".join(lines) + "\n"


_NUMBERING = 5  # tokens of a segment's number and line end, as a prompt shows it


def sentences_of(text: str) -> Iterator[str]:
    """The sentences of a text, roughly: what ends with a full stop, a question mark or a line."""
    for line in text.splitlines():
        for sentence in re.split(r"(?<=[.?!])\s+", line.strip()):
            if len(sentence.split()) > 3:
                yield sentence


def _sentence(rng: random.Random) -> str:
    what, other = rng.sample(_WHAT, 2)
    return rng.choice(_SENTENCES).format(
        what=what,
        other=other,
        who=rng.choice(_WHO),
        do=rng.choice(_DO),
        why=rng.choice(_WHY),
        where=rng.choice(_WHERE),
        day=f"{rng.randint(1, 28)} {rng.choice(_MONTHS)}",
        money=f"{rng.randint(11, 990)},{rng.randint(1, 9)}00 euros",
        number=rng.randint(13, 480),
        few=rng.randint(2, 12),
    )
