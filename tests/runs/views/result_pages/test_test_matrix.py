"""A matrix of the tests of a task and the attempts at it."""

from __future__ import annotations

import json

import pytest

from runs.models import Run
from runs.views.result_pages.test_matrix import MAX_ROWS, Stripe, Stripes, limit_runs, matrix, stripes_of
from tasks.models import Task
from tests.runs.cast import Cast, record

pytestmark = pytest.mark.django_db


def test_tests_are_ordered_hardest_first_with_their_pass_share(cast: Cast, task: Task) -> None:
    runs = [*cast.add_cell(cast.alice(), task, [5, 3]), *cast.add_cell(cast.bob(), task, [4])]
    for run in runs:
        record(run)

    made = matrix(runs, 7)

    assert made is not None
    assert [row.test.split("_")[-1] for row in made.rows] == ["neap", "spring", "ebb", "flood", "slack"]
    assert [(row.passed.value, row.passed.n) for row in made.rows[:2]] == [(1 / 3, 3), (2 / 3, 3)]
    assert made.rows[1].statuses == ("passed", "failed", "passed")
    assert [(agent.slug, len(runs)) for agent, runs in made.groups] == [("alice", 2), ("bob", 1)]
    assert (made.columns, made.left_out, made.more) == (3, 4, 0)


def test_without_reports_there_is_no_matrix(cast: Cast, task: Task) -> None:
    assert matrix(cast.add_cell(cast.alice(), task, [5]), 1) is None


def test_many_attempts_leave_room_for_every_agent(cast: Cast, task: Task) -> None:
    runs = [
        run
        for name, many in (("Ann", 9), ("Bea", 1), ("Cal", 4))
        for run in cast.add_cell(cast.add_agent(name), task, [5] * many)
    ]

    picked = limit_runs(runs, 6)

    assert [(run.agent.name, run.attempt) for run in picked] == [
        ("Ann", 1),
        ("Ann", 2),
        ("Ann", 3),
        ("Bea", 1),
        ("Cal", 1),
        ("Cal", 2),
    ]


def test_a_run_without_a_report_and_a_test_without_a_result_are_no_error(cast: Cast, task: Task) -> None:
    one, two, gone = cast.add_cell(cast.alice(), task, [5, 5, 5])
    for run, names in ((one, ["a", "b"]), (two, ["b"])):
        run.path.mkdir(parents=True)
        tests = [{"id": name, "status": "passed", "seconds": 0.1, "message": ""} for name in names]
        (run.path / "tests.json").write_text(json.dumps({"tests": tests}))

    made = matrix([one, two, gone], 3)

    assert made is not None
    assert [(row.test, row.passed.value, row.statuses) for row in made.rows] == [
        ("a", 0.5, ("passed", "")),
        ("b", 1.0, ("passed", "passed")),
    ]
    assert (made.columns, made.left_out) == (2, 1)


def test_the_easiest_of_many_tests_are_left_out(cast: Cast, task: Task) -> None:
    (run,) = cast.add_cell(cast.alice(), task, [5])
    run.path.mkdir(parents=True)
    statuses = ["passed"] * 2 + ["failed"] * MAX_ROWS
    tests = [
        {"id": f"{number}\nx", "status": status, "seconds": 0.1, "message": ""}
        for number, status in enumerate(statuses)
    ]
    (run.path / "tests.json").write_text(json.dumps({"tests": tests}))

    made = matrix([run], 1)

    assert made is not None
    assert (made.rows[0].test, len(made.rows), made.more) == ("2 x", 150, 2)
    assert {row.statuses for row in made.rows} == {("failed",)}


def reported(run: Run, **statuses: str) -> Run:
    """The run, with a report of these tests."""
    run.path.mkdir(parents=True)
    tests = [
        {"id": name, "status": status, "seconds": 0.1, "message": ""} for name, status in statuses.items()
    ]
    (run.path / "tests.json").write_text(json.dumps({"tests": tests}))
    return run


def test_tests_that_are_alike_make_a_stripe_in_the_order_of_their_names(cast: Cast) -> None:
    (run,) = cast.add_cell(cast.alice(), cast.add_tasks(1)[0], [5])
    reported(run, d="passed", c="failed", b="skipped", a="passed")
    assert stripes_of([run]) == {
        run.pk: Stripes(
            (Stripe(True, "0.00", "25.00"), Stripe(False, "25.00", "50.00"), Stripe(True, "75.00", "25.00")),
            "2 of 4 tests passed",
        )
    }


def test_a_test_has_the_same_place_in_every_run(cast: Cast) -> None:
    one, two = cast.add_cell(cast.alice(), cast.add_tasks(1)[0], [5, 5])
    reported(one, a="passed", c="passed")
    reported(two, b="passed")
    found = stripes_of([one, two])
    assert found[one.pk].label == "2 of 3 tests passed"
    assert found[two.pk].stripes == (
        Stripe(False, "0.00", "33.33"),
        Stripe(True, "33.33", "33.33"),
        Stripe(False, "66.67", "33.33"),
    )


def test_runs_without_a_report_are_left_out(cast: Cast) -> None:
    missing, empty = cast.add_cell(cast.alice(), cast.add_tasks(1)[0], [5, 5])
    reported(empty)
    assert stripes_of([missing, empty]) == {}
    assert stripes_of([]) == {}
