"""Reading a dataset's files, with every problem by file, field and reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.dataset import Difficulty
from harness.dataset.reading import Reader, Table
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


def table(reader: Reader, text: str) -> Table:
    path = reader.directory / "t.toml"
    path.write_text(text)
    return Table(reader, path)


def reasons(reader: Reader) -> list[tuple[str, str]]:
    """Every problem of the table: field and reason."""
    return [(where, reason) for _, where, reason in found(reader)]


class TestTable:
    def test_sound_fields_are_returned_and_nothing_is_reported(self, reader: Reader) -> None:
        fields = table(
            reader,
            'title = "Tiny"\ntags = ["a", "b"]\ntools = []\ntime = 60\nlevel = "hard"\nreport = "tap"\n',
        )
        assert fields.text("title") == "Tiny"
        assert fields.text("licence", "MIT") == "MIT"
        assert fields.texts("tags") == ("a", "b")
        assert fields.members("tools", ["x"]) == ()
        assert fields.seconds("time", 1.0) == 60.0
        assert fields.seconds("patience", 1.5) == 1.5
        assert fields.member("level", Difficulty) is Difficulty.HARD
        assert fields.choice("report", ["junit", "tap"], "junit") == "tap"
        assert fields.choice("other", ["junit", "tap"], "junit") == "junit"
        fields.close()
        assert found(reader) == []

    def test_a_required_field_that_is_missing_is_reported_once_each(self, reader: Reader) -> None:
        fields = table(reader, "")
        assert (fields.text("title"), fields.texts("tags")) == ("", ())
        assert fields.member("level", Difficulty) is Difficulty.EASY
        assert reasons(reader) == [(name, "is missing") for name in ("title", "tags", "level")]

    @pytest.mark.parametrize(
        ("value", "reason"),
        [
            ('" "', "must be a non-empty string, not ' '"),
            ("3", "must be a non-empty string, not 3"),
            ('["a"]', "must be a non-empty string, not ['a']"),
        ],
    )
    def test_a_bad_text(self, reader: Reader, value: str, reason: str) -> None:
        table(reader, f"x = {value}").text("x")
        assert reasons(reader) == [("x", reason)]

    @pytest.mark.parametrize("value", ["[]", '"a"', '["a", 1]'])
    def test_a_bad_list(self, reader: Reader, value: str) -> None:
        assert table(reader, f"x = {value}").texts("x") == ()
        ((where, reason),) = reasons(reader)
        assert where == "x"
        assert reason.startswith("must be a non-empty list of strings, not ")

    @pytest.mark.parametrize(
        ("value", "reason"),
        [
            ('["a", "c", "d"]', "names 'c', 'd'; known are: a, b"),
            ('["a", "a"]', "names one twice: a, a"),
            ('"a"', "must be a list of strings, not 'a'"),
        ],
    )
    def test_members_are_known_and_named_once(self, reader: Reader, value: str, reason: str) -> None:
        table(reader, f"x = {value}").members("x", ["a", "b"])
        assert reasons(reader) == [("x", reason)]

    @pytest.mark.parametrize(
        ("value", "shown"), [("0", "0"), ("-1.5", "-1.5"), ("true", "True"), ('"60"', "'60'"), ("nan", "nan")]
    )
    def test_seconds_are_a_positive_number(self, reader: Reader, value: str, shown: str) -> None:
        assert table(reader, f"x = {value}").seconds("x", 9.0) == 9.0
        assert reasons(reader) == [("x", f"must be a positive number of seconds, not {shown}")]

    def test_one_of_a_few(self, reader: Reader) -> None:
        fields = table(reader, 'level = "hardest"\nreport = ["tap"]\n')
        fields.member("level", Difficulty)
        assert fields.choice("report", ["junit", "tap"], "junit") == "junit"
        assert reasons(reader) == [
            ("level", "must be one of easy, medium, hard; not 'hardest'"),
            ("report", "must be one of junit, tap; not ['tap']"),
        ]

    def test_a_field_that_was_not_read_is_unknown(self, reader: Reader) -> None:
        fields = table(reader, 'titel = "a"\nlicense = "b"\n')
        fields.text("title", "-")
        fields.text("licence", "-")
        fields.close()
        assert reasons(reader) == [
            ("license", "is unknown; known are: licence, title"),
            ("titel", "is unknown; known are: licence, title"),
        ]

    def test_an_unreadable_file_is_one_problem_and_its_fields_are_none(self, reader: Reader) -> None:
        assert table(reader, "title = ").text("title") == ""
        ((where, reason),) = reasons(reader)
        assert where == ""
        assert reason.startswith("is not TOML: Invalid value")

    def test_a_file_in_another_encoding(self, reader: Reader) -> None:
        path = reader.directory / "t.toml"
        path.write_bytes(b'a = "\xff"\n')
        Table(reader, path).text("a")
        assert found(reader) == [("t.toml", "byte 5", "is not UTF-8")]

    def test_only_a_required_file_has_to_be_there(self, reader: Reader) -> None:
        assert Table(reader, reader.directory / "a.toml", optional=True).text("title") == ""
        assert found(reader) == []
        assert Table(reader, reader.directory / "b.toml").text("title") == ""
        assert found(reader) == [("b.toml", "", "is missing")]


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
