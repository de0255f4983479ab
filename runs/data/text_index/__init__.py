"""Full-text search in the messages, commands, outputs, tests, paths and patches of all runs with a trajectory."""
