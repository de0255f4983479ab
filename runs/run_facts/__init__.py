"""Runs as analysis takes them: read from the database, counted from trajectories, summarised by agent and task."""
