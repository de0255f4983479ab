"""A workspace is compared with its pristine state on the host; only the pristine ignore rules count."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from harness.dataset import Tree
from harness.errors import AgentError
from harness.limits import Ending, LimitReached
from harness.patches import FileState
from harness.sandbox.base import Changes
from harness.sandbox.engine.archive import Member
from harness.sandbox.engine.changes import (
    MAX_CHANGED_BYTES,
    MAX_CHANGED_FILES,
    IgnoreRules,
    compare,
    pristine,
)
from harness.sandbox.local_files import members
from tests.harness.worlds import write_tree


def rules(root: Path, files: Mapping[str, str]) -> IgnoreRules:
    write_tree(root, files)
    return IgnoreRules(Tree(root))


def stated(*files: FileState) -> list[Member]:
    """Members as the engine would send them."""
    return [member(file, len(file.content or b"")) for file in files]


def member(file: FileState, size: int) -> Member:
    def read() -> FileState:
        return file

    return Member(file.path, size, read)


class TestIgnoreRules:
    @pytest.mark.parametrize(
        ("path", "root"),
        [
            ("a.log", "a.log"),
            ("sub/a.log", "sub/a.log"),
            ("keep.log", None),
            ("build/x/y", "build"),
            ("build", None),  # the rule is for a directory
            ("sub/build/x", None),  # and for the top only
            ("out/keep/x", "out"),  # as in git: nothing below an ignored directory is taken back
            ("known.log", None),
            ("build/known", None),
            ("a.py", None),
        ],
    )
    def test_the_topmost_ignored_path_is_named(self, tmp_path: Path, path: str, root: str | None) -> None:
        ignore = "*.log\n!keep.log\n/build/\nout/\n!out/keep\n"
        made = rules(tmp_path, {".gitignore": ignore, "known.log": "", "build/known": ""})
        assert made.ignored_root(path) == root

    @pytest.mark.parametrize(
        ("path", "root"),
        [("a.tmp", "a.tmp"), ("sub/a.tmp", None), ("sub/deep/a.tmp", None), ("sub/x", "sub/x")],
    )
    def test_a_nested_file_has_precedence_below_its_directory(
        self, tmp_path: Path, path: str, root: str | None
    ) -> None:
        made = rules(tmp_path, {".gitignore": "*.tmp\n", "sub/.gitignore": "!*.tmp\n/x\n"})
        assert made.ignored_root(path) == root

    @pytest.mark.parametrize(
        ("path", "root"),
        [
            (".git/config", ".git"),
            ("a/__pycache__/b.pyc", "a/__pycache__"),
            ("a/.pytest_cache/v/x", "a/.pytest_cache"),
            (".github/x", None),
        ],
    )
    def test_caches_and_git_are_always_ignored(self, tmp_path: Path, path: str, root: str | None) -> None:
        assert rules(tmp_path, {"a.py": ""}).ignored_root(path) == root

    @pytest.mark.parametrize(
        ("path", "root"), [("\udcff", "\udcff"), ("a/\udcff/b", "a/\udcff/b"), (".git/\udcff", ".git")]
    )
    def test_names_that_are_not_utf8_are_always_ignored(
        self, tmp_path: Path, path: str, root: str | None
    ) -> None:
        assert rules(tmp_path, {"a.py": ""}).ignored_root(path) == root

    @pytest.mark.parametrize(
        ("path", "root"),
        [
            ("build/x/y", "build/x/y"),  # build/known must stay
            ("build/known", None),
            (".git/objects/x", ".git"),
            ("a.log", "a.log"),
            ("a.py", None),
        ],
    )
    def test_a_directory_with_files_of_the_tree_is_not_removable(
        self, tmp_path: Path, path: str, root: str | None
    ) -> None:
        made = rules(tmp_path, {".gitignore": "*.log\n/build/\n", "build/known": ""})
        assert made.removable_root(path) == root


class TestPristine:
    def test_it_is_the_source_and_files_of_the_image_that_are_not_ignored(self, tmp_path: Path) -> None:
        write_tree(tmp_path, {".gitignore": "*.log\n", "a": "source"})
        image = stated(FileState("a", b"image"), FileState("made", b"1"), FileState("x.log", b"2"))
        start = pristine(Tree(tmp_path), image)
        assert {path: file.content for path, file in start.files.items()} == {
            ".gitignore": b"*.log\n",
            "a": b"source",
            "made": b"1",
        }


class TestCompare:
    @pytest.fixture
    def source(self, tmp_path: Path) -> Path:
        write_tree(tmp_path / "source", {".gitignore": "build/\n", "a": "1", "b": "2", "run.sh": "3"})
        return tmp_path / "source"

    def compared(self, source: Path, current: Iterable[Member]) -> Changes:
        return compare(pristine(Tree(source)), current)

    def test_equal_trees_have_no_changes(self, source: Path) -> None:
        assert self.compared(source, members(source)) == Changes()

    def test_each_changed_path_is_shown_before_and_after_sorted(self, source: Path, tmp_path: Path) -> None:
        there = tmp_path / "there"
        write_tree(there, {".gitignore": "build/\n", "a": "one", "new": "4"})
        (there / "run.sh").write_text("3")
        (there / "link").symlink_to("/etc")
        assert self.compared(source, members(there)) == Changes(
            before=(
                FileState("a", b"1"),
                FileState("b", b"2"),
                FileState("link", None),
                FileState("new", None),
                FileState("run.sh", b"3", 0o755),
            ),
            after=(
                FileState("a", b"one"),
                FileState("b", None),
                FileState("link", b"/etc", link=True),
                FileState("new", b"4"),
                FileState("run.sh", b"3"),
            ),
        )

    def test_a_file_that_becomes_a_link_with_the_same_bytes_has_changed(self, source: Path) -> None:
        (source / "b").write_text("a")
        start = pristine(Tree(source))
        (source / "b").unlink()
        (source / "b").symlink_to("a")
        changes = compare(start, members(source))
        assert (changes.before, changes.after) == (
            (FileState("b", b"a"),),
            (FileState("b", b"a", link=True),),
        )

    def test_ignored_paths_are_named_once_and_their_content_is_not_read(self, source: Path) -> None:
        def read() -> FileState:
            raise AssertionError("it was read")

        huge = 2 * MAX_CHANGED_BYTES
        more = [Member("build/b/c", huge, read), Member("build/a", huge, read), Member(".git/HEAD", 1, read)]
        changes = self.compared(source, [*members(source), *more])
        assert changes == Changes(ignored=(".git", "build"))

    def test_too_many_changed_files_have_an_ending_of_their_own(self, source: Path) -> None:
        allowed = stated(*(FileState(f"n{number}", b"") for number in range(MAX_CHANGED_FILES)))
        assert len(self.compared(source, [*members(source), *allowed]).after) == 10_000
        with pytest.raises(
            LimitReached, match=r"^more than 10,000 files of the workspace were added"
        ) as found:
            self.compared(source, [*members(source), *allowed, *stated(FileState("one more", b""))])
        assert found.value.ending is Ending.FILE_LIMIT

    def test_the_rules_of_the_workspace_do_not_count(self, source: Path, tmp_path: Path) -> None:
        start = pristine(Tree(source))
        write_tree(source, {".gitignore": "*\n", "build/out": "", "hidden": "5"})
        changes = compare(start, members(source))
        assert [file.path for file in changes.after] == [".gitignore", "hidden"]
        assert changes.ignored == ("build",)

    def test_a_name_that_is_not_utf8_counts_as_ignored(self, source: Path) -> None:
        odd = stated(FileState(os.fsdecode(b"\xff.txt"), b"x"))
        assert self.compared(source, [*members(source), *odd]) == Changes(ignored=("\ufffd.txt",))

    def test_more_than_64_mb_of_new_content_is_refused_before_it_is_read(self, source: Path) -> None:
        read: list[str] = []

        def sized(path: str, size: int) -> Member:
            def content() -> FileState:
                read.append(path)
                return FileState(path, b"")

            return Member(path, size, content)

        most = 64 << 20
        self.compared(source, [*members(source), sized("most", most)])
        assert read.pop() == "most"
        with pytest.raises(AgentError) as refused:
            self.compared(source, [sized("small", 10), sized("big.bin", most - 9), sized("later", 1)])
        assert str(refused.value) == (
            "the changes are too big to store, more than 64 MB: the biggest is big.bin with 67108855 bytes"
        )
        assert read == ["small"]

    def test_files_of_an_unchanged_size_do_not_count_towards_the_limit(self, tmp_path: Path) -> None:
        write_tree(tmp_path, {"a": "1"})
        start = pristine(Tree(tmp_path))
        big = [member(FileState(f"new-{number}", b""), (64 << 20) * number) for number in (0, 1)]
        assert len(compare(start, [*stated(FileState("a", b"2")), *big]).after) == 3
