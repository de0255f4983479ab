"""The leaderboard as it is asked for, counted, told and frozen: no HTML in here."""
