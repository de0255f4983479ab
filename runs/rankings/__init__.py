"""Agents beside each other: the leaderboard and comparisons."""
