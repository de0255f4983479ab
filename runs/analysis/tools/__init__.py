"""The use of tools: which, how well, and in which order."""
