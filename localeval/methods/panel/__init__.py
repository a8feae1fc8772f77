"""Panel: several judges score each candidate by a rubric."""
