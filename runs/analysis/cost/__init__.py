"""Expenses of agents in tokens, dollars and time."""
