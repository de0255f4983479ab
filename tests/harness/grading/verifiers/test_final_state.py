"""The files of a workspace after a run."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.dataset import Tree
from harness.grading.verifiers.final_state import FinalState
from harness.patches import FileState


@pytest.fixture
def state(tmp_path: Path) -> FinalState:
    """`a.py` was changed, `new.py` and a link were added, `old.py` was deleted, `src/b.py` is as before."""
    for name in ("a.py", "old.py", "src/b.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)
    source = Tree(tmp_path)
    changed = [
        FileState("a.py", b"changed"),
        FileState("old.py", None),
        FileState("new.py", b"new"),
        FileState("link.py", b"/etc/passwd", link=True),
    ]
    return FinalState(source, source.read, changed)


def test_changed_and_added_paths_are_known(state: FinalState) -> None:
    assert state.changed == ["a.py", "link.py", "new.py", "old.py"]
    assert state.added == ["link.py", "new.py"]


def test_a_file_is_new_where_the_run_saw_none_before(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("a")
    before = {"new.py": FileState("new.py", None), "a.py": FileState("a.py", b"a")}
    changed = [FileState("a.py", b"changed"), FileState("new.py", b"new")]
    assert FinalState(Tree(tmp_path), before.get, changed).added == ["new.py"]


def test_files_are_those_after_the_run_without_links(state: FinalState) -> None:
    assert [(file.path, file.content) for file in state.files(["**/*.py"])] == [
        ("a.py", b"changed"),
        ("new.py", b"new"),
        ("src/b.py", b"src/b.py"),
    ]
    assert state.read("old.py") is None


def test_a_file_is_found_by_its_content(state: FinalState) -> None:
    assert state.holds(b"new") == "new.py"
    assert state.holds(b"old.py") == ""


def test_nothing_is_read_below_a_link(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src/a.py").write_text("")
    (tmp_path / "link").symlink_to("src")
    source = Tree(tmp_path)
    assert FinalState(source, source.read, []).read("link/a.py") is None
