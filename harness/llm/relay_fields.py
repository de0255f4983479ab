"""The fields of relayed requests that are passed on, at every level; all others are dropped.

A shape is SCALAR (text, number, boolean), ANY (a JSON schema, which only describes), a mapping of allowed fields, a
list with the shape of its items, or a tuple of alternatives, of which the first with the right type counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

SCALAR, ANY = "scalar", "any"
Shape = Any

_MARK = {"type": SCALAR, "ttl": SCALAR}
PARTS: Mapping[str, Shape] = {
    "text": {"type": SCALAR, "text": SCALAR, "cache_control": _MARK},
    "refusal": {"type": SCALAR, "refusal": SCALAR},
    "thinking": {"type": SCALAR, "thinking": SCALAR, "signature": SCALAR},
    "redacted_thinking": {"type": SCALAR, "data": SCALAR},
    "image_url": {
        "type": SCALAR,
        "image_url": ({"url": SCALAR, "detail": SCALAR}, SCALAR),
        "cache_control": _MARK,
    },
}
_FUNCTION = {"name": SCALAR, "arguments": SCALAR}
_CALL = {
    "id": SCALAR,
    "type": SCALAR,
    "function": _FUNCTION,
    # Gemini refuses a call without its signature.
    "provider_specific_fields": {"thought_signature": SCALAR},
}
_DETAIL = dict.fromkeys(
    ("type", "id", "format", "index", "text", "summary", "data", "signature"), SCALAR
)  # OpenRouter's
# Parts of the content are read one by one: their fields depend on their type.
_ALL = {"role": SCALAR, "content": ANY, "cache_control": _MARK}
ROLES: Mapping[str, Shape] = {
    "system": {**_ALL, "name": SCALAR},
    "developer": {**_ALL, "name": SCALAR},
    "user": {**_ALL, "name": SCALAR},
    "tool": {**_ALL, "name": SCALAR, "tool_call_id": SCALAR},
    "function": {**_ALL, "name": SCALAR},
    "assistant": {
        **_ALL,
        "name": SCALAR,
        "refusal": SCALAR,
        "tool_calls": [_CALL],
        "function_call": _FUNCTION,
        "reasoning_content": SCALAR,
        "thinking_blocks": [{**PARTS["thinking"], **PARTS["redacted_thinking"]}],
        "reasoning_details": [_DETAIL],
        "provider_specific_fields": {"thought_signatures": [SCALAR]},
    },
}
_DESCRIBED = {"name": SCALAR, "description": SCALAR, "strict": SCALAR}
BODY: Mapping[str, Shape] = {
    "messages": ANY,  # read one by one: their fields depend on their roles
    "tools": [
        {"type": SCALAR, "function": {**_DESCRIBED, "parameters": ANY}, "cache_control": _MARK},
    ],
    "tool_choice": ({"type": SCALAR, "function": {"name": SCALAR}}, SCALAR),
    "parallel_tool_calls": SCALAR,
    "temperature": SCALAR,
    "top_p": SCALAR,
    "stop": ([SCALAR], SCALAR),
    "seed": SCALAR,
    "response_format": {"type": SCALAR, "json_schema": {**_DESCRIBED, "schema": ANY}},
    "reasoning_effort": ({"effort": SCALAR, "summary": SCALAR}, SCALAR),
    "thinking": {"type": SCALAR, "budget_tokens": SCALAR},
    "presence_penalty": SCALAR,
    "frequency_penalty": SCALAR,
}


class RefusedRequest(ValueError):
    """A request that is not passed on; the message gives the agent the reason."""


def allowed(value: Any, shape: Shape, where: str) -> Any:
    """The part of `value` that has this shape; null stays. Raises RefusedRequest where a field has another type."""
    if value is None or shape is ANY:
        return value
    if isinstance(shape, tuple):
        shape = next((one for one in shape[:-1] if isinstance(value, type(one))), shape[-1])
    if isinstance(shape, Mapping):
        if not isinstance(value, Mapping):
            raise RefusedRequest(f"{where}: expected an object")
        return {name: allowed(value[name], shape[name], f"{where}.{name}") for name in shape if name in value}
    if isinstance(shape, list):
        if not isinstance(value, list):
            raise RefusedRequest(f"{where}: expected a list")
        return [allowed(item, shape[0], f"{where}[{number}]") for number, item in enumerate(value)]
    if not isinstance(value, str | int | float):
        raise RefusedRequest(f"{where}: expected a text or a number")
    return value
