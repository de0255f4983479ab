"""JSON files and parts of them, small ones and those that are streamed, in bounded memory."""

from __future__ import annotations

import hashlib
import io
import json
from pathlib import Path
from typing import Any

import pytest

from runs.intake.reported.reported_result import ResultsRefused
from runs.intake.reported.step_readers import json_part
from runs.intake.reported.step_readers.json_part import JsonPart, parts_of_file, parts_of_list, whole_file

VALUE = {"a": {"b": [1, {"c": "x"}, []]}, "long": ["y"] * 9, "score": {"m": [1, 2]}, "n": None}


@pytest.fixture(params=["small", "streamed"], autouse=True)
def _sizes(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test reads small parts at once, and streams the same parts."""
    if request.param == "streamed":
        monkeypatch.setattr(json_part, "SMALL", 0)


def part(data: bytes) -> JsonPart:
    return JsonPart("a.json, sample 1", len(data), lambda: io.BytesIO(data))


def test_lists_objects_and_fields_are_read_by_their_names() -> None:
    found = part(json.dumps(VALUE).encode())
    assert list(found.elements("a", "b")) == [1, {"c": "x"}, []]
    assert list(found.items("score")) == [("m", [1, 2])]
    assert found.fields(("score", "n", "missing")) == {"score": {"m": [1, 2]}, "n": None}


def test_what_is_not_there_is_empty() -> None:
    found = part(json.dumps(VALUE).encode())
    assert (list(found.elements("missing")), list(found.elements("a")), list(found.items("long"))) == (
        [],
        [],
        [],
    )


def test_a_part_is_read_anew_each_time() -> None:
    found = part(json.dumps(VALUE).encode())
    assert list(found.elements("long")) == list(found.elements("long"))
    assert found.forgotten() == found


def test_constants_of_python_are_unknown() -> None:
    assert part(b'{"a": [NaN, -Infinity]}').fields(("a",)) == {"a": [None, None]}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"[]", "a.json, sample 1: it is not an object"),
        (b'{"a": 1', r"a.json, sample 1(, before byte 7)?: it is not JSON"),
        (b'{"a": ?}', r"it is not JSON"),
    ],
)
def test_a_broken_part_is_refused_with_its_place(data: bytes, message: str) -> None:
    with pytest.raises(ResultsRefused, match=message):
        part(data).fields(("a",))


def test_a_part_that_is_too_large_is_refused() -> None:
    with pytest.raises(ResultsRefused, match=r"^a.json: it has more than 4,294,967,296 bytes$"):
        JsonPart.of("a.json", 2**32 + 1, io.BytesIO)


@pytest.mark.parametrize("chunk", [1, 3, 1_000])
def test_the_elements_of_a_list_are_parts(
    chunk: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(json_part, "_CHUNK", chunk)
    path = tmp_path / "a.json"
    samples = [{"id": '"]}\\', "samples": [{}]}, {"id": "é", "deep": [[{"x": "\\\\"}]]}]
    content = {"x": {"samples": [{"id": 0}]}, "note": "samples", "samples": samples, "after": ["samples", {}]}
    path.write_text(json.dumps(content, ensure_ascii=False))
    found = parts_of_list(path, "a.json", "samples")
    assert [one.place for one in found] == ["a.json, samples 1", "a.json, samples 2"]
    assert [one.fields(("id",))["id"] for one in found] == ['"]}\\', "é"]
    assert parts_of_list(path, "a.json", "missing") == []

    path.write_text(json.dumps([*samples, 7, "]", [samples]], ensure_ascii=False))
    parts = list(parts_of_file(path, "a.json"))
    assert [one.place for one in parts] == [f"a.json, element {number}" for number in (1, 2, 3)]
    assert [one.fields(("id",))["id"] for one in parts[:2]] == ['"]}\\', "é"]
    assert list(parts[2].elements()) == [samples]
    assert parts[0].digest() == hashlib.sha256(json.dumps(samples[0]).encode()).hexdigest()


def file_of(directory: Path, content: Any) -> Path:
    """A file with this text, or with this value as JSON."""
    path = directory / "a.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


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
    tmp_path: Path, value: Any, names: tuple[str, ...], expected: list[Any]
) -> None:
    assert list(whole_file(file_of(tmp_path, value), "a.json").elements(*names)) == expected


@pytest.mark.parametrize("text", ["", "{", '{"steps": [1, 2', '{"steps": [1]}}', "\0", '{"steps": [1 2]}'])
def test_what_is_not_json_is_refused_with_its_place(tmp_path: Path, text: str) -> None:
    with pytest.raises(ResultsRefused, match=r"^a\.json.*: it is not JSON: "):
        whole_file(file_of(tmp_path, text), "a.json").outline()


def test_depth_is_bounded(tmp_path: Path) -> None:
    path = file_of(tmp_path, "[" * 100_000 + "]" * 100_000)
    with pytest.raises(ResultsRefused, match=r"nested deeper than 200 levels|it has more|recursion"):
        whole_file(path, "a.json").outline()


def test_a_text_that_is_too_long_is_refused_before_it_is_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(json_part, "SMALL", 0)
    monkeypatch.setattr(json_part, "MAX_VALUE_BYTES", 1024**2)
    path = file_of(tmp_path, {"a": "x" * 5 * 1024**2})
    with pytest.raises(
        ResultsRefused, match=r"^a\.json, before byte 1,\d+,\d+: one text is longer than 1,048,576 bytes$"
    ):
        whole_file(path, "a.json").outline()


def test_an_element_that_needs_too_much_memory_is_refused_with_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(json_part, "SMALL", 0)
    monkeypatch.setattr(json_part, "MAX_VALUE_BYTES", 10_000)
    path = file_of(tmp_path, {"steps": [[1], list(range(1_000))]})
    read = whole_file(path, "a.json").elements("steps")
    assert next(read) == [1]
    with pytest.raises(ResultsRefused, match=r"^a\.json, element 2: it needs more than 10,000 bytes$"):
        next(read)


def test_the_outline_of_a_large_file_has_the_beginning_of_lists_and_texts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    value = {"steps": list(range(100)), "text": "x" * 20_000, "info": {"cost": 0.5, "ok": True, "none": None}}
    path = file_of(tmp_path, value)
    monkeypatch.setattr(json_part, "SMALL", 1_000_000)
    assert whole_file(path, "a.json").outline() == value
    monkeypatch.setattr(json_part, "SMALL", 0)
    assert whole_file(path, "a.json").outline() == {**value, "steps": list(range(20)), "text": "x" * 10_000}


@pytest.mark.parametrize(
    ("content", "found"),
    [
        ('{"b": {"patch": "no"}, "patch": "no", "extra": {"x": {"patch": "no"}, "patch": "+a"}}', "+a"),
        ('{"extra": {"x": [{"patch": "no"}], "patch": 7}}', None),
        ('{"extra": [{"patch": "no"}]}', None),
        ('{"extra": ["patch", "no"]}', None),
        ('[{"extra": {"patch": "no"}}]', None),
        ('{"extra": {"patch": "' + "x" * 200_000 + '"}, "steps": [', "x" * 200_000),
    ],
)
def test_a_text_stands_at_these_names_and_nowhere_else(
    tmp_path: Path, content: str, found: str | None
) -> None:
    assert whole_file(file_of(tmp_path, content), "a.json").text("extra", "patch") == found


def test_a_text_before_what_is_not_json_is_refused_with_its_place(tmp_path: Path) -> None:
    with pytest.raises(ResultsRefused, match=r"^a\.json, before byte 12: it is not JSON: "):
        whole_file(file_of(tmp_path, '{"extra": no'), "a.json").text("extra", "patch")
