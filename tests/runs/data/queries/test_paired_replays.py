"""Two agents and a task, found by words of their names."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser

from runs.data.queries.paired_replays import PairedReplays, paired_replays
from tasks.loading import hide
from tests.runs.cast import Cast

pytestmark = pytest.mark.django_db


def found(text: str) -> list[PairedReplays]:
    return paired_replays(text.split(), AnonymousUser())


def test_the_newest_replays_of_two_agents_at_a_task_are_paired() -> None:
    cast = Cast()
    cast.add_tasks(2)
    one, two = cast.repository.tasks.order_by("slug")
    zoe, mia = cast.add_agent("Zoe"), cast.add_agent("Mia")
    cast.add_run(zoe, one)
    newest = cast.add_run(zoe, one, 2)
    other = cast.add_run(mia, one)
    cast.add_run(zoe, two)
    cast.add_run(mia, two, directory="")  # reported only

    assert found("zoe TIDE mia") == [PairedReplays(other.pk, newest.pk, "Mia and Zoe", "Tide 1")]
    assert found("zoe mia tide-2") == []
    assert found("zoe mia tide elsewhere") == []
    assert found("zoe tide 1") == []
    hide(cast.dataset, hidden=True)
    assert found("zoe mia tide") == []
