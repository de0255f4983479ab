"""What changed: new boards, new versions of sources, new results, and agents that moved."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from runs.intake.reported.storing import store
from runs.models import Evaluation
from runs.rankings.history.site_changes import newest_changes, site_changes
from runs.rankings.leaderboard.snapshots import freeze
from tasks.loading import hide
from tasks.models import Dataset
from tests.runs.cast import Cast
from tests.runs.intake.reported.made_results import reported, result, two_agents

pytestmark = pytest.mark.django_db
DONE = datetime(2026, 3, 1, 12, tzinfo=UTC)


def test_nothing_has_changed_on_an_empty_site() -> None:
    assert site_changes() == []


def test_the_first_import_of_a_source_is_a_new_board_and_the_next_a_new_version() -> None:
    store(reported(two_agents()))
    better = [result("Ben", f"task-{n}", won=n < 4, repository="lab/one") for n in range(8)]
    store(reported([*(one for one in two_agents() if one.agent == "Ada"), *better], version="a2"))

    new, first = site_changes()

    assert (first.kind, first.title, first.address) == ("new board", "Lab bench", "/sources/lab-bench/")
    assert first.detail == "reported by The Lab on 31 January 2026"
    assert sorted(name for _, name in first.newcomers) == ["Ada", "Ben"]
    assert (new.kind, new.boards) == ("new version", ("lab-bench",))
    assert new.detail == "version a2 after a1, reported by The Lab on 31 January 2026"
    ben = next(move for move in new.moves if move.name == "Ben")
    assert ben.then is not None
    assert ben.now is not None
    assert (ben.then.rate, ben.now.rate) == (0.0, 0.5)


def test_of_sources_of_one_day_those_with_newer_results_come_first() -> None:
    store(reported(two_agents(), slug="newer", title="Newer bench", reported_on=date(2026, 2, 28)))
    store(reported(two_agents(), slug="older", title="Older bench"))

    for changes in (site_changes(), newest_changes()):
        assert [change.title for change in changes] == ["Newer bench", "Older bench"]


def test_a_published_evaluation_names_the_agents_with_their_first_results() -> None:
    cast = Cast()
    alice, bob = cast.alice(), cast.bob()
    (task,) = cast.add_tasks(1)
    cast.add_run(alice, task, 1)
    second = cast.add_evaluation("neap-tide", "Neap tide")
    for agent in (alice, bob):
        run = cast.add_run(agent, task, 2)
        run.evaluation = second
        run.save()
    cast.settle()
    Evaluation.objects.filter(pk=cast.evaluation.pk).update(finished_at=DONE)
    Evaluation.objects.filter(pk=second.pk).update(finished_at=DONE.replace(day=2))

    later, earlier = site_changes()

    assert (earlier.kind, earlier.title, earlier.newcomers) == (
        "new results",
        "Spring tide",
        (("alice", "Alice"),),
    )
    assert (later.title, later.newcomers, later.boards) == ("Neap tide", (("bob", "Bob"),), ("ports",))
    assert later.address == second.get_absolute_url()
    assert newest_changes() == [later, earlier]


def test_an_agent_with_results_on_one_board_is_new_on_another() -> None:
    cast = Cast()
    alice = cast.alice()
    cast.add_run(alice, cast.add_tasks(1)[0], 1)
    cast.settle()
    cast.dataset = Dataset.objects.create(slug="lakes", title="Lakes")
    cast.repository = cast.add_repository("lock", "Lock keeper")
    cast.evaluation = cast.add_evaluation("neap-tide", "Neap tide")
    cast.add_run(alice, cast.add_tasks(1)[0], 1)
    cast.settle()
    for day, evaluation in enumerate(Evaluation.objects.order_by("pk"), 1):
        Evaluation.objects.filter(pk=evaluation.pk).update(finished_at=DONE.replace(day=day))

    assert [change.newcomers for change in site_changes()] == [(("alice", "Alice"),)] * 2


def test_trials_and_hidden_datasets_change_nothing_for_readers() -> None:
    cast = Cast()
    (task,) = cast.add_tasks(1)
    cast.add_run(cast.alice(), task, 1)
    cast.settle()
    Evaluation.objects.update(finished_at=DONE, listed=False)
    assert site_changes() == []
    Evaluation.objects.update(listed=True)
    assert len(site_changes()) == 1
    hide(cast.dataset, hidden=True)
    assert site_changes() == []


def test_a_frozen_board_is_a_change_if_it_differs_from_the_one_before() -> None:
    cast = Cast()
    alice = cast.alice()
    tasks = cast.add_tasks(2)
    cast.add_run(alice, tasks[0], 1)
    cast.settle()
    freeze("ports", by_reader=False)
    cast.add_run(alice, tasks[1], 1, passed=0)
    cast.settle()
    freeze("ports", by_reader=False)

    newer, older = [change for change in site_changes() if change.kind == "frozen board"]

    assert older.moves == ()
    (move,) = newer.moves
    assert (move.name, move.then and move.then.tasks, move.now and move.now.tasks) == ("Alice", 1, 2)
    assert newest_changes() == []  # results are the change, and this evaluation has not ended


def test_changes_are_chosen_by_board_and_by_agent() -> None:
    store(reported(two_agents()))
    store(reported(two_agents(), slug="other-bench", title="Other bench"))
    ada = next(slug for slug, name in site_changes("lab-bench")[0].newcomers if name == "Ada")

    assert [change.title for change in site_changes("other-bench")] == ["Other bench"]
    assert [(change.title, len(change.newcomers)) for change in site_changes(agent=ada)] == [("Lab bench", 1)]
    assert site_changes(agent="nobody") == []
    hide(Dataset.objects.get(slug="lab-bench"), hidden=True)
    assert site_changes("lab-bench") == []
