"""Scores and ratings of runs and agents."""
