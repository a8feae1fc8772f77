"""Audit: every claim of a candidate checked against the whole source, and every accusation by program."""
