"""Pages of agents, tasks, repositories, near misses and runs."""
