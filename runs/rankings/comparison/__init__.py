"""Agents compared with each other over the tasks that they share."""
