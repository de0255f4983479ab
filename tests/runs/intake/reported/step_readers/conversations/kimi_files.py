"""Small sessions of Kimi Code and of the Kimi CLI before it, as they write them."""

from __future__ import annotations

from typing import Any

BEGUN = 1_769_860_800_000  # milliseconds since 1970


def change(second: int, kind: str, **more: Any) -> dict[str, Any]:
    """A line of a session of Kimi Code."""
    return {"type": kind, **more, "time": BEGUN + 1_000 * second}


def looped(second: int, kind: str, **event: Any) -> dict[str, Any]:
    """A line about a step of the agent."""
    return change(second, "context.append_loop_event", event={"type": kind, **event})


def told_user(second: int, text: str, origin: str = "user") -> dict[str, Any]:
    """A line with a message to the agent."""
    message = {"role": "user", "content": [{"type": "text", "text": text}], "origin": {"kind": origin}}
    return change(second, "context.append_message", message=message)


def usage(rest: int, received: int) -> dict[str, int]:
    """What a request used, with 40 tokens that were read from the cache and 5 written to it."""
    return {"inputOther": rest, "output": received, "inputCacheRead": 40, "inputCacheCreation": 5}


def step(
    begun: int, name: str, *events: dict[str, Any], rest: int = 55, received: int = 20
) -> list[dict[str, Any]]:
    """The lines of a step, which takes three seconds."""
    used = usage(rest, received)
    return [
        looped(begun, "step.begin", uuid=name),
        *events,
        looped(
            begun + 3,
            "step.end",
            uuid=name,
            usage=used,
            finishReason="tool_use",
            llmFirstTokenLatencyMs=1_000,
            llmStreamDurationMs=500,
        ),
        change(begun + 3, "usage.record", usage=used),
    ]


HEAD = {"type": "metadata", "protocol_version": "1.5", "created_at": BEGUN}
CODE_LINES = (
    HEAD,
    change(0, "profile.bind", systemPrompt="You mend."),
    told_user(1, "Fix add."),
    told_user(1, "It is Monday.", "injection"),
    change(2, "llm.request", provider="kimi", model="kimi-k2", modelAlias="moonshot-ai/kimi-k2"),
    *step(
        2,
        "s1",
        looped(3, "content.part", part={"type": "think", "think": "Read first."}),
        looped(3, "content.part", part={"type": "text", "text": "I edit."}),
        looped(
            3,
            "tool.call",
            toolCallId="c1",
            name="Edit",
            args={"path": "/calc/calc.py", "old_string": "a - b\n", "new_string": "a + b\n"},
        ),
        looped(3, "tool.call", toolCallId="c2", name="Bash", args={"command": "test"}),
        looped(4, "tool.result", toolCallId="c1", result={"output": "Done.", "durationMs": 250}),
        looped(4, "tool.result", toolCallId="c2", result={"output": "No such tool.", "isError": True}),
    ),
    *step(8, "s2", looped(9, "content.part", part={"type": "text", "text": "Done."}), received=6),
)
SUB_LINES = (
    HEAD,
    change(0, "profile.bind", systemPrompt="You look."),
    told_user(5, "Look.", "system_trigger"),
    *step(5, "t1", looped(6, "content.part", part={"type": "text", "text": "I looked."}), rest=1, received=2),
)
STATE = {"title": "Correct the sum", "cwd": "/calc", "agents": {"main": {}}}


def event(second: float, kind: str, **payload: Any) -> dict[str, Any]:
    """A line of a session of the Kimi CLI."""
    return {"timestamp": BEGUN / 1000 + second, "message": {"type": kind, "payload": payload}}


def called(call_id: str, name: str, arguments: str) -> dict[str, Any]:
    """What a line about a call says."""
    return {"type": "function", "id": call_id, "function": {"name": name, "arguments": arguments}}


CLI_LINES = (
    {"type": "metadata", "protocol_version": "1.3"},
    event(0, "TurnBegin", user_input="Fix add."),
    event(1, "StepBegin", n=1),
    event(2, "ContentPart", type="think", think="Read first."),
    event(2, "ContentPart", type="text", text="I look."),
    event(2, "ToolCall", **called("c1", "Shell", '{"command": "ls"}')),
    event(2, "ToolCall", **called("c2", "Task", "{}")),
    event(
        3,
        "StatusUpdate",
        token_usage={"input_other": 55, "output": 20, "input_cache_read": 40, "input_cache_creation": 5},
    ),
    event(
        3,
        "ToolResult",
        tool_call_id="c1",
        return_value={"is_error": False, "output": "calc.py", "message": "It ran."},
    ),
    event(
        4,
        "SubagentEvent",
        task_tool_call_id="c2",
        event={"type": "ContentPart", "payload": {"type": "text", "text": "I looked."}},
    ),
    event(
        5, "ToolResult", tool_call_id="c2", return_value={"is_error": True, "output": "", "message": "No."}
    ),
    event(6, "StepBegin", n=2),
    event(7, "ContentPart", type="text", text="Done."),
    event(8, "StatusUpdate", context_usage=0.1),
)
