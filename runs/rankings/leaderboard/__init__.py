"""The leaderboard: its columns, its rows under filters, its exports and its permanent links."""
