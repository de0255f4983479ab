"""Datasets, repositories and tasks as the database knows them: an index of what lies on disk."""
