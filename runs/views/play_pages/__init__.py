"""Pages of people who play tasks."""
