"""What readers of Inspect's logs need: the fields that they require, and references that lead somewhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

_LIMITS = {"context", "time", "working", "message", "token", "turn", "cost", "operator", "custom"}
_STOPS = {"stop", "max_tokens", "model_length", "tool_calls", "content_filter", "unknown"}
_USAGE = {
    *("input_tokens", "output_tokens", "total_tokens", "input_tokens_cache_read"),
    *("input_tokens_cache_write", "reasoning_tokens", "total_cost"),
}
_REQUIRED = {
    "model": {"model", "input", "tools", "tool_choice", "config", "output", "completed"},
    "tool": {"id", "function", "arguments", "result", "completed", "message_id"},
    "sample_init": {"sample", "state"},
    "score": {"score", "target", "intermediate"},
}


def header_problems(header: Mapping[str, Any]) -> list[str]:
    """What is missing in `header.json`."""
    parts = {
        "log": (header, ("version", "status", "eval", "plan", "results", "stats")),
        "eval": (header["eval"], ("created", "task", "dataset", "model", "config")),
        "results": (header["results"], ("total_samples", "completed_samples", "scores")),
    }
    missing = [
        f"{name} lacks {each}" for name, (part, names) in parts.items() for each in names if each not in part
    ]
    scores = [
        score for score in header["results"]["scores"] if not {"name", "scorer", "metrics"} <= score.keys()
    ]
    return [*missing, *(["a score is not complete"] if scores else [])]


def sample_problems(sample: Mapping[str, Any]) -> list[str]:
    """What is invalid in a sample."""
    return [*_sample(sample), *(problem for event in sample["events"] for problem in _event(sample, event))]


def _sample(sample: Mapping[str, Any]) -> Iterator[str]:
    yield from (f"no {name}" for name in ("id", "epoch", "input", "target") if name not in sample)
    if "limit" in sample and sample["limit"]["type"] not in _LIMITS:
        yield "limit"
    if "error" in sample and set(sample["error"]) != {"message", "traceback", "traceback_ansi"}:
        yield "error"
    for usage in sample.get("model_usage", {}).values():
        yield from _usage(usage)
    pool = sample["events_data"]["messages"]
    without = [
        {name: value for name, value in one.items() if name != "metadata"} for one in sample["messages"]
    ]
    if pool != without:
        yield "the pool has other messages"
    for message in pool:
        yield from _message(message)


def _message(message: Mapping[str, Any]) -> Iterator[str]:
    if message["role"] not in {"system", "user", "assistant", "tool"}:
        yield f"role {message['role']}"
    content = message["content"]
    parts = content if isinstance(content, list) else [{"type": "text", "text": content}]
    if any(not isinstance(part[part["type"]], str) for part in parts):
        yield "content"
    for call in message.get("tool_calls", ()):
        if not isinstance(call["arguments"], dict) or not isinstance(call["function"], str):
            yield "call"
    if "error" in message and not message["error"]["message"]:
        yield "an error says nothing"


def _event(sample: Mapping[str, Any], event: Mapping[str, Any]) -> Iterator[str]:
    kind = event["event"]
    if missing := (_REQUIRED[kind] | {"timestamp", "working_start"}) - event.keys():
        yield f"{kind} lacks {sorted(missing)}"
    datetime.fromisoformat(event["timestamp"])
    if event["working_start"] < 0:
        yield "working_start"
    if kind == "model":
        if any(end > len(sample["messages"]) or start >= end for start, end in event["input_refs"]):
            yield "input_refs"
        for choice in event["output"]["choices"]:
            yield from _message(choice["message"])
            if choice["stop_reason"] not in _STOPS:
                yield "stop_reason"
        yield from _usage(event["output"].get("usage", {}))
    if kind == "tool" and event["message_id"] not in [message["id"] for message in sample["messages"]]:
        yield "message_id"


def _usage(usage: Mapping[str, Any]) -> Iterator[str]:
    if not usage.keys() <= _USAGE or any(
        value < 0 or isinstance(value, bool) or (name != "total_cost" and not isinstance(value, int))
        for name, value in usage.items()
    ):
        yield f"usage {usage}"
