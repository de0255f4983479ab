"""Attributes of OpenInference, with which Phoenix and Langfuse observe agents: a name for each part of each message.

https://github.com/Arize-ai/openinference/blob/main/spec/semantic_conventions.md lists the names.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from harness.records import Metrics
from runs.intake.reported.report_document import pick_text
from runs.intake.reported.step_readers.step_builder import amount
from runs.intake.reported.step_readers.traces.traced_messages import answer_of, asked_of
from runs.intake.reported.step_readers.traces.traced_spans import Answer, TracedRequest

KIND = "openinference.span.kind"
TOOL_NAME, INPUT, OUTPUT = "tool.name", "input.value", "output.value"
_MESSAGE = re.compile(r"llm\.(input|output)_messages\.(\d{1,5})\.message\.(.{1,200})", re.DOTALL)
_CALL = re.compile(r"tool_calls\.(\d{1,5})\.tool_call\.(id|function\.name|function\.arguments)")
_PART = re.compile(r"contents\.(\d{1,5})\.message_content\.(type|text)")
_FIELDS = frozenset({"role", "content", "tool_call_id"})


def messages_of(attributes: Mapping[str, Any]) -> tuple[TracedRequest, Answer]:
    """The request and the response of a span, from the parts of their messages or as a whole."""
    found: dict[str, dict[int, dict[str, Any]]] = {"input": {}, "output": {}}
    for name, value in attributes.items():
        if part := _MESSAGE.fullmatch(name):
            message = found[part[1]].setdefault(int(part[2]), {})
            _add(message, part[3], value)
    asked, answer = (
        [_message(message) for _, message in sorted(listed.items())] for listed in found.values()
    )
    return (
        asked_of(asked or attributes.get(INPUT, [])),
        answer_of(answer or attributes.get(OUTPUT)),
    )


def _add(message: dict[str, Any], name: str, value: Any) -> None:
    """Adds a part of a message to those that are known."""
    if name in _FIELDS:
        message[name] = value
    elif call := _CALL.fullmatch(name):
        message.setdefault("calls", {}).setdefault(int(call[1]), {})[call[2].rpartition(".")[2]] = value
    elif part := _PART.fullmatch(name):
        message.setdefault("parts", {}).setdefault(int(part[1]), {})[part[2]] = value


def _message(found: Mapping[str, Any]) -> dict[str, Any]:
    """A message in the form of OpenAI's chat API."""
    parts = [part for _, part in sorted(found.get("parts", {}).items())]
    calls = [call for _, call in sorted(found.get("calls", {}).items())]
    fields = {name: found[name] for name in _FIELDS if name in found}
    return {"content": parts, **fields, "tool_calls": calls}


def metrics_of(attributes: Mapping[str, Any], number: Any, seconds: float | None) -> Metrics:
    """The measurements of a request. `number` reads a count. Tokens of the cache are among those sent."""

    def count(name: str) -> int | None:
        found: int | None = number(attributes.get(f"llm.token_count.{name}"))
        return found

    return Metrics(
        count("prompt"),
        count("completion"),
        count("prompt_details.cache_read"),
        amount(attributes.get("llm.cost.total")) or None,
        seconds,
        written_tokens=count("prompt_details.cache_write") or 0,
        reasoning_tokens=count("completion_details.reasoning"),
    )


def model_of(attributes: Mapping[str, Any]) -> str:
    """The model, after its provider."""
    provider = pick_text(attributes, "llm.provider") or pick_text(attributes, "llm.system")
    model = pick_text(attributes, "llm.model_name")
    return f"{provider}/{model}" if provider and model and "/" not in model else model
