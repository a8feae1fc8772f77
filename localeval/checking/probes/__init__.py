"""What judges lean to: one module a probe, each a few flows and the score of what they came to."""
