"""Which run a row is about."""

from __future__ import annotations

import pytest

from runs.models import Run
from runs.transfer.export_tables.run_head import HEAD, HEAD_STORED, head_of
from runs.transfer.run_rows import RowNames
from tests.runs.cast import Cast

pytestmark = pytest.mark.django_db


def test_a_row_begins_with_the_names_of_its_run(cast: Cast) -> None:
    run = cast.add_run(cast.alice(), cast.add_tasks(1)[0], passed=4)
    stored = Run.objects.values_list(*HEAD_STORED).get()

    head = head_of((*stored, "more"), RowNames.of([stored]))

    assert list(head) == [column.name for column in HEAD]
    assert head == {
        **{"run": run.pk, "key": run.key, "evaluation": "spring-tide", "listed": True, "dataset": "ports"},
        **{
            "repository": "harbour",
            "task": "tide-1",
            "agent": "alice",
            "attempt": 1,
            "outcome": "unresolved",
        },
    }


def test_an_unknown_outcome_is_null(cast: Cast) -> None:
    cast.add_run(cast.alice(), cast.add_tasks(1)[0], state="queued", outcome="", ending="")
    stored = Run.objects.values_list(*HEAD_STORED).get()
    assert head_of(stored, RowNames.of([stored]))["outcome"] is None
