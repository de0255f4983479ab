"""Steps as messages of Inspect's logs, and what its messages have no field for."""

from __future__ import annotations

from typing import Any

from harness.records import Metrics, Step, ToolResult
from runs.transfer.interchange.atif import step_object
from runs.transfer.interchange.recorded_steps import StepWithEdits

OURS = "benchbench"  # the key of what only we write, in the metadata of samples and messages
_OWN = ("timestamp", "metrics", "extra")  # of an ATIF step
_SYSTEM_AND_USER = ("system", "user")
_MAX_ERROR_LENGTH = 1000
_STOP_REASONS = {
    **dict.fromkeys(("stop", "end_turn", "stop_sequence"), "stop"),
    **dict.fromkeys(("length", "max_tokens"), "max_tokens"),
    **dict.fromkeys(("tool_calls", "tool_use", "function_call"), "tool_calls"),
    "content_filter": "content_filter",
}


def messages_of(recorded: StepWithEdits, model: str) -> list[dict[str, Any]]:
    """The messages of a step: one of the system, the user or the assistant, then the results of its calls.

    Under `metadata` of the first stands what Inspect's messages have no field for, in the form of our ATIF steps: time,
    measurements, edits, and whether calls failed.
    """
    step = recorded.step
    first = assistant_message(step, model) if step.source == "agent" else _message(step)
    entry = step_object(recorded)
    own = {name: entry[name] for name in _OWN if name in entry}
    results = (tool_message(step, number) for number in range(1, len(step.results) + 1))
    return [{**first, "metadata": {OURS: {"step": step.step_id, **own}}}, *results]


def _message(step: Step) -> dict[str, Any]:
    """A message of the system or the user; one of another source is shown as the system's."""
    role = step.source if step.source in _SYSTEM_AND_USER else "system"
    return {"id": _id(step), "role": role, "content": step.message, "source": "input"}


def assistant_message(step: Step, model: str) -> dict[str, Any]:
    """The message of an agent's step with its calls."""
    content: Any = step.message
    if step.reasoning:
        content = [
            {"type": "reasoning", "reasoning": step.reasoning},
            *([{"type": "text", "text": step.message}] if step.message else []),
        ]
    calls = [
        {"id": call.id, "function": call.name, "arguments": dict(call.arguments), "type": "function"}
        for call in step.calls
    ]
    return {
        **{"id": _id(step), "role": "assistant", "content": content, "source": "generate", "model": model},
        **({"tool_calls": calls} if calls else {}),
    }


def tool_message(step: Step, number: int) -> dict[str, Any]:
    """The message of a result, whose number in its step counts from 1."""
    result = step.results[number - 1]
    error = error_of(result)
    return {
        "id": result_id(step, number),
        "role": "tool",
        "content": result.content,
        "tool_call_id": result.call_id,
        "function": function_of(step, result),
        **({"error": error} if error else {}),
    }


def error_of(result: ToolResult) -> dict[str, str] | None:
    """Why a call failed, as far as its result says; None if it did not fail, or if that is unknown."""
    if result.ok is not False:
        return None
    return {"type": "unknown", "message": result.content[:_MAX_ERROR_LENGTH] or "failed"}


def function_of(step: Step, result: ToolResult) -> str:
    """The tool of a result; '' if the step has no such call."""
    return next((call.name for call in step.calls if call.id == result.call_id), "")


def result_id(step: Step, number: int) -> str:
    """The id of the message of a result."""
    return f"{_id(step)}-result-{number}"


def stop_reason(step: Step) -> str:
    """Why the response ended, in Inspect's words."""
    reason = step.metrics.finish_reason if step.metrics else ""
    if not reason:
        return "tool_calls" if step.calls else "stop"
    return _STOP_REASONS.get(reason, "unknown")


def output_of(step: Step, model: str) -> dict[str, Any]:
    """The response of an agent's step, without its metadata."""
    output: dict[str, Any] = {
        "model": model,
        "choices": [{"message": assistant_message(step, model), "stop_reason": stop_reason(step)}],
        "completion": step.message,
    }
    if step.metrics is None:
        return output
    if (usage := usage_of(step.metrics)) is not None:
        output["usage"] = usage
    if step.metrics.seconds is not None:
        output["time"] = step.metrics.seconds
    return output


def usage_of(metrics: Metrics) -> dict[str, int | float] | None:
    """The usage of a response; None if its tokens are unknown. Inspect's input is without what a cache took part in."""
    sent, received = metrics.prompt_tokens, metrics.completion_tokens
    if sent is None or received is None:
        return None
    cached = min(metrics.cached_tokens or 0, sent)
    written = min(metrics.written_tokens, sent - cached)
    more = {
        "input_tokens_cache_read": None if metrics.cached_tokens is None else cached,
        "input_tokens_cache_write": written or None,
        "reasoning_tokens": metrics.reasoning_tokens,
        "total_cost": metrics.cost_usd,
    }
    return {
        "input_tokens": sent - cached - written,
        "output_tokens": received,
        "total_tokens": sent + received,
        **{name: value for name, value in more.items() if value is not None},
    }


def _id(step: Step) -> str:
    return f"step-{step.step_id}"
