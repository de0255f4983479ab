"""Samples of Inspect's logs, written by hand from its schema, with pools and attachments as in newer versions."""

from __future__ import annotations

import io
import json
from typing import Any

from runs.intake.reported.step_readers.json_part import JsonPart

USAGE = {
    "input_tokens": 100,
    "input_tokens_cache_read": 30,
    "input_tokens_cache_write": 5,
    "output_tokens": 20,
    "reasoning_tokens": 7,
    "total_tokens": 155,
    "total_cost": 0.25,
}
TIMES = {"timestamp": "2026-01-02T03:04:05+00:00", "completed": "2026-01-02T03:04:07+00:00"}


def assistant(number: int, content: Any = "", *calls: dict[str, Any]) -> dict[str, Any]:
    """A message of a model."""
    return {"role": "assistant", "id": f"m{number}", "content": content, "tool_calls": list(calls)}


def called(call_id: str, function: str = "bash", **arguments: Any) -> dict[str, Any]:
    """A call in such a message."""
    return {"id": call_id, "function": function, "arguments": arguments, "type": "function"}


def model(message: dict[str, Any], refs: list[Any] | None = None, **more: Any) -> dict[str, Any]:
    """The event of a model call."""
    choices = [{"message": message, "stop_reason": "tool_calls"}]
    output = {"model": "m", "choices": choices, "usage": USAGE}
    return {
        "event": "model",
        "model": "m",
        "input": [],
        "input_refs": refs or [],
        "output": output,
        **TIMES,
        **more,
    }


def tool(call_id: str, result: Any = "", **more: Any) -> dict[str, Any]:
    """The event of a tool call."""
    return {
        "event": "tool",
        "id": call_id,
        "function": "bash",
        "arguments": {},
        "result": result,
        "working_time": 0.5,
        **TIMES,
        **more,
    }


def sample(**values: Any) -> JsonPart:
    """A sample with these values."""
    data = json.dumps({"id": "fix", "epoch": 1, "input": "Fix it", "target": "", **values}).encode()
    return JsonPart("a.eval, samples/fix_epoch_1.json", len(data), lambda: io.BytesIO(data))


POOL = [
    {"role": "system", "id": "s", "content": "You are careful."},
    {"role": "user", "id": "u", "content": [{"type": "text", "text": "attachment://long"}, {"type": "image", "image": "attachment://png"}]},
    assistant(1, "Look.", called("c1", command="cat a.py")),
    {"role": "tool", "id": "t1", "tool_call_id": "c1", "function": "bash", "content": "attachment://out"},
]  # fmt: skip
EVENTS = [
    {"event": "span_begin", "id": "A", "parent_id": None, "type": "agent", "name": "react"},
    model(
        assistant(
            1,
            [
                {"type": "reasoning", "reasoning": "First I look.", "signature": "x", "redacted": False},
                {"type": "text", "text": "Look."},
            ],
            called("c1", command="cat a.py"),
            called("c2", "failing", x=7),
        ),
        [[0, 2]],
        span_id="A",
        working_time=1.5,
    ),
    {"event": "span_begin", "id": "T", "parent_id": "A", "type": "tool", "name": "bash"},
    tool("c1", "attachment://out", span_id="A"),
    {"event": "sandbox", "action": "exec", "span_id": "T", "cmd": "cat a.py", "result": 3},
    {"event": "span_end", "id": "T"},
    tool("c2", "", span_id="A", function="failing", error={"type": "unknown", "message": "bad x: 7"}),
    model(assistant(2, "Done."), [[0, 4]], span_id="A"),
    {"event": "span_end", "id": "A"},
]
ATTACHMENTS = {"long": "Fix add in a.py.", "out": "def add(a, b): ...\n", "png": "data:image/png;base64,AAAA"}


def whole_sample(**values: Any) -> JsonPart:
    """A sample of two model calls and two tool calls, one of which failed."""
    given = {
        "messages": [*POOL, assistant(2, "Done.")],
        "events": EVENTS,
        "attachments": ATTACHMENTS,
        "events_data": {"messages": POOL, "calls": []},
    }
    return sample(**{**given, **values})
