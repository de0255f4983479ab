"""Whether a file or a record is the beginning of another one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from harness.records import TRAJECTORY
from runs.intake.reported.growing.beginnings import is_beginning_of_file, is_beginning_of_record


def step(
    number: int, message: str = "I look.", *results: str, source: str = "agent", **more: Any
) -> dict[str, Any]:
    """A step of a record, with a call for each of its results."""
    ids = [f"c{number}-{place}" for place in range(len(results))]
    found = [{"source_call_id": name, "content": text} for name, text in zip(ids, results, strict=True)]
    calls = [{"tool_call_id": name, "function_name": "sh", "arguments": {}} for name in ids]
    acted = {"tool_calls": calls, "observation": {"results": found}} if results else {}
    return {"step_id": number, "timestamp": "", "source": source, "message": message, **acted, **more}


def record(home: Path, *steps: dict[str, Any]) -> Path:
    """A run directory with these steps."""
    home.mkdir(parents=True, exist_ok=True)
    head = {"session_id": home.name}
    (home / TRAJECTORY).write_text("".join(json.dumps(line) + "\n" for line in (head, *steps)))
    return home


@pytest.mark.parametrize(
    ("older", "newer", "is_beginning"),
    [
        ("", "a", True),
        ("ab", "abc", True),
        ("abc", "abc", True),
        ("abc", "ab", False),
        ("xb", "abc", False),
    ],
)
def test_a_file_begins_with_another_one_byte_by_byte(
    tmp_path: Path, older: str, newer: str, is_beginning: bool
) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.write_text(older)
    two.write_text(newer)
    assert is_beginning_of_file(one, two) is is_beginning


def test_what_is_not_there_is_no_beginning(tmp_path: Path) -> None:
    there = record(tmp_path / "there", step(1))
    assert not is_beginning_of_file(tmp_path / "missing", there / TRAJECTORY)
    assert not is_beginning_of_file(there / TRAJECTORY, tmp_path)
    assert not is_beginning_of_record(tmp_path / "missing", there)
    assert not is_beginning_of_record(there, tmp_path / "missing")


@pytest.mark.parametrize("damage", ["{", "7", "[" * 100_000])
def test_a_damaged_record_is_no_beginning(tmp_path: Path, damage: str) -> None:
    damaged, whole = record(tmp_path / "damaged", step(1)), record(tmp_path / "whole", step(1), step(2))
    with (damaged / TRAJECTORY).open("a") as file:
        file.write(damage)
    assert not is_beginning_of_record(damaged, whole)
    assert not is_beginning_of_record(whole, damaged)


def test_further_steps_go_on_whatever_the_heads_and_the_measurements_say(tmp_path: Path) -> None:
    older = record(tmp_path / "older", step(1, metrics={"prompt_tokens": 1}), step(2, "Done."))
    newer = record(tmp_path / "newer", step(1, extra={"model": {}}), step(2, "Done."), step(3))
    assert is_beginning_of_record(older, newer)
    assert not is_beginning_of_record(newer, older)


@pytest.mark.parametrize(
    ("last", "later", "goes_on"),
    [
        (step(2, "I"), step(2, "I look."), True),
        (step(2, "I look.", "a"), step(2, "I look.", "a", "b"), True),
        (step(2, reasoning_content="Wh"), step(2, reasoning_content="Where?"), True),
        (step(2), step(2, "I look.", "a"), True),
        (step(2, "I look.", "a"), step(2, "I look.", "b"), False),
        (step(2, "I look.", "a"), step(2), False),
        (step(2, source="user"), step(2), False),
        (step(2, "You look."), step(2), False),
    ],
)
def test_only_the_last_step_may_have_gone_on(
    tmp_path: Path, last: dict[str, Any], later: dict[str, Any], goes_on: bool
) -> None:
    newer = record(tmp_path / "newer", step(1), later, step(3))
    assert is_beginning_of_record(record(tmp_path / "older", step(1), last), newer) is goes_on
    assert not is_beginning_of_record(record(tmp_path / "other", step(1), step(2, "x"), step(3)), newer)
