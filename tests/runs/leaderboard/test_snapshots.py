"""Snapshots: one for the same counts, bounded in number, and readable or refused with the reason."""

from __future__ import annotations

import json
import zlib

import pytest
from django.utils import timezone

from runs.leaderboard import snapshots
from runs.leaderboard.snapshots import Broken, FrozenTask, TooMany, content_of, freeze
from runs.models import Agent, Cell, Snapshot
from runs.queries.competitors import Competitor, ModelName
from runs.queries.filters import cell_facts
from tasks.loading import hide
from tests.runs.cast import Cast
from tests.runs.leaderboard.ports import NOON, two_ports

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    return two_ports()


def test_the_content_is_cells_and_names_of_the_moment(cast: Cast) -> None:
    snapshot = freeze()
    found = content_of(snapshot)
    bob = Agent.objects.get(slug="bob")
    hard = cast.evaluation.runs.get(agent=bob, task__difficulty="hard").task

    assert (found.since, found.until, snapshot.asked) == ("", "", True)
    assert sorted(found.cells) == sorted(cell_facts(Cell.objects.all()))
    assert len(found.cells) == 4
    assert found.agents[bob.pk] == Competitor("bob", "Bob", "ide", ModelName("Babbage", "Ada Works", False))
    assert found.tasks[hard.pk] == FrozenTask(
        *("tide-1", "Tide 1", "bug", "hard", "quay", "Quay", "Go 1.25"), ("Go",), "ports", "Ports"
    )


def test_the_same_counts_under_the_same_names_are_one_snapshot(cast: Cast) -> None:
    first = freeze()

    assert freeze() == first
    assert freeze(by_reader=False) == first
    Agent.objects.filter(slug="bob").update(name="Robert")
    assert freeze() != first
    assert freeze(until="2026-03-10") != freeze()
    assert Snapshot.objects.count() == 3


def test_hidden_datasets_are_left_out(cast: Cast) -> None:
    hide(cast.dataset, hidden=True)

    found = content_of(freeze())

    assert (found.cells, found.agents, found.tasks) == ((), {}, {})


def test_another_format_names_itself(cast: Cast) -> None:
    stored = json.loads(zlib.decompress(snapshots.freeze().payload))
    with pytest.raises(snapshots.Broken, match="it is of format 9, and this version of the site reads 1"):
        snapshots._content({**stored, "format": 9})
    # A number that this version does not know is left out.
    stored["numbers"].append("unknown_number")
    for row in stored["cells"]:
        row.append(3)
    assert len(snapshots._content(stored).cells) == 4


def test_damaged_and_exchanged_payloads_are_refused(cast: Cast) -> None:
    snapshot = freeze()

    snapshot.payload = b"rust"
    with pytest.raises(Broken, match=r"^the stored data are damaged \(error\)$"):
        content_of(snapshot)
    snapshot.payload = zlib.compress(b'{"format": 1}')
    with pytest.raises(Broken, match=r"^the stored data do not match the link$"):
        content_of(snapshot)


def test_a_payload_that_unpacks_to_more_than_the_limit_is_refused(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    snapshot = freeze()
    monkeypatch.setattr(snapshots, "LARGEST", 100)

    with pytest.raises(Broken, match="the stored data do not match the link"):
        snapshots._unpacked(bytes(snapshot.payload), snapshot.digest)


def test_readers_make_a_limited_number_and_ends_of_evaluations_any(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshots, "MOST_AN_HOUR", 1)
    monkeypatch.setattr(snapshots, "MOST", 2)
    first = freeze()

    assert freeze() == first  # nothing new is stored
    with pytest.raises(TooMany) as refused:
        freeze(until="2026-03-10")
    assert str(refused.value) == "1 permanent links were made within the last hour: try again later"
    freeze(until="2026-03-10", by_reader=False)
    Snapshot.objects.update(created_at=NOON)
    freeze(since="2026-03-11")  # the hour is over

    Snapshot.objects.update(created_at=NOON)
    with pytest.raises(TooMany) as refused:
        freeze(since="2026-03-10")
    assert (
        str(refused.value) == "2 permanent links are stored, which is the limit: an operator can delete some"
    )
    assert timezone.now() > NOON


def test_without_runs_it_is_empty() -> None:
    assert content_of(freeze()).cells == ()
