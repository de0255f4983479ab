"""Combinations of agents."""
