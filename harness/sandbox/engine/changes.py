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
from harness.patches import FileState
from harness.sandbox.base import Changes
from harness.sandbox.engine.archive import Member

MAX_CHANGED_BYTES = 64 << 20
ALWAYS_IGNORED = frozenset({".git", "__pycache__", ".pytest_cache"})


class IgnoreRules:
    """The .gitignore files of a pristine tree, including nested ones. Files of the tree itself are never ignored."""

    def __init__(self, source: Tree) -> None:
        names = source.names()
        self._known = set(names)
        self._specs = {
            path.parent.as_posix(): GitIgnoreSpec.from_lines(
                (source.root / path).read_text("utf-8", "replace").splitlines()
            )
            for path in map(PurePosixPath, names)
            if path.name == ".gitignore" and (source.root / path).is_file()
        }
        self._directories: dict[str, bool] = {}

    def ignored_root(self, path: str) -> str | None:
        """The topmost ignored directory above the file `path`, or `path` itself; None if it is not ignored."""
        parts = path.split("/")
        for depth, part in enumerate(parts, 1):
            if part in ALWAYS_IGNORED:
                return "/".join(parts[:depth])
        if path in self._known:
            return None
        for depth in range(1, len(parts)):
            directory = "/".join(parts[:depth])
            if directory not in self._directories:
                self._directories[directory] = self._excluded(directory, "/")
            if self._directories[directory]:
                return directory
        return path if self._excluded(path, "") else None

    def _excluded(self, path: str, suffix: str) -> bool:
        """What the nearest .gitignore with a matching rule says. `suffix`: "/" for a directory, as in git."""
        for parent in PurePosixPath(path).parents:
            spec = self._specs.get(parent.as_posix())
            if spec is not None:
                name = PurePosixPath(path).relative_to(parent).as_posix()
                verdict = spec.check_file(name + suffix).include
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

    A name that is not UTF-8 counts as ignored. Raises AgentError when the new contents are more than 64 MB together.
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
        root = start.rules.ignored_root(member.path) if is_utf8(member.path) else _readable(member.path)
        if root is not None:
            ignored.add(root)
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


def _readable(name: str) -> str:
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
