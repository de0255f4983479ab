"""A server of the Model Context Protocol over the public API: assistants read what an anonymous reader may read.

Nothing here is imported when a web process starts: the packages of the protocol cost a second and are seldom needed.
"""
