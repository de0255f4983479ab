"""Grades count, and a summary is read in the form that it was stored in."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from harness.records import Grade, RunSummary, TestResult, TestStatus
from tests.harness.records.made import SUMMARY


def test_a_grade_counts_what_passed() -> None:
    tests = tuple(TestResult(status, status) for status in TestStatus)
    assert Grade(False, tests, 1, 0.0, "").passed == 1


def test_a_summary_is_read_from_its_json() -> None:
    stored = json.loads(json.dumps(SUMMARY.to_json()))
    assert (stored["schema_version"], stored["outcome"]) == (1, "resolved")
    assert RunSummary.from_json(stored) == SUMMARY


def test_budgets_are_stored_where_an_agent_has_them() -> None:
    assert not {"user", "tool_uses", "submissions", "solved_at_submission"} & set(SUMMARY.to_json())
    limited = replace(SUMMARY, tool_uses=16, submissions=0)
    assert (limited.to_json()["tool_uses"], limited.to_json()["submissions"]) == (16, 0)
    assert RunSummary.from_json(limited.to_json()) == limited


def test_a_summary_without_newer_fields_is_read() -> None:
    stored = SUMMARY.to_json()
    for name in ("flags", "failure", "similarity", "reasoning_tokens", "grading_reason"):
        del stored[name]
    del stored["identity"]["effective"]
    summary = RunSummary.from_json(stored)
    assert (summary.flags, summary.failure, summary.identity.effective) == ((), "", {})


def test_a_summary_of_another_schema_is_refused() -> None:
    with pytest.raises(ValueError, match="schema_version must be 1"):
        RunSummary.from_json({**SUMMARY.to_json(), "schema_version": 2})


def test_a_summary_with_a_missing_field_is_refused() -> None:
    stored = SUMMARY.to_json()
    del stored["outcome"]
    with pytest.raises(ValueError, match="not a run summary"):
        RunSummary.from_json(stored)


@pytest.mark.parametrize(
    ("field", "value"),
    [("outcome", "won"), ("ending", "never"), ("identity", {}), ("flags", [{"kind": "x"}])],
)
def test_a_summary_with_an_invalid_field_is_refused(field: str, value: object) -> None:
    with pytest.raises(ValueError, match=rf"not a run summary|'{value}' is not a valid"):
        RunSummary.from_json({**SUMMARY.to_json(), field: value})


def test_a_summary_with_an_unknown_field_is_refused() -> None:
    with pytest.raises(ValueError, match=r"not a run summary: .*'colour'"):
        RunSummary.from_json({**SUMMARY.to_json(), "colour": "blue"})
