"""Sections of topics that a topic's own module has no room for."""
