"""Judges before models: a test out of the user's own sources, its judges' results, and the gate that asks for them."""
