"""A run as a reader walks through it: an index of its steps on disk, windows of them, and a search in their texts.

`RunRecord` reads a run directory whole; this package reads of it what one page shows, however long the run is.
"""
