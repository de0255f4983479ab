"""Records of every kind of run, and steps as no harness of ours writes them."""

from __future__ import annotations

from typing import Any

from harness.records import FileEdit, Metrics, ToolCall, ToolResult, UserTurn
from runs.models import Run
from tests.runs.cast import DIFF, act, record_dialogue, recorder_of

CALL = {"tool_call_id": "a", "function_name": "ls", "arguments": {}}
HOSTILE: tuple[dict[str, Any], ...] = (
    {"source": "user", "tool_calls": [CALL], "metrics": {"prompt_tokens": 3}, "reasoning_content": "hm"},
    {"source": "robot", "message": 7, "timestamp": "yesterday"},
    {"source": "agent", "observation": {"results": [{"source_call_id": "b", "content": "?"}]}},
    {
        "source": "agent",
        "tool_calls": [CALL, CALL],
        "observation": {"results": [{"content": [{"text": "x"}]}]},
    },
    {"source": "agent", "metrics": {"prompt_tokens": -3, "cost_usd": "much", "cached_tokens": 1.5}},
    {"source": "agent", "metrics": {}, "reasoning_content": ["a"], "extra": {"model": {"retries": [1, {}]}}},
    {"source": "system", "message": "half \ud800", "unknown": {"field": float("nan")}},
    {"source": "agent", "reasoning_content": "no model"},
)


def of_ide(found: Run) -> None:
    """Everything that the record of a response can hold."""
    recorder = recorder_of(found)
    recorder.step("system", "You work on a repository.")
    recorder.step("user", "Mend the tide.")
    edit = FileEdit("tide.py", "modified", 1, 1, syntax_ok=True, diff=DIFF)
    act(recorder, "edit_file", {"path": "tide.py", "deep": {"a": [1, None]}}, edits=[edit])
    calls = [ToolCall("c1", "read_file", {"path": "ü.py"}), ToolCall("c2", "screenshot", {})]
    pictured = ToolResult("c2", "taken", True, 1.5, ("step-4-1.png",), "2026-03-01T12:00:00.250Z")
    metrics = Metrics(10, 9, 3, 0.5, 2.25, "tool_calls", ("429",), 4, 1.5, 5, ("a comma",))
    recorder.step(
        "agent",
        "",
        reasoning="Let me see.",
        calls=calls,
        results=[ToolResult("c1", "no file", False, 0.0), pictured],
        metrics=metrics,
    )
    step = recorder.step("agent", "", calls=[ToolCall("c1", "run", {})], metrics=Metrics())
    recorder.edits(step.step_id, [FileEdit("b.bin", "added", 0, 0, True), FileEdit("c", "deleted", 0, 2)])
    recorder.step("agent", "Done.", metrics=Metrics(0, 0, 0, None, None, reasoning_tokens=0))
    recorder.patch(("diff --git a/tide.py b/tide.py\n" + DIFF).encode())


def of_calibration(found: Run) -> None:
    """Steps without a model."""
    recorder = recorder_of(found)
    recorder.step("user", "Mend the tide.")
    step = recorder.step("agent", "The reference patch is applied.")
    recorder.edits(step.step_id, [FileEdit("tide.py", "modified", 1, 1, diff=DIFF)])


def of_person(found: Run) -> None:
    """Calls of a person: no tokens."""
    recorder = recorder_of(found)
    recorder.step("user", "Mend the tide.")
    calls = [ToolCall("1", "run_terminal_cmd", {"command": "make > log"})]
    recorder.step("agent", "", calls=calls, results=[ToolResult("1", "ok", True, 3.0)])


def of_workflow(found: Run) -> None:
    """A dialogue with a simulated user."""
    record_dialogue(found, UserTurn(0, "ada/x", 5, 5, None, 1.0, 1))


def of_other_tool(found: Run) -> None:
    """Unknown values, as imported trajectories have them."""
    recorder = recorder_of(found)
    recorder.step("user", "Mend the tide.")
    calls = [ToolCall("1", "bash", {"command": "sed -i s/0/1/ tide.py"})]
    unknown = Metrics(None, None, None, None, None)
    recorder.step("agent", "", calls=calls, results=[ToolResult("1", "", None, None)], metrics=unknown)


ALL_KINDS = (of_ide, of_calibration, of_person, of_workflow, of_other_tool)
