"""JSON files of any size are read value by value, in bounded memory."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from runs.intake.reported.reported_result import ResultsRefused
from runs.intake.reported.step_readers import json_file
from runs.intake.reported.step_readers.json_file import (
    elements,
    first_lines,
    is_json_lines,
    json_lines,
    outline_of,
    raw_lines,
    text_of,
)


@pytest.fixture(params=["parsed at once", "read value by value"])
def size(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both ways of reading."""
    if request.param != "parsed at once":
        monkeypatch.setattr(json_file, "SMALL", 0)
    return str(request.param)


def file_of(directory: Path, content: Any) -> Path:
    """A file with this text, or with this value as JSON."""
    path = directory / "a.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


@pytest.mark.usefixtures("size")
class TestElements:
    @pytest.mark.parametrize(
        ("value", "names", "expected"),
        [
            (
                {"a": 1, "steps": [{"x": [1, {"y": None}]}, "two", 3.5]},
                ("steps",),
                [{"x": [1, {"y": None}]}, "two", 3.5],
            ),
            ([1, [2], {}], (), [1, [2], {}]),
            ({"outer": {"steps": [1]}, "steps": [2]}, ("outer", "steps"), [1]),
            ({"other": {"steps": [1]}, "steps": [2]}, ("steps",), [2]),
            ({"steps": []}, ("steps",), []),
            ({"steps": {"a": [1]}}, ("steps",), []),
            ({"none": 1}, ("steps",), []),
            ({"list": [{"steps": [1]}]}, ("steps",), []),
        ],
    )
    def test_they_are_those_of_the_named_list(
        self, tmp_path: Path, value: Any, names: tuple[str, ...], expected: list[Any]
    ) -> None:
        assert list(elements(file_of(tmp_path, value), "a.json", *names)) == expected

    @pytest.mark.parametrize(
        "text", ["", "{", '{"steps": [1, 2', '{"steps": [1]}}', "\0", '{"steps": [1 2]}']
    )
    def test_what_is_not_json_is_refused_with_its_place(self, tmp_path: Path, text: str) -> None:
        with pytest.raises(ResultsRefused, match=r"^a\.json.*: it is not JSON: "):
            outline_of(file_of(tmp_path, text), "a.json")

    def test_depth_is_bounded(self, tmp_path: Path) -> None:
        path = file_of(tmp_path, "[" * 100_000 + "]" * 100_000)
        with pytest.raises(ResultsRefused, match=r"nested deeper than 200 levels|it has more|recursion"):
            outline_of(path, "a.json")


def test_a_text_that_is_too_long_is_refused_before_it_is_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(json_file, "SMALL", 0)
    monkeypatch.setattr(json_file, "MAX_VALUE_BYTES", 1024**2)
    path = file_of(tmp_path, {"a": "x" * 5 * 1024**2})
    with pytest.raises(
        ResultsRefused, match=r"^a\.json, before byte 1,\d+,\d+: one text is longer than 1,048,576 bytes$"
    ):
        outline_of(path, "a.json")


def test_an_element_that_needs_too_much_memory_is_refused_with_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(json_file, "SMALL", 0)
    monkeypatch.setattr(json_file, "MAX_VALUE_BYTES", 10_000)
    path = file_of(tmp_path, {"steps": [[1], list(range(1_000))]})
    read = elements(path, "a.json", "steps")
    assert next(read) == [1]
    with pytest.raises(ResultsRefused, match=r"^a\.json, element 2: it needs more than 10,000 bytes$"):
        next(read)


def test_the_outline_of_a_large_file_has_the_beginning_of_lists_and_texts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    value = {"steps": list(range(100)), "text": "x" * 20_000, "info": {"cost": 0.5, "ok": True, "none": None}}
    path = file_of(tmp_path, value)
    assert outline_of(path, "a.json") == value
    monkeypatch.setattr(json_file, "SMALL", 0)
    assert outline_of(path, "a.json") == {**value, "steps": list(range(20)), "text": "x" * 10_000}


class TestLines:
    def test_objects_have_their_place(self, tmp_path: Path) -> None:
        path = file_of(tmp_path, '{"a": 1}\n\n{"b": NaN}\n')
        assert list(json_lines(path, "a.jsonl")) == [
            ("a.jsonl, line 1", {"a": 1}),
            ("a.jsonl, line 3", {"b": None}),
        ]

    @pytest.mark.parametrize(
        ("text", "problem"),
        [
            ('{"a": 1}\n[1]\n', "a.jsonl, line 2: it is not an object"),
            ('{"a": 1}\n{"b": ', "a.jsonl, line 2: it is not JSON: "),
            ('{"a": "' + "x" * 2_000 + '"}\n', "a.jsonl, line 1: it is longer than 1,000 bytes"),
            ("{}\n" + "\n" * 100, "a.jsonl, line 101: it has more than 100 lines"),
        ],
    )
    def test_a_broken_line_is_refused(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, problem: str
    ) -> None:
        monkeypatch.setattr(json_file, "MAX_VALUE_BYTES", 1_000)
        monkeypatch.setattr(json_file, "MAX_LINES", 100)
        with pytest.raises(ResultsRefused) as refused:
            list(json_lines(file_of(tmp_path, text), "a.jsonl"))
        assert str(refused.value).startswith(problem)

    def test_a_last_line_without_an_end_may_be_left_out(self, tmp_path: Path) -> None:
        path = file_of(tmp_path, '{"a": 1}\n{"b": ')
        assert [value for _, value in json_lines(path, "a.jsonl", torn=True)] == [{"a": 1}]
        for text in ('{"a": 1}\n{"b": \n', '{"b": \n{"a": 1}'):
            with pytest.raises(ResultsRefused, match=r"^a\.jsonl, line [12]: it is not JSON: "):
                list(json_lines(file_of(tmp_path, text), "a.jsonl", torn=True))

    def test_a_line_is_read_again_where_it_begins(self, tmp_path: Path) -> None:
        path = file_of(tmp_path, '{"a": 1}\n\n{"b": "\u00e9"}\n{"c": 3}')
        lines = list(raw_lines(path, "a.jsonl"))
        assert [(line.where, line.offset, line.number) for line in lines] == [
            ("a.jsonl, line 1", 0, 0),
            ("a.jsonl, line 3", 10, 2),
            ("a.jsonl, line 4", 22, 3),
        ]
        for line in lines:
            assert next(raw_lines(path, "a.jsonl", line.offset, line.number)) == line

    def test_the_first_lines_end_before_a_broken_one_and_need_little_memory(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert first_lines(file_of(tmp_path, '{"a": 1}\n{"b": '), "a.jsonl") == [{"a": 1}]
        with pytest.raises(ResultsRefused, match=r"^a\.jsonl, line 1: it is not an object$"):
            first_lines(file_of(tmp_path, "[1]\n{}\n"), "a.jsonl")
        monkeypatch.setattr(json_file, "SMALL", 20)
        assert len(first_lines(file_of(tmp_path, '{"a": 1}\n' * 100), "a.jsonl")) == 2

    def test_only_the_first_are_read_to_recognize_a_form(self, tmp_path: Path) -> None:
        path = file_of(tmp_path, '{"a": 1}\n' * 100 + "broken")
        assert first_lines(path, "a.jsonl") == [{"a": 1}] * 20

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ('{"a": 1}\n{"b": 2}', True),
            ('{"a": 1}\n', False),
            ('{\n"a": 1}\n', False),
            ("[1]\n[2]\n", False),
            ('{"a": 1}' + "\n" * 900 + '{"b": 2}', True),
            ('{"a": 1}' + "\n" * 1_100 + '{"b": 2}', False),
            ("", False),
            ("\n \n{}\n\n  {", True),
            (f'{{"a": "{"x" * 200_000}"}}   \n{{"b": "{"x" * 200_000}', True),
            (f'{{"a": "{"x" * 200_000}\n{{"b": 2}}', False),
            (f"{' ' * 200_000}\n", False),
        ],
    )
    def test_a_file_is_of_lines_if_the_first_is_whole_and_another_follows(
        self, tmp_path: Path, text: str, expected: bool
    ) -> None:
        assert is_json_lines(file_of(tmp_path, text)) is expected

    def test_a_file_of_one_line_is_recognized_in_little_memory(self, tmp_path: Path) -> None:
        path = file_of(tmp_path, f'{{"a": "{"x" * 20_000_000}"}}')
        tracemalloc.start()
        assert not is_json_lines(path)
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
        tracemalloc.stop()


def test_a_value_as_text() -> None:
    assert [text_of(value) for value in ("é", None, 1.5, {"a": "é"})] == ["é", "", "1.5", '{"a": "é"}']
