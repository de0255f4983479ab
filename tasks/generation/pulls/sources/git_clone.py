"""Merged changes from the history of a git clone.

Only the object database and the references are read. The clone's configuration, hooks, attributes and working tree have
no effect, and nothing is checked out.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pygit2
from pygit2.enums import FileMode, SortMode

from harness.errors import ConfigurationError
from harness.patches import FileState, PatchError, ReadFile, check_path, make_patch
from tasks.generation.pulls.changes import Files, Issue, MergedChange, Reason, Refusal, closed_issue
from tasks.generation.pulls.sources.archives import (
    MAX_FILES,
    MAX_TREE_BYTES,
    stays_inside,
    without_paths_below_links,
)

MAX_CHANGED = 500  # files of one change
MAX_BRANCH = 200  # commits of one branch whose messages are read
MAX_CONTENT_BYTES = 64 << 20  # of all files of one change, before and after
MAX_TITLE = 500  # characters
MAX_REFERENCE_BYTES = 64 << 20
_MERGED_PULL = re.compile(
    r"Merge pull request #(\d{1,9})\b|Merge branch .{0,300}|.{0,1000}\(#(\d{1,9})\)\s*$"
)
_MERGE = re.compile(r"Merge (?:branch|remote-tracking branch|pull request)\b")
_NUMBER_BEHIND = re.compile(r"\s{0,9}\(#\d{1,9}\)\s{0,9}$")
_COMMIT = re.compile(r"[0-9a-f]{40}")


class GitClone:
    """A clone, or a bare repository. Raises ConfigurationError if it is none, or borrows objects from elsewhere."""

    def __init__(self, path: Path) -> None:
        inner = path / ".git"
        self.path = inner if inner.is_dir() else path
        objects = self.path / "objects"
        if not objects.is_dir() or not (self.path / "HEAD").is_file():
            raise ConfigurationError(f"{path} is no git clone: it has neither .git/objects nor objects")
        if (objects / "info" / "alternates").exists():
            raise ConfigurationError(
                f"{path} borrows objects from another clone: run `git repack -a -d` in it"
            )
        self._git = pygit2.Repository()  # without a path it reads no configuration
        self._git.set_odb(pygit2.Odb(str(objects)))

    def head(self) -> str:
        """The commit that is checked out. Raises ConfigurationError if the clone has none."""
        text = self._read("HEAD").strip()
        name = text.removeprefix("ref: ")
        commit = self._reference(name) if name != text else text
        if not _COMMIT.fullmatch(commit):
            raise ConfigurationError(
                f"{self.path}: HEAD names no commit ({text[:80]!a}): name a commit yourself"
            )
        return commit

    def commit(self, name: str) -> pygit2.Commit:
        """A commit by all its 40 digits. Raises LookupError if there is none."""
        found = self._git.get(name) if _COMMIT.fullmatch(name) else None
        if not isinstance(found, pygit2.Commit):
            raise LookupError(f"the clone has no commit {name[:40]!a}: name all 40 digits, or fetch it")
        return found

    def mainline(self, start: str, most: int) -> Iterator[pygit2.Commit]:
        """The commits from `start` back along the first parents, at most so many. A shallow clone ends earlier."""
        commit: pygit2.Commit | None = self.commit(start)
        for _ in range(most):
            if commit is None:
                return
            yield commit
            parents = commit.parent_ids
            commit = self._find(parents[0]) if parents else None

    def _find(self, name: pygit2.Oid) -> pygit2.Commit | None:
        found: object = self._git.get(name)
        return found if isinstance(found, pygit2.Commit) else None

    def files(self, commit: str) -> Files:
        """The tree of a commit, without submodules and without links that lead out of it. Raises PatchError."""
        found: dict[str, FileState] = {}
        total = 0
        waiting: list[tuple[str, pygit2.Tree]] = [("", self.commit(commit).tree)]
        while waiting:
            above, tree = waiting.pop()
            for entry in tree:
                path = above + os.fsdecode(entry.raw_name or b"")
                if isinstance(entry, pygit2.Tree):
                    waiting.append((f"{path}/", entry))
                elif isinstance(entry, pygit2.Blob):
                    total += entry.size
                    if len(found) >= MAX_FILES or total > MAX_TREE_BYTES:
                        limits = f"{MAX_FILES} files, {MAX_TREE_BYTES >> 20} MB"
                        raise PatchError(path, f"is beyond what is read of one commit: {limits}")
                    check_path(path)  # a tree may have any names
                    if state := _state(path, entry, entry.filemode):
                        found[path] = state
        return without_paths_below_links(found)

    def reader(self, commit: str) -> ReadFile:
        """A function that reads single files of a commit. Raises LookupError if there is no such commit."""
        tree = self.commit(commit).tree

        def read(path: str) -> FileState | None:
            try:
                entry = tree[path]
            except KeyError:
                return None
            return _state(path, entry, entry.filemode) if isinstance(entry, pygit2.Blob) else None

        return read

    def base_of(self, commit: pygit2.Commit) -> tuple[pygit2.Commit, pygit2.Commit] | None:
        """What a merged change starts and ends with; None if the clone does not reach back so far.

        Of a merge: the merge base of both parents, and the second parent. Of another commit: its parent, and itself.
        """
        found = [self._find(name) for name in commit.parent_ids]
        parents = [parent for parent in found if parent is not None]
        if len(parents) != len(found) or not parents:
            return None
        if len(parents) == 1:
            return parents[0], commit
        base = self._git.merge_base(parents[0].id, parents[1].id)
        return (self.commit(str(base)), parents[1]) if base else None

    def diff(self, before: pygit2.Commit, after: pygit2.Commit) -> bytes:
        """The patch from one commit to another. Raises PatchError if it is too long or changes a submodule."""
        deltas = list(before.tree.diff_to_tree(after.tree).deltas)
        if len(deltas) > MAX_CHANGED:
            raise PatchError("", f"changes {len(deltas)} files; at most {MAX_CHANGED} are read")
        sides: list[list[FileState]] = [[], []]
        total = 0
        for delta in deltas:
            for side, file in zip(sides, (delta.old_file, delta.new_file), strict=True):
                if file.mode == FileMode.COMMIT:
                    raise PatchError(
                        os.fsdecode(file.raw_path), "is a submodule: patches hold files and links only"
                    )
                blob = self._git.get(file.id) if file.mode != FileMode.UNREADABLE else None
                if isinstance(blob, pygit2.Blob):
                    total += blob.size
                    if total > MAX_CONTENT_BYTES:
                        raise PatchError(
                            "", f"changes files of more than {MAX_CONTENT_BYTES >> 20} MB together"
                        )
                    mode = 0o755 if file.mode == FileMode.BLOB_EXECUTABLE else 0o644
                    path = os.fsdecode(file.raw_path)
                    side.append(FileState(path, blob.data, mode, link=file.mode == FileMode.LINK))
        return make_patch(*sides)

    def messages(self, base: pygit2.Commit, last: pygit2.Commit) -> str:
        """The messages of the commits behind `base` up to `last`, at most MAX_BRANCH of them."""
        walker = self._git.walk(last.id, SortMode.TOPOLOGICAL)
        walker.hide(base.id)
        return "\n".join(_text(commit) for commit, _ in zip(walker, range(MAX_BRANCH), strict=False))

    def _read(self, name: str) -> str:
        path = self.path / name
        if path.is_symlink() or not path.is_file() or path.stat().st_size > MAX_REFERENCE_BYTES:
            return ""
        return path.read_text("utf-8", "replace")

    def _reference(self, name: str) -> str:
        if not re.fullmatch(r"refs/[\w./-]{1,200}", name) or ".." in name:
            return ""
        if loose := self._read(name).strip():
            return loose
        packed = (
            line.split(" ", 1) for line in self._read("packed-refs").splitlines() if line[:1] not in "#^"
        )
        return next((parts[0] for parts in packed if parts[1:] == [name]), "")


def changes_of_clone(clone: GitClone, start: str = "", most: int = 1000) -> Iterator[MergedChange | Refusal]:
    """The newest changes on the main line up to the commit `start` (default: HEAD), the newest first.

    A change is a merge, or a commit that was squashed or applied alone. The base of a merge is where its branch left
    the main line, so that no commit of others is part of it. Issues have a number and no text here.
    """
    for commit in clone.mainline(start or clone.head(), most):
        yield change_of_commit(clone, commit)


def change_of_commit(clone: GitClone, commit: pygit2.Commit) -> MergedChange | Refusal:
    """The change that one commit of the main line brought."""
    identifier = str(commit.id)
    title, text, number = _described(_text(commit))
    ends = clone.base_of(commit)
    if ends is None:
        return Refusal(identifier, title, Reason.UNREADABLE, "the clone does not hold what precedes it")
    if _MERGE.match(title) and not text:  # the commit says nothing, so the last one of its branch does
        title, text, _ = _described(_text(ends[1]))
    try:
        diff = clone.diff(*ends)
    except PatchError as error:
        return Refusal(identifier, title, Reason.UNREADABLE, str(error))
    closed = closed_issue(_text(commit))
    if closed is None and len(commit.parent_ids) > 1:
        closed = closed_issue(clone.messages(*ends))
    base = str(ends[0].id)
    author = (ends[1] if len(commit.parent_ids) > 1 else commit).author
    return MergedChange(
        identifier=identifier,
        title=title,
        diff=diff,
        base=base,
        files=lambda: clone.files(base),
        text=text,
        number=number,
        issue=None if closed is None else Issue(closed),
        author=(author.raw_name + b" <" + author.raw_email + b">").decode("utf-8", "replace"),
        date=_date(commit.commit_time),
    )


def _described(message: str) -> tuple[str, str, int]:
    """Title, text and number of the pull request in the message of a commit. A merge has its title in a later line."""
    first, _, rest = message.strip().partition("\n")
    found = _MERGED_PULL.match(first)
    number = int(found[1] or found[2] or 0) if found else 0
    if found and not found[2] and rest.strip():
        first, _, rest = rest.strip().partition("\n")
    return _NUMBER_BEHIND.sub("", first[:MAX_TITLE]).strip(), rest.strip(), number


def _state(path: str, blob: pygit2.Blob, mode: int) -> FileState | None:
    """A file, or a link that stays inside the tree; None for another link."""
    link = mode == FileMode.LINK
    if link and not stays_inside(path, os.fsdecode(blob.data)):
        return None
    return FileState(path, blob.data, 0o755 if mode == FileMode.BLOB_EXECUTABLE else 0o644, link=link)


def _date(seconds: int) -> str:
    """ISO 8601, in UTC; '' for a time that no calendar has."""
    try:
        return datetime.fromtimestamp(seconds, UTC).isoformat()
    except (ValueError, OverflowError, OSError):
        return ""


def _text(commit: pygit2.Commit) -> str:
    return commit.raw_message.decode("utf-8", "replace")
