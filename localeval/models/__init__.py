"""Models: cards that describe them, where their weights come from, and whether they fit a device."""

from localeval.models.cards import Card, Model, Place

__all__ = ["Card", "Model", "Place"]
