"""Filters the requests of external agents, in OpenAI's chat completion format.

Other formats are translated to this one first (`harness/agents/command/dialects/`), so this is the only filter.

The agent runs in the container, and its requests are untrusted. They leave through this process, which has a network
and keys; so only the fields in `relay_fields` are passed on, and everything else is dropped: addresses, keys, tools
that a provider would run itself (a web search would be a way out of the container), pictures that would have to be
fetched.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from harness.llm.relay_fields import BODY, PARTS, ROLES, RefusedRequest, allowed


def read_relayed(body: Mapping[str, Any], *, max_output_tokens: int) -> dict[str, Any]:
    """The part of a request that is passed on, with the smaller of the two output limits.

    Raises RefusedRequest for an invalid chat completion request, and for content that would bypass the container.
    """
    if body.get("stream"):
        raise RefusedRequest("stream: streaming is not supported here")
    if body.get("n") not in (None, 1):
        raise RefusedRequest("n: only one response per request")
    messages = _read_messages(body.get("messages"))
    tools = body.get("tools") or []
    if not isinstance(tools, list):
        raise RefusedRequest("tools: expected a list")
    for number, tool in enumerate(tools):
        if not isinstance(tool, Mapping) or tool.get("type") != "function":
            raise RefusedRequest(f"tools[{number}]: only functions, which the agent runs itself")
        function = tool.get("function")
        if not isinstance(function, Mapping) or not isinstance(function.get("name"), str):
            raise RefusedRequest(f"tools[{number}]: expected a function with a name")
        parameters = function.get("parameters") or {}
        if not isinstance(parameters, Mapping) or not isinstance(parameters.get("properties") or {}, Mapping):
            raise RefusedRequest(f"tools[{number}]: expected a JSON schema of an object as the parameters")
    passed = {
        name: allowed(body[name], shape, name) for name, shape in BODY.items() if body.get(name) is not None
    }
    limits = [
        value
        for name in ("max_tokens", "max_completion_tokens")
        if isinstance(value := body.get(name), int) and not isinstance(value, bool) and value > 0
    ]
    return {**passed, "messages": messages, "max_tokens": min([*limits, max_output_tokens])}


def _read_messages(messages: Any) -> list[dict[str, Any]]:
    if not isinstance(messages, list) or not messages:
        raise RefusedRequest("messages: expected a list of messages")
    return [_read_message(message, f"messages[{number}]") for number, message in enumerate(messages)]


def _read_message(message: Any, where: str) -> dict[str, Any]:
    if not isinstance(message, Mapping) or not isinstance(message.get("role"), str):
        raise RefusedRequest(f"{where}: expected an object with a role and content")
    if message["role"] not in ROLES:
        raise RefusedRequest(f"{where}: the role {message['role']!r}; passed on are {', '.join(ROLES)}")
    read: dict[str, Any] = allowed(message, ROLES[message["role"]], where)
    if "content" in read:
        read["content"] = _read_content(read["content"], where)
    return read


def _read_content(content: Any, where: str) -> Any:
    if content is None or isinstance(content, str):
        return content
    if not isinstance(content, list) or not all(isinstance(part, Mapping) for part in content):
        raise RefusedRequest(f"{where}: expected text or a list of parts as the content")
    return [_read_part(part, where) for part in content]


def _read_part(part: Mapping[str, Any], where: str) -> Any:
    kind = part.get("type")
    if not isinstance(kind, str) or kind not in PARTS:
        raise RefusedRequest(f"{where}: a part of type {kind!r}; passed on are {', '.join(PARTS)}")
    if kind == "text" and not isinstance(part.get("text"), str):
        raise RefusedRequest(f"{where}: expected a text in a part of type text")
    if kind == "image_url" and not _address(part.get("image_url")).startswith("data:"):
        raise RefusedRequest(f"{where}: a picture must be in the request itself, as a data: address")
    return allowed(part, PARTS[kind], where)


def _address(picture: Any) -> str:
    return str(picture.get("url") if isinstance(picture, Mapping) else picture)
