"""Simulated users of workflow tasks: a scripted one, and one that a language model plays."""
