"""Runs in progress: jobs, budgets, rate limits, and what happens to a run when it ends or its worker dies."""
