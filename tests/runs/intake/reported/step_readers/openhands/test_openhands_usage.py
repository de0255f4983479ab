"""Tokens and dollars of OpenHands: sums so far become those of each response."""

from __future__ import annotations

from harness.records import Metrics
from runs.intake.reported.step_readers.openhands.openhands_usage import (
    RunningUsage,
    usage_by_response,
    usage_in_all,
)
from tests.runs.intake.reported.step_readers.openhands.event_files import response, state, sums


def test_sums_so_far_become_differences() -> None:
    usage = RunningUsage({})
    first = usage.of("r1", sums(0.001, 1000, 50, 0, 900), response(1))
    assert first == Metrics(1000, 50, 0, 0.001, None, "tool_calls", written_tokens=900)
    assert usage.of("r1", sums(0.001, 1000, 50, 0, 900), None).prompt_tokens == 1000  # a second call of it
    second = usage.of("r2", sums(0.003, 2200, 90, 900, 1000), None)
    assert (second.prompt_tokens, second.completion_tokens, second.cached_tokens) == (1200, 40, 900)
    assert (second.written_tokens, second.reasoning_tokens, second.cost_usd) == (100, None, 0.002)


def test_sums_that_begin_anew_are_new() -> None:
    usage = RunningUsage({})
    usage.of("r1", sums(0.5, 1000, 50, 0, 0), None)
    assert usage.of("r2", sums(0.25, 300, 20, 0, 0), None) == Metrics(300, 20, 0, 0.25, None)


def test_without_sums_a_table_goes_before_what_the_model_sent() -> None:
    usage = RunningUsage({"r1": Metrics(5)})
    assert usage.of("r1", None, response(1)) == Metrics(5)
    assert usage.of("r2", {}, response(2)) == Metrics(7, 3, None, None, None, "tool_calls")
    assert usage.of("r3", "x", None) == Metrics(None, None, None, None, None)


def test_tables_are_joined_by_response() -> None:
    found = usage_by_response(state()["stats"])
    assert list(found) == ["r1", "r2", "r3"]
    assert found["r1"] == Metrics(1000, 50, 0, 0.001, 0.5, reasoning_tokens=20)
    assert found["r3"] == Metrics(1200, 52, 900, 0.004, None, written_tokens=10, reasoning_tokens=5)
    shorter = {**state()["stats"]["usage_to_metrics"]["agent"], "costs": []}
    assert usage_by_response(shorter)["r1"].cost_usd is None


def test_everything_is_the_sum_over_all_who_used_a_model() -> None:
    assert usage_in_all(state()["stats"]) == {
        "prompt_tokens": 3400,
        "completion_tokens": 163,
        "cached_tokens": 1800,
        "cost_usd": 0.008,
    }
    assert usage_in_all({"accumulated_cost": 0.5}) == {
        "prompt_tokens": None,
        "completion_tokens": None,
        "cached_tokens": None,
        "cost_usd": 0.5,
    }
    assert usage_in_all(None) == usage_in_all({"usage_to_metrics": 3}) == {}
