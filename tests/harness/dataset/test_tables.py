"""Reading TOML tables of a dataset, with every problem by file, field and reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.dataset import Difficulty
from harness.dataset.reading import Reader
from harness.dataset.tables import Table


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

    def test_a_flag_is_false_unless_it_is_given_as_true(self, reader: Reader) -> None:
        fields = table(reader, "yes = true\nno = false\nodd = 1\n")
        assert [fields.flag(name) for name in ("yes", "no", "none", "odd")] == [True, False, False, False]
        assert reasons(reader) == [("odd", "must be true or false, not 1")]

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


class TestInnerTables:
    def test_problems_name_the_table_and_its_number(self, reader: Reader) -> None:
        outer = table(reader, "[limits]\nmessages = 0\nhours = 2\n[[turns]]\nn = 1\n[[turns]]\nn = -1\n")
        limits = outer.inner("limits")
        assert limits.count("messages", 10) == 10
        limits.close()
        for turn in outer.array("turns"):
            turn.count("n", 1)
        outer.close()
        assert reasons(reader) == [
            ("limits.messages", "must be a whole number of at least 1, not 0"),
            ("limits.hours", "is unknown; known are: messages"),
            ("turns[2].n", "must be a whole number of at least 1, not -1"),
        ]

    def test_a_missing_table_is_without_fields_and_a_missing_array_is_reported(self, reader: Reader) -> None:
        outer = table(reader, "")
        assert outer.inner("limits").count("messages", 10) == 10
        assert outer.array("turns") == ()
        assert reasons(reader) == [("turns", "is missing")]

    @pytest.mark.parametrize("value", ["[]", "3", "[1]"])
    def test_other_values_are_no_tables(self, reader: Reader, value: str) -> None:
        outer = table(reader, f"x = {value}")
        assert outer.array("x") == ()
        assert outer.inner("x").values == {}
        assert [where for where, _ in reasons(reader)] == ["x", "x"]
