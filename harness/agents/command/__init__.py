"""Any command-line agent, run inside the container, with a relay as its only way to a model."""
