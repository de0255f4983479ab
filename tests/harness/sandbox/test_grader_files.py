"""The archive for a grading container: which files are in it, and who may change them."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from harness.dataset import Repository
from harness.patches import FileState
from harness.sandbox.grader_files import grader_archive, hidden_files
from harness.sandbox.supervisor.supervise import DELETED, TESTER
from tests.harness.worlds import SOURCE, tiny_dataset

HIDDEN = FileState("exam/test_hidden.py", b"hidden")
SEEN = FileState("tests/test_sums.py", SOURCE["tests/test_sums.py"].encode())
NEW = FileState("tests/test_new.py", b"new")


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return tiny_dataset(tmp_path).repository("calc")


def packed(
    repository: Repository, files: Sequence[FileState], *tests: FileState
) -> dict[str, tarfile.TarInfo]:
    """The members by path from the root, or from the workdir if they are below it."""
    archive = grader_archive(repository, files, hidden_files(repository, tests, repository.run_tests))
    workdir = str(repository.workdir).lstrip("/") + "/"
    with tarfile.open(fileobj=io.BytesIO(archive)) as members:
        return {member.name.removeprefix(workdir): member for member in members}


def deleted(repository: Repository, files: Sequence[FileState], *tests: FileState) -> list[str]:
    archive = grader_archive(repository, files, hidden_files(repository, tests, repository.run_tests))
    with tarfile.open(fileobj=io.BytesIO(archive)) as members:
        content = members.extractfile(DELETED.lstrip("/"))
        assert content is not None
        return content.read().decode().split("\0")[:-1]


def access(member: tarfile.TarInfo) -> tuple[int, int, int]:
    return member.uid, member.gid, member.mode


def test_the_tests_own_the_files_of_the_agent_but_not_installed_packages(repository: Repository) -> None:
    files = [FileState("calc/a.py", b"a"), FileState("node_modules/b/c.js", b"c", 0o755)]
    found = packed(repository, files)
    assert access(found["calc/a.py"]) == (TESTER, TESTER, 0o644)
    assert access(found["calc"]) == (TESTER, TESTER, 0o755)
    assert access(found["node_modules/b/c.js"]) == (0, 0, 0o755)


def test_hidden_tests_and_the_script_are_readable_for_the_tests_only(repository: Repository) -> None:
    found = packed(repository, [], HIDDEN, SEEN, NEW)
    assert access(found["exam/test_hidden.py"]) == (0, TESTER, 0o640)
    assert access(found["tests/test_new.py"]) == (0, TESTER, 0o640)
    assert access(found[str(repository.layout.script_at).lstrip("/")]) == (0, TESTER, 0o750)
    assert access(found["tests/test_sums.py"]) == (0, 0, 0o644)


def test_only_directories_that_the_agent_has_seen_take_new_files(repository: Repository) -> None:
    found = packed(repository, [], HIDDEN, NEW)
    assert access(found["exam"]) == (0, TESTER, 0o750)
    assert access(found["tests"]) == (0, TESTER, 0o1775)
    sealed = replace(repository, layout=replace(repository.layout, sealed=("tests",)))
    assert access(packed(sealed, [], NEW)["tests"]) == (0, TESTER, 0o750)


def test_hidden_tests_replace_files_and_links_of_the_agent(repository: Repository) -> None:
    files = [
        FileState("exam", b"/etc", link=True),
        FileState("exam/test_hidden.py", b"agent's"),
        FileState("exam/more.py", b"more"),
    ]
    found = packed(repository, files, HIDDEN)
    assert found["exam"].isdir()
    assert found["exam/test_hidden.py"].size == len(b"hidden")
    assert "exam/more.py" in found


def test_deletions_are_listed_unless_something_copied_takes_their_place(repository: Repository) -> None:
    gone = [FileState(path, None) for path in ("README.md", "tests/test_sums.py", "calc/old/a.py", "exam")]
    files = [*gone, FileState("calc/old", b"/etc", link=True)]
    root = repository.workdir
    assert deleted(repository, files, SEEN, HIDDEN) == [str(root / "README.md")]
    assert deleted(repository, gone, HIDDEN) == [
        str(root / name) for name in ("README.md", "calc/old/a.py", "tests/test_sums.py")
    ]
