"""Success rates of agents, and which agents differ significantly."""
