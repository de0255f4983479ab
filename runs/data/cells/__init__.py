"""Cells (agent × task): recomputed from runs, and read for leaderboards and heatmaps."""
