"""The patch of an agent's changes."""

from __future__ import annotations

import pytest

from harness.errors import AgentError
from harness.grading.agent_patch import MAX_LEVELS, TOO_DEEP, TOO_LONG, AgentPatch, patch_of
from harness.patches import FileState, apply_patch, count_lines, touched_paths
from harness.records import Flag
from harness.sandbox.base import Changes


def test_git_directories_are_left_out_of_a_patch() -> None:
    after = (FileState("sub/.git/HEAD", b"ref"), FileState("sub/a.py", b"1\n"))
    patch = patch_of(Changes(before=(), after=after))
    assert touched_paths(patch.diff) == ["sub/a.py"]
    assert patch.flags == (Flag("left_out", "sub/.git/HEAD", "not carried over: belongs to git"),)


def test_without_a_change_the_patch_is_empty() -> None:
    assert patch_of(Changes()) == AgentPatch(b"", ())


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
    assert set(apply_patch(patch.diff, before.get)) == set(after)
    assert patch.flags == ()


def test_a_link_that_git_refuses_is_left_out_and_everything_else_is_carried_over() -> None:
    after = (
        FileState(".GitModules", b"x", link=True),
        FileState("GIT~1", b"1\n"),
        FileState(".gitmodules/x", b"y", link=True),
        FileState("a", b"1\n"),
    )
    patch = patch_of(Changes(after=after))
    assert set(apply_patch(patch.diff, lambda _: None)) == {after[1], after[3]}
    note = "not carried over: git allows no link of this name"
    assert patch.flags == (Flag("left_out", ".GitModules", note), Flag("left_out", ".gitmodules/x", note))


def test_changes_that_contradict_each_other_make_no_patch() -> None:
    after = (FileState("a", b"1\n"), FileState("a/b", b"1\n"))
    with pytest.raises(AgentError, match=r"^the changes make no patch: "):
        patch_of(Changes(after=after))


def test_long_texts_are_carried_over_as_binary_files_and_flagged() -> None:
    after = (FileState("long.py", b"x = 1 # " * 300_000), FileState("short.py", b"x = 1\n"))
    patch = patch_of(Changes(after=after))
    assert count_lines(patch.diff) == (2, 1, 0)
    assert set(apply_patch(patch.diff, lambda _: None)) == set(after)
    assert patch.flags == (Flag("too_long", "long.py", TOO_LONG),)


def test_at_most_twenty_paths_are_flagged() -> None:
    after = tuple(FileState(f"n{number}/.git", b"x") for number in range(30))
    patch = patch_of(Changes(after=after))
    assert (patch.diff, len(patch.flags)) == (b"", 20)


def test_files_in_very_deep_directories_are_left_out() -> None:
    """Grading ten thousand of them would take hours."""
    deepest, deeper = "d/" * MAX_LEVELS + "a", "d/" * (MAX_LEVELS + 1) + "a"
    patch = patch_of(Changes(after=(FileState(deepest, b"1\n"), FileState(deeper, b"1\n"))))
    assert touched_paths(patch.diff) == [deepest]
    assert patch.flags == (Flag("left_out", deeper, f"not carried over: {TOO_DEEP}"),)
