"""Globs for the paths of a workspace, as datasets write them.

`*`, `?` and `[abc]` match within one part of a path, a part `**` matches any number of parts. A glob is matched from
the top of the workspace: `a.py` is one file, `**/a.py` are all files of this name. A glob ending in `/` stands for
everything below the directory.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from fnmatch import translate
from functools import lru_cache

ANY_DEPTH = "**"
MAX_GLOB = 300
_MAX_PARTS = 40


def glob_problem(glob: str) -> str:
    """What is wrong with a glob, '' if nothing is."""
    parts = glob.removesuffix("/").split("/")
    if len(glob) > MAX_GLOB or len(parts) > _MAX_PARTS:
        return f"may have at most {MAX_GLOB} characters and {_MAX_PARTS} parts"
    if glob.startswith("/") or not {"", ".", ".."}.isdisjoint(parts):
        return "must be a path or a glob from the top of the workspace, without '.', '..' and empty parts"
    if any(ANY_DEPTH in part and part != ANY_DEPTH for part in parts):
        return "'**' must be a part of its own: `**/a.py` instead of `**a.py`"
    return ""


def matches(path: str, globs: Iterable[str]) -> bool:
    """Whether one of the globs matches the path. The time is linear in the path for each part of a glob."""
    parts = path.split("/")
    return any(_matches(parts, _parsed(glob)) for glob in globs)


def matches_everything(glob: str) -> bool:
    """Whether a glob matches every path."""
    parts = _split(glob)
    return ANY_DEPTH in parts and set(parts) <= {ANY_DEPTH, "*"} and parts.count("*") <= 1


def _split(glob: str) -> list[str]:
    return [*glob.removesuffix("/").split("/"), *([ANY_DEPTH] if glob.endswith("/") else [])]


@lru_cache(maxsize=1024)
def _parsed(glob: str) -> tuple[re.Pattern[str] | None, ...]:
    """The parts of a glob; None stands for `**`."""
    return tuple(None if part == ANY_DEPTH else re.compile(translate(part)) for part in _split(glob))


def _matches(parts: list[str], glob: tuple[re.Pattern[str] | None, ...]) -> bool:
    """Whether the parts of a path match. `ends`: after how many parts the glob so far can end."""
    ends = {0}
    for pattern in glob:
        if pattern is None:
            ends = set(range(min(ends), len(parts) + 1))
        else:
            ends = {end + 1 for end in ends if end < len(parts) and pattern.match(parts[end])}
        if not ends:
            return False
    return len(parts) in ends
