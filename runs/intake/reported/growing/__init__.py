"""Sessions that went on since they were imported: how they are found, and what becomes of their runs."""
