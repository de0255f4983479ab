"""The leaderboard page and permanent links to it."""
