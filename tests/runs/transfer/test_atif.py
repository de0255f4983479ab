"""A trajectory as one ATIF document."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from runs.models import Run
from runs.transfer.atif import document, sendable
from tests.runs.cast import Cast


def run(**fields: Any) -> Run:
    """A run of Alice with a directory and no trajectory yet."""
    cast = Cast()
    found = cast.add_run(cast.alice(), cast.add_tasks(1)[0], **fields)
    found.path.mkdir(parents=True)
    return found


def written(found: Run, trajectory: bytes) -> dict[str, Any]:
    (found.path / "trajectory.jsonl").write_bytes(trajectory)
    document_: dict[str, Any] = json.loads(b"".join(document(found)))
    return document_


@pytest.mark.django_db
def test_the_header_comes_first_and_the_steps_are_in_order() -> None:
    found = run()
    header = (
        b'{"schema_version": "ATIF-v1.7", "agent": {"name": "ann"}, "steps": "none", "extra": {"a": 1}}\n'
    )
    assert written(found, header + b'{"step_id": 1}\n{"step_id": 2}\n') == {
        "schema_version": "ATIF-v1.7",
        "session_id": found.key,
        "agent": {"name": "ann"},
        "extra": {"a": 1},
        "steps": [{"step_id": 1}, {"step_id": 2}],
        "final_metrics": {
            "total_prompt_tokens": 900,
            "total_completion_tokens": 100,
            "total_cached_tokens": 0,
            "total_cost_usd": 0.25,
            "total_steps": 2,
        },
    }


@pytest.mark.django_db
def test_an_empty_or_missing_trajectory_is_a_document_without_steps() -> None:
    found = run()
    missing = json.loads(b"".join(document(found)))
    assert (missing["steps"], missing["agent"]) == ([], {"name": "alice", "version": "1"})
    assert written(found, b"") == missing


@pytest.mark.django_db
def test_unknown_totals_are_left_out() -> None:
    metrics = written(run(cost_usd=None, odd="prompt_tokens act_seconds"), b"{}\n")["final_metrics"]
    assert metrics == {"total_completion_tokens": 100, "total_cached_tokens": 0, "total_steps": 0}


@pytest.mark.django_db
def test_the_totals_of_a_simulated_user_are_apart() -> None:
    found = run(user_turns=3, user_ending="user_finished", user_prompt_tokens=50, user_completion_tokens=5)
    metrics = written(found, b"{}\n")["final_metrics"]
    assert metrics["total_prompt_tokens"] == 900
    assert metrics["extra"] == {
        "user": {"turns": 3, "ending": "user_finished", "prompt_tokens": 50, "completion_tokens": 5}
    }


@pytest.mark.django_db
def test_lines_that_are_no_objects_and_an_unfinished_line_are_left_out() -> None:
    damaged = b'{}\nnonsense\n[1]\n7\n{"step_id": 1}\n' + b"[" * 100_000 + b'\n{"step_id": 2}'
    assert written(run(), damaged)["steps"] == [{"step_id": 1}]


@pytest.mark.django_db
def test_a_long_trajectory_is_sent_in_several_chunks() -> None:
    found = run()
    steps = b"".join(
        b'{"step_id": %d, "message": "%s"}\n' % (number, b"x" * 30_000) for number in (1, 2, 3, 4)
    )
    (found.path / "trajectory.jsonl").write_bytes(b"{}\n" + steps)
    chunks = list(document(found))
    assert [chunk.count(b'"step_id"') for chunk in chunks] == [0, 3, 1]
    assert [step["step_id"] for step in json.loads(b"".join(chunks))["steps"]] == [1, 2, 3, 4]


def test_what_json_or_utf_8_cannot_hold_is_replaced() -> None:
    value = {"a\ud800": [math.nan, -math.inf, 0.5, 7, True, None, {"b": "\udfff"}], "ü": "ö"}
    assert sendable(value) == {"a?": [None, None, 0.5, 7, True, None, {"b": "?"}], "ü": "ö"}
