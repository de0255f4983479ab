"""The choices of the step filter: the tools that a run calls, and the files that its steps touch."""

from __future__ import annotations

import sqlite3

MAX_TOOLS = 40
MAX_FILES = 80

FilterChoices = tuple[list[tuple[str, int]], list[str]]
"""Tools with the number of steps that call them, most used first, and files by path."""


def read_filter_choices(database: sqlite3.Connection) -> FilterChoices:
    """At most 40 tools and 80 files: those in the most steps."""
    tools = database.execute(
        "SELECT tool, count(DISTINCT place) AS n FROM calls GROUP BY tool ORDER BY n DESC, tool LIMIT ?",
        (MAX_TOOLS,),
    )
    files = database.execute(
        "SELECT path FROM files JOIN (SELECT file, count(*) AS n FROM touches GROUP BY file) USING (file)"
        " ORDER BY n DESC, path LIMIT ?",
        (MAX_FILES,),
    )
    return tools.fetchall(), sorted(path for (path,) in files)
