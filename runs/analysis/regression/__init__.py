"""Two sets of runs of one agent compared: what became worse between them."""
