"""Opens the source of merged changes that paths name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from harness.errors import ConfigurationError
from tasks.generation.pulls.changes import Files, MergedChange, Refusal
from tasks.generation.pulls.sources.archives import read_archive
from tasks.generation.pulls.sources.debian_package import changes_of_package, read_package
from tasks.generation.pulls.sources.git_clone import GitClone, changes_of_clone
from tasks.generation.pulls.sources.github_pulls import changes_of_github
from tasks.generation.pulls.sources.published_tasks import changes_of_published
from tasks.generation.pulls.sources.releases import change_of_releases

_KINDS = (
    "name a git clone, a .dsc file, two source archives (the older one first), or published tasks (*.json, *.jsonl) "
    "and a clone"
)


@dataclass(frozen=True, slots=True)
class OpenedSource:
    """Changes, and the tree that a repository without a source of its own gets."""

    files: Files
    changes: Iterable[MergedChange | Refusal]


@dataclass(frozen=True, slots=True)
class Pulls:
    """Where pull requests are read: the repository `owner/name`, a directory of recorded answers, and a token or ''."""

    name: str
    answers: Path
    token: str = field(default="", repr=False)


def open_source(
    paths: Sequence[Path], *, start: str = "", most: int = 1000, pulls: Pulls | None = None
) -> OpenedSource:
    """The source in one or two paths. `start` and `most`: the newest commit of a clone, and how many are read.

    `pulls`: changes are GitHub's pull requests, of which the clone has the patches.

    Raises ConfigurationError if the paths name no source.
    """
    for path in paths:
        if not path.exists():
            raise ConfigurationError(f"{path} does not exist: {_KINDS}")
    match paths:
        case [path] if path.is_dir():
            clone = GitClone(path)
            files = _newest(clone, start)
            if pulls is None:
                return OpenedSource(files, changes_of_clone(clone, start, most))
            found = changes_of_github(pulls.name, clone, pulls.answers, token=pulls.token, most=most)
            return OpenedSource(files, found)
        case _ if pulls:
            raise ConfigurationError("pull requests of GitHub need a clone as their source")
        case [path] if path.suffix == ".dsc":
            package = read_package(path)
            return OpenedSource(package.files, changes_of_package(package))
        case [published, path] if path.is_dir() and published.suffix in {".json", ".jsonl"}:
            clone = GitClone(path)
            return OpenedSource(_newest(clone, start), changes_of_published(published, clone))
        case [before, after] if before.is_file() and after.is_file():
            change = change_of_releases(before, after)
            return OpenedSource(read_archive(before), [change])
    raise ConfigurationError(f"{', '.join(map(str, paths))}: {_KINDS}")


def _newest(clone: GitClone, start: str) -> Files:
    try:
        return clone.files(start or clone.head())
    except LookupError as error:
        raise ConfigurationError(str(error.args[0])) from error
