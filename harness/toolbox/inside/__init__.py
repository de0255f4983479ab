"""The server inside the toolbox: answers tool calls line by line, with the packages that its image brings."""
