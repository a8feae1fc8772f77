"""Affect against people's labels: signs towards targets, the mood of sentences, and two ways of reading a score."""
