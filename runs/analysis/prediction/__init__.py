"""Outcomes foretold from behaviour."""
