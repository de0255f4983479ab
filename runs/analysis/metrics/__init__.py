"""The core metrics of agents, and how resolved runs differ from failed ones."""
