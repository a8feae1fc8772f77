"""From the user's sources and trusted texts to the texts of a check: the same for the same config and seed."""

import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import zip_longest

from localeval.checking.texts import SHORTENED, WHOLE, CheckTest, CheckText, Role, beginning_of, edited, reworded
from localeval.config import Config
from localeval.errors import ConfigError
from localeval.evidence.lookup import SourceIndex
from localeval.keys import canonical, derive_seed, digest
from localeval.measuring import Evaluation
from localeval.planting.excerpts import excerpts
from localeval.planting.paraphrasing import paraphrases
from localeval.planting.placing import place_in
from localeval.planting.schemas import Edit, ErrorKind, Trusted
from localeval.planting.settings import CheckSettings
from localeval.planting.values import plant_values
from localeval.planting.wording import plant_wording
from localeval.texts import Source

N_POSITIONS = 5
"""Parts of a source that are told apart on the heat map."""


@dataclass(frozen=True, slots=True)
class _Seed:
    """An edit that could be made, and where in the source stands what it is about."""

    trusted: Trusted
    edit: Edit
    position: float | None

    @property
    def part(self) -> int:
        """The part of the source, from 0; -1 where it is not known."""
        return -1 if self.position is None else min(N_POSITIONS - 1, int(self.position * N_POSITIONS))


@dataclass(frozen=True, slots=True)
class _Bed:
    """A trusted text, its edits, and where its sentences stand in the source."""

    trusted: Trusted
    sown: tuple[_Seed, ...]
    places: tuple[float | None, ...]

    @property
    def last(self) -> float | None:
        """Where the last of what it says stands; None where a sentence has no place."""
        known = [each for each in self.places if each is not None]
        return max(known) if known and len(known) == len(self.places) else None


Written = Mapping[tuple[str, str], str]
"""What a model made of trusted texts, by source id and who wrote the text."""


Sown = tuple[_Bed, ...]
"""Trusted texts, each with what can be planted into it."""


def trusted_texts(evaluation: Evaluation) -> list[Trusted]:
    """The trusted texts about every source: those of trusted systems, and an excerpt."""
    settings, seed = evaluation.config.check, evaluation.config.seed
    found = []
    for source in evaluation.material.sources:
        for candidate in evaluation.material.by_source.get(source.id, ()):
            if candidate.system in settings.trusted:
                found.append(Trusted(source, candidate, candidate.system))
        taken = excerpts(source, settings.excerpts, seed) if settings.excerpts else None
        found += [taken] if taken is not None else []
    return found


def sow(evaluation: Evaluation) -> Sown:
    """The trusted texts with every error that can be planted into them.

    Raises ConfigError where there is none.
    """
    config = evaluation.config
    beds = tuple(_beds(trusted_texts(evaluation), config.seed, config.check))
    if not any(bed.sown for bed in beds):
        fix = "name systems whose texts are right under `check: trusted:`, raise `excerpts:`, or name more `kinds:`"
        raise ConfigError(f"config {config.name!r}: no error can be planted into any trusted text; {fix}")
    return beds


def build_test(evaluation: Evaluation, beds: Sown | None = None, written: Written | None = None) -> CheckTest:
    """The texts of a check of the evaluation's judges, by its config's `check`; `written` become controls.

    `beds` are what `sow` gives, which is done here otherwise.
    """
    settings, seed = evaluation.config.check, evaluation.config.seed
    beds = sow(evaluation) if beds is None else beds
    planted = _chosen([each for bed in beds for each in bed.sown], settings.planted, settings.kinds, seed)
    controls = _controls(beds, settings, seed, written or {})
    texts = [*_texts(controls, planted, WHOLE)]
    if settings.shortened is not None:
        texts += _shortened(controls, planted[: len(controls)], evaluation.config)
    for characters in settings.lengths:
        texts += _of_length(evaluation, settings, characters)
    named = tuple(replace(each, id=f"t{n:04}") for n, each in enumerate(texts, 1))
    named = tuple(replace(each, candidate=replace(each.candidate, system=each.id)) for each in named)
    there = Counter(each.edit.kind for each in planted)
    absent: dict[ErrorKind, str] = {
        kind: "no trusted text has a place for one" for kind in settings.kinds if not there[kind]
    }
    return CheckTest(named, tuple(bed.trusted for bed in beds), absent, _hash(named))


def _beds(trusted: Sequence[Trusted], seed: int, settings: CheckSettings) -> Iterator[_Bed]:
    """The trusted texts with what can be planted into them; a source is indexed once."""
    index: SourceIndex | None = None
    before: Source | None = None
    for each in trusted:
        if index is None or each.source is not before:
            index, before = SourceIndex(each.source), each.source
        yield _bed(each, index, settings, seed)


def _bed(trusted: Trusted, index: SourceIndex, settings: CheckSettings, seed: int) -> _Bed:
    candidate = trusted.candidate
    places = tuple(place_in(trusted.source, index, candidate.words_of(each)) for each in candidate.segments)
    edits = [*plant_values(trusted, index, seed), *plant_wording(trusted, index, seed)]
    return _Bed(
        trusted,
        tuple(_Seed(trusted, each, _place(each, places)) for each in edits if each.kind in settings.kinds),
        places,
    )


def _place(edit: Edit, places: Sequence[float | None]) -> float | None:
    """Where in the source the edited sentence's matter stands; an invention stands nowhere."""
    if edit.kind == "invented sentence" or not 1 <= edit.sentence <= len(places):
        return None
    return places[edit.sentence - 1]


def _chosen(pool: Sequence[_Seed], n: int, kinds: Sequence[ErrorKind], seed: int) -> list[_Seed]:
    """So many of the edits, kind after kind in turn, spread over sources, parts of them and sentences."""
    order = list(pool)
    random.Random(derive_seed(seed, "check", "planted")).shuffle(order)
    left: dict[ErrorKind, list[_Seed]] = {kind: [each for each in order if each.edit.kind == kind] for kind in kinds}
    taken: list[_Seed] = []
    used: Counter[object] = Counter()
    while len(taken) < n and any(left.values()):
        for kind in kinds:
            if left[kind] and len(taken) < n:
                best = min(left[kind], key=lambda each: tuple(used[key] for key in _keys(each)))
                left[kind].remove(best)
                used.update(_keys(best))
                taken.append(best)
    return taken


def _keys(sown: _Seed) -> tuple[object, ...]:
    """What should not be used often, the weightiest first."""
    source, kind = sown.trusted.source.id, sown.edit.kind
    sentence = (source, sown.trusted.origin, sown.edit.sentence)
    return (kind, source), (kind, sown.part), (source, sown.part), (source, sown.trusted.origin), sentence


def _controls(
    beds: Sequence[_Bed], settings: CheckSettings, seed: int, written: Written
) -> list[tuple[_Bed, str | None]]:
    """Trusted texts as they are (None) and in other words, up to the number that is wanted, of each source in turn.

    A third of them are reworded ones, as far as there are so many, and more where there are too few untouched ones.
    """
    in_turn = _in_turn(beds)
    turns = zip_longest(*([(bed, text) for text in _rewordings(bed.trusted, seed, written)] for bed in in_turn))
    reworded: list[tuple[_Bed, str | None]] = [each for turn in turns for each in turn if each is not None]
    n_reworded = min(len(reworded), max(settings.controls // 3, settings.controls - len(in_turn)))
    untouched: list[tuple[_Bed, str | None]] = [
        (bed, None) for bed in in_turn[: max(settings.controls - n_reworded, 1)]
    ]
    return [*untouched, *reworded[:n_reworded]]


def _in_turn(beds: Sequence[_Bed]) -> list[_Bed]:
    """One trusted text of each source, then the next of each."""
    by_source: dict[str, list[_Bed]] = defaultdict(list)
    for bed in beds:
        by_source[bed.trusted.source.id].append(bed)
    return [bed for turn in zip_longest(*by_source.values()) for bed in turn if bed is not None]


def _rewordings(trusted: Trusted, seed: int, written: Written) -> Iterator[str]:
    """A model's first, then those by rule."""
    if (trusted.source.id, trusted.origin) in written:
        yield written[trusted.source.id, trusted.origin]
    yield from paraphrases(trusted, seed)


def _texts(controls: Sequence[tuple[_Bed, str | None]], planted: Sequence[_Seed], view: str) -> Iterator[CheckText]:
    """The texts against the sources that they are about. Their ids come later."""
    for bed, text in controls:
        trusted = bed.trusted
        role: Role = "untouched" if text is None else "paraphrase"
        candidate = trusted.candidate if text is None else reworded(trusted, text, "")
        yield CheckText("", role, view, trusted.source.id, trusted.source, trusted, candidate, None, bed.last)
    for each in planted:
        trusted = each.trusted
        candidate = edited(trusted, each.edit, "")
        yield CheckText(
            "", "planted", view, trusted.source.id, trusted.source, trusted, candidate, each.edit, each.position
        )


def _shortened(
    controls: Sequence[tuple[_Bed, str | None]], planted: Sequence[_Seed], config: Config
) -> Iterator[CheckText]:
    """The same texts against the first part of their sources, and excerpts of that part alone, which must do there."""
    settings = config.check
    share = settings.shortened
    assert share is not None
    parts: dict[str, Source] = {}
    for each in _texts(controls, planted, SHORTENED):
        whole = each.source
        if each.origin not in parts:
            part = parts[each.origin] = beginning_of(whole, share * len(whole.text), f"first {share:.0%}")
            taken = excerpts(part, settings.excerpts, config.seed) if settings.excerpts else None
            if taken is not None:
                last = len(part.text) / len(whole.text)
                yield CheckText("", "untouched", SHORTENED, whole.id, part, taken, taken.candidate, None, last)
        part = parts[each.origin]
        yield replace(each, source=part, candidate=replace(each.candidate, source_id=part.id))


def _of_length(evaluation: Evaluation, settings: CheckSettings, characters: int) -> Iterator[CheckText]:
    """Excerpts of the first so many characters of each source that has more, with a length's share of the errors."""
    seed, view = evaluation.config.seed, f"first {characters}"
    longer = [source for source in evaluation.material.sources if len(source.text) > characters]
    beds: list[_Bed] = []
    origins: dict[str, str] = {}
    for source in longer:
        part = beginning_of(source, characters, view)
        origins[part.id] = source.id
        taken = excerpts(part, settings.excerpts, seed) if settings.excerpts else None
        if taken is not None:
            beds.append(_bed(taken, SourceIndex(part), settings, seed))
    n = max(1, settings.planted // len(settings.lengths))
    planted = _chosen([each for bed in beds for each in bed.sown], n, settings.kinds, seed)
    for text in _texts(_controls(beds, settings, seed, {}), planted, view):
        yield replace(text, origin=origins[text.origin])


def check_trusted(evaluation: Evaluation) -> None:
    """Raises ConfigError where `check: trusted:` names a system that has no text among the candidates."""
    there = {each.system for each in evaluation.material.candidates}
    for system in evaluation.config.check.trusted:
        if system not in there:
            place = f"config {evaluation.config.name!r}: check.trusted names {system!r}"
            if system in evaluation.systems:
                fix = "which writes in the run itself; name systems whose texts are among the `candidates`"
                raise ConfigError(f"{place}, {fix}")
            known = ", ".join(sorted(there)) or "none"
            raise ConfigError(f"{place}, which has no text among the candidates; known: {known}")


def _hash(texts: Sequence[CheckText]) -> str:
    """64 hexadecimal digits over what is shown and what it is held against."""
    sources = {each.source.id: each.source for each in texts}
    shown = [[each.role, each.view, each.source.id, each.candidate.text] for each in texts]
    return digest(canonical([[asdict(source) for source in sources.values()], shown]))


def by_source(texts: Sequence[CheckText]) -> Mapping[str, list[CheckText]]:
    """The texts by the id of the source that they are held against."""
    found: dict[str, list[CheckText]] = defaultdict(list)
    for each in texts:
        found[each.source.id].append(each)
    return found
