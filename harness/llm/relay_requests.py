"""Filters the requests of external agents, in OpenAI's chat completion format.

Other formats are translated to this one first (`harness/agents/command/dialects/`), so this is the only filter.

The agent runs in the container, and its requests are untrusted. They leave through this process, which has a network
and keys; so only the fields listed here are passed on, and everything else is dropped: addresses, keys, tools that a
provider would run itself (a web search would be a way out of the container), pictures that would have to be fetched.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

PASSED_ON = (
    "messages",
    "tools",
    "tool_choice",
    "parallel_tool_calls",
    "temperature",
    "top_p",
    "stop",
    "seed",
    "response_format",
    "reasoning_effort",
    "thinking",
    "presence_penalty",
    "frequency_penalty",
)
PARTS = ("text", "refusal", "thinking", "redacted_thinking", "image_url")


class RefusedRequest(ValueError):
    """A request that is not passed on; the message gives the agent the reason."""


def read_relayed(body: Mapping[str, Any], *, max_output_tokens: int) -> dict[str, Any]:
    """The part of a request that is passed on, with the smaller of the two output limits.

    Raises RefusedRequest for an invalid chat completion request, and for content that would bypass the container.
    """
    if body.get("stream"):
        raise RefusedRequest("stream: streaming is not supported here")
    if body.get("n") not in (None, 1):
        raise RefusedRequest("n: only one response per request")
    passed = {name: body[name] for name in PASSED_ON if body.get(name) is not None}
    _check_messages(passed.get("messages"))
    _check_tools(passed.get("tools", []))
    limits = [
        value
        for name in ("max_tokens", "max_completion_tokens")
        if isinstance(value := body.get(name), int) and not isinstance(value, bool) and value > 0
    ]
    return {**passed, "max_tokens": min([*limits, max_output_tokens])}


def _check_messages(messages: Any) -> None:
    if not isinstance(messages, list) or not messages:
        raise RefusedRequest("messages: expected a list of messages")
    for number, message in enumerate(messages):
        where = f"messages[{number}]"
        if not isinstance(message, Mapping) or not isinstance(message.get("role"), str):
            raise RefusedRequest(f"{where}: expected an object with a role and content")
        for part in _parts(message.get("content"), where):
            kind = part.get("type")
            if kind not in PARTS:
                raise RefusedRequest(f"{where}: a part of type {kind!r}; passed on are {', '.join(PARTS)}")
            if kind == "text" and not isinstance(part.get("text"), str):
                raise RefusedRequest(f"{where}: expected a text in a part of type text")
            if kind == "image_url" and not _address(part.get("image_url")).startswith("data:"):
                raise RefusedRequest(f"{where}: a picture must be in the request itself, as a data: address")


def _parts(content: Any, where: str) -> Iterator[Mapping[str, Any]]:
    if content is None or isinstance(content, str):
        return
    if not isinstance(content, list) or not all(isinstance(part, Mapping) for part in content):
        raise RefusedRequest(f"{where}: expected text or a list of parts as the content")
    yield from content


def _address(picture: Any) -> str:
    return str(picture.get("url") if isinstance(picture, Mapping) else picture)


def _check_tools(tools: Any) -> None:
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
