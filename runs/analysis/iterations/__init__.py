"""The iterations of runs."""
