"""A small session of Droid as it stores it, and as it prints it."""

from __future__ import annotations

from typing import Any

AT = "2026-01-31T12:00:0{}.000Z"


def message(second: int, role: str, *content: Any, **more: Any) -> dict[str, Any]:
    """A line with a message."""
    inner = {"role": role, "content": list(content), **more}
    return {"type": "message", "id": f"m{second}", "timestamp": AT.format(second), "message": inner}


def text(words: str) -> dict[str, Any]:
    """A block of text."""
    return {"type": "text", "text": words}


STORED_LINES = (
    {"type": "session_start", "id": "d-1", "title": "fix", "sessionTitle": "Correct the sum", "cwd": "/calc"},
    message(1, "user", text("<system-reminder>Be brief.</system-reminder>\n\nFix add.")),
    message(2, "assistant", openaiEncryptedContent="x"),
    message(
        3,
        "assistant",
        {"type": "thinking", "thinking": "Read first."},
        text("I edit."),
        {
            "type": "tool_use",
            "id": "c1",
            "name": "Edit",
            "input": {"file_path": "/calc/calc.py", "old_str": "a - b\n", "new_str": "a + b\n"},
        },
        {"type": "tool_use", "id": "c2", "name": "Execute", "input": {"command": "test"}},
    ),
    message(
        4,
        "user",
        {"type": "tool_result", "tool_use_id": "c1", "content": "Done."},
        {"type": "tool_result", "tool_use_id": "c2", "content": [text("No.")], "is_error": True},
    ),
    {"type": "todo_state", "id": "t", "timestamp": AT.format(5), "todos": {"todos": "1. [pending] Test"}},
    {"type": "compaction_state", "id": "s", "timestamp": AT.format(6), "summaryText": "All is well."},
    message(7, "user", text("Error: no connection."), visibility="user_only"),
    message(8, "assistant", text("Done.")),
)
SETTINGS = {
    "model": "custom:glm-4.6",
    "assistantActiveTimeMs": 2_500,
    "tokenUsage": {
        "inputTokens": 55,
        "outputTokens": 26,
        "cacheReadTokens": 40,
        "cacheCreationTokens": 5,
        "thinkingTokens": 7,
    },
}


def printed(second: int, kind: str, **more: Any) -> dict[str, Any]:
    """A line that is printed, with its time in milliseconds since 1970."""
    return {"type": kind, "session_id": "d-1", "timestamp": 1_769_860_800_000 + 1_000 * second, **more}


PRINTED_LINES = (
    printed(0, "system", subtype="init", cwd="/calc", model="gpt-5"),
    printed(1, "message", role="user", text="Fix add.", id="m1"),
    printed(2, "message", role="assistant", text="I look.", id="m2"),
    printed(3, "tool_call", id="c1", toolName="Execute", parameters={"command": "ls"}),
    printed(3, "tool_call", id="c2", toolName="Read", parameters={"file_path": "/calc/a.py"}),
    printed(4, "tool_result", id="c1", value={"stdout": "calc.py\n", "exitCode": 0}),
    printed(4, "tool_result", id="c2", isError=True, value="No such file."),
    printed(5, "tool_call", toolCallId="c3", toolName="Execute", parameters={"command": "pwd"}),
    printed(6, "tool_result", toolCallId="c3", isError=False, value="/calc"),
    printed(7, "message", role="assistant", text="Done.", id="m3"),
    printed(
        8,
        "completion",
        finalText="Done.",
        durationMs=8_000,
        usage={
            "input_tokens": 55,
            "output_tokens": 26,
            "cache_read_input_tokens": 40,
            "cache_creation_input_tokens": 5,
        },
    ),
    printed(9, "error", message="The connection broke."),
)
