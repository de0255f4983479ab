"""Lines and files are read up to their limits, and JSON only as far as it fits into memory."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.records import Flag
from runs.transfer.record_reading import MAX_LINE_LENGTH, RecordRefused, lines_of, parsed, whole_file
from runs.transfer.record_shapes import RecordedMetrics


def test_lines_are_numbered_and_a_missing_file_has_none(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(b"1\n2\n")
    assert list(lines_of(tmp_path, "a.jsonl")) == [(1, b"1\n"), (2, b"2\n")]
    assert list(lines_of(tmp_path, "b.jsonl")) == []


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"1\n" + b"a" * MAX_LINE_LENGTH + b"\n", "line 2: is longer"), (b"1\n2", "line 2: is cut off")],
)
def test_long_and_cut_lines_are_refused(tmp_path: Path, content: bytes, said: str) -> None:
    (tmp_path / "a.jsonl").write_bytes(content)
    with pytest.raises(RecordRefused, match=f"a.jsonl, {said}"):
        list(lines_of(tmp_path, "a.jsonl"))


def test_a_file_is_read_up_to_its_limit(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"four")
    assert whole_file(tmp_path, "a", 4) == b"four"
    assert whole_file(tmp_path, "b", 4) is None
    with pytest.raises(RecordRefused, match="a: has more than 3 bytes"):
        whole_file(tmp_path, "a", 3)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"{", "is no JSON"),
        (b"\xff", "is no JSON"),
        (b"[" * 100_000, "it is nested too deep"),
        (b"1" * 5000, "is no JSON"),
        (b'{"kind": "\\udc00", "path": "", "note": ""}', "is no JSON"),
        (b'{"kind": "a", "path": "", "note": "", "html": 1}', "html: Extra inputs"),
        (b'{"kind": 1, "path": "", "note": ""}', "kind: Input should be a valid string"),
        (
            b'{"kind": "a\\u0000", "path": "", "note": ""}',
            "kind: Value error, must not hold the character NUL",
        ),
        (b'{"kind": [' + b"1," * 700_000 + b"1]}", "more than 600000 commas and brackets"),
        (b'{"kind": [' + b"1," * 500_000 + b"1]}", "more than 250000 values"),
        (b"null", "Input should be a valid dictionary"),
        ('{"kind": "a"}'.encode("utf-16"), "is no JSON"),
        ('{"kind": "a"}'.encode("utf-16-be"), "is no JSON"),
        ('{"kind": "a"}'.encode("utf-32"), "is no JSON"),
        ('{"kind": "a"}'.encode("utf-8-sig"), "is no JSON"),
        (b'{"kind": "a", "path": "", "note": "", "kind": "b"}', "'kind' comes twice"),
        (b'{"kind": [{"a": 1, "\\u0061": 2}]}', "'a' comes twice"),
    ],
)
def test_bad_json_is_refused_with_the_place(content: bytes, said: str) -> None:
    with pytest.raises(RecordRefused) as refused:
        parsed(Flag, content, "here")
    assert str(refused.value).startswith("here: ")
    assert said in str(refused.value)
    assert str(refused.value).isprintable()


@pytest.mark.parametrize("cost", ["NaN", "Infinity", "1e999", "-0.1", "1e300", "true", '"1"'])
def test_numbers_are_finite_and_in_range(cost: str) -> None:
    text = f'{{"prompt_tokens": 1, "completion_tokens": 1, "cached_tokens": 1, "cost_usd": {cost}}}'
    with pytest.raises(RecordRefused, match="here: cost_usd: Input should be"):
        parsed(RecordedMetrics, text.encode(), "here")
