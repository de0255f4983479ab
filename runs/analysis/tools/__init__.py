"""Which tools are used, how well, and in which order."""
