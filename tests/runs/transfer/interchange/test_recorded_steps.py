"""The steps of a run directory with their edits."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from harness.records import FileEdit, RunRecord
from runs.transfer.interchange import recorded_steps
from runs.transfer.interchange.recorded_steps import RecordedSteps, is_moment, is_shallow
from tests.runs.cast import Cast, record


def stored(path: Path, steps: list[Any], edits: list[Any] | None = None) -> RecordedSteps:
    """A run directory with these lines after a header."""
    lines = [{"agent": {"name": "ann"}}, *steps]
    (path / "trajectory.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    if edits is not None:
        (path / "edits.jsonl").write_text("".join(json.dumps(line) + "\n" for line in edits))
    return RecordedSteps(path)


def edit(path: str) -> dict[str, Any]:
    return {"path": path, "change": "added", "added": 1, "removed": 0}


@pytest.mark.django_db
def test_our_own_steps_are_as_recorded_each_with_its_edits() -> None:
    cast = Cast()
    path = record(cast.add_run(cast.alice(), cast.add_tasks(1)[0]))
    found = RecordedSteps(path)

    steps = list(found)

    assert [one.step for one in steps] == list(RunRecord(path).steps())
    changed = {number: edits.files for number, edits in RunRecord(path).edits_by_step()}
    assert changed.keys() == {5}
    assert {one.step.step_id: one.edits for one in steps if one.edits} == changed
    assert (found.left_out, found.header()["agent"]["name"]) == (0, "alice")


def test_lines_that_are_no_steps_are_left_out_and_the_others_numbered(tmp_path: Path) -> None:
    found = stored(
        tmp_path,
        [{"step_id": 4, "source": "user"}, 7, {"source": "user"}, {"step_id": 9, "source": "agent"}],
        [
            {"step_id": 3, "files": [edit("a")]},
            {"step_id": 9, "files": [edit("b")]},
            {"step_id": 9, "files": [edit("c")]},
        ],
    )
    with (tmp_path / "trajectory.jsonl").open("ab") as file:
        file.write(b"[" * 100_000 + b'\n{"step_id": 10, "source": "user"}')

    steps = list(found)

    assert [(one.step.step_id, one.step.source) for one in steps] == [(1, "user"), (2, "agent")]
    assert [one.edits for one in steps] == [(), (FileEdit("b", "added", 1, 0), FileEdit("c", "added", 1, 0))]
    assert found.left_out == 3


def test_a_line_that_is_too_long_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recorded_steps, "MAX_LINE_LENGTH", 100)
    found = stored(
        tmp_path,
        [
            {"step_id": 1, "source": "user", "message": "x" * 250},
            {"step_id": 2, "source": "user", "message": "y"},
        ],
    )
    assert [one.step.message for one in found] == ["y"]
    assert found.left_out == 1


def test_values_of_other_types_become_those_that_forms_need(tmp_path: Path) -> None:
    deep: Any = "end"
    for _ in range(60):
        deep = [deep]
    call = {"tool_call_id": 7, "function_name": None, "arguments": [1]}
    nested = {"tool_call_id": "b", "function_name": "f", "arguments": {"a": deep}}
    result = {"source_call_id": 7, "content": 8}
    found = stored(
        tmp_path,
        [
            {
                "step_id": 1,
                "source": "agent",
                "timestamp": "yesterday",
                "tool_calls": [call, nested],
                "observation": {"results": [result]},
                "extra": {"results": [{"started_at": "noon"}]},
            }
        ],
    )
    (one,) = found
    assert one.step.timestamp == ""
    assert [(call.id, call.name) for call in one.step.calls] == [("7", ""), ("b", "f")]
    assert one.step.calls[0].arguments == {"arguments": "[1]"}
    assert set(one.step.calls[1].arguments) == {"arguments"}
    assert (one.step.results[0].call_id, one.step.results[0].content) == ("7", "8")
    assert one.step.results[0].started_at == ""


def test_a_missing_or_linked_trajectory_has_no_steps(tmp_path: Path) -> None:
    assert list(RecordedSteps(tmp_path)) == []
    assert RecordedSteps(tmp_path).header() == {}
    (tmp_path / "secret").write_text('{}\n{"step_id": 1, "source": "user"}\n')
    (tmp_path / "trajectory.jsonl").symlink_to(tmp_path / "secret")
    assert list(RecordedSteps(tmp_path)) == []


@pytest.mark.parametrize(
    ("text", "valid"),
    [
        ("2026-03-01T12:00:00.123Z", True),
        ("2026-03-01T12:00:00+02:00", True),
        ("2026-03-01T12:00:00", False),
        ("2026-13-01T12:00:00Z", False),
        ("0001-01-01T00:00:00Z", False),
        ("", False),
    ],
)
def test_only_times_that_all_readers_accept_are_exported(text: str, valid: bool) -> None:
    assert is_moment(text) is valid


def test_depth_is_measured_without_recursion() -> None:
    value: Any = 1
    for _ in range(10_000):
        value = {"a": value}
    assert not is_shallow(value)
    assert is_shallow({"a": [[[{}]]]})
