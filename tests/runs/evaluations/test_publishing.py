"""Runs that begin to count get a permanent link, and the analysis pages are computed with them."""

from __future__ import annotations

import pytest
from pytest_django import DjangoCaptureOnCommitCallbacks

from runs import queue
from runs.evaluations.lifecycle import set_listed
from runs.leaderboard.snapshots import content_of
from runs.models import Snapshot
from tasks.loading import hide
from tests.runs.cast import Cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def enqueued(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The analyses that were enqueued."""
    found: list[str] = []
    monkeypatch.setattr(queue, "enqueue_analysis", found.append)
    return found


def publish(cast: Cast, *, listed: bool = True) -> None:
    cast.add_cell(cast.alice(), cast.add_tasks(1)[0], [5, 0])
    set_listed(cast.evaluation, listed)


def test_an_operator_who_publishes_leaves_a_link_and_enqueues_analysis(
    cast: Cast, enqueued: list[str], django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        publish(cast)

    assert [cell.attempts for cell in content_of(Snapshot.objects.get()).cells] == [2]
    assert enqueued == ["dataset=ports"]


@pytest.mark.parametrize("hidden", [False, True], ids=["a trial", "runs at hidden tasks"])
def test_nothing_follows(
    cast: Cast,
    enqueued: list[str],
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
    hidden: bool,
) -> None:
    if hidden:
        hide(cast.dataset, hidden=True)
    with django_capture_on_commit_callbacks(execute=True):
        publish(cast, listed=hidden)

    assert not Snapshot.objects.exists()
    assert enqueued == []
