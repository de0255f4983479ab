"""Files at the start of a run: only those of the source tree, none outside or behind a link."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.dataset import Tree
from runs.data.replay.workspace_source import MAX_BYTES, SourceTree, path_within, starting_file


@pytest.fixture
def home(tmp_path: Path) -> SourceTree:
    """A repository in IDE-Bench's layout: its hidden parts lie inside the tree's root, and do not belong to it."""
    root = tmp_path / "repository"
    (root / "tasks/task-1").mkdir(parents=True)
    (root / "tasks/task-1/task_diff.txt").write_text("the solution")
    (root / "run_tests.sh").write_text("the test script")
    (root / "src").mkdir()
    (root / "src/a.py").write_bytes(b"caf\xc3\xa9\xff\n")
    (root / "src/picture.png").write_bytes(b"\x89PNG\0\0")
    (root / "src/big.txt").write_bytes(b"x" * (MAX_BYTES + 1))
    (tmp_path / "outside.txt").write_text("outside")
    (root / "link").symlink_to(root / "tasks")
    (root / "src/solution").symlink_to(root / "tasks/task-1/task_diff.txt")
    (root / ".git").mkdir()
    (root / ".git/config").write_text("git's own")
    return SourceTree(Tree(root, without=frozenset({"tasks", "run_tests.sh"})), "/work")


def test_a_file_of_the_source_is_read_as_text(home: SourceTree) -> None:
    assert starting_file(home, "src/a.py").text == "café\N{REPLACEMENT CHARACTER}\n"


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("tasks/task-1/task_diff.txt", "the task's source has no such file"),
        ("run_tests.sh", "the task's source has no such file"),
        ("nowhere.py", "the task's source has no such file"),
        ("src", "the task's source has no such file"),
        ("src/solution", "it is a symbolic link"),
        ("link", "it is a symbolic link"),
        ("link/task-1/task_diff.txt", "the path leads out of the workspace"),
        ("../outside.txt", "the path leads out of the workspace"),
        ("src/../tasks/task-1/task_diff.txt", "the path leads out of the workspace"),
        ("/etc/passwd", "the path leads out of the workspace"),
        (".git/config", "the path leads out of the workspace"),
        ("src/\0", "the path leads out of the workspace"),
        ("src/picture.png", "it is too large, or not text"),
        ("src/big.txt", "it is too large, or not text"),
    ],
)
def test_other_files_are_not_read_and_the_reason_is_given(home: SourceTree, path: str, reason: str) -> None:
    start = starting_file(home, path)

    assert (start.text, start.reason) == (None, reason)


def test_without_a_dataset_nothing_is_known() -> None:
    assert starting_file("the dataset is away", "src/a.py").reason == "the dataset is away"


@pytest.mark.parametrize(
    ("path", "within"),
    [
        ("src/a.py", "src/a.py"),
        ("/work/src/a.py", "src/a.py"),
        ("./src//a.py", "src/a.py"),
        ("/app/src/a.py", None),
        ("/work", None),
        ("/work/../etc/passwd", None),
        ("src/../../x", None),
        ("", None),
        (".git/HEAD", None),
        ("a/.GIT/HEAD", None),
    ],
)
def test_paths_are_those_below_the_workspace(home: SourceTree, path: str, within: str | None) -> None:
    assert path_within(path, home) == within


def test_without_a_dataset_the_usual_workspace_directory_is_used() -> None:
    assert path_within("/app/a.py", "the dataset is away") == "a.py"
