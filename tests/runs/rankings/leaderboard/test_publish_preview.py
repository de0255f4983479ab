"""The preview of a publication says what the leaderboard shows after it."""

from __future__ import annotations

import pytest
from pytest_django import DjangoAssertNumQueries

from runs.analysis.outcomes.standings import Standing
from runs.data.queries.board_filter import BoardFilter
from runs.data.queries.competitors import Competitor
from runs.models import Agent, Evaluation
from runs.operations.evaluations.lifecycle import set_listed
from runs.rankings.leaderboard.board_source import BoardSource
from runs.rankings.leaderboard.publish_preview import DatasetPreview, preview
from tasks.models import Task
from tests.runs.cast import Cast

pytestmark = pytest.mark.django_db

Row = tuple[str, int, int, float, str] | None  # agent, tasks, attempts, pass@1, place


@pytest.fixture
def cast() -> Cast:
    return Cast()


@pytest.fixture
def tasks(cast: Cast) -> list[Task]:
    """Alice resolves the first of two tasks, in a published evaluation."""
    tasks = cast.add_tasks(2)
    alice = cast.alice()
    cast.add_cell(alice, tasks[0], [5, 5])
    cast.add_cell(alice, tasks[1], [2])
    cast.settle()
    return tasks


@pytest.fixture
def trial(cast: Cast, tasks: list[Task]) -> Evaluation:
    """Alice resolves the second, too, and Bob one of three attempts at the first; another run goes on."""
    trial = cast.add_evaluation("neap", "Neap", listed=False)
    cast.add_run(Agent.objects.get(slug="alice"), tasks[1], evaluation=trial)
    bob = cast.bob()
    for attempt, passed in enumerate((5, 2, 2), 1):
        cast.add_run(bob, tasks[0], attempt, passed=passed, evaluation=trial)
    cast.add_run(bob, tasks[1], evaluation=trial, state="running", outcome="")
    return trial


def row_of(agent: Competitor, row: Standing | None) -> Row:
    """What a test compares of a row."""
    if row is None:
        return None
    return agent.name, row.tasks, row.attempts, row.pass_1.value, str(row.place)


def board() -> list[Row]:
    """The rows of the leaderboard today."""
    today = BoardSource()
    rows = today.standings(BoardFilter(dataset="ports")).rows
    names = today.competitors([row.agent for row in rows])
    return [row_of(names[row.agent], row) for row in rows]


def sides(found: list[DatasetPreview]) -> tuple[list[Row], list[Row]]:
    """The rows before and after, of one dataset."""
    (only,) = found
    before = [row_of(change.agent, change.then) for change in only.changes]
    return before, [row_of(change.agent, change.now) for change in only.changes]


def test_it_shows_the_rows_before_and_after_which_publishing_then_makes(trial: Evaluation) -> None:
    before, after = sides(preview(trial, listed=True))

    assert before == [("Alice", 2, 3, 0.5, "1"), None]
    assert after == [("Alice", 2, 4, 0.75, "1–2"), ("Bob", 1, 3, pytest.approx(1 / 3), "1–2")]
    assert board() == [row for row in before if row]
    set_listed(trial, True)
    assert board() == after


def test_it_shows_what_taking_off_would_change(trial: Evaluation) -> None:
    set_listed(trial, True)
    published = board()

    before, after = sides(preview(trial, listed=False))

    assert before == published
    assert after == [("Alice", 2, 3, 0.5, "1"), None]
    set_listed(trial, False)
    assert board() == [row for row in after if row]


def test_only_datasets_that_readers_see_are_compared(cast: Cast, trial: Evaluation) -> None:
    hidden = cast.add_evaluation("vault", "Vault", listed=False)
    cast.add_run(Agent.objects.get(slug="alice"), cast.add_hidden_task(), evaluation=hidden)

    assert preview(hidden, listed=True) == []
    assert [each.dataset.slug for each in preview(trial, listed=True)] == ["ports"]


def test_an_evaluation_without_finished_runs_changes_nothing(cast: Cast, tasks: list[Task]) -> None:
    empty = cast.add_evaluation("ebb", "Ebb", listed=False)
    cast.add_run(cast.bob(), tasks[0], evaluation=empty, state="cancelled", outcome="")

    assert preview(empty, listed=True) == []


def test_it_takes_few_queries(
    trial: Evaluation, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_max_num_queries(10):
        preview(trial, listed=True)


def test_each_origin_of_tasks_has_rows_of_its_own(tasks: list[Task], trial: Evaluation) -> None:
    Task.objects.filter(pk=tasks[1].pk).update(origin="removed")

    found = preview(trial, listed=True)

    assert [(each.title, [change.agent.name for change in each.changes]) for each in found] == [
        ("Ports: hand-made", ["Alice", "Bob"]),
        ("Ports: removed", ["Alice"]),
    ]
