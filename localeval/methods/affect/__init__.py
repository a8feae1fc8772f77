"""Affect: how a text portrays a named target, kept apart from the mood of the text."""
