"""Tool calls that a server left in the text of a response."""

from __future__ import annotations

from typing import Any

import pytest

from harness.llm.text_calls import calls_in_text, looks_like_a_call
from harness.llm.tool_calls import RawCall

TOOLS: dict[str, dict[str, Any]] = {
    "look": {"path": {"type": "string"}, "lines": {"type": "integer"}, "deep": {"type": "boolean"}}
}
CALL = {"path": "a b.py", "lines": 3, "deep": True}
DEEPSEEK = (
    "<\uff5ctool\u2581calls\u2581begin\uff5c><\uff5ctool\u2581call\u2581begin\uff5c>{}"
    "<\uff5ctool\u2581call\u2581end\uff5c><\uff5ctool\u2581calls\u2581end\uff5c>"
)


@pytest.mark.parametrize(
    "written",
    [
        "<tool_call>\n<function=look>\n<parameter=path>\na b.py\n</parameter>\n<parameter=lines>\n3\n</parameter>\n"
        "<parameter=deep>\nTrue\n</parameter>\n</function>\n</tool_call>",
        "<function=look><parameter=path>a b.py</parameter><parameter=lines>3</parameter>"
        "<parameter=deep>true</parameter></function>",
        "<tool_call>look\n<arg_key>path</arg_key>\n<arg_value>a b.py</arg_value>\n<arg_key>lines</arg_key>\n"
        "<arg_value>3</arg_value>\n<arg_key>deep</arg_key><arg_value>true</arg_value>\n</tool_call>",
        '[TOOL_CALLS][{"name": "look", "arguments": {"path": "a b.py", "lines": 3, "deep": true}}]',
        '<|python_tag|>{"name": "look", "parameters": {"path": "a b.py", "lines": 3, "deep": true}}<|eom_id|>',
    ],
)
def test_calls_are_read_in_the_formats_that_models_write(written: str) -> None:
    assert calls_in_text(f"I look.\n{written}\n", TOOLS) == ("I look.", (RawCall("", "look", CALL),))


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ('<function=look>{"path": "x"}</function>', "look"),
        ('[TOOL_CALLS]look[ARGS]{"path": "x"}', "look"),
        ('[TOOL_CALLS]look[CALL_ID]a1[ARGS]{"path": "x"}</s>', "look"),
        (
            "<|tool_calls_section_begin|><|tool_call_begin|>functions.look:0<|tool_call_argument_begin|>"
            '{"path": "x"}<|tool_call_end|><|tool_calls_section_end|>',
            "functions.look:0",
        ),
        (DEEPSEEK.format('look<\uff5ctool\u2581sep\uff5c>{"path": "x"}'), "look"),
    ],
)
def test_arguments_that_are_json_in_a_format_are_read_later(written: str, name: str) -> None:
    assert calls_in_text(written, TOOLS) == ("", (RawCall("", name, '{"path": "x"}'),))


def test_several_calls_follow_one_another() -> None:
    text = "<function=look><parameter=path>x</parameter></function>\n<function=look></function>"
    assert calls_in_text(text, TOOLS) == (
        "",
        (RawCall("", "look", {"path": "x"}), RawCall("", "look", {})),
    )


@pytest.mark.parametrize(
    "text",
    [
        "<function=look><parameter=path>x</parameter></function> is how.",
        "<function=look><parameter=path>x</function>",
        "<function=fly></function>",
        "<tool_call>look and see</tool_call>",
        "[TOOL_CALLS]look",
        "<|python_tag|>print('x')",
        "<|tool_calls_section_begin|>",
    ],
)
def test_what_is_in_no_format_stays_as_it_is(text: str) -> None:
    assert calls_in_text(text, TOOLS) == (text, ())


def test_json_between_marks_is_read() -> None:
    text = (
        'I look.\n\n<tool_call>\n{"name": "look", "arguments": {"a": 1}}\n</tool_call>\n'
        '<tool_call>{"name": "look"}</tool_call>\n'
    )
    assert calls_in_text(text, TOOLS) == (
        "I look.",
        (RawCall("", "look", {"a": 1}), RawCall("", "look", None)),
    )


@pytest.mark.parametrize(
    "text",
    [
        "No call.",
        '<tool_call>{"name": "look"}</tool_call> is how I would call it.',
        '<tool_call>{"name": "look"}',
        '<tool_call>{"name": "fly"}</tool_call>',
        '<tool_call>["look"]</tool_call>',
        '<tool_call>{"name": </tool_call>',
        '<tool_call>{"name": "look"}</tool_call><tool_call></tool_call>',
        f"<tool_call>{'[' * 100_000}</tool_call>",
    ],
)
def test_a_text_that_only_may_hold_calls_stays_as_it_is(text: str) -> None:
    assert calls_in_text(text, TOOLS) == (text, ())


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Look:\n  <tool_call>", True),
        ("<function=look>", True),
        ("[TOOL_CALLS][]", True),
        ("a <tool_call> in a sentence", False),
        ("<function=>", False),
        ("", False),
    ],
)
def test_the_mark_of_a_call_begins_a_line(text: str, found: bool) -> None:
    assert looks_like_a_call(text) is found
