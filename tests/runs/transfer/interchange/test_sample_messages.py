"""Steps as messages of Inspect's logs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from harness.records import FileEdit, Metrics, Step, ToolCall, ToolResult
from runs.transfer.interchange.recorded_steps import StepWithEdits
from runs.transfer.interchange.sample_messages import messages_of, output_of, stop_reason, usage_of

CALLS = (ToolCall("a", "ls", {"path": "."}), ToolCall("b", "cat", {}))
EDIT = FileEdit("a.py", "added", 1, 0, diff="+a\n")


STEP = Step(3, "2026-03-01T12:00:00Z", "agent", "Hm.")


def step(**values: Any) -> Step:
    """A step of the agent with these values."""
    return replace(STEP, **values)


def test_a_message_of_the_user_has_time_and_edits_in_its_metadata() -> None:
    (message,) = messages_of(StepWithEdits(step(source="user"), (EDIT,)), "m")
    assert message == {
        **{"id": "step-3", "role": "user", "content": "Hm.", "source": "input"},
        "metadata": {
            "benchbench": {
                "step": 3,
                "timestamp": "2026-03-01T12:00:00Z",
                "extra": {
                    "edits": [
                        {
                            **{"path": "a.py", "change": "added", "added": 1, "removed": 0},
                            **{"binary": False, "syntax_ok": None, "diff": "+a\n"},
                        }
                    ]
                },
            }
        },
    }


def test_another_source_is_shown_as_the_system() -> None:
    (message,) = messages_of(StepWithEdits(step(source="robot"), ()), "m")
    assert message["role"] == "system"


def test_an_agents_step_is_a_message_with_calls_and_one_for_each_result() -> None:
    results = (ToolResult("b", "none", False, 0.0), ToolResult("z", "x", None, None, ("p.png",)))
    first, failed, lost = messages_of(
        StepWithEdits(step(reasoning="Let me see.", calls=CALLS, results=results), ()), "m"
    )

    assert (first["role"], first["model"]) == ("assistant", "m")
    assert first["content"] == [
        {"type": "reasoning", "reasoning": "Let me see."},
        {"type": "text", "text": "Hm."},
    ]
    assert first["tool_calls"][0] == {
        **{"id": "a", "function": "ls", "arguments": {"path": "."}, "type": "function"}
    }
    assert first["metadata"]["benchbench"] == {
        **{"step": 3, "timestamp": "2026-03-01T12:00:00Z"},
        "extra": {"results": [{"ok": False, "seconds": 0.0}, {"artifacts": ["p.png"]}], "edits": []},
    }
    assert failed == {
        **{
            "id": "step-3-result-1",
            "role": "tool",
            "content": "none",
            "tool_call_id": "b",
            "function": "cat",
        },
        "error": {"type": "unknown", "message": "none"},
    }
    assert (lost["function"], "error" in lost) == ("", False)


@pytest.mark.parametrize(
    ("reason", "calls", "found"),
    [
        ("", CALLS, "tool_calls"),
        ("", (), "stop"),
        ("end_turn", (), "stop"),
        ("length", (), "max_tokens"),
        ("content_filter", (), "content_filter"),
        ("strange", (), "unknown"),
    ],
)
def test_the_reason_of_an_end_is_one_that_inspect_knows(
    reason: str, calls: tuple[ToolCall, ...], found: str
) -> None:
    assert stop_reason(step(calls=calls, metrics=Metrics(finish_reason=reason))) == found


def test_the_input_of_a_usage_is_without_what_a_cache_took_part_in() -> None:
    metrics = Metrics(100, 20, 60, 0.5, 1.0, written_tokens=10, reasoning_tokens=5)
    assert usage_of(metrics) == {
        **{"input_tokens": 30, "output_tokens": 20, "total_tokens": 120, "input_tokens_cache_read": 60},
        **{"input_tokens_cache_write": 10, "reasoning_tokens": 5, "total_cost": 0.5},
    }
    assert output_of(step(metrics=metrics), "m")["time"] == 1.0


def test_unknown_tokens_are_no_usage_and_impossible_ones_never_negative() -> None:
    assert usage_of(Metrics(None, 3, None, None, None)) is None
    assert usage_of(Metrics(3, None)) is None
    assert usage_of(Metrics(3, 1, None)) == {"input_tokens": 3, "output_tokens": 1, "total_tokens": 4}
    found = usage_of(Metrics(3, 1, 5, written_tokens=2))
    assert found is not None
    assert (found["input_tokens"], found["input_tokens_cache_read"]) == (0, 3)
    assert set(output_of(step(metrics=Metrics(None, None, None, None, None)), "m")) == {
        *("model", "choices", "completion")
    }
