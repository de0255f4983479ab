"""What competes: each kind of agent is a Protocol, a class and a line in `registry.AGENTS`."""
