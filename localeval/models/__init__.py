"""Models: cards that describe them, where their weights come from, and whether they fit a device."""

from localeval.models.cards import Card, Model, Place, card_names, load_card
from localeval.models.places import Weights, fetch, find_weights
from localeval.models.resolve import resolve

__all__ = ["Card", "Model", "Place", "Weights", "card_names", "fetch", "find_weights", "load_card", "resolve"]
