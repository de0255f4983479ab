"""Cached results and pages, and the Redis that stores them."""
