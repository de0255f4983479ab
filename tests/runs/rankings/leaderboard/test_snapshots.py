"""Snapshots: one for the same counts, bounded in number, and readable or refused with the reason."""

from __future__ import annotations

import json
import zlib
from datetime import timedelta

import pytest
from django.utils import timezone

from runs.data.queries.competitors import Competitor, ModelName
from runs.data.queries.filters import cell_facts
from runs.data.queries.too_many import TooMany
from runs.models import Agent, Cell, Snapshot
from runs.rankings.leaderboard import snapshots
from runs.rankings.leaderboard.frozen_board import Frozen
from runs.rankings.leaderboard.snapshots import Broken, FrozenTask, content_of, freeze
from tasks.loading import hide
from tasks.models import Task
from tests.runs.cast import Cast
from tests.runs.rankings.leaderboard.ports import NOON, two_ports

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    return two_ports()


def test_the_content_is_cells_and_names_of_the_moment(cast: Cast) -> None:
    snapshot = freeze("ports")
    found = content_of(snapshot)
    bob = Agent.objects.get(slug="bob")
    hard = cast.evaluation.runs.get(agent=bob, task__difficulty="hard").task

    assert (found.since, found.until, snapshot.asked) == ("", "", True)
    today = [cell._replace(origin="") for cell in cell_facts(Cell.objects.all())]
    assert sorted(found.cells) == sorted(today)
    assert len(found.cells) == 4
    assert found.agents[bob.pk] == Competitor("bob", "Bob", "ide", ModelName("Babbage", "Ada Works", False))
    assert found.tasks[hard.pk] == FrozenTask(
        *("tide-1", "Tide 1", "bug", "hard", "quay", "Quay", "Go 1.25"), ("Go",), "ports", "Ports"
    )


def test_the_same_counts_under_the_same_names_are_one_snapshot(cast: Cast) -> None:
    first = freeze("ports")

    assert freeze("ports") == first
    assert freeze("ports", by_reader=False) == first
    Agent.objects.filter(slug="bob").update(name="Robert")
    assert freeze("ports") != first
    assert freeze("ports", until="2026-03-10") != freeze("ports")
    assert Snapshot.objects.count() == 3


def test_hidden_datasets_are_left_out(cast: Cast) -> None:
    hide(cast.dataset, hidden=True)

    found = content_of(freeze("ports"))

    assert (found.cells, found.agents, found.tasks) == ((), {}, {})


def test_another_format_names_itself(cast: Cast) -> None:
    stored = json.loads(zlib.decompress(snapshots.freeze("ports").payload))
    with pytest.raises(snapshots.Broken, match="it is of format 9, and this version of the site reads 2"):
        snapshots._content({**stored, "format": 9})
    # A number that this version does not know is left out.
    stored["numbers"].append("unknown_number")
    for row in stored["cells"]:
        row.append(3)
    assert len(snapshots._content(stored).cells) == 4


def test_damaged_and_exchanged_payloads_are_refused(cast: Cast) -> None:
    snapshot = freeze("ports")

    snapshot.payload = b"rust"
    with pytest.raises(Broken, match=r"^the stored data are damaged \(error\)$"):
        content_of(snapshot)
    snapshot.payload = zlib.compress(b'{"format": 1}')
    with pytest.raises(Broken, match=r"^the stored data do not match the link$"):
        content_of(snapshot)


def test_a_payload_that_unpacks_to_more_than_the_limit_is_refused(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    snapshot = freeze("ports")
    monkeypatch.setattr(snapshots, "MAX_SIZE", 100)
    snapshots._read.cache_clear()

    with pytest.raises(Broken, match="the stored data do not match the link"):
        content_of(snapshot)


def test_an_address_makes_a_limited_number_and_ends_of_evaluations_any(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshots, "MAX_AN_HOUR", 1)
    first = freeze("ports", address="192.0.2.1")
    Snapshot.objects.update(created_at=timezone.now() - timedelta(minutes=50))

    assert freeze("ports", address="192.0.2.1") == first  # nothing new is stored
    with pytest.raises(TooMany) as refused:
        freeze("ports", until="2026-03-10", address="192.0.2.1")
    assert refused.value.wait == pytest.approx(600, abs=5)
    assert str(refused.value).endswith("from your address within the last hour: try again in 10 minutes")
    freeze("ports", until="2026-03-10", address="192.0.2.2")
    freeze("ports", since="2026-03-10", by_reader=False)
    Snapshot.objects.update(created_at=NOON)
    freeze("ports", since="2026-03-11", address="192.0.2.1")  # the hour is over


def test_of_too_many_the_oldest_of_the_address_with_the_most_is_deleted(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshots, "MAX_COUNT", 3)
    days = [f"2026-03-1{number}" for number in range(5)]
    mine = freeze("ports", since=days[0], address="192.0.2.1")
    theirs = [freeze("ports", since=day, address="192.0.2.2") for day in days[1:3]]
    ours = freeze("ports", since=days[3], by_reader=False)
    assert Snapshot.objects.count() == 4

    other = freeze("ports", since=days[4], address="192.0.2.3")

    assert set(Snapshot.objects.all()) == {mine, theirs[1], ours, other}


def test_the_address_of_a_reader_is_not_stored(cast: Cast) -> None:
    freeze("ports", address="192.0.2.1")

    asker = Snapshot.objects.get().asker
    assert len(asker) == 32
    assert set(asker) <= set("0123456789abcdef")


def test_without_runs_it_is_empty() -> None:
    assert content_of(freeze("ports")).cells == ()


def test_a_link_to_the_board_of_one_origin_holds_that_board_alone(cast: Cast) -> None:
    hard = Task.objects.get(slug="tide-1", repository__slug="quay")
    Task.objects.filter(pk=hard.pk).update(origin="removed")

    found = content_of(freeze("ports.removed"))

    (board,) = Frozen("x", found).boards().entries
    assert (board.dataset, board.title, board.tasks) == ("ports.removed", "Ports: removed", 1)
    assert {cell.task for cell in found.cells} == {hard.pk}


def test_who_graded_the_runs_of_an_agent_is_frozen_and_other_tables_stay_as_they_were(cast: Cast) -> None:
    before = freeze("ports")
    Agent.objects.filter(slug="bob").update(graded_here=True)
    after = freeze("ports")
    bob = Agent.objects.get(slug="bob").pk
    assert content_of(after).agents[bob].graded_here
    assert not content_of(before).agents[bob].graded_here
    Agent.objects.filter(slug="bob").update(graded_here=False)
    assert freeze("ports") == before
