"""What judges and people say of runs, and what changed between evaluations."""
