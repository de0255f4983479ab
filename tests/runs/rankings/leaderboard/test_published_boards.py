"""The board of a dataset whose results begin to count gets a permanent link."""

from __future__ import annotations

import pytest
from pytest_django import DjangoCaptureOnCommitCallbacks

from runs.models import Snapshot
from runs.rankings.leaderboard.snapshots import content_of
from runs.work.execution.publishing import after_publishing
from tests.runs.cast import Cast

pytestmark = pytest.mark.django_db


def test_a_published_board_gets_a_link(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    cast = Cast()
    cast.add_cell(cast.alice(), cast.add_tasks(1)[0], [5, 0])
    cast.settle()

    with django_capture_on_commit_callbacks(execute=True):
        after_publishing(cast.evaluation)

    assert [cell.attempts for cell in content_of(Snapshot.objects.get()).cells] == [2]
