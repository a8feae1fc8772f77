"""Replicas of a model as Ray actors, on one machine or many: who asks what, and what happens when one dies."""
