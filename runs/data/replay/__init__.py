"""Reads the steps of a run for pages: an index on disk, windows of steps, and a full-text search.

`RunRecord` reads a whole run directory. This package reads only what one page shows, however long the run is.
"""
