"""Engines: what runs a model. Each lives in a process of its own; importing this package loads none of them."""
