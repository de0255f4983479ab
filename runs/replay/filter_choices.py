"""The choices of the step filter: the tools that a run calls, and the files that its steps touch."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

MOST_TOOLS = 40
MOST_FILES = 80


@dataclass(frozen=True, slots=True)
class FilterChoices:
    """Tools with the number of steps that call them, most used first, and files by path.

    At most 40 tools and 80 files: those in the most steps.
    """

    tools: tuple[tuple[str, int], ...]
    files: tuple[str, ...]

    @classmethod
    def from_stored(cls, stored: Sequence[Any] | None) -> Self:
        """Reads the result of `read_filter_choices`. None gives no choices."""
        tools, files = stored or ((), ())
        return cls(tuple((tool, steps) for tool, steps in tools), tuple(files))


def read_filter_choices(database: sqlite3.Connection) -> list[object]:
    """The choices in the form that the index stores."""
    tools = database.execute(
        "SELECT tool, count(DISTINCT place) AS n FROM calls GROUP BY tool ORDER BY n DESC, tool LIMIT ?",
        (MOST_TOOLS,),
    )
    files = database.execute(
        "SELECT path FROM files JOIN (SELECT file, count(*) AS n FROM touches GROUP BY file) USING (file)"
        " ORDER BY n DESC, path LIMIT ?",
        (MOST_FILES,),
    )
    return [tools.fetchall(), sorted(path for (path,) in files)]
