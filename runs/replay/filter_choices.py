"""What the steps of a run can be chosen by: the tools that they call, and the files that they are about."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

MOST_TOOLS = 40
MOST_FILES = 80


@dataclass(frozen=True, slots=True)
class Offer:
    """Tools with the number of steps that call them, most called first, and files by path.

    Of more than 40 tools or 80 files, those that most steps are about.
    """

    tools: tuple[tuple[str, int], ...]
    files: tuple[str, ...]

    @classmethod
    def from_kept(cls, kept: Sequence[Any] | None) -> Self:
        """What `offer_of` made; None: an empty one."""
        tools, files = kept or ((), ())
        return cls(tuple((tool, steps) for tool, steps in tools), tuple(files))


def offer_of(database: sqlite3.Connection) -> list[object]:
    """The offer as the index keeps it."""
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
