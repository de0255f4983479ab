"""Workspaces in temporary directories of this host: writing, committing, reading and watching their files."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from functools import partial
from pathlib import Path, PurePosixPath

from harness.dataset import Repository
from harness.errors import HarnessError, InfrastructureError
from harness.patches import FileState, file_state
from harness.sandbox.base import ContainerLimits
from harness.sandbox.engine.archive import Member
from harness.sandbox.engine.disk import DiskWatch
from harness.sandbox.engine.image_recipes import COMMIT
from harness.sandbox.temp_dirs import TempDir


def make_workspace(directory: TempDir, repository: Repository) -> Path:
    """Writes the source of a repository into the directory. Returns the path of the workspace."""
    root = directory.path / "work"
    root.mkdir()
    for state in repository.source.files():
        write_state(root, state)
    return root


def write_state(root: Path, state: FileState) -> None:
    """Writes the file of `state`; replaces anything at its path."""
    parts = PurePosixPath(state.path).parts
    if not parts or ".." in parts or PurePosixPath(state.path).is_absolute():
        raise HarnessError(f"{state.path!r} leads out of the workspace")
    directory = root
    for part in parts[:-1]:
        directory = directory / part
        if state.content is None and (directory.is_symlink() or not directory.is_dir()):
            return
        if directory.is_symlink() or not directory.is_dir():
            directory.unlink(missing_ok=True)
            directory.mkdir()
    target = directory / parts[-1]
    if target.is_dir() and not target.is_symlink():
        shutil.rmtree(target)
    target.unlink(missing_ok=True)
    if state.content is None:
        return
    if state.link:
        target.symlink_to(os.fsdecode(state.content))
    else:
        target.write_bytes(state.content)
        target.chmod(state.mode)


def commit_workspace(root: Path, directory: TempDir) -> None:
    """Makes the workspace one orphan commit."""
    command = ["/bin/sh", "-c", COMMIT, "sh", str(root)]
    done = subprocess.run(command, env=directory.environment(), capture_output=True, text=True, check=False)
    if done.returncode:
        raise InfrastructureError(f"committing the workspace failed: {done.stderr.strip()[-500:]}")


def members(root: Path) -> Iterator[Member]:
    """Every file and link below `root`."""
    for top, directories, names in os.walk(root):
        for path in (Path(top, name) for name in [*names, *directories]):
            if path.is_symlink() or path.is_file():
                relative = path.relative_to(root).as_posix()
                yield Member(relative, path.lstat().st_size, partial(file_state, path, relative))


def disk_watch(directory: TempDir, limits: ContainerLimits) -> DiskWatch:
    """A watch that kills the processes of the directory when its files exceed the disk limits."""
    return DiskWatch(
        measure=directory.size,
        stop=directory.kill,
        most_mb=limits.disk_mb,
        count=directory.count,
        most_files=limits.files,
    )
