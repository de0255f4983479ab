"""The Docker engine: its connection, containers and images, and the removal of both."""
