"""Judges beside people, hosted judges and earlier runs: how far they agree, and what follows for their means."""
