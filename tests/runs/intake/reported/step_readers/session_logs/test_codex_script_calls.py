"""Calls in scripts of Codex: commands, changed files, tools of servers."""

from __future__ import annotations

from typing import Any

import pytest

from harness.records import ToolCall, ToolResult
from runs.intake.reported.step_readers.session_logs.codex_script_calls import (
    script_call,
    script_result,
    seconds_of,
)

CALLS: list[tuple[dict[str, Any], str, dict[str, Any], str, bool | None]] = [
    (
        {
            "type": "CommandExecution",
            "command": ["bash", "-lc", "make"],
            "aggregated_output": "a",
            "exit_code": 2,
        },
        *("exec_command", {"cmd": "make"}, "Exit code: 2\nOutput:\na", True),
    ),
    (
        {
            "type": "CommandExecution",
            "command": ["git", "log"],
            "aggregated_output": None,
            "status": "declined",
        },
        *("exec_command", {"cmd": ["git", "log"]}, "", False),
    ),
    (
        {
            "type": "FileChange",
            "changes": {"a.py": {}},
            "stdout": "Success.",
            "stderr": "",
            "status": "completed",
        },
        *("apply_patch", {"changes": [{"path": "a.py"}]}, "Success.", True),
    ),
    ({"type": "FileChange", "changes": [1]}, "apply_patch", {"changes": []}, "", None),
    (
        {
            "type": "McpToolCall",
            "tool": "find",
            "arguments": {"q": 1},
            "error": {"message": "no"},
            "status": "failed",
        },
        *("find", {"q": 1}, "no", False),
    ),
]


@pytest.mark.parametrize(("item", "name", "arguments", "content", "ok"), CALLS)
def test_an_item_is_a_call_with_its_result(
    item: dict[str, Any], name: str, arguments: dict[str, Any], content: str, ok: bool | None
) -> None:
    assert script_call({"id": "exec-1", **item}) == (
        ToolCall("exec-1", name, arguments),
        ToolResult("exec-1", content, ok, None),
    )


def test_other_items_are_no_calls() -> None:
    kinds: tuple[Any, ...] = ("AgentMessage", "Reasoning", "UserMessage", None, 7, [])
    for kind in kinds:
        assert script_call({"type": kind, "id": "exec-1"}) is None


def test_the_result_of_a_script_says_whether_it_ran_to_its_end() -> None:
    said = ("Script completed\nWall time 0.1 seconds", "Script failed\n", "Script running with cell ID 1", "")
    assert [script_result(content) for content in said] == [True, False, None, None]


def test_seconds_are_those_of_the_duration() -> None:
    assert seconds_of({"duration": {"secs": 1, "nanos": 5 * 10**8}}) == 1.5
    assert seconds_of({"duration": 3}) is None
