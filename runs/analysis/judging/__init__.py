"""How far the scores of judges can be trusted."""
