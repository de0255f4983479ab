"""The agents: each kind is a class and a line in `registry.AGENTS`."""
