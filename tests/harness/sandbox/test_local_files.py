"""Workspaces in directories of this host: nothing is written, deleted or read through a link."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.errors import HarnessError, InfrastructureError
from harness.patches import FileState
from harness.sandbox.base import ContainerLimits, Owner
from harness.sandbox.engine import disk
from harness.sandbox.local_files import commit_workspace, disk_watch, make_workspace, members, write_state
from harness.sandbox.temp_dirs import TempDir, temp_dir
from tests.harness.worlds import SOURCE, tiny_dataset, write_tree


@pytest.fixture
def directory() -> Iterator[TempDir]:
    with temp_dir("workspace", Owner("local-files", "run-1")) as made:
        yield made


def found(root: Path) -> dict[str, FileState]:
    return {member.path: member.read() for member in members(root)}


def test_a_workspace_has_the_source_and_becomes_one_commit(directory: TempDir, tmp_path: Path) -> None:
    root = make_workspace(directory, tiny_dataset(tmp_path).repository("calc"))
    assert root == directory.path / "work"
    assert {path: file.content for path, file in found(root).items()} == {
        path: text.encode() for path, text in SOURCE.items()
    }
    commit_workspace(root, directory)
    git = ["git", "-C", str(root)]
    log = subprocess.run([*git, "log", "--format=%s"], capture_output=True, text=True, check=True)
    status = subprocess.run([*git, "status", "--porcelain"], capture_output=True, text=True, check=True)
    assert (log.stdout, status.stdout) == ("Start here\n", "")


def test_a_workspace_without_a_commit_is_an_infrastructure_error(directory: TempDir) -> None:
    with pytest.raises(InfrastructureError, match=r"^committing the workspace failed: .*cd.*missing"):
        commit_workspace(directory.path / "missing", directory)


class TestWriting:
    @pytest.fixture
    def root(self, tmp_path: Path) -> Path:
        write_tree(tmp_path / "root", {"a": "1", "sub/b": "2", "sub/c": "3"})
        write_tree(tmp_path / "outside", {"kept": "kept"})
        (tmp_path / "root" / "link").symlink_to(tmp_path / "outside")
        return tmp_path / "root"

    @pytest.mark.parametrize(
        "state",
        [
            FileState("a", b"new", 0o755),
            FileState("a", b"sub/b", link=True),
            FileState("sub", b"file in place of a directory"),
            FileState("a/deep/x", b"directory in place of a file"),
            FileState("new/deep/x", b"\0\xff"),
            FileState("link", b"file in place of a link"),
            FileState("link/kept", b"directory in place of a link"),
            FileState("two\nlines", b""),
        ],
        ids=lambda state: state.path,
    )
    def test_it_replaces_anything_at_its_path(self, root: Path, state: FileState) -> None:
        write_state(root, state)
        assert found(root)[state.path] == state
        assert (root.parent / "outside" / "kept").read_text() == "kept"

    @pytest.mark.parametrize(
        ("path", "left"),
        [
            ("a", {"sub/b", "sub/c", "link"}),
            ("sub", {"a", "link"}),
            ("sub/b", {"a", "sub/c", "link"}),
            ("link", {"a", "sub/b", "sub/c"}),
            ("link/kept", {"a", "sub/b", "sub/c", "link"}),
            ("a/below", {"a", "sub/b", "sub/c", "link"}),
            ("missing/x", {"a", "sub/b", "sub/c", "link"}),
        ],
    )
    def test_a_deletion_removes_what_is_there_and_follows_no_link(
        self, root: Path, path: str, left: set[str]
    ) -> None:
        write_state(root, FileState(path, None))
        assert found(root).keys() == left
        assert (root.parent / "outside" / "kept").read_text() == "kept"

    @pytest.mark.parametrize("path", ["../x", "/etc/passwd", "a/../../x", ""])
    def test_a_path_that_leads_out_of_the_workspace_is_refused(self, root: Path, path: str) -> None:
        for content in (b"x", None):
            with pytest.raises(HarnessError) as refused:
                write_state(root, FileState(path, content))
            assert str(refused.value) == f"{path!r} leads out of the workspace"


def test_members_are_files_and_links_that_are_not_followed(tmp_path: Path) -> None:
    write_tree(tmp_path, {"sub/run.sh": "1", "empty": ""})
    (tmp_path / "to-a-directory").symlink_to("sub")
    (tmp_path / "broken").symlink_to("nowhere")
    (tmp_path / "no-file").mkdir()
    os.mkfifo(tmp_path / "pipe")
    assert found(tmp_path) == {
        "sub/run.sh": FileState("sub/run.sh", b"1", 0o755),
        "empty": FileState("empty", b""),
        "to-a-directory": FileState("to-a-directory", b"sub", link=True),
        "broken": FileState("broken", b"nowhere", link=True),
    }
    assert {member.path: member.size for member in members(tmp_path)} == {
        "sub/run.sh": 1,
        "empty": 0,
        "to-a-directory": 3,
        "broken": 7,
    }
    assert list(members(tmp_path / "missing")) == []


def test_processes_are_killed_when_their_files_exceed_the_limit(
    directory: TempDir, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disk, "PAUSE_SECONDS", 0.01)
    watch = disk_watch(directory, ContainerLimits(disk_mb=1))
    sleep = shutil.which("sleep") or "sleep"
    with subprocess.Popen([sleep, "60"], env=directory.environment()) as process:
        watch.begin()
        for name in ("a", "b"):
            (directory.path / name).write_bytes(bytes(1 << 20))
        assert process.wait(20) == -9
    watch.end()
    assert watch.excess == "2 MB were written to disk, more than the 1 MB that a run may write"


def test_processes_are_killed_when_they_make_too_many_files(
    directory: TempDir, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disk, "PAUSE_SECONDS", 0.01)
    (directory.path / "sub").mkdir()
    for name in ("a", "b", "sub/c"):
        (directory.path / name).touch()
    most = directory.count() - 1
    watch = disk_watch(directory, ContainerLimits(files=most))
    sleep = shutil.which("sleep") or "sleep"
    with subprocess.Popen([sleep, "60"], env=directory.environment()) as process:
        watch.begin()
        assert process.wait(20) == -9
    watch.end()
    assert watch.excess == f"{most + 1} files were written to disk, more than the {most} that a run may write"
