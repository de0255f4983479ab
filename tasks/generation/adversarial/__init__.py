"""Corruptions by a model that tries to make a fault hard to find."""
