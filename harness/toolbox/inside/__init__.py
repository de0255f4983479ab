"""The server inside the toolbox: runs tool calls, one JSON line each, with the packages of its image."""
