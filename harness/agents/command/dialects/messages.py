"""Anthropic's Messages API, as Claude Code speaks it: https://platform.claude.com/docs/en/api/messages.

Fields without a counterpart in chat completions are dropped: cache marks (the relay sets its own), top_k, metadata,
effort, context edits. Signed thinking blocks pass unchanged.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from harness.agents.command.dialects.base import (
    ChatRequest,
    Conversation,
    Object,
    call,
    event,
    function,
    joined,
    objects,
    picture_label,
    text_in,
    thoughts,
)
from harness.llm.relay_fields import RefusedRequest
from harness.llm.replies import Message, RawReply, token_counts

STOPS = {"length": "max_tokens", "content_filter": "refusal", "refusal": "refusal"}
ERRORS = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
}
CHOICES = {"auto": "auto", "any": "required", "none": "none"}
_MEDIA = re.compile(r"image/(png|jpeg|gif|webp)")


def read(body: Object) -> ChatRequest:
    """The request as a chat completion."""
    conversation = Conversation()
    conversation.instruct(_instructions(body.get("system"), "system"))
    failed: set[str] = set()
    for number, message in enumerate(objects(body.get("messages"), "messages")):
        where = f"messages[{number}]"
        role, content = message.get("role"), message.get("content")
        if role == "system":
            conversation.instruct(_instructions(content, where))
        elif role == "assistant":
            conversation.add(_said(_blocks(content, where), where))
        elif role == "user":
            _add_user(conversation, _blocks(content, where), failed, where)
        else:
            raise RefusedRequest(f"{where}: expected user or assistant as the role")
    request: dict[str, Any] = {"model": body.get("model"), "messages": conversation.messages}
    request |= {name: body.get(name) for name in ("max_tokens", "temperature", "top_p")}
    request["stop"] = body.get("stop_sequences") or None
    request["thinking"] = _thinking(body.get("thinking"))
    if tools := body.get("tools"):
        request["tools"] = [
            _tool(tool, f"tools[{number}]") for number, tool in enumerate(objects(tools, "tools"))
        ]
        request |= _choice(body.get("tool_choice"))
    return ChatRequest(
        {name: value for name, value in request.items() if value is not None},
        bool(body.get("stream")),
        frozenset(failed),
    )


def write(given: RawReply, body: Object) -> dict[str, Any]:
    """The response in Anthropic's format."""
    reply = given.reply
    message = given.body["choices"][0]["message"]
    content: list[dict[str, Any]] = thoughts(message.get("thinking_blocks"))
    if not content and reply.reasoning:
        content.append({"type": "thinking", "thinking": reply.reasoning, "signature": ""})
    if said := reply.message or reply.refusal:
        content.append({"type": "text", "text": said})
    for sent, made in zip(message.get("tool_calls") or (), reply.calls, strict=True):
        # Unreadable arguments are passed on: no tool accepts them, and the model sees what it sent.
        unread = {"unreadable_arguments": str((sent.get("function") or {}).get("arguments"))}
        arguments = unread if made.id in reply.malformed else made.arguments
        content.append(
            {"type": "tool_use", "id": sent.get("id") or made.id, "name": made.name, "input": arguments}
        )
    stop = STOPS.get(reply.metrics.finish_reason) or ("tool_use" if reply.calls else "end_turn")
    tokens = token_counts(given.body.get("usage") or {})
    return {
        "id": str(given.body.get("id")),
        "type": "message",
        "role": "assistant",
        "model": str(body.get("model") or given.body.get("model")),
        "content": content,
        "stop_reason": "refusal" if reply.refusal else stop,
        "stop_sequence": None,
        "usage": {
            "input_tokens": tokens.prompt - tokens.cached - tokens.written,
            "cache_creation_input_tokens": tokens.written,
            "cache_read_input_tokens": tokens.cached,
            "output_tokens": tokens.completion,
        },
    }


def events(response: Object, body: Object) -> Iterator[bytes]:  # noqa: ARG001 - other dialects need it
    """The response as Anthropic's events."""
    usage = response["usage"]
    begun = {**response, "content": [], "stop_reason": None, "usage": {**usage, "output_tokens": 0}}
    yield event("message_start", {"message": begun})
    for index, block in enumerate(response["content"]):
        empty, deltas = _in_pieces(block)
        yield event("content_block_start", {"index": index, "content_block": empty})
        for delta in deltas:
            yield event("content_block_delta", {"index": index, "delta": delta})
        yield event("content_block_stop", {"index": index})
    stopped = {"stop_reason": response["stop_reason"], "stop_sequence": None}
    yield event("message_delta", {"delta": stopped, "usage": usage})
    yield event("message_stop", {})


def error(status: int, message: str, code: str | None) -> dict[str, Any]:
    """An error in Anthropic's format. Agents detect a full window by the text."""
    if code == "context_length_exceeded":
        message = f"prompt is too long: {message}"
    return {"type": "error", "error": {"type": ERRORS.get(status, "api_error"), "message": message}}


def _blocks(content: object, where: str) -> Sequence[Object]:
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return objects(content, f"{where}.content")


def _instructions(content: object, where: str) -> str:
    if content is None:
        return ""
    return "\n\n".join(text_in(block.get("text"), where) for block in _blocks(content, where))


def _said(blocks: Sequence[Object], where: str) -> Message:
    """An earlier message of the model, as a chat completion repeats it."""
    texts, calls, unsigned = [], [], []
    for block in blocks:
        match block.get("type"):
            case "text":
                texts.append(text_in(block.get("text"), where))
            case "tool_use":
                calls.append(call(block.get("id"), block.get("name"), json.dumps(block.get("input")), where))
            case "thinking" if not block.get("signature"):
                unsigned.append(text_in(block.get("thinking"), where))
            case "thinking" | "redacted_thinking":
                pass  # signed: added unchanged below
            case kind:
                raise RefusedRequest(
                    f"{where}: a block of type {kind!r} is unknown in a message of the assistant"
                )
    said: Message = {"role": "assistant", "content": "\n".join(filter(None, texts)) or None}
    if calls:
        said["tool_calls"] = calls
    if signed := thoughts(list(blocks)):
        said["thinking_blocks"] = signed
    elif unsigned:
        said["reasoning_content"] = "\n".join(unsigned)
    return said


def _add_user(conversation: Conversation, blocks: Sequence[Object], failed: set[str], where: str) -> None:
    """Results first, as a chat completion requires, then the message of the user.

    Pictures in a result follow all results: other providers accept them only from the user.
    """
    pictures: list[Message] = []
    for block in blocks:
        if block.get("type") != "tool_result":
            continue
        identity = text_in(block.get("tool_use_id"), where)
        parts = [_part(each, where) for each in _blocks(block.get("content") or [], where)]
        text = "\n".join(part["text"] for part in parts if part["type"] == "text")
        if shown := [part for part in parts if part["type"] != "text"]:
            pictures += [picture_label(identity), *shown]
        if block.get("is_error"):
            failed.add(identity)
            text = f"The call failed.\n{text}"
        conversation.add({"role": "tool", "tool_call_id": identity, "content": text})
    conversation.add_user(
        pictures + [_part(block, where) for block in blocks if block.get("type") != "tool_result"]
    )


def _part(block: Object, where: str) -> Message:
    match block.get("type"):
        case "text":
            return {"type": "text", "text": text_in(block.get("text"), where)}
        case "image":
            return {"type": "image_url", "image_url": {"url": _picture(block.get("source"), where)}}
        case "document":
            return {"type": "text", "text": _document(block, where)}
        case "tool_reference":
            return {"type": "text", "text": f"The tool {block.get('tool_name')} is there."}
        case kind:
            raise RefusedRequest(
                f"{where}: a block of type {kind!r}; passed on are text, image, document, tool_result"
            )


def _picture(source: object, where: str) -> str:
    if isinstance(source, dict) and source.get("type") == "base64":
        media, data = str(source.get("media_type")), source.get("data")
        if _MEDIA.fullmatch(media) and isinstance(data, str):
            return f"data:{media};base64,{data}"
    raise RefusedRequest(
        f"{where}: a picture must be in the request itself, as base64 of a PNG, JPEG, GIF or WebP"
    )


def _document(block: Object, where: str) -> str:
    source = block.get("source")
    kind = source.get("type") if isinstance(source, dict) else None
    if isinstance(source, dict) and kind == "text":
        return text_in(source.get("data"), where)
    if isinstance(source, dict) and kind == "content":
        parts = [_part(each, where) for each in _blocks(source.get("content"), where)]
        return str(joined([part for part in parts if part["type"] == "text"]))
    if kind == "base64":
        # Not refused: the agent would repeat it with every later request and get stuck.
        return "[A document that is not text was left out here. Use a program to read it.]"
    raise RefusedRequest(f"{where}: a document must be in the request itself")


def _thinking(value: object) -> dict[str, Any] | None:
    if value is None:
        return None
    kind = value.get("type") if isinstance(value, dict) else None
    if not isinstance(value, dict) or kind not in ("enabled", "adaptive", "disabled"):
        raise RefusedRequest("thinking: expected an object of type enabled, adaptive or disabled")
    budget = value.get("budget_tokens")
    if kind != "enabled":
        return {"type": kind}
    if not isinstance(budget, int) or isinstance(budget, bool) or budget <= 0:
        raise RefusedRequest("thinking: expected budget_tokens")
    return {"type": kind, "budget_tokens": budget}


def _tool(tool: Object, where: str) -> dict[str, Any]:
    if tool.get("type") not in (None, "custom"):
        raise RefusedRequest(
            f"{where}: {tool.get('type')!r} is a tool of the provider's; only tools that the agent runs itself"
        )
    return function(tool.get("name"), tool.get("description"), tool.get("input_schema"), where)


def _choice(value: object) -> dict[str, Any]:
    if value is None:
        return {}
    kind = value.get("type") if isinstance(value, dict) else None
    if not isinstance(value, dict) or kind not in (*CHOICES, "tool"):
        raise RefusedRequest(f"tool_choice: expected an object of type {', '.join(CHOICES)} or tool")
    choice: Any = CHOICES.get(str(kind))
    if kind == "tool":
        choice = {"type": "function", "function": {"name": text_in(value.get("name"), "tool_choice")}}
    alone = {"parallel_tool_calls": False} if value.get("disable_parallel_tool_use") else {}
    return {"tool_choice": choice, **alone}


def _in_pieces(block: Object) -> tuple[Object, Sequence[Object]]:
    """The empty block, and the deltas that fill it."""
    match block["type"]:
        case "text":
            return {"type": "text", "text": ""}, [{"type": "text_delta", "text": block["text"]}]
        case "thinking":
            signed = (
                [{"type": "signature_delta", "signature": block["signature"]}] if block["signature"] else []
            )
            added = [{"type": "thinking_delta", "thinking": block["thinking"]}, *signed]
            return {"type": "thinking", "thinking": "", "signature": ""}, added
        case "tool_use":
            written = json.dumps(block["input"])
            return {**block, "input": {}}, [{"type": "input_json_delta", "partial_json": written}]
        case _:
            return block, []
