"""When runs begin to count, the analysis pages are computed with them."""

from __future__ import annotations

import pytest
from pytest_django import DjangoCaptureOnCommitCallbacks

from runs.jobs import queue
from runs.models import Snapshot
from runs.work.execution.publishing import after_publishing
from tasks.loading import hide
from tests.runs.cast import Cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def enqueued(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The analyses that were enqueued."""
    found: list[str] = []
    monkeypatch.setattr(queue, "enqueue_analysis", found.append)
    return found


@pytest.fixture
def cast() -> Cast:
    """Two runs of one agent, which count."""
    cast = Cast()
    cast.add_cell(cast.alice(), cast.add_tasks(1)[0], [5, 0])
    cast.settle()
    return cast


def test_the_analysis_of_a_board_is_enqueued(
    cast: Cast, enqueued: list[str], django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        after_publishing(cast.evaluation)

    assert enqueued == ["dataset=ports"]


def test_nothing_follows_where_the_tasks_are_hidden(
    cast: Cast, enqueued: list[str], django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    hide(cast.dataset, hidden=True)

    with django_capture_on_commit_callbacks(execute=True):
        after_publishing(cast.evaluation)

    assert not Snapshot.objects.exists()
    assert enqueued == []
