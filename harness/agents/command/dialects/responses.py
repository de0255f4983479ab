"""OpenAI's Responses API, as Codex speaks it: https://platform.openai.com/docs/api-reference/responses.

Nothing is stored between requests: each contains the whole conversation, as with `store: false`. Fields without a
counterpart in chat completions are dropped: includes, cache keys, metadata, reasoning summaries.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
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
from harness.agents.command.dialects.completions import error
from harness.llm.relay_fields import RefusedRequest
from harness.llm.replies import Message, RawReply, token_counts

__all__ = ["error", "events", "read", "write"]

# Fields that make the provider store a conversation or load a stored one.
STATE = ("previous_response_id", "conversation", "prompt", "background")
INCOMPLETE = {"length": "max_output_tokens", "content_filter": "content_filter", "refusal": "content_filter"}
FREEFORM = {
    "type": "object",
    "properties": {"input": {"type": "string", "description": "The whole input, as it is."}},
    "required": ["input"],
}
_BETWEEN = "__"  # between a namespace and the name of a tool in it


def read(body: Object) -> ChatRequest:
    """The request as a chat completion."""
    for name in STATE:
        if body.get(name):
            raise RefusedRequest(f"{name}: nothing is remembered here; send the whole conversation")
    conversation = Conversation()
    conversation.instruct(text_in(body.get("instructions") or "", "instructions"))
    items = body.get("input")
    if isinstance(items, str):
        items = [{"role": "user", "content": items}]
    for number, item in enumerate(objects(items, "input")):
        _add(conversation, item, f"input[{number}]")
    request: dict[str, Any] = {"model": body.get("model"), "messages": conversation.messages}
    request |= {name: body.get(name) for name in ("temperature", "top_p", "parallel_tool_calls")}
    request["max_tokens"] = body.get("max_output_tokens")
    request["reasoning_effort"] = _object(body.get("reasoning"), "reasoning").get("effort")
    request["response_format"] = _format(_object(body.get("text"), "text").get("format"))
    if tools := body.get("tools"):
        request["tools"] = list(_tools(objects(tools, "tools"), "tools"))
        request["tool_choice"] = _choice(body.get("tool_choice"))
    if not request.get("tools"):
        request |= {"tools": None, "tool_choice": None, "parallel_tool_calls": None}
    return ChatRequest(
        {name: value for name, value in request.items() if value is not None}, bool(body.get("stream"))
    )


def write(given: RawReply, body: Object) -> dict[str, Any]:
    """The response in the format of the Responses API."""
    reply = given.reply
    identity = str(given.body.get("id"))
    message = given.body["choices"][0]["message"]
    output: list[dict[str, Any]] = []
    if reply.reasoning or message.get("thinking_blocks"):
        output.append(_reasoning(reply.reasoning, message.get("thinking_blocks"), identity))
    if reply.message or reply.refusal or not reply.calls:
        said = {"type": "output_text", "text": reply.message, "annotations": []}
        if reply.refusal and not reply.message:
            said = {"type": "refusal", "refusal": reply.refusal}
        output.append({"type": "message", "id": f"msg_{identity}", "role": "assistant", "content": [said]})
    known = _known(body)
    for number, (sent, made) in enumerate(zip(message.get("tool_calls") or (), reply.calls, strict=True)):
        raw = (sent.get("function") or {}).get("arguments")
        written = str(raw) if made.id in reply.malformed else json.dumps(made.arguments)
        names = {"id": f"fc_{identity}_{number}", "call_id": sent.get("id") or made.id}
        output.append({**names, **_call(made.name, written, made.arguments, known)})
    incomplete = INCOMPLETE.get("refusal" if reply.refusal else reply.metrics.finish_reason)
    return {
        "id": f"resp_{identity}",
        "object": "response",
        "created_at": int(given.body.get("created") or 0),
        "status": "incomplete" if incomplete else "completed",
        "error": None,
        "incomplete_details": {"reason": incomplete} if incomplete else None,
        "instructions": None,
        "metadata": {},
        "model": str(body.get("model") or given.body.get("model")),
        "output": [{**item, "status": "completed"} for item in output],
        "parallel_tool_calls": True,
        "store": False,
        "tool_choice": "auto",
        "tools": [],
        "usage": _usage(given),
    }


def events(response: Object, body: Object) -> Iterator[bytes]:  # noqa: ARG001 - other dialects need it
    """The response as OpenAI's events."""
    begun = {**response, "status": "in_progress", "incomplete_details": None, "output": [], "usage": None}
    sent: list[tuple[str, Object]] = [
        ("response.created", {"response": begun}),
        ("response.in_progress", {"response": begun}),
    ]
    for index, item in enumerate(response["output"]):
        sent += [(f"response.{kind}", {"output_index": index, **data}) for kind, data in _in_pieces(item)]
    sent.append((f"response.{response['status']}", {"response": response}))
    for number, (kind, data) in enumerate(sent):
        yield event(kind, {"sequence_number": number, **data})


def _add(conversation: Conversation, item: Object, where: str) -> None:
    match item.get("type", "message"):
        case "message":
            _say(conversation, item, where)
        case "reasoning":
            conversation.last_response().update(_opened(item.get("encrypted_content")))
        case "function_call":
            space = item.get("namespace")
            name = f"{space}{_BETWEEN}{item.get('name')}" if space else item.get("name")
            written = text_in(item.get("arguments"), where)
            _call_again(conversation, call(item.get("call_id"), name, written, where))
        case "custom_tool_call":
            written = json.dumps({"input": text_in(item.get("input"), where)})
            _call_again(conversation, call(item.get("call_id"), item.get("name"), written, where))
        case "function_call_output" | "custom_tool_call_output":
            _result(conversation, item, where)
        case kind:
            raise RefusedRequest(
                f"{where}: an item of type {kind!r}; passed on are message, reasoning, function_call, "
                "custom_tool_call and the outputs of both"
            )


def _say(conversation: Conversation, item: Object, where: str) -> None:
    parts = _parts(item.get("content"), where)
    match item.get("role"):
        case "system" | "developer":
            conversation.instruct(_text(parts))
        case "user":
            conversation.add_user(parts)
        case "assistant":
            said = conversation.last_response()
            if said.get("tool_calls") or said["content"] is not None:
                said = {"role": "assistant", "content": None}
                conversation.add(said)
            said["content"] = _text(parts)
        case _:
            raise RefusedRequest(f"{where}: expected user, assistant, developer or system as the role")


def _call_again(conversation: Conversation, made: Message) -> None:
    conversation.last_response().setdefault("tool_calls", []).append(made)


def _result(conversation: Conversation, item: Object, where: str) -> None:
    """The output of a call; its pictures follow in a user message, where every provider accepts them."""
    identity = text_in(item.get("call_id"), where)
    parts = _parts(item.get("output"), where)
    conversation.add({"role": "tool", "tool_call_id": identity, "content": _text(parts)})
    if pictures := [part for part in parts if part["type"] != "text"]:
        conversation.add_user([picture_label(identity), *pictures])


def _parts(content: object, where: str) -> list[Message]:
    if content is None:
        return []
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [_part(part, where) for part in objects(content, where)]


def _part(part: Object, where: str) -> Message:
    match part.get("type"):
        case "input_text" | "output_text" | "text":
            return {"type": "text", "text": text_in(part.get("text"), where)}
        case "refusal":
            return {"type": "text", "text": text_in(part.get("refusal"), where)}
        case "input_image":
            address = part.get("image_url")
            if not isinstance(address, str) or not address.startswith("data:"):
                raise RefusedRequest(f"{where}: a picture must be in the request itself, as a data: address")
            return {"type": "image_url", "image_url": {"url": address}}
        case kind:
            raise RefusedRequest(f"{where}: a part of type {kind!r}; passed on are texts and pictures")


def _text(parts: Sequence[Message]) -> str:
    return str(joined([part for part in parts if part["type"] == "text"]))


def _tools(tools: Sequence[Object], where: str, space: str = "") -> Iterator[dict[str, Any]]:
    for number, tool in enumerate(tools):
        here, kind = f"{where}[{number}]", tool.get("type")
        if kind == "namespace" and not space:
            inner = objects(tool.get("tools"), f"{here}.tools")
            yield from _tools(inner, f"{here}.tools", text_in(tool.get("name"), here))
        elif kind == "function":
            name = text_in(tool.get("name"), here)
            name = f"{space}{_BETWEEN}{name}" if space else name
            yield function(name, tool.get("description"), tool.get("parameters"), here)
        elif kind == "custom" and not space:
            described = f"{tool.get('description') or ''}\n\n{_grammar(tool.get('format'))}".strip()
            yield function(tool.get("name"), described, FREEFORM, here)
        else:
            raise RefusedRequest(
                f"{here}: {kind!r} is no tool that the agent runs itself: function or custom"
            )


def _grammar(value: object) -> str:
    grammar = value.get("definition") if isinstance(value, dict) else None
    return f"The input follows this grammar:\n{grammar}" if isinstance(grammar, str) else ""


def _known(body: Object) -> dict[str, dict[str, Any]]:
    """The type and names of a call, for each tool that is not a plain function."""
    known: dict[str, dict[str, Any]] = {}
    for tool in body.get("tools") or ():
        if tool["type"] == "custom":
            known[tool["name"]] = {"type": "custom_tool_call", "name": tool["name"]}
        for inner in tool["tools"] if tool["type"] == "namespace" else ():
            names = {"namespace": tool["name"], "name": inner["name"]}
            known[f"{tool['name']}{_BETWEEN}{inner['name']}"] = {"type": "function_call", **names}
    return known


def _call(name: str, written: str, arguments: Object, known: dict[str, dict[str, Any]]) -> dict[str, Any]:
    made = known.get(name, {"type": "function_call", "name": name})
    if made["type"] == "custom_tool_call":
        text = arguments.get("input")
        return {**made, "input": text if isinstance(text, str) else written}
    return {**made, "arguments": written}


def _choice(value: object) -> Any:
    if value is None or value in ("auto", "required", "none"):
        return value
    if isinstance(value, dict) and value.get("type") in ("function", "custom"):
        return {"type": "function", "function": {"name": text_in(value.get("name"), "tool_choice")}}
    raise RefusedRequest("tool_choice: expected auto, required, none or one function")


def _format(value: object) -> dict[str, Any] | None:
    if value is None or _object(value, "text.format").get("type") == "text":
        return None
    wanted = dict(_object(value, "text.format"))
    kind = wanted.pop("type", None)
    return {"type": kind, "json_schema": wanted} if kind == "json_schema" else {"type": kind}


def _object(value: object, where: str) -> Object:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise RefusedRequest(f"{where}: expected an object")
    return value


def _reasoning(text: str, blocks: object, identity: str) -> dict[str, Any]:
    """Reasoning in the only field that an agent must return unchanged, so that a signature returns, too."""
    packed = base64.b64encode(json.dumps({"signed": thoughts(blocks), "told": text}).encode()).decode()
    summary = [{"type": "summary_text", "text": text}] if text else []
    return {"type": "reasoning", "id": f"rs_{identity}", "summary": summary, "encrypted_content": packed}


def _opened(packed: object) -> dict[str, Any]:
    """The reasoning that `_reasoning` packed; {} for anything else."""
    with suppress(ValueError, TypeError, RecursionError):
        opened = json.loads(base64.b64decode(str(packed or ""), validate=True))
        if isinstance(opened, dict):
            if signed := thoughts(opened.get("signed")):
                return {"thinking_blocks": signed}
            if isinstance(text := opened.get("told"), str) and text:
                return {"reasoning_content": text}
    return {}


def _usage(given: RawReply) -> dict[str, Any]:
    usage = given.body.get("usage") or {}
    tokens = token_counts(usage)
    thought = (usage.get("completion_tokens_details") or {}).get("reasoning_tokens") or 0
    return {
        "input_tokens": tokens.prompt,
        "input_tokens_details": {"cached_tokens": tokens.cached, "cache_write_tokens": tokens.written},
        "output_tokens": tokens.completion,
        "output_tokens_details": {"reasoning_tokens": thought},
        "total_tokens": tokens.prompt + tokens.completion,
    }


def _in_pieces(item: Object) -> Iterator[tuple[str, dict[str, Any]]]:
    """The events of one item: start, content, end."""
    there = {"item_id": item["id"]}
    match item["type"]:
        case "message":
            part = item["content"][0]
            name = "text" if part["type"] == "output_text" else "refusal"
            kind, inner = f"output_{name}" if name == "text" else name, {**there, "content_index": 0}
            yield "output_item.added", {"item": {**item, "status": "in_progress", "content": []}}
            yield "content_part.added", {**inner, "part": {**part, name: ""}}
            probabilities: dict[str, Any] = {"logprobs": []} if name == "text" else {}
            yield f"{kind}.delta", {**inner, **probabilities, "delta": part[name]}
            yield f"{kind}.done", {**inner, **probabilities, name: part[name]}
            yield "content_part.done", {**inner, "part": part}
        case "function_call":
            yield "output_item.added", {"item": {**item, "status": "in_progress", "arguments": ""}}
            yield "function_call_arguments.delta", {**there, "delta": item["arguments"]}
            named = {"name": item["name"], "arguments": item["arguments"]}
            yield "function_call_arguments.done", {**there, **named}
        case "custom_tool_call":
            yield "output_item.added", {"item": {**item, "status": "in_progress", "input": ""}}
            yield "custom_tool_call_input.delta", {**there, "delta": item["input"]}
            yield "custom_tool_call_input.done", {**there, "input": item["input"]}
        case _:
            yield "output_item.added", {"item": {**item, "status": "in_progress"}}
    yield "output_item.done", {"item": item}
