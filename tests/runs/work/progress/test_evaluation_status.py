"""Everything that an evaluation's page shows, and when it changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache

from runs.data.queries.visibility import ANONYMOUS
from runs.models import Evaluation, Run, Try
from runs.work.progress import evaluation_status
from runs.work.progress.evaluation_status import is_big, progress_of, version_of
from tasks.loading import hide
from tests.runs.cast import Cast, act, add_try, recorder_of

pytestmark = pytest.mark.django_db

QUEUED: dict[str, Any] = {"state": Run.State.QUEUED, "outcome": "", "ending": ""}


@pytest.fixture(autouse=True)
def nothing_remembered() -> None:
    """Each test checks again which services are down."""
    cache.clear()


def test_the_bar_is_filled_by_done_runs_and_what_is_not_done_is_counted_beside_it(cast: Cast) -> None:
    agent, task = cast.alice(), cast.add_tasks(1)[0]
    states: list[dict[str, Any]] = [
        {},
        {"passed": 1},
        {"outcome": Run.Outcome.INFRASTRUCTURE_FAILED},
        {"state": Run.State.CANCELLED, "outcome": ""},
        {"state": Run.State.GRADING, "outcome": ""},
        QUEUED,
        QUEUED,
        QUEUED,
    ]
    for attempt, state in enumerate(states, 1):
        cast.add_run(agent, task, attempt, **state)

    found = progress_of(cast.evaluation, ANONYMOUS)

    assert found.tally.bar == (
        ("resolved", "resolved", 1, 0.0, 12.5),
        ("unresolved", "unresolved", 1, 12.5, 12.5),
        ("failed", "not counted: infrastructure", 1, 25.0, 12.5),
    )
    assert sum(part.width for part in found.tally.bar) == 100 * found.tally.done / found.tally.total
    assert found.tally.not_done == (("●", "under way", 1), ("+", "not started", 3), ("⊘", "cancelled", 1))
    assert found.states == (("queued", 3), ("grading", 1), ("finished", 3), ("cancelled", 1))
    assert (len(found.active), found.waiting.queued, found.cancellations) == (
        1,
        3,
        (("No reason is known.", 1),),
    )


def test_an_evaluation_without_visible_runs_is_empty(cast: Cast, admin_user: User) -> None:
    cast.add_run(cast.alice(), cast.add_tasks(1)[0])
    cast.dataset.hidden = True
    cast.dataset.save()

    found = progress_of(cast.evaluation, ANONYMOUS)

    assert (found.tally.total, found.tally.bar, found.tasks, found.agents, found.grid.rows) == (
        0,
        (),
        (),
        (),
        (),
    )
    assert progress_of(cast.evaluation, admin_user).tally.total == 1


def test_filters_of_the_leaderboard_are_what_all_tasks_have_in_common(cast: Cast) -> None:
    alice = cast.alice()
    cast.add_run(alice, cast.add_tasks(1)[0])
    one = progress_of(cast.evaluation, ANONYMOUS)
    assert (one.common_filters, one.repositories) == ({"dataset": "ports", "repository": "harbour"}, 1)

    cast.add_run(alice, cast.add_tasks(1, cast.add_repository("quay", "Quay"))[0])
    two = progress_of(cast.evaluation, ANONYMOUS)
    assert (two.common_filters, two.repositories) == ({"dataset": "ports"}, 2)


def _step(run: Run) -> None:
    act(recorder_of(run), "read_file", {"path": "a.py"})


def _spend(run: Run) -> None:
    Try.objects.filter(run=run).update(spent_usd=0.5)


def _explain(run: Run) -> None:
    Run.objects.filter(pk=run.pk).update(detail="No reply yet.")


def _finish(run: Run) -> None:
    Run.objects.filter(pk=run.pk).update(state=Run.State.FINISHED, outcome=Run.Outcome.RESOLVED)


def _hide(run: Run) -> None:
    hide(run.task.repository.dataset, hidden=True)


def _list(run: Run) -> None:
    Evaluation.objects.filter(pk=run.evaluation_id).update(listed=not run.evaluation.listed)


def _publish_later(run: Run) -> None:
    Evaluation.objects.filter(pk=run.evaluation_id).update(publish_when_finished=True)


@pytest.mark.parametrize("change", [_step, _spend, _explain, _finish, _list, _publish_later, _hide])
def test_the_version_changes_with_what_the_page_shows(
    cast: Cast, admin_user: User, change: Callable[[Run], None]
) -> None:
    run = cast.add_run(cast.alice(), cast.add_tasks(1)[0], state=Run.State.RUNNING, outcome="")
    add_try(run, 1, Try.State.LIVE)
    pk = cast.evaluation.pk
    before = version_of(pk, ANONYMOUS)
    assert version_of(pk, ANONYMOUS) == before
    assert version_of(pk, admin_user) != before
    change(run)
    assert version_of(pk, ANONYMOUS) != before


def test_an_evaluation_is_big_beyond_a_number_of_runs(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaluation_status, "BIG", 2)
    agent, task = cast.alice(), cast.add_tasks(1)[0]
    for attempt in (1, 2):
        cast.add_run(agent, task, attempt)
    assert not is_big(cast.evaluation.runs.all())
    cast.add_run(agent, task, 3)
    assert is_big(cast.evaluation.runs.all())
