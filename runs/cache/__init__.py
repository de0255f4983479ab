"""Cached results and pages, and the Redis behind them."""
