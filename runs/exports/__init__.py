"""Runs as others take them: flat rows, Parquet, one trajectory as ATIF, a run directory as a zip; all streamed."""
