"""Lists of tasks, agents and models: what they can be filtered and sorted by, and the numbers of their rows."""
