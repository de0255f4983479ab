"""Of a relayed request, only known fields are passed on, at every level."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from harness.llm.relay_fields import ANY, SCALAR, RefusedRequest, allowed
from harness.llm.relay_requests import read_relayed
from tests.harness.conversations import HELLO


def test_a_shape_leaves_only_its_fields() -> None:
    shape = {"a": SCALAR, "b": [{"c": SCALAR}], "d": ({"e": SCALAR}, SCALAR), "f": ANY}
    value = {"a": 1, "b": [{"c": "x", "y": 2}], "d": {"e": True, "z": []}, "f": {"any": [1]}, "g": 3}
    assert allowed(value, shape, "body") == {
        "a": 1,
        "b": [{"c": "x"}],
        "d": {"e": True},
        "f": {"any": [1]},
    }
    assert allowed({"a": None, "d": "x"}, shape, "body") == {"a": None, "d": "x"}


HOSTILE: dict[str, Any] = {
    "api_base": "http://127.0.0.1:9",
    "extra_body": {"tools": [{"type": "web_search"}]},
    "extra_headers": {"Authorization": "x"},
    "mock_response": "Done.",
    "metadata": {"a": {"b": 1}},
    "file": {"file_id": "f"},
    "audio": {"id": "a"},
    "citations": [1],
    "context_management": {},
    "__proto__": {"x": 1},
}


def with_hostile(value: Any) -> Any:
    """`value` with hostile fields in every object, at every level."""
    if isinstance(value, Mapping):
        return {**{name: with_hostile(part) for name, part in value.items()}, **HOSTILE}
    return [with_hostile(part) for part in value] if isinstance(value, list) else value


MARK = {"type": "ephemeral", "ttl": "5m"}
CALL = {
    "id": "c1",
    "type": "function",
    "function": {"name": "look", "arguments": "{}"},
    "provider_specific_fields": {"thought_signature": "s"},
}
EVERY_MESSAGE: list[dict[str, Any]] = [
    {
        "role": "system",
        "content": [{"type": "text", "text": "Be brief.", "cache_control": MARK}],
        "name": "s",
    },
    {"role": "developer", "content": "Be kind."},
    {
        "role": "user",
        "content": [
            {"type": "text", "text": "Look."},
            {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA", "detail": "low"}},
            {"type": "image_url", "image_url": "data:image/png;base64,AAAA"},
        ],
    },
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [CALL],
        "reasoning_content": "Hm.",
        "thinking_blocks": [
            {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"},
            {"type": "redacted_thinking", "data": "x"},
        ],
        "reasoning_details": [{"type": "reasoning.text", "text": "Hm.", "signature": "s", "index": 0}],
        "provider_specific_fields": {"thought_signatures": ["s"]},
    },
    {"role": "tool", "tool_call_id": "c1", "content": "a.py", "cache_control": MARK},
    {"role": "assistant", "content": [{"type": "refusal", "refusal": "No."}], "refusal": "No."},
]
EVERY_FIELD: dict[str, Any] = {
    "messages": EVERY_MESSAGE,
    "tools": [
        {
            "type": "function",
            "function": {
                "name": "look",
                "description": "Looks.",
                "strict": True,
                "parameters": {"type": "object"},
            },
        }
    ],
    "tool_choice": {"type": "function", "function": {"name": "look"}},
    "stop": ["END"],
    "response_format": {"type": "json_schema", "json_schema": {"name": "n", "schema": {"type": "object"}}},
    "reasoning_effort": {"effort": "low"},
    "thinking": {"type": "enabled", "budget_tokens": 1024},
    "temperature": 0.5,
}


class TestUnknownFields:
    def test_every_known_field_is_passed_on_unchanged(self) -> None:
        assert read_relayed(EVERY_FIELD, max_output_tokens=9) == {**EVERY_FIELD, "max_tokens": 9}

    def test_of_every_level_are_dropped(self) -> None:
        schemas = {"parameters", "schema"}  # these only describe, and may have fields of any name
        passed = read_relayed(with_hostile(EVERY_FIELD), max_output_tokens=9)

        def names(value: Any) -> set[str]:
            if isinstance(value, Mapping):
                below = (names(part) for name, part in value.items() if name not in schemas)
                return set(value).union(*below)
            return set().union(*map(names, value)) if isinstance(value, list) else set()

        assert names(passed) & set(HOSTILE) == set()
        assert names(passed) == names(EVERY_FIELD) | {"max_tokens"}

    @pytest.mark.parametrize(
        ("more", "reason"),
        [
            ({"messages": [{"role": "root", "content": "x"}]}, r"messages\[0\]: the role 'root'"),
            (
                {"messages": [{"role": "user", "content": "x", "name": {"a": 1}}]},
                r"messages\[0\]\.name: expected a",
            ),
            (
                {"messages": [{"role": "assistant", "tool_calls": "all"}]},
                r"messages\[0\]\.tool_calls: expected a list",
            ),
            (
                {"messages": [{"role": "assistant", "tool_calls": ["x"]}]},
                r"messages\[0\]\.tool_calls\[0\]: expected an object",
            ),
            ({"messages": [{"role": "user", "content": [{"type": ["text"]}]}]}, r"a part of type \['text'\]"),
            ({"temperature": {"a": 1}}, "temperature: expected a text or a number"),
            ({"stop": [["x"]]}, r"stop\[0\]: expected a text or a number"),
        ],
    )
    def test_known_fields_of_another_type_are_refused(self, more: Mapping[str, Any], reason: str) -> None:
        with pytest.raises(RefusedRequest, match=reason):
            read_relayed({"messages": HELLO, **more}, max_output_tokens=9)
