"""The sweeper indexes the texts of runs."""

from __future__ import annotations

import pytest
from pytest_django import DjangoAssertNumQueries

from runs.data.text_index import indexing
from runs.data.text_index.index_file import forget_text_index, text_index_path
from runs.models import Run
from runs.work.execution import text_sweep
from runs.work.execution.text_sweep import TextSweep
from tests.runs.cast import Cast, record
from tests.runs.data.text_index.searching import found

pytestmark = pytest.mark.django_db


@pytest.fixture
def run() -> Run:
    cast = Cast()
    run = cast.add_run(cast.alice(), cast.add_tasks(1)[0])
    record(run)
    return run


def test_passes_index_what_is_due_and_then_look_at_one_sum(
    run: Run, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    sweep = TextSweep()
    sweep.take_steps(alone=False)
    assert len(found("tide").runs) == 1
    with django_assert_num_queries(1):
        sweep.take_steps(alone=False)
    forget_text_index()
    sweep.take_steps(alone=False)
    assert len(found("tide").runs) == 1
    run.delete()
    sweep.take_steps(alone=False)
    assert found("tide").searched.runs == 0


def test_what_a_pass_leaves_the_next_one_goes_on_with(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    left = iter((5, 0))
    asked: list[float] = []

    def index_some(seconds: float) -> int:
        asked.append(seconds)
        return next(left)

    monkeypatch.setattr(text_sweep, "index_some", index_some)
    sweep = TextSweep()
    sweep.take_steps(alone=False)
    sweep.take_steps(alone=True)
    assert asked == [1.0, 600.0]


def test_an_index_that_cannot_be_written_does_not_hold_up_the_sweeper(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    text_index_path().parent.write_text("not a directory")
    TextSweep().take_steps(alone=False)
    assert not indexing.index_run(run.pk)
