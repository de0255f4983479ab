"""Datasets, repositories and tasks in the database: an index of the files on disk."""
