"""Steps from messages in the form of OpenAI's chat API, which several tools store."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from harness.records import Metrics, ToolCall
from runs.intake.reported.report_document import pick, pick_objects, text_of
from runs.intake.reported.step_readers.step_builder import amount, call_of, whole


def content_text(content: Any) -> str:
    """The text of a message's content: a text, or a list of parts. Pictures are named, not shown."""
    if isinstance(content, list):
        return "\n".join(filter(None, map(_part, content)))
    return text_of(content)


def _part(part: Any) -> str:
    if isinstance(part, str):
        return part
    for name in ("text", "content", "refusal"):
        value = pick(part, name)
        if isinstance(value, str):
            return value
    kind = pick(part, "type")
    return f"[{kind[:40]}]" if isinstance(kind, str) and kind else ""


def chat_calls(message: Mapping[str, Any]) -> tuple[ToolCall, ...]:
    """The tool calls of a message."""
    return tuple(map(_call, pick_objects(message, "tool_calls")))


def _call(call: Mapping[str, Any]) -> ToolCall:
    function = call.get("function")
    about = function if isinstance(function, dict) else call
    name = function if isinstance(function, str) else about.get("name")
    return call_of(call.get("id"), name, about.get("arguments", about.get("args")))


def chat_usage(usage: Any, cost: Any = None, seconds: float | None = None, finish: Any = None) -> Metrics:
    """The measurements of a response, from a usage object of Anthropic's API or OpenAI's, as LiteLLM gives it, too."""
    if not isinstance(usage, dict):
        return Metrics(None, None, None, amount(cost), seconds, text_of(finish)[:200])
    names = ("cache_creation_input_tokens", "cache_read_input_tokens", "prompt_tokens", "input_tokens")
    written, read, sent, rest = (whole(usage.get(name)) for name in names)
    if sent is None and rest is not None:
        sent = rest + (written or 0) + (read or 0)  # Anthropic counts those of its cache beside the others
    received = whole(usage.get("completion_tokens"))
    details = usage.get("prompt_tokens_details") or usage.get("input_tokens_details")
    more = usage.get("completion_tokens_details") or usage.get("output_tokens_details")
    cached = whole(pick(details, "cached_tokens"))
    return Metrics(
        prompt_tokens=sent,
        completion_tokens=whole(usage.get("output_tokens")) if received is None else received,
        cached_tokens=read if cached is None else cached,
        cost_usd=amount(cost),
        seconds=seconds,
        finish_reason=text_of(finish)[:200],
        written_tokens=written or 0,
        reasoning_tokens=whole(pick(more, "reasoning_tokens")),
    )
