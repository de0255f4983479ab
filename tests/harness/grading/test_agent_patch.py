"""The patch of an agent's changes."""

from __future__ import annotations

from harness.grading.agent_patch import patch_of
from harness.patches import FileState, apply_patch, touched_paths
from harness.sandbox.base import Changes


def test_git_directories_are_left_out_of_a_patch() -> None:
    after = (FileState("sub/.git/HEAD", b"ref"), FileState("sub/a.py", b"1\n"))
    assert touched_paths(patch_of(Changes(before=(), after=after))) == ["sub/a.py"]


def test_without_a_change_the_patch_is_empty() -> None:
    assert patch_of(Changes()) == b""


def test_the_patch_makes_the_final_workspace_of_the_original_one() -> None:
    before = {
        "a.py": FileState("a.py", b"x = 1\n"),
        "gone.bin": FileState("gone.bin", b"\0"),
        "run": FileState("run", b"ls\n"),
    }
    after = (
        FileState("a.py", b"x = 2"),
        FileState("gone.bin", None),
        FileState("run", b"ls\n", 0o755),
        FileState("new/link", b"../a.py", link=True),
    )
    patch = patch_of(Changes(tuple(before.values()), after))
    assert set(apply_patch(patch, before.get)) == set(after)
