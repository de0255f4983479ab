"""Requests and answers as JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest

from harness.agents.mailbox import Answer, InvalidRequest, Remaining, Request, RequestKind
from harness.records import ToolCall, ToolResult

CALL = {"name": "read_file", "arguments": {"path": "a"}}


def test_a_request_is_read_from_json() -> None:
    stored = {"id": "7", "kind": "act", "message": "Look.", "calls": [CALL, {"name": "list_dir"}]}
    calls = (ToolCall("call-1", "read_file", {"path": "a"}), ToolCall("call-2", "list_dir", {}))
    assert Request.from_json(stored) == Request("7", RequestKind.ACT, "Look.", calls)
    assert Request.from_json({"kind": "leave"}) == Request("", RequestKind.LEAVE)


@pytest.mark.parametrize(
    ("stored", "reason"),
    [
        ([], "a request is a JSON object"),
        ({"id": 1, "kind": "pause"}, "id: expected at most 100 characters"),
        ({"kind": "win"}, "kind: expected one of act, pause, resume, finish, leave, not 'win'"),
        ({"kind": ["act"]}, "kind: expected one of"),
        ({"kind": "finish", "message": "x" * 100_001}, "message: expected a text of at most 100,000"),
        ({"kind": "act"}, "calls: there is at least one in an act"),
        ({"kind": "pause", "calls": [CALL]}, "calls: there is at least one in an act, and none in any other"),
        ({"kind": "act", "calls": [CALL] * 21}, "calls: expected a list of at most 20 calls"),
        ({"kind": "act", "calls": {"a": 1}}, "calls: expected a list"),
        ({"kind": "act", "calls": ["ls"]}, "call 1: expected an object with name and arguments"),
        ({"kind": "act", "calls": [{"name": "ls", "arguments": "a"}]}, "call 1: arguments: expected"),
    ],
)
def test_an_invalid_request_is_refused_with_the_reason(stored: Any, reason: str) -> None:
    with pytest.raises(InvalidRequest) as refused:
        Request.from_json(stored)
    assert reason in str(refused.value)


def test_an_answer_shows_results_as_the_person_reads_them() -> None:
    result = ToolResult("call-1", "1 of 2 passed", True, 0.5, aside="expected 3")
    answer = Answer("7", 4, Remaining(9.5, 3, None, 0), paused=False, results=(result,))
    stored = json.loads(json.dumps(answer.to_json()))
    assert stored["remaining"] == {
        "seconds": 9.5,
        "iterations": 3,
        "tool_uses": None,
        "submissions": 0,
        "reserved_for": [],
    }
    (shown,) = stored["results"]
    assert (shown["content"], shown["ok"]) == ("1 of 2 passed\nexpected 3", True)
    assert (stored["id"], stored["step_id"], stored["ok"], stored["ended"]) == ("7", 4, True, "")
