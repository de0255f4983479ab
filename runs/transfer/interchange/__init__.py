"""Runs in the forms of other tools, sent while they are written."""
