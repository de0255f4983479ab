"""Twins of repositories, in which the names that the package defines are others: what is memorised helps less there."""
