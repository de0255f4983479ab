"""Grading: the agent's patch, the test run in a clean container, report parsers, and the verdict."""
