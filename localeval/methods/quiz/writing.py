"""Writing a quiz: over-generate, filter, and go on until enough questions survive."""

from collections.abc import Generator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from localeval.methods.quiz.answers import combine
from localeval.methods.quiz.calls import QuizCalls, Wanted
from localeval.methods.quiz.filters import read_question, split_duplicates, split_repeats
from localeval.methods.quiz.schemas import GOLD, Dropped, Kind, QuizItem, QuizSettings, Trial
from localeval.methods.quiz.trials import put
from localeval.texts import Source
from localeval.values import Call, Missing, Reply


class Written(NamedTuple):
    """The questions that survived, those that left, and why there are none at all."""

    items: list[QuizItem]
    dropped: list[Dropped]
    missing: Missing | None = None


class _Sifted(NamedTuple):
    """What a filter lets pass and what not; `blind_hits` counts right answers without any text, by item.

    `too_long` is set where the source did not fit the checker's context.
    """

    passed: list[QuizItem]
    dropped: list[Dropped]
    blind_hits: dict[str, int]
    too_long: Missing | None = None


Step = Generator[Sequence[Call], Sequence[Reply], _Sifted]


def write_quiz(
    source: Source, calls: QuizCalls, settings: QuizSettings
) -> Generator[Sequence[Call], Sequence[Reply], Written]:
    """At most `settings.questions` items, fewer when the rounds are used up first.

    Each round asks for `overgenerate` times what is still wanted. A source that does not fit the context of the writer
    or the checker gives no quiz at all: a part of it would test only that part.
    """
    kept: list[QuizItem] = []
    dropped: list[Dropped] = []
    blind_hits: dict[str, int] = {}
    seen: set[str] = set()
    kinds = kind_sequence(settings.mix)
    n_written = 0
    for turn in range(settings.rounds):
        n_more = max(1, round((settings.questions - len(kept)) * settings.overgenerate))
        planned = list(islice(kinds, n_more))
        asked = tuple(item.question for item in kept)
        replies = yield [
            calls.write(kind, n_written + i, region(i, n_more, turn, len(source.segments)), asked)
            for i, kind in enumerate(planned)
        ]
        too_long = next((r.missing for r in replies if r.missing and r.missing.reason == "too long"), None)
        if too_long is not None and not kept:  # with some kept it is only the list of what not to ask again
            return Written([], dropped, too_long)
        fresh, unusable = _read(replies, source, planned, n_written, seen)
        dropped += unusable
        n_written += n_more
        sifted = yield from _sift(calls, settings, fresh)
        dropped += sifted.dropped
        if sifted.too_long is not None and not kept and not sifted.passed:
            return Written([], dropped, sifted.too_long)
        blind_hits |= sifted.blind_hits
        kept, twins = split_duplicates([*kept, *sifted.passed], blind_hits, settings.duplicate_similarity)
        dropped += twins
        if len(kept) >= settings.questions:
            break
    surplus = kept[settings.questions :]
    dropped += [Dropped("surplus", "more survived than were asked for", item.question) for item in surplus]
    # the orders of the options are balanced over numbers without gaps
    final = enumerate(kept[: settings.questions], 1)
    return Written([item.model_copy(update={"number": number}) for number, item in final], dropped)


def _read(
    replies: Sequence[Reply], source: Source, kinds: Sequence[Kind], n_before: int, seen: set[str]
) -> tuple[list[QuizItem], list[Dropped]]:
    """(new, dropped) of one round's replies, numbered on from those before. Adds to `seen`."""
    numbered = enumerate(zip(replies, kinds, strict=True), n_before + 1)
    read = [read_question(reply, source, kind, number) for number, (reply, kind) in numbered]
    new, repeats = split_repeats([each for each in read if isinstance(each, QuizItem)], seen)
    return new, [*(each for each in read if isinstance(each, Dropped)), *repeats]


def _sift(calls: QuizCalls, settings: QuizSettings, items: list[QuizItem]) -> Step:
    answerable = yield from _ceiling(calls, settings, items)
    if not settings.blind_trials:
        return answerable
    hidden = yield from _blind(calls, settings, answerable.passed)
    dropped = answerable.dropped + hidden.dropped
    return answerable._replace(passed=hidden.passed, dropped=dropped, blind_hits=hidden.blind_hits)


def _ceiling(calls: QuizCalls, settings: QuizSettings, items: list[QuizItem]) -> Step:
    """Drops what the checker does not answer rightly from the whole source."""
    n = settings.permutations
    wanted = [Wanted(item, "ceiling", calls.source_text, trial, item.source) for item in items for trial in range(n)]
    trials = iter((yield from put(calls, settings.checked_by, wanted, settings.retries)))
    passed: list[QuizItem] = []
    dropped: list[Dropped] = []
    too_long: Missing | None = None
    for item in items:
        chosen = combine(item, tuple(islice(trials, n))).chosen
        if chosen == GOLD:
            passed.append(item)
        elif isinstance(chosen, Missing) and chosen.reason != "unstable":
            dropped.append(Dropped("no verdict", f"{chosen.reason}: {chosen.detail}", item.question))
            too_long = chosen if chosen.reason == "too long" else too_long
        else:
            instead = "no answer twice" if isinstance(chosen, Missing) else item.label(chosen)
            dropped.append(Dropped("not answered from the source", f"chosen: {instead}", item.question))
    return _Sifted(passed, dropped, {}, too_long)


def _blind(calls: QuizCalls, settings: QuizSettings, items: list[QuizItem]) -> Step:
    """Drops what the checker answers rightly without any text.

    Stops early: whoever is wrong in every one of the opening trials can no longer reach the limit.
    """
    opening = settings.blind_trials - settings.blind_limit + 1
    hits = dict.fromkeys((item.id for item in items), 0)
    doubtful = items
    for first, last in ((0, opening), (opening, settings.blind_trials)):
        wanted = [Wanted(item, "blind", "", trial, item.source) for item in doubtful for trial in range(first, last)]
        trials: list[Trial] = yield from put(calls, settings.checked_by, wanted, settings.retries)
        for each, trial in zip(wanted, trials, strict=True):
            hits[each.item.id] += trial.chosen == GOLD
        doubtful = [item for item in doubtful if hits[item.id]]
    dropped = [
        Dropped("answered blind", f"{hits[item.id]} of {settings.blind_trials} trials", item.question)
        for item in items
        if hits[item.id] >= settings.blind_limit
    ]
    return _Sifted([item for item in items if hits[item.id] < settings.blind_limit], dropped, hits)


def kind_sequence(mix: Mapping[Kind, float]) -> Generator[Kind, None, None]:
    """Question types without end, interleaved so that every stretch holds them about as the weights ask."""
    total = sum(mix.values())
    credit = dict.fromkeys(mix, 0.0)
    while True:
        for kind, weight in mix.items():
            credit[kind] += weight / total
        kind = max(credit, key=lambda name: credit[name])
        credit[kind] -= 1.0
        yield kind


def region(index: int, n_regions: int, turn: int, n_segments: int) -> tuple[int, int]:
    """First and last segment of one of `n_regions` equal stretches; each later turn starts half a stretch further on.

    So the questions cover the whole source, not its opening: each stretch begins where the one before it ends. Not from
    the paper.
    """
    start, end = ((2 * index + turn + ahead) * n_segments // (2 * n_regions) for ahead in (0, 2))
    first = start % n_segments
    return first + 1, min(n_segments, first + max(1, end - start))
