"""The steps of plain messages of chat APIs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from harness.records import Metrics, Step, ToolCall, ToolResult
from runs.intake.reported.report_document import ReportDocument
from runs.intake.reported.reported_result import ResultsRefused
from runs.intake.reported.step_readers.plain_chats.chat_log_file import chat_logs
from runs.intake.reported.step_readers.plain_chats.chat_log_steps import chat_log_steps
from runs.intake.reported.step_readers.step_builder import UNKNOWN
from tests.runs.intake.reported.step_readers.tool_files import written

ASSISTANT = {"role": "assistant", "content": "Done."}


def read(directory: Path, *messages: Any) -> list[Step]:
    """The steps of a file with these messages."""
    path = written(directory / "a.json", list(messages))
    (log,) = chat_logs(ReportDocument(path, "a.json", list(messages)))
    return [step for step, _ in chat_log_steps(log)]


def test_messages_of_openai_with_calls_reasoning_and_usage(tmp_path: Path) -> None:
    arguments = json.dumps({"command": "ls"})
    found = read(
        tmp_path,
        {"role": "developer", "content": "You are helpful."},
        {"role": "user", "content": [{"type": "text", "text": "Fix"}, {"type": "text", "text": "add."}]},
        {
            "role": "assistant",
            "content": None,
            "reasoning_content": "Where is it?",
            "tool_calls": [
                {"id": "c1", "type": "function", "function": {"name": "bash", "arguments": arguments}}
            ],
            "usage": {"prompt_tokens": 100, "completion_tokens": 20},
            "finish_reason": "tool_calls",
            "timestamp": "2026-01-31T12:00:00Z",
        },
        {"role": "tool", "tool_call_id": "c1", "content": "calc.py"},
        {"role": "assistant", "content": "```bash\nls\n```"},
        {"role": "user", "content": "Thanks."},
    )
    assert found == [
        Step(1, "", "system", "You are helpful."),
        Step(2, "", "user", "Fix\nadd."),
        Step(
            3,
            "2026-01-31T12:00:00.000Z",
            "agent",
            "",
            "Where is it?",
            (ToolCall("c1", "bash", {"command": "ls"}),),
            (ToolResult("c1", "calc.py", None, None),),
            Metrics(100, 20, None, None, None, "tool_calls"),
        ),
        Step(4, "", "agent", "```bash\nls\n```", metrics=UNKNOWN),
        Step(5, "", "user", "Thanks."),
    ]


def test_the_older_function_calls_of_openai(tmp_path: Path) -> None:
    call = {"name": "bash", "arguments": '{"command": "ls"}'}
    (step,) = read(
        tmp_path,
        {"role": "assistant", "content": None, "function_call": call},
        {"role": "function", "name": "bash", "content": "calc.py"},
    )
    assert step.calls == (ToolCall("call-1", "bash", {"command": "ls"}),)
    assert step.results == (ToolResult("call-1", "calc.py", None, None),)


def test_messages_of_anthropic_with_blocks(tmp_path: Path) -> None:
    said = [
        {"type": "thinking", "thinking": "Where is it?"},
        {"type": "redacted_thinking", "data": "x"},
        {"type": "text", "text": "I look."},
        {"type": "tool_use", "id": "t1", "name": "bash", "input": {"command": "ls"}},
        {"type": "tool_use", "id": "t2", "name": "bash", "input": {"command": "pwd"}},
        {"type": "tool_use", "id": "t3", "name": "bash", "input": {"command": "id"}},
    ]
    returned = [
        {
            "type": "tool_result",
            "tool_use_id": "t2",
            "content": [{"type": "text", "text": "/app"}],
            "is_error": False,
        },
        {"type": "tool_result", "tool_use_id": "t1", "content": "no", "is_error": True},
        {"type": "tool_result", "tool_use_id": "t3", "content": "root"},
        {"type": "text", "text": "Hurry."},
    ]
    usage = {
        "input_tokens": 10,
        "cache_read_input_tokens": 80,
        "cache_creation_input_tokens": 5,
        "output_tokens": 7,
    }
    found = read(
        tmp_path,
        {"role": "assistant", "content": said, "usage": usage, "stop_reason": "tool_use"},
        {"role": "user", "content": returned},
    )
    assert found == [
        Step(
            1,
            "",
            "agent",
            "I look.",
            "Where is it?\n\n[redacted]",
            (
                ToolCall("t1", "bash", {"command": "ls"}),
                ToolCall("t2", "bash", {"command": "pwd"}),
                ToolCall("t3", "bash", {"command": "id"}),
            ),
            (
                ToolResult("t2", "/app", True, None),
                ToolResult("t1", "no", False, None),
                ToolResult("t3", "root", None, None),
            ),
            Metrics(95, 7, 80, None, None, "tool_use", written_tokens=5),
        ),
        Step(2, "", "user", "Hurry."),
    ]


@pytest.mark.parametrize(
    "where",
    [
        {"extra": {"response": {"usage": {"prompt_tokens": 3}}}},
        {"response_metadata": {"token_usage": {"prompt_tokens": 3}}},
        {"response_metadata": {"usage": {"input_tokens": 3}}},
        {"usage_metadata": {"input_tokens": 3}},
    ],
)
def test_places_of_usage(tmp_path: Path, where: dict[str, Any]) -> None:
    (step,) = read(tmp_path, {**ASSISTANT, **where})
    assert step.metrics == Metrics(3, None, None, None, None)


def test_commands_in_texts_have_the_next_message_as_their_result(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        {"role": "assistant", "content": "Look.\n\n```bash\nls\n```"},
        {"role": "user", "content": "<returncode>0</returncode>\n<output>\ncalc.py\n</output>"},
        {"role": "assistant", "content": "No command."},
        {"role": "user", "content": "Format error."},
        {"role": "assistant", "content": "```bash\nsubmit\n```"},
        {"role": "user", "content": "diff --git a/calc.py b/calc.py"},
    )
    assert [(step.source, step.message) for step in found] == [
        ("agent", "Look."),
        ("agent", "No command."),
        ("user", "Format error."),
        ("agent", ""),
    ]
    assert [call.arguments for step in found for call in step.calls] == [
        {"command": "ls"},
        {"command": "submit"},
    ]
    assert [result.content.split()[0] for step in found for result in step.results] == [
        "<returncode>0</returncode>",
        "diff",
    ]


def test_a_call_without_a_result_does_not_take_the_words_of_the_user(tmp_path: Path) -> None:
    calls = [{"id": "c1", "function": {"name": "bash", "arguments": "{}"}}]
    found = read(tmp_path, {**ASSISTANT, "tool_calls": calls}, {"role": "user", "content": "Stop."})
    assert (found[0].results, found[1].message) == ((), "Stop.")


def test_results_of_swe_agent_name_their_call_in_a_list(tmp_path: Path) -> None:
    calls = [{"id": f"c{number}", "function": {"name": "open", "arguments": "{}"}} for number in (1, 2)]
    (step,) = read(
        tmp_path,
        {**ASSISTANT, "tool_calls": calls},
        {"role": "tool", "content": "b", "tool_call_ids": ["c2"]},
    )
    assert step.results == (ToolResult("c2", "b", None, None),)


def test_demonstrations_are_left_out(tmp_path: Path) -> None:
    assert len(read(tmp_path, {**ASSISTANT, "is_demo": True}, ASSISTANT)) == 1


@pytest.mark.parametrize(
    ("message", "problem"), [(7, "it is not an object"), ({"content": "x"}, "it has no role")]
)
def test_a_broken_message_is_refused_with_its_place(tmp_path: Path, message: Any, problem: str) -> None:
    with pytest.raises(ResultsRefused, match=rf"^a.json, message 2: {problem}$"):
        read(tmp_path, ASSISTANT, message)
