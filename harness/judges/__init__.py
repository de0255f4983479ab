"""Judges: models that review the trajectories of finished runs."""
