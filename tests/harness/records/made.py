"""A run that the tests of this package write and read."""

from __future__ import annotations

import json

from harness.limits import Ending
from harness.records import Flag, Identity, Outcome, RunRecorder, RunSummary

IDENTITY = Identity(
    run_id="e/a/r/t/1",
    evaluation="e",
    dataset="d",
    dataset_version="1",
    repository="r",
    task="t",
    task_digest="0" * 64,
    agent="a",
    agent_name="A",
    agent_kind="ide",
    attempt=1,
    model="openai/x",
    settings={"temperature": 0.1},
)

SUMMARY = RunSummary(
    identity=IDENTITY,
    outcome=Outcome.RESOLVED,
    ending=Ending.COMPLETED,
    detail="",
    started_at="2026-01-01T00:00:00.000Z",
    finished_at="2026-01-01T00:01:00.000Z",
    prepare_seconds=1.0,
    act_seconds=2.0,
    grade_seconds=3.0,
    steps=4,
    iterations=3,
    tool_calls=2,
    failed_calls=1,
    prompt_tokens=100,
    completion_tokens=10,
    cached_tokens=50,
    cost_usd=None,
    tests_total=8,
    tests_passed=8,
    files_changed=1,
    lines_added=2,
    lines_removed=1,
    flags=(Flag("protected", "conftest.py", "not carried over"),),
)


def lines(recorder: RunRecorder, name: str = "trajectory.jsonl") -> list[dict[str, object]]:
    """The JSON lines of a file of its run directory."""
    return [json.loads(line) for line in (recorder.directory / name).read_bytes().splitlines()]
