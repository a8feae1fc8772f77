"""The quiz: what of the source reached the candidate, what was bent, what was lost."""
