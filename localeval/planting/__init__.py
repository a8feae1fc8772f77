"""Errors planted by rule into texts that are known to be right, and controls that change nothing: what judges are
checked with."""
