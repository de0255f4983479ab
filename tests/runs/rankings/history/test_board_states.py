"""What boards said earlier is read from frozen boards and from older versions of sources."""

from __future__ import annotations

import pytest

from runs.data.cells.boards import all_boards
from runs.intake.reported.storing import store
from runs.models import Run, Snapshot
from runs.rankings.history import board_states
from runs.rankings.history.board_states import current_states, frozen_states, moves, source_states
from runs.rankings.leaderboard.snapshots import freeze
from tasks.loading import hide
from tasks.models import Task
from tests.runs.cast import Cast
from tests.runs.intake.reported.made_results import reported, result, two_agents

pytestmark = pytest.mark.django_db


@pytest.fixture
def ports() -> Cast:
    """Alice resolves six tasks, Bob none."""
    cast = Cast()
    alice, bob = cast.alice(), cast.bob()
    for task in cast.add_tasks(6):
        cast.add_cell(alice, task, [5])
        cast.add_cell(bob, task, [0])
    cast.settle()
    return cast


def test_a_frozen_board_keeps_its_rows_and_the_current_one_differs_after_new_results(ports: Cast) -> None:
    freeze("ports", by_reader=False)
    bob = Run.objects.filter(agent__name="Bob").first()
    assert bob is not None
    for task in Task.objects.all():
        ports.add_run(bob.agent, task, 2)
    ports.settle()

    (then,), (now,) = frozen_states(), current_states(all_boards().entries)

    assert (then.dataset, then.label, then.title) == ("ports", "frozen", "Ports")
    assert then.address.startswith("/leaderboard/at/")
    assert (then.rows["bob"].rate, now.rows["bob"].rate) == (0.0, 0.5)
    assert now.address == "/?dataset=ports"
    (move,) = moves(then, now)
    assert (move.slug, move.then, move.now) == ("bob", then.rows["bob"], now.rows["bob"])


def test_boards_with_filters_unreadable_and_hidden_ones_are_left_out(ports: Cast) -> None:
    freeze("ports", since="2020-01-01", by_reader=False)
    assert frozen_states() == []

    freeze("ports", by_reader=False)
    assert len(frozen_states()) == 1
    hide(ports.dataset, hidden=True)
    assert frozen_states() == []

    board_states._read.clear()
    Snapshot.objects.update(payload=b"damaged")
    assert frozen_states() == []


def test_no_row_is_about_calibration_or_people(ports: Cast) -> None:
    oracle = ports.oracle()
    for task in Task.objects.all():
        ports.add_cell(oracle, task, [5])
    ports.settle()
    freeze("ports", by_reader=False)

    assert (
        set(frozen_states()[0].rows) == {"alice", "bob"} == set(current_states(all_boards().entries)[0].rows)
    )


def test_an_older_version_of_a_source_has_the_rows_that_it_had() -> None:
    store(reported(two_agents()))
    changed = [*two_agents(), *(result("Cy", f"task-{number}", repository="lab/one") for number in range(8))]
    store(reported([one for one in changed if one.agent != "Ben"], version="a2"))

    entries = all_boards().entries
    (then,), (now,) = source_states(entries), current_states(entries)

    assert (then.dataset, then.version, then.label) == ("lab-bench", "a1", "version a1")
    assert sorted(row.name for row in then.rows.values()) == ["Ada", "Ben"]
    assert sorted(row.name for row in now.rows.values()) == ["Ada", "Cy"]
    assert then.when <= now.when
    assert [(move.name, move.then is None, move.now is None) for move in moves(then, now)][-1] == (
        "Ben",
        False,
        True,
    )
    assert source_states([]) == []
