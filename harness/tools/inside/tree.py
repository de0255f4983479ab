"""Walks the workspace and matches globs."""

from __future__ import annotations

import os
import re
from typing import Iterable, Iterator

_VERSION_CONTROL = (".git", ".hg", ".svn")
_INSTALLED_PACKAGES = (
    "node_modules",
    "bower_components",
    "vendor",
    ".venv",
    "venv",
    ".tox",
    ".nox",
    ".eggs",
    ".bundle",
    ".yarn",
)
_BUILD_RESULTS = ("dist", "build", "target", ".gradle", ".next", ".nuxt", ".svelte-kit", ".nyc_output")
_CACHES = (
    "__pycache__",
    ".cache",
    ".pytest_cache",
    ".mypy_cache",
    ".ruff_cache",
    ".ipynb_checkpoints",
    ".parcel-cache",
    ".turbo",
)
# Directories that listings and searches leave out, unless a call names one of them or something below it as its path.
IGNORED = frozenset((*_VERSION_CONTROL, *_INSTALLED_PACKAGES, *_BUILD_RESULTS, *_CACHES))


def walk(base: str, links: bool = True, root: str = "") -> Iterator[str]:
    """Paths of files and, if wanted, links below `base`, or below its directory `root` ("a/"): relative to `base`, in
    order. No link is followed.
    """
    for entry, prefix in entries(base, root):
        if not entry.is_dir(follow_symlinks=False) and (links or not entry.is_symlink()):
            yield prefix + entry.name


def entries(base: str, prefix: str = "", recursive: bool = True) -> Iterator[tuple[os.DirEntry[str], str]]:
    """Everything below `base` but ignored directories, in order, each with its directory's relative path.

    A directory comes before what is in it; directories that may not be read count as empty.
    """
    try:
        with os.scandir(os.path.join(base, prefix)) as found:
            ordered = sorted(found, key=lambda entry: entry.name)
    except OSError:
        if not prefix:
            raise
        return
    for entry in ordered:
        is_directory = entry.is_dir(follow_symlinks=False)
        if is_directory and entry.name in IGNORED:
            continue
        yield entry, prefix
        if is_directory and recursive:
            yield from entries(base, f"{prefix}{entry.name}/")


class Globs:
    """A selection of paths. A pattern without a slash matches names at any depth; a directory, all that is in it."""

    def __init__(self, patterns: Iterable[str]) -> None:
        self._names: list[re.Pattern[str]] = []
        self._paths: list[re.Pattern[str]] = []
        for pattern in patterns:
            bare = pattern.strip("/")
            if bare.startswith("./"):
                bare = bare[2:]
            target = self._paths if "/" in bare or bare == "**" else self._names
            target.append(re.compile(_regex(bare)))

    def match(self, path: str) -> bool:
        """Whether `path` (relative, with slashes) or a directory above it matches."""
        parts = path.split("/")
        if any(regex.fullmatch(part) for regex in self._names for part in parts):
            return True
        heads = ["/".join(parts[: end + 1]) for end in range(len(parts))]
        return any(regex.fullmatch(head) for regex in self._paths for head in heads)


def is_glob(text: str) -> bool:
    """Whether `text` holds a character that only globs have."""
    return any(character in text for character in "*?[{")


def _regex(pattern: str) -> str:
    """`*` and `?` stop at a slash, `**` does not; `[...]` and `{a,b}` as in shells."""
    parts = []
    position, depth = 0, 0
    balanced = pattern.count("{") == pattern.count("}")
    while position < len(pattern):
        character = pattern[position]
        closing = pattern.find("]", position + 2) if character == "[" else -1
        if pattern.startswith("**/", position):
            parts.append("(?:.*/)?")
            position += 2
        elif pattern.startswith("**", position):
            parts.append(".*")
            position += 1
        elif character == "*":
            parts.append("[^/]*")
        elif character == "?":
            parts.append("[^/]")
        elif closing > 0:
            inside = pattern[position + 1 : closing].replace("\\", "\\\\").replace("[", "\\[")
            parts.append("[^{}]".format(inside[1:]) if inside[0] in "!^" else f"[{inside}]")
            position = closing
        elif character == "{" and balanced:
            parts.append("(?:")
            depth += 1
        elif character == "}" and depth:
            parts.append(")")
            depth -= 1
        elif character == "," and depth:
            parts.append("|")
        else:
            parts.append(re.escape(character))
        position += 1
    return "".join(parts) + ")" * depth
