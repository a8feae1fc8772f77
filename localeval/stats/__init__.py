"""Intervals, paired comparisons and agreement: pure functions over counts."""
