"""The run folder and the replies in it: the only place where an evaluation is kept."""
