"""Reading a dataset's files, with every problem by file, field and reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.dataset.reading import Reader
from harness.dataset.trees import Tree


@pytest.fixture
def reader(tmp_path: Path) -> Reader:
    return Reader(tmp_path.resolve())


def found(reader: Reader) -> list[tuple[str, str, str]]:
    """Every problem so far: file (relative), field or line, reason."""
    return [
        (problem.path.relative_to(reader.directory).as_posix(), problem.where, problem.reason)
        for problem in reader.problems
    ]


class TestFiles:
    def test_what_is_required_is_there_and_not_empty(self, reader: Reader) -> None:
        (reader.directory / "full").write_text("x")
        (reader.directory / "empty").touch()
        (reader.directory / "tree/deep").mkdir(parents=True)
        assert reader.require(reader.directory / "full", "it is read")
        assert not reader.require(reader.directory / "empty", "it is read")
        assert not reader.require(reader.directory / "tree", "it is read")
        assert not reader.require(reader.directory / "tree", "it is copied", tree=True)
        (reader.directory / "tree/deep/file").touch()
        assert reader.require(reader.directory / "tree", "it is copied", tree=True)
        assert found(reader) == [
            ("empty", "", "is empty: it is read"),
            ("tree", "", "is missing: it is read"),
            ("tree", "", "is empty: it is copied"),
        ]

    def test_what_leads_out_of_the_dataset_is_not_required_nor_read(self, tmp_path: Path) -> None:
        (tmp_path / "secret").write_text("x")
        (tmp_path / "d/tree").mkdir(parents=True)
        reader = Reader((tmp_path / "d").resolve())
        for name in ("link", "tree/link"):
            (reader.directory / name).symlink_to(tmp_path / "secret")
        assert not reader.require(reader.directory / "link", "it is read")
        assert not reader.require(reader.directory / "tree", "it is copied", tree=True)
        assert not reader.check_tree(Tree(reader.directory / "tree"))
        assert found(reader) == [
            (name, "", "leads out of the dataset") for name in ("link", "tree/link", "tree/link")
        ]

    def test_text_in_another_encoding_is_empty_and_reported(self, reader: Reader) -> None:
        (reader.directory / "a").write_bytes(b"ok \xff")
        assert reader.read(reader.directory / "a") == ""
        assert found(reader) == [("a", "byte 3", "is not UTF-8")]

    @pytest.mark.parametrize("name", ["a", "9", "add-negatives", "v1.2_final"])
    def test_a_slug_is_a_name(self, reader: Reader, name: str) -> None:
        assert reader.slug(reader.directory / name) == name
        assert found(reader) == []

    @pytest.mark.parametrize("name", ["A", "-a", "a-", "a--b", "a b", "ü", "a\n"])
    def test_another_name_is_reported_and_stays(self, reader: Reader, name: str) -> None:
        assert reader.slug(reader.directory / name) == name
        rule = "must be lower-case letters and digits, joined by '-', '_' or '.'"
        assert found(reader) == [(name, "name", rule)]

    def test_a_digest_covers_what_exists_and_the_extra_text(self, reader: Reader) -> None:
        path = reader.directory / "a"
        path.write_text("x")
        digest = reader.digest(path, extra="tap")
        assert reader.digest(path, False, reader.directory / "missing", extra="tap") == digest
        assert reader.digest(path, extra="junit") != digest
        path.write_text("y")
        assert reader.digest(path, extra="tap") != digest


class TestOneTask:
    def test_nothing_else_is_read(self, tmp_path: Path) -> None:
        paths = [tmp_path / name for name in ("a", "b")]
        reader = Reader(tmp_path, only=("a", "b"))
        assert (reader.repositories_of(paths), reader.tasks_of(paths)) == ([paths[0]], [paths[1]])
        everything = Reader(tmp_path)
        assert everything.repositories_of(paths) == everything.tasks_of(paths) == paths

    def test_a_patch_that_was_checked_before_is_not_checked_again(self, tmp_path: Path) -> None:
        patch = tmp_path / "reference.diff"
        patch.write_text("no patch\n")
        for reader, count in ((Reader(tmp_path, only=("a", "b")), 0), (Reader(tmp_path), 1)):
            reader.check_patch(patch, Tree(tmp_path))
            assert len(reader.problems) == count


def test_without_a_file_there_is_no_proof_and_no_problem(reader: Reader) -> None:
    assert reader.proof(reader.directory / "proof.json") is None
    assert found(reader) == []
