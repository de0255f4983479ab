"""The verifiers that compare the workspace before and after the run."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.dataset import Tree
from harness.dataset.verifier_kinds import ExactFiles, FilePair, NoChanges, YesChanges
from harness.grading.verifiers.changes import check_exact_files, check_no_changes, check_yes_changes
from harness.grading.verifiers.final_state import FinalState
from harness.grading.verifiers.findings import Finding
from harness.patches import FileState


@pytest.fixture
def source(tmp_path: Path) -> Tree:
    for name, text in {
        "a.py": "a = 1\n",
        "docs/index.md": "# Docs\n",
        "tests/test_a.py": "assert a\n",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return Tree(tmp_path)


def after(source: Tree, **files: bytes | None) -> FinalState:
    """The state after these files, with `__` for a slash and `_dot_` for a dot, were written or deleted (None)."""
    names = {name.replace("__", "/").replace("_dot_", "."): content for name, content in files.items()}
    return FinalState(source, source.read, [FileState(name, content) for name, content in names.items()])


@pytest.mark.parametrize(
    ("verifier", "changed", "passed", "message"),
    [
        (NoChanges("n"), {}, True, "0 files changed, none that had to stay"),
        (NoChanges("n"), {"a_dot_py": b"x"}, False, "1 file changed that had to stay: a.py"),
        (NoChanges("n"), {"a_dot_py": None}, False, "1 file changed that had to stay: a.py"),
        (NoChanges("n"), {"new_dot_py": b""}, False, "1 file changed that had to stay: new.py"),
        (
            NoChanges("n", ("docs/", "a.py")),
            {"a_dot_py": b"x", "docs__new": b"x"},
            True,
            "2 files changed, none that had to stay",
        ),
        (NoChanges("n", ("docs/",)), {"a_dot_py": b"x"}, False, "1 file changed that had to stay: a.py"),
        (NoChanges("n", (), ("tests/",)), {"a_dot_py": b"x"}, True, "1 file changed, none that had to stay"),
        (
            NoChanges("n", (), ("tests/",)),
            {"tests__new": b"x"},
            False,
            "1 file changed that had to stay: tests/new",
        ),
        (
            NoChanges("n", ("docs/",), ("docs/index.md",)),
            {"docs__index_dot_md": b"x", "docs__new": b"x"},
            False,
            "1 file changed that had to stay: docs/index.md",
        ),
    ],
)
def test_no_changes(
    source: Tree, verifier: NoChanges, changed: dict[str, bytes | None], passed: bool, message: str
) -> None:
    assert check_no_changes(verifier, after(source, **changed)) == Finding(passed, message)


@pytest.mark.parametrize(
    ("targets", "changed", "passed", "message"),
    [
        (("a.py",), {"a_dot_py": b"x"}, True, "changes were made at a.py"),
        (("a.py",), {"a_dot_py": None}, True, "changes were made at a.py"),
        (("**/test_*.py", "a.py"), {"a_dot_py": b"x"}, False, "nothing changed at **/test_*.py"),
        (("a.py", "docs/"), {}, False, "nothing changed at a.py, docs/"),
    ],
)
def test_yes_changes(
    source: Tree, targets: tuple[str, ...], changed: dict[str, bytes | None], passed: bool, message: str
) -> None:
    assert check_yes_changes(YesChanges("n", targets), after(source, **changed)) == Finding(passed, message)


@pytest.mark.parametrize(
    ("content", "options", "passed", "message"),
    [
        (b"a = 2\n\nb = 3\n", {}, True, "1 file as in the reference"),
        (b"a = 2\n\nb = 4\n", {}, False, "a.py differs from its reference, first in line 3"),
        (b"a = 2\n\nb = 3", {}, False, "a.py differs from its reference, first in line 3"),
        (b"a = 2\n\nb = 3", {"trim": True}, True, "1 file as in the reference"),
        (b"a = 2  \r\n\nb = 3\n\n\n", {"trim": True}, True, "1 file as in the reference"),
        (b"  a = 2\n\nb = 3\n", {"trim": True}, False, "a.py differs from its reference, first in line 1"),
        (b"a = 2\nb = 3\n", {"trim": True}, False, "a.py differs from its reference, first in line 2"),
        (b"\na = 2\nb = 3\n", {"ignore_empty_lines": True}, True, "1 file as in the reference"),
        (None, {}, False, "a.py does not exist"),
    ],
)
def test_exact_files(  # noqa: PLR0917
    source: Tree, tmp_path: Path, content: bytes | None, options: dict[str, bool], passed: bool, message: str
) -> None:
    references = tmp_path / "references"
    references.mkdir()
    (references / "expected.py").write_bytes(b"a = 2\n\nb = 3\n")
    verifier = ExactFiles("n", (FilePair("a.py", "expected.py"),), **options)
    state = FinalState(source, source.read, [FileState("a.py", content)])
    assert check_exact_files(verifier, state, Tree(references)) == Finding(passed, message)


def test_exact_files_lets_other_files_change_only_on_request(source: Tree) -> None:
    pair = FilePair("a.py", "a.py")
    state = after(source, docs__index_dot_md=b"x")
    strict, loose = ExactFiles("n", (pair,)), ExactFiles("n", (pair,), others_unchanged=False)
    assert check_exact_files(strict, state, source) == Finding(False, "1 other file changed: docs/index.md")
    assert check_exact_files(loose, state, source).passed


def test_exact_files_refuses_a_link_to_the_right_content(source: Tree) -> None:
    state = FinalState(source, source.read, [FileState("a.py", b"/secret", link=True)])
    found = check_exact_files(ExactFiles("n", (FilePair("a.py", "a.py"),)), state, source)
    assert found == Finding(False, "a.py is a link")
