"""Facts of runs for analysis: read from the database, counted from trajectories, summarised by agent and task."""
