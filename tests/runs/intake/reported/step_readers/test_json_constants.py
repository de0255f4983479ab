"""NaN and Infinity in JSON files that Python wrote."""

from __future__ import annotations

import io
import json

import pytest

from runs.intake.reported.step_readers.json_constants import PlainConstants


def read(data: bytes, size: int) -> bytes:
    """All bytes, read in parts of this size."""
    file = PlainConstants(io.BytesIO(data))
    parts = []
    while part := file.read(size):
        parts.append(part)
    return b"".join(parts)


@pytest.mark.parametrize("size", [1, 2, 3, 5, 8, 1_000])
def test_constants_are_null_wherever_the_file_is_cut(size: int) -> None:
    value = {"a": float("nan"), "b": [float("inf"), -1.5, float("-inf")], "Infinity": "N"}
    assert json.loads(read(json.dumps(value).encode(), size)) == {
        "a": None,
        "b": [None, -1.5, None],
        "Infinity": "N",
    }


@pytest.mark.parametrize("size", [1, 2, 3, 5, 8, 1_000])
def test_texts_stay_as_they_are(size: int) -> None:
    data = json.dumps(["NaN", '"NaN\\', "\\", "-Infinity", 'x\\"Infinity', "é"]).encode()
    assert read(data, size) == data


def test_other_bytes_stay_for_the_reader_to_refuse() -> None:
    assert read(b"[Nan, I, -", 4) == b"[Nan, I, -"


def test_reading_nothing_reads_nothing() -> None:
    file = PlainConstants(io.BytesIO(b"[1]"))
    assert (file.read(0), file.read(10), file.read(10)) == (b"", b"[1]", b"")
