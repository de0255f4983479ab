"""JSON files of other tools, which are untrusted."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from runs.intake.reported import report_document
from runs.intake.reported.report_document import (
    is_name_in_directory,
    is_plain_directory,
    objects,
    parse_json,
    pick,
    pick_text,
    places_below,
    printed,
    read_json,
    text_of,
    texts,
)
from runs.intake.reported.reported_result import ResultsRefused


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0.5125", "0.5125"),
        ("74.40", "74.40"),
        ("0.00000001", "0.00000001"),
        ("1e-07", "1e-07"),
        ("3", "3"),
        ("true", None),
        ('"3"', None),
        ("null", None),
    ],
)
def test_a_number_is_known_digit_for_digit(text: str, expected: str | None) -> None:
    assert printed(parse_json(text.encode(), "a.json")) == expected


def test_a_number_is_used_like_any_other() -> None:
    assert parse_json(b"[0.5, 2]", "a.json") == [0.5, 2]
    assert parse_json(b"[NaN, Infinity, -Infinity]", "a.json") == [None, None, None]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "it is not JSON: Expecting value"),
        (b"\xff", "it is not JSON: 'utf-8' codec"),
        (b"[" * 100_000, "it is not JSON: maximum recursion depth"),
        (b"9" * 100_000, "it is not JSON: Exceeds the limit"),
        (b"[" + b"[]," * 3_000_000 + b"[]]", "it has more than 5,000,000 values"),
    ],
)
def test_hostile_json_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(ResultsRefused, match=f"^a.json: {message}"):
        parse_json(data, "a.json")


def test_a_file_too_large_or_unreadable_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ResultsRefused, match=r"^a: unreadable: No such file or directory$"):
        read_json(tmp_path / "a", "a")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ResultsRefused, match=r"^a: it is not a file$"):
        read_json(tmp_path / "pipe", "a")
    monkeypatch.setattr(report_document, "MAX_BYTES", 3)
    (tmp_path / "a").write_text("[1, 2]")
    with pytest.raises(ResultsRefused, match=r"^a: it has more than 3 bytes$"):
        read_json(tmp_path / "a", "a")


def test_values_are_picked_from_any_shape() -> None:
    assert pick({"a": {"b": 1}}, "a", "b") == 1
    others: tuple[object, ...] = (None, [], 1, {"a": 1}, {"a": []})
    assert [pick(value, "a", "b") for value in others] == [None] * 5
    assert pick_text({"a": {"b": "c"}}, "a", "b") == "c"
    assert [pick_text(value, "a") for value in others] == [""] * 5
    assert texts("a", "ids", None) == ()
    wrong: tuple[object, ...] = ({}, [1], "ab")
    for value in wrong:
        with pytest.raises(ResultsRefused, match=r"^a: 'ids' is not a list of texts$"):
            texts("a", "ids", value)
        with pytest.raises(ResultsRefused, match=r"^a: 'rows' is not a list of objects$"):
            objects("a", "rows", value)


def test_files_come_in_order_and_without_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("b/c.json", "b/a.json", "z.json", "a.json"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    (tmp_path / "a/b").mkdir(parents=True)
    (tmp_path / "a/b/up").symlink_to(tmp_path)
    (tmp_path / "link.json").symlink_to(tmp_path / "a.json")
    assert list(places_below(tmp_path)) == ["a.json", "z.json", "b/a.json", "b/c.json"]
    monkeypatch.setattr(report_document, "MAX_FILES", 2)
    with pytest.raises(ResultsRefused, match=r"it has more than 2 files$"):
        list(places_below(tmp_path))


def test_a_directory_is_no_link_and_a_name_leads_to_no_other_one(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").symlink_to(tmp_path / "a")
    (tmp_path / "c").touch()
    found = [is_plain_directory(tmp_path / name) for name in ("a", "b", "c", "d", "n" * 300, "\0")]
    assert found == [True, False, False, False, False, False]
    assert is_name_in_directory("a.b")
    assert not any(map(is_name_in_directory, ("", ".", "..", "/", "a/", "a/b", 5, None, ["a"])))


def test_a_value_as_text() -> None:
    assert [text_of(value) for value in ("é", None, 1.5, {"a": "é"})] == ["é", "", "1.5", '{"a": "é"}']
