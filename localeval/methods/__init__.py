"""Methods: each asks one kind of question about candidates and scores the answers."""
