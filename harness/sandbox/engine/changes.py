"""How a workspace differs from its pristine state.

The engine sends the tree and it is compared here, on the host. No program inside the container, such as git, is used.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from pathspec import GitIgnoreSpec

from harness.dataset import Tree
from harness.dataset.trees import is_utf8
from harness.errors import AgentError
from harness.limits import Ending, LimitReached
from harness.patches import FileState
from harness.sandbox.base import Changes
from harness.sandbox.engine.archive import Member

MAX_CHANGED_BYTES = 64 << 20
MAX_CHANGED_FILES = 10_000
ALWAYS_IGNORED = frozenset({".git", "__pycache__", ".pytest_cache"})


class IgnoreRules:
    """The .gitignore files of a pristine tree, including nested ones. Files of the tree itself are never ignored."""

    def __init__(self, source: Tree) -> None:
        names = source.names()
        self._known = set(names)
        self._directories = {str(parent) for path in names for parent in PurePosixPath(path).parents}
        found = (path for path in names if PurePosixPath(path).name == ".gitignore")
        # The nearest to a file first.
        self._specs = [
            (
                path.removesuffix(".gitignore"),
                GitIgnoreSpec.from_lines((state.content or b"").decode("utf-8", "replace").splitlines()),
            )
            for path in sorted(found, key=lambda path: -path.count("/"))
            if (state := source.read(path)) is not None and not state.link
        ]
        self._roots: dict[str, str | None] = {"": None}

    def ignored_root(self, path: str) -> str | None:
        """The topmost ignored directory above the file `path`, or `path` itself; None if it is not ignored.

        A name that is not UTF-8 counts as ignored.
        """
        parts = path.split("/")
        for depth, part in enumerate(parts, 1):
            if part in ALWAYS_IGNORED:
                return "/".join(parts[:depth])
        if path in self._known:
            return None
        if not is_utf8(path):
            return path
        root = self._root_of(path.rpartition("/")[0])
        return path if root is None and self._excluded(path, "") else root

    def removable_root(self, path: str) -> str | None:
        """The same, but `path` itself instead of an ignored directory that contains files of the tree."""
        root = self.ignored_root(path)
        return path if root in self._directories else root

    def _root_of(self, directory: str) -> str | None:
        """The topmost ignored directory of this one and those above it. An agent can nest thousands of directories, so
        each is matched once."""
        unknown = []
        while directory not in self._roots:
            unknown.append(directory)
            directory = directory.rpartition("/")[0]
        root = self._roots[directory]
        while unknown and root is None:
            directory = unknown.pop()
            root = self._roots[directory] = directory if self._excluded(directory, "/") else None
        return root

    def _excluded(self, path: str, suffix: str) -> bool:
        """What the nearest .gitignore with a matching rule says. `suffix`: "/" for a directory, as in git."""
        for above, spec in self._specs:
            if path.startswith(above):
                verdict = spec.check_file(path.removeprefix(above) + suffix).include
                if verdict is not None:
                    return verdict
        return False


@dataclass(frozen=True, slots=True)
class Pristine:
    """The initial state of a workspace: `source/`, and files of the Dockerfile that git does not ignore."""

    rules: IgnoreRules
    files: Mapping[str, FileState]


def pristine(source: Tree, image: Iterable[Member] = ()) -> Pristine:
    """The initial state. `image`: the files of the workspace image, needed only if its Dockerfile makes files there."""
    rules = IgnoreRules(source)
    files = {file.path: file for file in source.files() if rules.ignored_root(file.path) is None}
    for member in image:
        if member.path not in files and rules.ignored_root(member.path) is None:
            files[member.path] = member.read()
    return Pristine(rules, files)


def compare(start: Pristine, current: Iterable[Member]) -> Changes:
    """Every path whose content, kind or executable bit differs, sorted.

    Raises AgentError when the new contents are more than 64 MB together, LimitReached when more than
    MAX_CHANGED_FILES paths differ.
    """
    before: dict[str, FileState] = {}
    after: dict[str, FileState] = {}
    ignored: set[str] = set()
    missing = set(start.files)
    for member in _bounded(start, current, ignored):
        missing.discard(member.path)
        now, was = member.read(), start.files.get(member.path, FileState(member.path, None))
        if now != was:
            before[member.path], after[member.path] = was, now
        if len(before) > MAX_CHANGED_FILES:
            raise LimitReached(
                Ending.FILE_LIMIT,
                f"more than {MAX_CHANGED_FILES:,} files of the workspace were added or changed",
            )
    for path in missing:
        before[path], after[path] = start.files[path], FileState(path, None)
    paths = sorted(before)
    return Changes(
        before=tuple(before[path] for path in paths),
        after=tuple(after[path] for path in paths),
        ignored=tuple(sorted(ignored)),
    )


def _bounded(start: Pristine, current: Iterable[Member], ignored: set[str]) -> Iterator[Member]:
    """The members that are not ignored. Raises AgentError before more than the limit of new contents is read."""
    total, biggest = 0, (0, "")
    for member in current:
        root = start.rules.ignored_root(member.path)
        if root is not None:
            ignored.add(root.encode("utf-8", "surrogateescape").decode("utf-8", "replace"))
            continue
        was = start.files.get(member.path)
        if was is None or was.content is None or len(was.content) != member.size:
            total += member.size
            biggest = max(biggest, (member.size, member.path))
        if total > MAX_CHANGED_BYTES:
            raise AgentError(
                f"the changes are too big to store, more than {MAX_CHANGED_BYTES >> 20} MB: "
                f"the biggest is {biggest[1]} with {biggest[0]} bytes"
            )
        yield member
