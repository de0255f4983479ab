"""The tests of a run as a row of stripes."""

from __future__ import annotations

import json

import pytest

from runs.models import Run
from runs.views.result_pages.test_stripes import Stripe, Stripes, stripes_of
from tests.runs.cast import Cast

pytestmark = pytest.mark.django_db


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
