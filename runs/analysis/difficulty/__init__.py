"""The difficulty of tasks."""
