"""Trajectories: what was done in a run, and in which order. Nothing here knows an outcome but the verdict."""
