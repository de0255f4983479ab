"""What a traced library asked a model, and what the model returned, as the library had it.

These are messages of the chat APIs of OpenAI or Anthropic, of the Responses API, of Gemini's API, of LangChain, of Koog
or of the conventions of OpenTelemetry, or the request or response around them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from harness.records import ToolCall, ToolResult
from runs.intake.reported.report_document import json_in, pick, pick_list, pick_objects, pick_text, text_of
from runs.intake.reported.step_readers.chat_messages import chat_calls, content_text
from runs.intake.reported.step_readers.step_builder import call_of, id_of
from runs.intake.reported.step_readers.traces.traced_spans import (
    NO_ANSWER,
    Answer,
    RequestMessage,
    TracedRequest,
)

_MESSAGE = frozenset({"role", "content", "tool_calls", "toolName", "call_id", "summary"})
_ANSWERING = frozenset({"assistant", "model", "ai"})
_CALLS = frozenset({"tool_call", "function_call", "function", "tool_use", "tool-call"})
_RESULTS = frozenset({"tool_result", "tool-result", "tool_call_response", "function_call_output"})
_THOUGHTS = frozenset({"thinking", "reasoning"})


def parsed(value: Any) -> Any:
    """A value, or that of a text that is JSON."""
    found = json_in(value) if isinstance(value, str) and value.lstrip().startswith(("{", "[")) else None
    return value if found is None else found


def asked_of(value: Any) -> TracedRequest:
    """The request that a library stored. What is no list of messages is a message of the user as a whole."""
    request = parsed(value)
    found: list[RequestMessage] = []
    answers: list[dict[str, Any]] = []
    for message in _requested(request):
        if _role(message) in _ANSWERING:
            answers.append(message)
        else:
            found += _asked(message)
    last = _answer(answers[-1:]) if answers else NO_ANSWER
    return TracedRequest(tuple(one for one in found if one.text.strip() or one.result), len(answers), last)


def answer_of(value: Any) -> Answer:
    """What a model returned."""
    return _answer(_returned(parsed(value)))


def said_by_model(value: Any) -> Answer:
    """A message that says that it is of a model; nothing for anything else."""
    message = parsed(value)
    return _answer([message]) if _role(message) in _ANSWERING else NO_ANSWER


def returned_text(value: Any) -> str:
    """What a call returned, as a text: parts of a message, or other data as JSON."""
    is_data = isinstance(value, list) and any(
        isinstance(one, dict) and not {"type", "text"} & one.keys() for one in value
    )
    return text_of(value) if is_data else content_text(value)


def usage_in(value: Any) -> Any:
    """The usage that the response around a message says; None without one."""
    response = parsed(value)
    return pick(response, "usage") or pick(response, "usage_metadata")


def _role(message: Any) -> str:
    return pick_text(message, "role") or pick_text(message, "type")


def _requested(request: Any) -> list[Any]:
    """The messages of a request."""
    if isinstance(request, list):
        return request
    if not isinstance(request, dict):
        return [{"role": "user", "content": request}]
    instructions = pick(request, "config", "system_instruction") or request.get("system")
    before = [{"role": "system", "content": instructions}] if instructions else []
    for name in ("messages", "contents", "input", "prompt"):
        if isinstance(request.get(name), list):
            return [*before, *request[name]]
        if isinstance(request.get(name), str):
            return [*before, {"role": "user", "content": request[name]}]
    given = pick_list(request, "args")
    return [*before, {"role": "user", "content": given[0] if len(given) == 1 else request or None}]


def _returned(output: Any) -> list[Any]:
    """The messages that a model returned, without the response around them."""
    found = output if isinstance(output, list) and all(isinstance(one, dict) for one in output) else [output]
    if choices := pick_objects(output, "choices"):
        found = [choices[0].get("message")]
    elif candidates := pick_objects(output, "candidates"):
        found = [candidates[0].get("content")]
    elif pick(output, "object") == "response":
        found = pick_list(output, "output")
    return [one for one in found if one is not None]


def _answer(messages: list[Any]) -> Answer:
    thoughts = [pick_text(one, "reasoning_content") or pick_text(one, "reasoning") for one in messages]
    thoughts += [
        pick_text(part, "thinking") or pick_text(part, "content")
        for one in messages
        for part in _parts_of(one)
        if _kind(part) in _THOUGHTS
    ]
    return Answer(
        "\n".join(filter(None, map(_text, messages))),
        "\n\n".join(filter(None, thoughts)),
        tuple(call for one in messages for call in _calls(one)),
    )


def _kind(part: Any) -> str:
    return pick_text(part, "type")


def _parts_of(message: Any) -> list[dict[str, Any]]:
    """The parts of a message, wherever a library has them."""
    return (
        pick_objects(message, "parts")
        or pick_objects(message, "content", "parts")
        or pick_objects(message, "content")
    )


def _is_spoken(part: Any) -> bool:
    """Whether a part of a message is neither a call nor a result nor a thought."""
    kind = _kind(part)
    is_other = kind in _CALLS or kind in _RESULTS or kind in _THOUGHTS
    return not is_other and not any(name in part for name in ("function_call", "function_response"))


def _text(message: Any) -> str:
    content = pick(message, "content")
    if isinstance(content, list):
        spoken = [part for part in content if not isinstance(part, dict) or _is_spoken(part)]
        return content_text(spoken)
    if parts := _parts_of(message):
        texts = (pick_text(part, "text") or pick_text(part, "content") for part in parts if _is_spoken(part))
        return "\n".join(filter(None, texts))
    is_message = isinstance(message, dict) and not _MESSAGE.isdisjoint(message)
    return content_text(content) or pick_text(message, "text") if is_message else text_of(message)


def _calls(message: Any) -> Iterator[ToolCall]:
    if not isinstance(message, dict):
        return
    yield from chat_calls(message) or chat_calls(
        {"tool_calls": pick(message, "additional_kwargs", "tool_calls")}
    )
    for one in (message, *_parts_of(message)):
        given, kind = one.get("function_call"), _kind(one)
        if isinstance(given, dict):
            yield call_of(given.get("id"), given.get("name"), given.get("args", given.get("arguments")))
        elif isinstance(one.get("function"), dict) and one is not message:
            yield from chat_calls({"tool_calls": [one]})
        elif "toolName" in one and kind not in _RESULTS:
            yield call_of(one.get("toolCallId"), one["toolName"], one.get("input", one.get("args")))
        elif kind in _CALLS and "name" in one:
            given = one.get("arguments", one.get("input"))
            yield call_of(one.get("call_id") or one.get("id"), one.get("name"), given)


def _asked(message: Any) -> Iterator[RequestMessage]:
    """What a message of a request says, and the results of calls in it."""
    role = _role(message)
    called = pick(message, "tool_call_id")
    if role == "tool" and called is not None:
        yield _result(called, returned_text(pick(message, "content")))
        return
    for part in (message, *_parts_of(message)):
        if _kind(part) in _RESULTS:
            named = (pick(part, name) for name in ("tool_use_id", "toolCallId", "call_id", "id"))
            shown = (part[name] for name in ("content", "output", "response", "result") if name in part)
            yield _result(next(filter(None, named), None), returned_text(next(shown, "")))
    if role != "tool" and _kind(message) not in _CALLS | _RESULTS | _THOUGHTS:
        yield RequestMessage("user" if role in ("user", "human") else "system", _text(message))


def _result(call_id: Any, text: str) -> RequestMessage:
    return RequestMessage("system", "", ToolResult(id_of(call_id), text, None, None))
