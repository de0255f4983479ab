"""Imported steps and edits get fields of the right types."""

from __future__ import annotations

import math
from typing import Any

import pytest

from harness.records import FileEdit, Metrics, Step, StepEdits, ToolCall, ToolResult
from runs.data.replay.sanitize import sanitize_edits, sanitize_step

BAD: Any = {"no": "type"}


def test_a_step_of_our_own_stays_equal() -> None:
    step = Step(
        7,
        "2026-01-02T03:04:05.678Z",
        "agent",
        "Next.",
        "Why not?",
        (ToolCall("c", "read_file", {"path": "a.py"}),),
        (ToolResult("c", "1  a", True, 0.25, ("step-7-1.png",)),),
        Metrics(9, 8, 7, 0.5, 1.5, "stop", ("timeout",), 6, 0.1, 5, ("quoted",)),
    )
    assert sanitize_step(step) == step


def test_texts_of_a_wrong_type_become_texts() -> None:
    broken = Step(1, None, 5, 1.5, ["a"], (), (ToolResult("c", BAD, True, 1.0),))  # type: ignore[arg-type]
    step = sanitize_step(broken)
    assert (step.timestamp, step.source, step.message, step.reasoning) == ("", "5", "1.5", "['a']")
    assert step.results[0].content == "{'no': 'type'}"


@pytest.mark.parametrize("value", [-1, math.nan, math.inf, 2**53 + 1, "12", BAD])
def test_invalid_amounts_are_zero_or_unknown(value: Any) -> None:
    metrics = Metrics(value, value, value, value, value, "", (), value, value, value)
    step = sanitize_step(
        Step(1, "", "agent", "", results=(ToolResult("c", "", True, value),), metrics=metrics)
    )
    assert step.metrics == Metrics(cost_usd=None, reasoning_tokens=None)
    assert step.seconds == 0.0


def test_unknown_amounts_stay_unknown() -> None:
    metrics = Metrics(None, None, None, None, None)
    step = Step(1, "", "agent", "", results=(ToolResult("c", "", None, None),), metrics=metrics)
    assert sanitize_step(step) == step


def test_the_largest_amount_and_zero_are_accepted() -> None:
    metrics = Metrics(2**53, 0, cost_usd=0, reasoning_tokens=0)
    assert sanitize_step(Step(1, "", "agent", "", metrics=metrics)).metrics == metrics


def test_edits_without_a_file_name_are_left_out() -> None:
    named, nameless = FileEdit("a.py", "added", 1, 0), FileEdit(BAD, "added", 1, 0)
    assert sanitize_edits(StepEdits(3, (nameless, named))) == StepEdits(3, (named,))


def test_fields_of_edits_get_their_types() -> None:
    odd = FileEdit("a.py", "painted", -1, math.nan, binary=1, syntax_ok="yes", diff=None)  # type: ignore[arg-type]
    unhashable = FileEdit("b.py", BAD, 2, 1, syntax_ok=False, diff="@@")
    assert sanitize_edits(StepEdits(1, (odd, unhashable))).files == (
        FileEdit("a.py", "modified", 0, 0, binary=True, syntax_ok=None, diff=""),
        FileEdit("b.py", "modified", 2, 1, syntax_ok=False, diff="@@"),
    )
