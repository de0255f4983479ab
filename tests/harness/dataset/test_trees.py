from __future__ import annotations

from pathlib import Path

import pytest

from harness.dataset import Tree
from harness.patches import FileState
from tests.harness.worlds import write_tree


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write_tree(
        tmp_path,
        {
            "a.py": "a",
            "run.sh": "r",
            "tasks/one/test.py": "1",
            "tasks/one/solution.diff": "+",
            "tasks/two/test.py": "2",
            "sub/tasks/x.py": "x",
            ".git/config": "[core]",
            "sub/.git/HEAD": "ref",
            "__pycache__/a.pyc": "",
        },
    )
    (tmp_path / "link").symlink_to("a.py")
    return tmp_path


def test_a_tree_has_all_files_below_its_root_except_git_and_caches(root: Path) -> None:
    names = ["a.py", "link", "run.sh", "sub/tasks/x.py", "tasks/one/solution.diff", "tasks/one/test.py"]
    assert Tree(root).names() == [*names, "tasks/two/test.py"]


def test_excluded_names_are_excluded_with_everything_below_them(root: Path) -> None:
    tree = Tree(root, without=frozenset({"tasks", "run.sh"}))
    assert tree.names() == ["a.py", "link", "sub/tasks/x.py"]
    assert tree.read("tasks/one/solution.diff") is None
    assert not tree.exists("tasks")
    assert not tree.is_dir("tasks/one")
    assert tree.is_dir("sub/tasks")


def test_only_the_selected_names_are_included(root: Path) -> None:
    tree = Tree(root, only=frozenset({"tasks/one", "run.sh"}), without=frozenset({"tasks/one/solution.diff"}))
    assert tree.names() == ["run.sh", "tasks/one/test.py"]
    assert tree.read("a.py") is None
    assert tree.read("tasks/one/test.py") == FileState("tasks/one/test.py", b"1")
    assert not tree.exists("a.py")


def test_files_come_with_their_kind_and_mode(root: Path) -> None:
    tree = Tree(root, only=frozenset({"link", "run.sh"}))
    assert list(tree.files()) == [FileState("link", b"a.py", link=True), FileState("run.sh", b"r", 0o755)]


def test_a_tree_that_does_not_exist_is_empty(tmp_path: Path) -> None:
    assert Tree(tmp_path / "nowhere").names() == []


@pytest.mark.parametrize("name", ["n" * 300, "/".join(["d" * 250] * 16) + "/" + "x" * 60])
def test_a_name_that_this_host_cannot_have_does_not_exist(root: Path, name: str) -> None:
    tree = Tree(root)
    assert tree.read(name) is None
    assert not tree.exists(name)
    assert not tree.is_dir(name)


def test_changed_files_are_part_of_a_tree_instead_of_those_on_disk(tmp_path: Path) -> None:
    write_tree(tmp_path, {"a/one.py": "1", "a/two.py": "2", "b/three.py": "3"})
    changes = (
        FileState("a/one.py", b"one"),
        FileState("b/three.py", None),
        FileState("c/four.py", b"four", 0o755),
    )
    tree = Tree(tmp_path, changed=changes)
    assert tree.names() == ["a/one.py", "a/two.py", "c/four.py"]
    assert [(file.path, file.content) for file in tree.files()] == [
        ("a/one.py", b"one"),
        ("a/two.py", b"2"),
        ("c/four.py", b"four"),
    ]
    assert tree.read("a/one.py") == changes[0]
    assert tree.read("b/three.py") is None
    assert (tree.exists("b/three.py"), tree.exists("c/four.py"), tree.exists("c")) == (False, True, True)
    assert (tree.is_dir("b"), tree.is_dir("c"), tree.is_dir("a")) == (False, True, True)
    assert tree.digest() != Tree(tmp_path).digest()
    with pytest.raises(ValueError, match="no path on disk"):
        tree.paths()
