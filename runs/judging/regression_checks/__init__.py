"""Scheduled evaluations that are compared with an earlier one, and messages about what became worse."""
