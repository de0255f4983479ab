"""Values that are parts of files, small ones and those that are streamed."""

from __future__ import annotations

import hashlib
import io
import json
from pathlib import Path

import pytest

from runs.intake.reported.reported_result import ResultsRefused
from runs.intake.reported.step_readers import json_part
from runs.intake.reported.step_readers.json_part import JsonPart, parts_of_file, parts_of_list

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
        JsonPart("a.json", 2**32 + 1, io.BytesIO)


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
