"""JSON for strict readers, written piece by piece."""

from __future__ import annotations

import io
import json
import math

import pytest

from runs.transfer.interchange.json_stream import listed, members, quoted, sendable, written


def test_what_json_or_utf_8_cannot_hold_is_replaced() -> None:
    value = {"a\ud800": [math.nan, -math.inf, 0.5, 7, True, None, {"b": "\udfff"}], "ü": "ö", "c": (1,)}
    assert sendable(value) == {"a?": [None, None, 0.5, 7, True, None, {"b": "?"}], "ü": "ö", "c": [1]}
    assert written({"a": math.nan, "ü": "\ud800"}) == '{"a":null,"ü":"?"}'.encode()


@pytest.mark.parametrize("text", ["", 'a "b"\\\n\0', "ü" * 100_000, "x" + "€" * 70_000])
def test_a_file_becomes_one_string(text: str) -> None:
    assert json.loads(b"".join(quoted(io.BytesIO(text.encode())))) == text


def test_bytes_that_are_not_utf_8_are_replaced() -> None:
    assert json.loads(b"".join(quoted(io.BytesIO(b"a\xffb\xc3")))) == "a\ufffdb\ufffd"


def test_a_list_has_several_values_in_each_chunk() -> None:
    chunks = list(listed("x" * 30_000 for _ in range(4)))
    assert [len(json.loads(b"".join(chunks))), len(chunks)] == [4, 2]
    assert json.loads(b"".join(listed([]))) == []


def test_members_are_written_without_braces() -> None:
    assert b"{" + members({"a": 1, "b": []}) + b"}" == b'{"a":1,"b":[]}'
