"""Pages that compare agents, and two runs of one task."""
