"""Two sets of runs compared: of one agent, what became worse between them, or of two agents."""
