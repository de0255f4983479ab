"""Trajectories: what a run did, in order. Only `verdict` knows the outcome."""
