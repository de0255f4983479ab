"""Promises about speed and endurance, each a program."""
