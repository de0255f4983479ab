"""Searches texts with regular expressions that are not trusted, within limits of time and memory."""
