"""Who resolves what, and who is told apart from whom."""
