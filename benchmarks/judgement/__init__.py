"""Whether the numbers are right: against known cases and against people's labels."""
