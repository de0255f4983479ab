"""Containers and images: where agents act and where their work is graded."""
