"""What pages and jobs read: queries, cells, facts of runs, replays, caches, and published tables."""
