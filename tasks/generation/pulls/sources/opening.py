"""Opens the source of merged changes that paths name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.errors import ConfigurationError
from tasks.generation.pulls.changes import Files, MergedChange, Refusal
from tasks.generation.pulls.sources.archives import read_archive
from tasks.generation.pulls.sources.debian_package import changes_of_package, read_package
from tasks.generation.pulls.sources.git_clone import GitClone, changes_of_clone
from tasks.generation.pulls.sources.releases import change_of_releases

_KINDS = "name a git clone, a .dsc file, or two source archives, the older one first"


@dataclass(frozen=True, slots=True)
class OpenedSource:
    """Changes, and the tree that a repository without a source of its own gets."""

    files: Files
    changes: Iterable[MergedChange | Refusal]


def open_source(paths: Sequence[Path], *, start: str = "", most: int = 1000) -> OpenedSource:
    """The source in one or two paths. `start` and `most`: the newest commit of a clone, and how many are read.

    Raises ConfigurationError if the paths name no source.
    """
    for path in paths:
        if not path.exists():
            raise ConfigurationError(f"{path} does not exist: {_KINDS}")
    match paths:
        case [path] if path.is_dir():
            clone = GitClone(path)
            newest = start or clone.head()
            try:
                return OpenedSource(clone.files(newest), changes_of_clone(clone, newest, most))
            except LookupError as error:
                raise ConfigurationError(str(error.args[0])) from error
        case [path] if path.suffix == ".dsc":
            package = read_package(path)
            return OpenedSource(package.files, changes_of_package(package))
        case [before, after] if before.is_file() and after.is_file():
            change = change_of_releases(before, after)
            return OpenedSource(read_archive(before), [change])
    raise ConfigurationError(f"{', '.join(map(str, paths))}: {_KINDS}")
