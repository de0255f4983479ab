"""Which near miss the first page tells."""

from __future__ import annotations

import pytest

from runs.data.cells.told_near_miss import told_near_miss
from runs.models import Run
from tests.runs.cast import Cast

pytestmark = pytest.mark.django_db
EDITED = {"files_changed": 1, "lines_added": 3}


def test_the_nearest_of_a_competitor_comes_before_calibration_and_more_lines_before_few() -> None:
    cast = Cast()
    tasks = cast.add_tasks(5)
    alice = cast.alice()
    script = cast.add_run(cast.add_agent("Script", "scripted"), tasks[0], passed=4, **EDITED)
    cast.settle()
    assert told_near_miss("ports") == script.pk

    cast.add_run(alice, tasks[0], passed=3, **EDITED)  # passed fewer than 80 % of the tests
    cast.settle()
    assert told_near_miss("ports") == script.pk

    near = cast.add_run(alice, tasks[1], passed=4, **EDITED)
    longer = cast.add_run(alice, tasks[2], passed=4, files_changed=2, lines_added=9)
    cast.add_run(alice, tasks[3], passed=5, **EDITED)  # resolved
    cast.settle()
    assert told_near_miss("ports") == longer.pk
    assert told_near_miss() == longer.pk

    Run.objects.filter(pk=longer.pk).update(files_changed=0)
    assert told_near_miss("ports") == near.pk


def test_without_a_record_a_passed_test_or_an_open_dataset_nothing_is_told() -> None:
    cast = Cast()
    tasks = cast.add_tasks(3)
    alice = cast.alice()
    cast.add_run(alice, tasks[0], passed=4, **EDITED, directory="")
    cast.add_run(alice, tasks[1], passed=0, **EDITED)
    cast.add_run(alice, cast.add_hidden_task(), passed=4, **EDITED)
    cast.settle()

    assert told_near_miss("ports") is None
    assert told_near_miss() is None
    assert told_near_miss("nowhere") is None
