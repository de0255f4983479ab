"""What delays an evaluation is shown to its watchers."""

from __future__ import annotations

import pytest
from django.test import Client

from runs.jobs import queue
from runs.models import Evaluation
from runs.operations.monitoring.health import NO_ENGINE, NO_REDIS, NO_SWEEPER, NO_WORKER, problems
from runs.operations.monitoring.live_workers import store_sweeper_heartbeat
from runs.work.execution.rq_workers import RunWorker
from tests.conftest import RedisServer
from tests.runs.cast import Cast

pytestmark = [pytest.mark.django_db, pytest.mark.redis]


def evaluation_page(state: Evaluation.State) -> str:
    """What anybody sees of an evaluation in that state."""
    cast = Cast()
    evaluation = cast.add_evaluation("watched", "Watched", state=state)
    cast.add_run(cast.alice(), cast.add_tasks(1)[0], evaluation=evaluation)
    return Client().get(evaluation.get_absolute_url()).content.decode()


@pytest.mark.usefixtures("all_down")
def test_a_running_evaluation_names_what_is_down_and_no_address() -> None:
    page = evaluation_page(Evaluation.State.RUNNING)
    assert NO_REDIS in page
    assert NO_ENGINE in page
    assert "none.sock" not in page


@pytest.mark.usefixtures("all_down")
def test_a_finished_evaluation_is_held_up_by_nothing() -> None:
    assert "Held up" not in evaluation_page(Evaluation.State.FINISHED)


def test_a_site_without_workers_says_so(redis: RedisServer) -> None:
    assert {NO_WORKER, NO_SWEEPER} <= set(problems())


@pytest.mark.engine
def test_all_is_well_when_everything_responds_and_somebody_works(redis: RedisServer) -> None:
    RunWorker(["runs"], connection=queue.connection()).register_birth()
    store_sweeper_heartbeat()
    assert problems() == ()
