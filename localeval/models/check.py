"""What `localeval models` shows: which cards there are and are here, whether one fits, whether its files are whole."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from localeval.errors import ModelError
from localeval.models.cards import Card, card_names, load_card
from localeval.models.fit import Demand, Device, Fit, Numbers, fit, weights_on_disk
from localeval.models.places import Weights, find_weights
from localeval.models.verify import FileCheck, check_files, read_json


@dataclass(frozen=True, slots=True)
class Listing:
    """A card, and its weights where this machine has them; `absent` says why it has not."""

    card: Card
    weights: Weights | None
    absent: str = ""


@dataclass(frozen=True, slots=True)
class Wish:
    """How the user would serve a model where the card or the weights say otherwise; None: as they say."""

    quantization: str | None = None
    kv_dtype: Literal["auto", "bfloat16", "fp8"] = "auto"


@dataclass(frozen=True, slots=True)
class Verification:
    """Every file of a model against the record of its fetching. `is_whole`: none changed, none missing."""

    weights: Weights
    files: tuple[FileCheck, ...]

    @property
    def is_whole(self) -> bool:
        """Whether no file is known to be changed or missing."""
        return all(file.state in ("ok", "unrecorded") for file in self.files)


def listing(card: Card) -> Listing:
    """A card with where its weights are; asks no network."""
    try:
        return Listing(card, find_weights(card))
    except ModelError as error:
        return Listing(card, None, str(error))


def listings() -> list[Listing]:
    """All cards that come with localeval, by name."""
    return [listing(load_card(name)) for name in card_names()]


def check(card: Card, device: Device, demand: Demand, wish: Wish, config: Path | None = None) -> Fit:
    """Whether a card's model fits a device with a source of so many tokens.

    The architecture comes from `config` (a config.json), else from the weights on this machine, else from the
    card's `[config]`. Weights count exactly where they are here, else from the card's parameter count; from a
    `config` they count by its own layer sizes, since it may be of another model. Raises ModelError when none of
    these describes the architecture well enough.
    """
    numbers = Numbers(card.dtype, wish.quantization, wish.kv_dtype)
    if config is not None:
        return fit(read_json(config), device, demand, numbers)
    here = listing(card).weights
    if here is not None:
        known = replace(numbers, parameters_b=card.parameters_b)
        if wish.quantization is None:
            known = replace(numbers, weight_bytes=weights_on_disk(here.folder))
        return fit(read_json(here.folder / "config.json"), device, demand, known, card.context)
    if not card.config:
        raise ModelError(f"{card.name}: the card has no [config] and there are no weights here; give --config FILE")
    numbers = replace(numbers, quantization=wish.quantization or card.quantization, parameters_b=card.parameters_b)
    return fit(card.config, device, demand, numbers, card.context)


def verify(card: Card) -> Verification:
    """Reads every byte of a card's weights on this machine and compares; raises ModelError when there are none."""
    weights = find_weights(card)
    return Verification(weights, tuple(check_files(weights.folder)))
