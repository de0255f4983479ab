"""The tool calls of runs as rows."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime

import pytest
from django.test import Client

from harness.records import RunRecorder, ToolCall, ToolResult
from harness.tools.inside.protocol import SYNTAX_REFUSAL
from runs.models import Run
from runs.transfer.export_tables import call_rows
from runs.transfer.export_tables.call_rows import CALL_COLUMNS, call_batches
from runs.transfer.run_rows import Row
from tests.runs.cast import Cast, identity_of, record

pytestmark = pytest.mark.django_db


def rows(size: int = call_rows.BATCH) -> list[Row]:
    return [row for batch in call_batches(Run.objects.all(), size) for row in batch]


def called(run: Run, calls: Sequence[tuple[ToolCall, ToolResult | None]]) -> None:
    """A trajectory of one step with these calls."""
    recorder = RunRecorder(run.path, identity_of(run))
    results = [result for _, result in calls if result]
    recorder.step("agent", "Go.", calls=[call for call, _ in calls], results=results)


def call(number: int, tool: str = "edit_file", **arguments: str) -> ToolCall:
    return ToolCall(str(number), tool, {"path": "/app/tide.py", **arguments})


def test_each_call_is_a_row_in_order_failed_edits_included(cast: Cast) -> None:
    run = cast.add_run(cast.alice(), cast.add_tasks(1)[0])
    start = "2026-03-01T12:00:00.500Z"
    called(
        run,
        [
            (call(1), ToolResult("1", "1 operation made", True, 0.5, started_at=start)),
            (call(2), ToolResult("2", f"{SYNTAX_REFUSAL} line 2", False, 0.1)),
            (call(3), ToolResult("3", "path: missing", False, 0.0)),
            (call(4), ToolResult("4", "There is no file", False, 0.1)),
            (call(5, "run_terminal_cmd", command="make"), ToolResult("5", "exit code: 2\n", True, 9.0)),
            (call(6), None),
        ],
    )

    found = rows()

    assert list(found[0]) == [column.name for column in CALL_COLUMNS]
    assert [(row["run"], row["step"], row["number"]) for row in found] == [
        (run.pk, 1, number) for number in range(1, 7)
    ]
    assert [row["error"] for row in found] == [
        *(None, "syntax", "refused", "failed", "exit_code", "no_result"),
    ]
    assert (found[0]["tool"], found[0]["kind"], found[0]["paths"]) == ("edit_file", "edit", ["tide.py"])
    assert found[0]["started_at"] == datetime(2026, 3, 1, 12, 0, 0, 500_000, tzinfo=UTC)
    assert (found[4]["seconds"], found[4]["ok"], found[4]["exit_code"]) == (9.0, True, 2)
    assert (found[5]["seconds"], found[5]["ok"], found[5]["started_at"]) == (None, None, None)


def test_what_another_tool_does_not_say_is_null_and_its_workspace_is_its_own(cast: Cast) -> None:
    run = cast.add_run(cast.alice(), cast.add_tasks(1)[0], outcome="")
    calls = [call(1, path="/testbed/a.py"), call(2), call(3)]
    unknown, failed = ToolResult("1", "done", None, None), ToolResult("2", "no such text", False, None)
    called(run, [(calls[0], unknown), (calls[1], failed), (calls[2], ToolResult("3", "?", False, 0.0))])
    path = run.path / "trajectory.jsonl"
    header, steps = path.read_text().split("\n", 1)
    about = {**json.loads(header), "extra": {"workdir": "/testbed"}}
    path.write_text(f"{json.dumps(about)}\n{steps}")

    found = rows()

    assert [(row["ok"], row["seconds"], row["error"]) for row in found] == [
        (None, None, None),
        (False, None, "failed"),
        (False, 0.0, "refused"),
    ]
    assert found[0]["paths"] == ["a.py"]


def test_runs_that_go_on_or_that_the_infrastructure_failed_have_no_rows(cast: Cast) -> None:
    (task,) = cast.add_tasks(1)
    alice = cast.alice()
    record(cast.add_run(alice, task, 1, state="running", outcome=""))
    record(cast.add_run(alice, task, 2, outcome="infrastructure_failed"))
    cast.add_run(alice, task, 3)
    assert rows() == []


def test_of_a_broken_trajectory_the_calls_before_the_invalid_line_are_rows(cast: Cast) -> None:
    run = cast.add_run(cast.alice(), cast.add_tasks(1)[0])
    path = record(run) / "trajectory.jsonl"
    before = rows()
    hostile = b'{"step_id": 9, "source": "agent", "tool_calls": [{"tool_call_id": 1, "function_name": 2}]}\n'
    path.write_bytes(path.read_bytes() + hostile + b"[" * 100_000 + b"\n")
    assert len(before) == 5
    assert rows() == before


def test_rows_come_in_batches_up_to_a_limit(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    (task,) = cast.add_tasks(1)
    alice = cast.alice()
    for attempt in (1, 2):
        record(cast.add_run(alice, task, attempt))
    assert [len(batch) for batch in call_batches(Run.objects.all(), size=4)] == [4, 4, 2]
    monkeypatch.setattr(call_rows, "MAX_CALLS", 6)
    assert [len(batch) for batch in call_batches(Run.objects.all(), size=4)] == [4, 2]


def test_an_export_of_too_many_calls_is_refused(
    client: Client, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    cast.add_run(cast.alice(), cast.add_tasks(1)[0], tool_calls=7)
    monkeypatch.setattr(call_rows, "MAX_CALLS", 6)

    response = client.get("/exports/calls.jsonl")

    assert response.status_code == 400
    assert response.json()["detail"].startswith("These runs have 7 tool calls, and at most 6 are exported")
    assert client.get("/exports/calls.parquet?agent=bob").status_code == 200
