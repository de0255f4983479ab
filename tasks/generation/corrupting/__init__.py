"""Ways to damage functions, and the check that a damage gives no clue."""
