"""A frozen leaderboard: filters give what they gave on the day, and what has changed since is listed."""

from __future__ import annotations

import pytest

from runs.data.queries.board_filter import BoardFilter
from runs.data.queries.competitors import competitors
from runs.data.queries.parameters import BadParameter
from runs.models import Agent, Run
from runs.rankings.leaderboard import snapshots
from runs.rankings.leaderboard.board_source import BoardSource
from runs.rankings.leaderboard.frozen_board import Change, Frozen, changes
from tasks.loading import hide
from tests.runs.cast import Cast
from tests.runs.rankings.leaderboard.ports import two_ports

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    return two_ports()


def frozen_now(until: str = "") -> tuple[Frozen, snapshots.Content]:
    """The current data as a frozen source, and their content."""
    snapshot = snapshots.freeze("ports", until=until)
    content = snapshots.content_of(snapshot)
    return Frozen(snapshot.digest, content), content


def figures(found: list[Change]) -> list[tuple[str, float | None, float | None]]:
    """The pass@1 of each agent, then and now."""
    return [
        (
            each.agent.name,
            each.then.pass_1.value if each.then else None,
            each.now.pass_1.value if each.now else None,
        )
        for each in found
    ]


@pytest.mark.parametrize(
    "chosen",
    [
        BoardFilter("ports"),
        BoardFilter("ports", repository="quay"),
        BoardFilter("ports", stack="Go 1.25"),
        BoardFilter("ports", language="Python"),
        BoardFilter("ports", difficulty="hard", category="bug"),
        BoardFilter("ports", kind="ide", weights="closed"),
        BoardFilter("ports", weights="open"),
        BoardFilter("ports", repository="nowhere"),
    ],
)
def test_every_filter_gives_what_it_gave_on_the_day(cast: Cast, chosen: BoardFilter) -> None:
    snapshot = snapshots.freeze("ports")
    source = Frozen(snapshot.digest, snapshots.content_of(snapshot))

    assert source.standings(chosen) == BoardSource().standings(chosen)
    assert source.choices("ports") == BoardSource().choices("ports")


@pytest.mark.parametrize("name", ["since", "until"])
def test_days_are_refused_later(cast: Cast, name: str) -> None:
    source, _ = frozen_now()

    with pytest.raises(BadParameter) as refused:
        source.standings(BoardFilter(**{name: "2026-03-10"}))

    assert str(refused.value) == (
        f"{name}='2026-03-10' is invalid; allowed: nothing: a frozen table does not know the days of its runs"
    )


def test_agents_have_the_names_of_the_day(cast: Cast) -> None:
    source, _ = frozen_now()
    bob = Agent.objects.get(slug="bob")
    Agent.objects.filter(slug="bob").update(name="Robert")

    assert source.competitors([bob.pk])[bob.pk].name == "Bob"
    assert competitors([bob.pk])[bob.pk].name == "Robert"


def test_a_dataset_that_is_hidden_later_is_in_no_row_and_no_choice(cast: Cast) -> None:
    snapshot = snapshots.freeze("ports")
    hide(cast.dataset, hidden=True)

    source = Frozen(snapshot.digest, snapshots.content_of(snapshot))

    assert source.standings(BoardFilter("ports")).rows == ()
    assert (source.choices("ports").datasets, source.choices("ports").repositories) == ((), ())


def test_nothing_has_changed_at_first(cast: Cast) -> None:
    source, content = frozen_now()

    assert changes(source, content, BoardFilter("ports")) == []


def test_agents_with_other_figures_are_listed_under_the_same_filter(cast: Cast) -> None:
    source, content = frozen_now()
    bob = Agent.objects.get(slug="bob")
    hard = cast.evaluation.runs.get(task__difficulty="hard", agent=bob).task
    cast.add_run(bob, hard, 2, passed=5)
    cast.settle()

    assert figures(changes(source, content, BoardFilter("ports"))) == [("Bob", 0.5, 0.75)]
    assert figures(changes(source, content, BoardFilter("ports", difficulty="hard"))) == [("Bob", 0.0, 0.5)]
    assert changes(source, content, BoardFilter("ports", difficulty="easy")) == []


def test_agents_that_come_and_go_have_figures_on_one_side(cast: Cast) -> None:
    source, content = frozen_now()
    (run, *_) = cast.evaluation.runs.filter(agent__slug="alice")
    cast.add_run(cast.add_agent("Carol"), run.task)
    Run.objects.filter(agent__slug="alice").delete()
    cast.settle()

    assert figures(changes(source, content, BoardFilter("ports"))) == [
        ("Alice", 1.0, None),
        ("Carol", None, 1.0),
    ]


def test_a_table_of_some_days_is_compared_with_the_same_days_today(cast: Cast) -> None:
    source, content = frozen_now(until="2026-03-10")

    assert [row.tasks for row in source.standings(BoardFilter("ports")).rows] == [1, 1]
    assert changes(source, content, BoardFilter("ports")) == []


def test_a_kind_of_agents_that_only_a_hidden_dataset_had_is_no_choice(cast: Cast) -> None:
    hidden = cast.add_hidden_task()
    hide(hidden.repository.dataset, hidden=False)
    cast.add_cell(cast.add_agent("Odd", "odd-kind"), hidden, [5])
    cast.settle()
    snapshot = snapshots.freeze(hidden.repository.dataset.slug)
    content = snapshots.content_of(snapshot)
    assert "odd-kind" in Frozen(snapshot.digest, content).choices("ports").kinds

    hide(hidden.repository.dataset, hidden=True)

    assert "odd-kind" not in Frozen(snapshot.digest, content).choices("ports").kinds
