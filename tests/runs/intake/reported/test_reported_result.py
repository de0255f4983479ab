"""A reported result, and what the totals of a cell need of it."""

from __future__ import annotations

import pytest

from runs.intake.reported.reported_result import ReportedResult, ResultsRefused, SettledResult, duplicates

RESULT = ReportedResult("ada", "sum", 1, "resolved")


def test_a_refusal_begins_with_the_place() -> None:
    assert str(ResultsRefused("results.csv", "it is empty")) == "results.csv: it is empty"


def test_agent_task_and_attempt_identify_a_result() -> None:
    again = RESULT._replace(outcome="unresolved")
    assert duplicates([RESULT, RESULT._replace(attempt=2), RESULT._replace(agent="bob")]) is None
    assert duplicates([RESULT, again]) is again


@pytest.mark.parametrize(
    ("known", "expected"),
    [
        (
            {},
            {"tokens": None, "test_rate": None, "has_duration": False, "act_seconds": None, "cost_usd": None},
        ),
        ({"prompt_tokens": 3}, {"tokens": None}),
        ({"prompt_tokens": 3, "completion_tokens": 0}, {"tokens": 3}),
        ({"tests_total": 4, "tests_passed": 1}, {"test_rate": 0.25, "tests_total": 4, "tests_passed": 1}),
        ({"seconds": 0.0}, {"has_duration": True, "act_seconds": 0.0}),
        (
            {"cost_usd": 0.5},
            {"cost_usd": 0.5, "steps": None, "is_odd": False, "attempt": 1, "outcome": "resolved"},
        ),
    ],
)
def test_what_a_source_does_not_say_stays_unknown(
    known: dict[str, object], expected: dict[str, object]
) -> None:
    settled = SettledResult(1, RESULT._replace(**known))  # type: ignore[arg-type]
    assert {name: getattr(settled, name) for name in expected} == expected
