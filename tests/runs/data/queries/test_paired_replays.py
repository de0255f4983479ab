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


def test_tasks_with_most_of_the_words_are_looked_at_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("runs.data.queries.paired_replays.MAX_NAMED", 2)
    cast = Cast()
    cast.add_tasks(12)
    last = cast.repository.tasks.get(slug="tide-9")
    cast.add_run(cast.add_agent("Zoe"), last)
    cast.add_run(cast.add_agent("Mia"), last)

    assert [pair.task for pair in found("zoe mia tide 9")] == ["Tide 9"]


def test_names_are_found_in_any_case_and_alphabet() -> None:
    cast = Cast()
    (task,) = cast.add_tasks(1)
    cast.add_run(cast.add_agent("Ärger"), task)
    cast.add_run(cast.add_agent("Mia"), task)

    assert [pair.agents for pair in found("Ärger MIA tide")] == ["Mia and Ärger"]


def test_of_many_pairs_some_are_found() -> None:
    cast = Cast()
    (task,) = cast.add_tasks(1)
    for number in range(12):
        cast.add_run(cast.add_agent(f"Zoe {number:02}"), task)
        cast.add_run(cast.add_agent(f"Mia {number:02}"), task)

    pairs = found("zoe mia tide")
    assert len(pairs) == 100
    assert pairs[0].agents == "Mia 00 and Zoe 00"
