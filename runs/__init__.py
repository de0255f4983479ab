"""Evaluations: who competes, what was run, what it is worth, and the pages that show it."""
