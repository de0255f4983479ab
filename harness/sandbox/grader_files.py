"""The files that a grading container gets beyond its image, and who may read and change them there.

The hidden tests and the script belong to root, the agent's files to the tests' user.
"""

from __future__ import annotations

import tarfile
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path, PurePosixPath

from harness.dataset import Repository
from harness.errors import HarnessError
from harness.patches import FileState, file_state
from harness.sandbox.engine.archive import pack
from harness.sandbox.supervisor.prepare import INSTALLED
from harness.sandbox.supervisor.supervise import DELETED, TESTER


def hidden_files(repository: Repository, tests: Sequence[FileState], script: Path) -> list[FileState]:
    """The hidden tests and then the script, with their paths from the root."""
    hidden = [_placed(repository.workdir, file) for file in tests]
    content = file_state(script, "").content
    return [*hidden, FileState(str(repository.layout.script_at).lstrip("/"), content, 0o755)]


def grader_archive(
    repository: Repository, files: Sequence[FileState], tests_and_script: Sequence[FileState]
) -> bytes:
    """The agent's `files`, the hidden tests, which replace them, the script, and the list of what the agent deleted."""
    workdir = repository.workdir
    *hidden, script = tests_and_script
    agents = [_placed(workdir, file) for file in files]
    layers = [*_beside(hidden, (file for file in agents if file.content is not None), workdir), *hidden]
    access = _Access(repository, hidden, script)
    directories = sorted({parent for file in layers for parent in _parents(file.path, workdir)})
    copied = {file.path for file in layers}
    taken = copied.union(directories)
    # Paths below a file or link of these are gone already; deleting them would follow the link.
    deleted = {
        file.path
        for file in agents
        if file.content is None and file.path not in taken and copied.isdisjoint(_parents(file.path, workdir))
    }
    names = b"".join(f"/{path}".encode() + b"\0" for path in sorted(deleted))
    contents = [*layers, script, FileState(DELETED.lstrip("/"), names)]
    # With the current time: Maven, make and others recompile files that are newer than the build in the image.
    return pack(contents, directories, modified=time.time(), access=access.set)


class _Access:
    """Owner and mode of the copied files and directories.

    The tests may change the agent's files. They may read the hidden ones; programs of another user may only read those
    that the agent has seen, too. Directories that only hidden tests have are closed to new files; in others, hidden
    files cannot be replaced. Programs of another user cannot add files to any of them.
    """

    def __init__(self, repository: Repository, hidden: Sequence[FileState], script: FileState) -> None:
        self._hidden = {script.path, *(file.path for file in hidden)}
        self._seen = {file.path for file in hidden if self._is_seen(repository, file)}
        self._workdir = repository.workdir
        parents = {parent for file in hidden for parent in _parents(file.path, repository.workdir)}
        self._closed = {path for path in parents if self._is_closed(repository, path)}
        self._shared = parents - self._closed

    def _is_seen(self, repository: Repository, file: FileState) -> bool:
        name = str(PurePosixPath("/", file.path).relative_to(repository.workdir))
        original = repository.source.read(name)
        return original is not None and (original.content, original.link) == (file.content, file.link)

    def _is_closed(self, repository: Repository, path: str) -> bool:
        name = PurePosixPath("/", path).relative_to(repository.workdir)
        sealed = any(name.is_relative_to(directory) for directory in repository.layout.sealed)
        return sealed or not repository.source.is_dir(str(name))

    def set(self, header: tarfile.TarInfo) -> None:
        """Changes the header of a member of the archive."""
        below_workdir = PurePosixPath("/", header.name).is_relative_to(self._workdir)
        if header.name in self._seen:
            return
        if header.name in self._hidden or header.name in self._closed:
            header.gid, header.mode = TESTER, header.mode & 0o750
        elif header.name in self._shared:
            header.gid, header.mode = TESTER, 0o1775
        elif below_workdir and INSTALLED.isdisjoint(PurePosixPath(header.name).parts):
            header.uid = header.gid = TESTER


def _beside(
    hidden: Sequence[FileState], files: Iterable[FileState], workdir: PurePosixPath
) -> Iterator[FileState]:
    """The files without a conflict with a hidden one, such as a link in place of a test directory."""
    names = {file.path for file in hidden}
    taken = names.union(parent for name in names for parent in _parents(name, workdir))
    for file in files:
        if file.path not in taken and names.isdisjoint(_parents(file.path, workdir)):
            yield file


def _placed(workdir: PurePosixPath, file: FileState) -> FileState:
    path = PurePosixPath(file.path)
    if path.is_absolute() or ".." in path.parts or not path.parts:
        raise HarnessError(f"{file.path!r} leads out of the workspace")
    return FileState(str(workdir / path).lstrip("/"), file.content, file.mode, file.link)


def _parents(path: str, workdir: PurePosixPath) -> list[str]:
    """The directories between the workdir and `path`: as archive members, they replace old files and links."""
    root = PurePosixPath(str(workdir).lstrip("/"))
    return [
        str(parent)
        for parent in PurePosixPath(path).parents
        if parent != root and parent.is_relative_to(root)
    ]
