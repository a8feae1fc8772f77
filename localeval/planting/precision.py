"""False precision: a vague quantity, or a round one, becomes an exact one that nobody said."""

import random
import re
from collections.abc import Iterable, Iterator
from fractions import Fraction

from localeval.evidence.quantities import Clock, Quantity, quantities
from localeval.planting.changes import in_case_of
from localeval.planting.exactness import n_noughts, near_numbers, number_part, written_like
from localeval.planting.numbers import is_bare_year, is_day_number
from localeval.planting.schemas import Edit
from localeval.planting.spots import N_OTHERS, Material, Sentence, Spot, edit, spots
from localeval.planting.vague import vague_words
from localeval.texts import Language

_HEDGES = {
    "en": re.compile(
        r"\b(?:(?P<at>at )?(?:about|around|roughly|approximately|circa|nearly|almost|close to)|an estimated) (?=\S*$)",
        re.IGNORECASE,
    ),
    "ru": re.compile(
        r"(?<![^\W_])(?P<at>в )?(?:около|примерно|приблизительно|почти|порядка)(?: в)? (?=\S*$)", re.IGNORECASE
    ),
    "zh": re.compile("(?P<at>在)?(?:大约|约|大概|将近|近|差不多)(?:有)?$"),
}
_HAN_NUMBER = re.compile("[零一二三四五六七八九十百千万两]+")
_WORDS = re.compile(r"[^\W\d_]+(?:[ -][^\W\d_]+)*")
_TENTHS = re.compile("(?P<tenth>[一二三四五六七八九])成")
_CLOCK = re.compile(r"(?P<hour>[0-9]{1,2})(?::(?P<minute>00|30))?(?P<half>\s?(?:[ap]\.?m\.?)?)", re.IGNORECASE)
_LEAST_ROUND = 100
_LEAST_WORDS = 10
_LEAST_NOUGHTS = 2
_DECIMAL_UNITS = frozenset({"percent"})


def false_precision(material: Material) -> Iterator[Edit]:
    """One edit for each vague word, each hedged number and each round number that an exact one can stand for."""
    for sentence, quantity, spot in spots(material):
        hedged = _with_hedge(sentence, quantity, material.language)
        rng = material.rng("false precision", sentence, quantity.start)
        variants = list(_exact(material, sentence, quantity, hedged is not None, rng))
        rng.shuffle(variants)
        found = _edit(material, hedged or spot, variants)
        if found:
            yield found
    for sentence in material.sentences:
        for start, end, exact in vague_words(sentence.text, material.language):
            spot, rng = Spot(sentence, start, end), material.rng("false precision", sentence, start)
            found = _edit(material, spot, [in_case_of(each, spot.before) for each in rng.sample(exact, len(exact))])
            if found:
                yield found


def _with_hedge(sentence: Sentence, quantity: Quantity, language: Language) -> Spot | None:
    """The place of a number with the word before it that makes it vague; None where there is none."""
    before = sentence.text[: quantity.start]
    found = _HEDGES[language].search(before)
    if found is None or found.end() != len(before):
        return None
    return Spot(sentence, found.start(), quantity.end)


def _exact(
    material: Material, sentence: Sentence, quantity: Quantity, is_hedged: bool, rng: random.Random
) -> Iterator[str]:
    """A quantity's text with exact numbers in the place of a round one."""
    if isinstance(quantity.value, Clock):
        yield from _exact_clock(quantity, material.language, rng) if is_hedged else ()
        return
    if not isinstance(quantity.value, Fraction) or quantity.is_ordinal or is_bare_year(quantity):
        return
    if is_day_number(sentence, quantity) or quantity.value < 1:
        return
    text = quantity.text
    tenths = _TENTHS.fullmatch(text)
    if tenths and is_hedged:
        yield from (text + digit for digit in rng.sample("一二三四六七八九", 4))
        return
    place = _place(text, quantity.value, material.language, is_hedged)
    if place is None:
        return
    start, end, value = place
    decimals = quantity.unit in _DECIMAL_UNITS or (value < _LEAST_WORDS and quantity.unit is not None)
    if decimals and (material.language == "zh" or (material.language == "ru" and quantity.unit != "percent")):
        return
    for exact in near_numbers(value, material.language, rng, decimals):
        if decimals or value >= _LEAST_WORDS:
            yield text[:start] + written_like(text[start:end], exact, material.language) + text[end:]


def _place(text: str, value: Fraction, language: Language, is_hedged: bool) -> tuple[int, int, Fraction] | None:
    """Where a quantity's text has its number, and that number's value; None where it is exact already."""
    part = number_part(text)
    if part:
        written = text[slice(*part)]
        figures = int(re.sub(r"\D", "", written))
        noughts = n_noughts(written)
        is_round = (noughts >= _LEAST_NOUGHTS and figures >= _LEAST_ROUND) or (is_hedged and (noughts or figures < 10))
        has_scale = value != figures
        if not is_round or has_scale or "." in written[-3:-1] or ("," in written and language != "en"):
            return None
        return (*part, value)
    if language == "zh":
        han = _HAN_NUMBER.search(text)
        is_round = value >= _LEAST_ROUND and value % _LEAST_ROUND == 0
        return (*han.span(), value) if han and (is_round or (is_hedged and value % 10 == 0)) else None
    if not is_hedged or value.denominator > 1 or value % 5:
        return None
    return _number_words(text, value, language)


def _number_words(text: str, value: Fraction, language: Language) -> tuple[int, int, Fraction] | None:
    """Where a quantity's text has its number in words."""
    words = _WORDS.match(text)
    ends = [found.end() for found in re.finditer(r"[^\W\d_]+", words[0])] if words else []
    for end in ends:
        read = quantities(text[:end], language)
        if len(read) == 1 and read[0].value == value and read[0].unit is None and read[0].end == end:
            return 0, end, value
    return None


def _exact_clock(quantity: Quantity, language: Language, rng: random.Random) -> Iterator[str]:
    """A round time of day as one to the minute, with its preposition."""
    found = _CLOCK.fullmatch(quantity.text)
    if found is None or language == "zh" or (found["minute"] is None and not found["half"].strip()):
        return
    hour, minute = int(found["hour"]), int(found["minute"] or 0)
    for by in rng.sample([-13, -12, -9, -8, -7, -4, -3, 3, 4, 6, 7, 8, 12, 13], 6):
        total = 60 * hour + minute + by
        if 60 <= total < 24 * 60 and (not found["half"].strip() or 60 <= total < 13 * 60):
            yield f"{'at' if language == 'en' else 'в'} {total // 60}:{total % 60:02}{found['half']}"


def _edit(material: Material, spot: Spot, variants: Iterable[str]) -> Edit | None:
    """The edit that puts the first variant there that is read as one quantity and that the source does not have."""
    fit: list[str] = []
    for after in dict.fromkeys(variants):
        if len(fit) > N_OTHERS:
            break
        read = material.again(spot, after, runs_on=True)
        if read is not None and not material.is_said(read.text):
            fit.append(in_case_of(after, spot.before))
    return edit(material, "false precision", spot, fit, n_fit=len(fit))
