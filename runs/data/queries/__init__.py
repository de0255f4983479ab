"""Reads from the database, and the query parameters that select what is read."""
