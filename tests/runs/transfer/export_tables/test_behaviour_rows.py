"""The counts of trajectories as rows."""

from __future__ import annotations

import pytest

from runs.analysis import behaviour
from runs.models import Counts, Run
from runs.transfer.export_tables.behaviour_rows import (
    BEHAVIOUR_COLUMNS,
    SIGN_COLUMNS,
    behaviour_batches,
    sign_batches,
)
from tests.runs.cast import Cast
from tests.runs.made_counts import count

pytestmark = pytest.mark.django_db


def test_a_run_has_its_labels_faults_and_features(cast: Cast) -> None:
    run = count(cast.add_run(cast.alice(), cast.add_tasks(1)[0]))

    ((row,),) = behaviour_batches(Run.objects.all())

    assert list(row) == [column.name for column in BEHAVIOUR_COLUMNS]
    assert (row["run"], row["labels"], row["faults"]) == (run.pk, "ep", ["step 7 is missing"])
    assert (row["exploits"], row["exploit_strengths"]) == (["network", "grader"], ["attempt", "success"])
    assert row["flagged"] is True
    assert (row["targets_named"], row["targets_changed"]) == (2.0, None)


def test_a_sign_has_its_steps_or_the_reason_why_it_is_undecided(cast: Cast) -> None:
    count(cast.add_run(cast.alice(), cast.add_tasks(1)[0]))

    ((present, undecided),) = sign_batches(Run.objects.all())

    assert list(present) == [column.name for column in SIGN_COLUMNS]
    assert (present["mode"], present["present"], present["steps"]) == ("thrashing", True, [3, 4])
    assert (undecided["mode"], undecided["present"], undecided["steps"]) == ("wrong_location", None, [])
    assert undecided["reason"] == "a patch cannot be read"


def test_runs_without_readable_counts_have_no_row_and_batches_come_newest_first(cast: Cast) -> None:
    (task,) = cast.add_tasks(1)
    alice = cast.alice()
    first, second, old, broken, _ = (cast.add_run(alice, task, number) for number in range(1, 6))
    count(first)
    count(second)
    count(old, version=behaviour.VERSION - 1)
    Counts.objects.create(run=broken, version=behaviour.VERSION, behaviour="{}")

    found = list(behaviour_batches(Run.objects.all(), size=1))

    assert [[row["run"] for row in batch] for batch in found] == [[], [second.pk], [first.pk]]


def test_no_column_has_the_name_of_another() -> None:
    for columns in (BEHAVIOUR_COLUMNS, SIGN_COLUMNS):
        assert len({column.name for column in columns}) == len(columns)
