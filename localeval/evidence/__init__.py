"""What a program can check of a claim: its names, numbers, dates and the phrase itself, in the whole source."""
