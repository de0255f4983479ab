"""The analysis pages, one for each topic."""
