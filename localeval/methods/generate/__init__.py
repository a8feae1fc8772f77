"""Candidate systems write about the sources, through their production prompts."""
