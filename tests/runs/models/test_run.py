"""What a run's record says, and what it does not say where a value is invalid."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from runs.models import Run, Try
from tests.runs.cast import Cast, add_try


@pytest.mark.parametrize(
    ("values", "rate"),
    [
        ({"tests_total": 5, "tests_passed": 4}, 0.8),
        ({"tests_total": 5, "tests_passed": 0}, 0.0),
        ({"tests_total": 5, "tests_passed": 5}, 1.0),
        ({"tests_total": 0, "tests_passed": 0}, None),
        ({"tests_total": 5, "tests_passed": 6}, None),
        ({"tests_total": 5, "tests_passed": 4, "odd": "act_seconds tests_passed"}, None),
        ({"tests_total": 5, "tests_passed": 4, "odd": "tests_total"}, None),
        ({"tests_total": 5, "tests_passed": 4, "odd": "act_seconds tests"}, 0.8),
    ],
)
def test_the_test_rate_is_passed_by_expected_where_both_are_valid(
    values: dict[str, Any], rate: float | None
) -> None:
    assert Run(**values).test_rate == rate


@pytest.mark.parametrize(
    ("odd", "valid"), [("", True), ("act_seconds", False), ("cost_usd act_seconds", False), ("seconds", True)]
)
def test_a_duration_is_valid_unless_it_is_odd(odd: str, valid: bool) -> None:
    assert Run(act_seconds=0.0, odd=odd).has_duration is valid


@pytest.mark.parametrize(
    ("outcome", "passed", "close"),
    [
        ("unresolved", 4, True),
        ("unresolved", 3, False),
        ("unresolved", 5, True),
        ("resolved", 5, False),
        ("infrastructure_failed", 4, False),
        ("", 4, False),
    ],
)
def test_an_unresolved_run_with_four_of_five_tests_came_close(outcome: str, passed: int, close: bool) -> None:
    assert Run(outcome=outcome, tests_total=5, tests_passed=passed).came_close is close


def test_a_run_without_a_test_rate_did_not_come_close() -> None:
    assert not Run(outcome="unresolved", tests_total=5, tests_passed=4, odd="tests_passed").came_close


def test_tokens_are_those_of_prompt_and_completion() -> None:
    run = Run(prompt_tokens=900, completion_tokens=100, cached_tokens=450, reasoning_tokens=50)

    assert (run.tokens, run.cached_share) == (1000, 0.5)
    assert Run(prompt_tokens=0, cached_tokens=0).cached_share is None
    assert Run(prompt_tokens=10, cached_tokens=20).cached_share == 1.0


def test_the_directory_lies_below_those_of_all_runs(settings: Any) -> None:
    run = Run(pk=7, key="e/a/r/t/1", directory="e/a/r/t/1/try-2")

    assert run.path == Path(settings.RUNS_ROOT) / "e/a/r/t/1/try-2"
    assert (str(run), run.get_absolute_url()) == ("e/a/r/t/1", "/runs/7/")


@pytest.mark.django_db
def test_attempts_and_tries_are_numbered_once() -> None:
    cast = Cast()
    alice, (task,) = cast.alice(), cast.add_tasks(1)
    run = cast.add_run(alice, task, 1)
    one = add_try(run, 1, Try.State.SETTLED)

    with pytest.raises(IntegrityError), transaction.atomic():
        Run.objects.create(key="another", evaluation=cast.evaluation, agent=alice, task=task, attempt=1)
    with pytest.raises(IntegrityError), transaction.atomic():
        add_try(run, 1, Try.State.LIVE)
    assert str(one) == f"{run.key}, try 1"
