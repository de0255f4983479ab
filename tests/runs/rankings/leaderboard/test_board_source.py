"""The current data as a source of the leaderboard, shared between processes until they change."""

from __future__ import annotations

import pytest
from pytest_django import DjangoAssertNumQueries

from runs.analysis.outcomes.standings import Standings
from runs.data.queries.board_filter import BoardFilter
from runs.models import Agent
from runs.rankings.leaderboard.board_source import Today, shared_standings
from tests.conftest import RedisServer
from tests.runs.rankings.leaderboard.made_standings import made_standings
from tests.runs.rankings.leaderboard.ports import two_ports


def rates(chosen: BoardFilter) -> dict[str, float]:
    """The pass@1 of each agent that matches."""
    today = Today()
    found = today.standings(chosen)
    names = today.competitors(row.agent for row in found.rows)
    return {names[row.agent].slug: row.pass_1.value for row in found.rows}


@pytest.mark.django_db
def test_filters_and_days_choose_what_is_counted() -> None:
    two_ports()

    assert rates(BoardFilter("ports")) == {"alice": 1.0, "bob": 0.5}
    assert rates(BoardFilter("ports", repository="quay")) == {"alice": 1.0, "bob": 0.0}
    assert rates(BoardFilter("ports", since="2026-03-11")) == {"alice": 1.0, "bob": 0.0}
    assert rates(BoardFilter("ports", until="2026-03-10", kind="ide")) == {"alice": 1.0, "bob": 1.0}
    assert rates(BoardFilter("ports", repository="nowhere")) == {}


@pytest.mark.django_db
def test_names_take_one_query_and_choices_two(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    two_ports()
    alice = Agent.objects.get(slug="alice")

    with django_assert_num_queries(1):
        assert Today().competitors([alice.pk])[alice.pk].name == "Alice"
    with django_assert_num_queries(2):
        assert Today().choices("ports").stacks == ("Go 1.25", "Python 3.11")


@pytest.mark.redis
@pytest.mark.django_db(transaction=True)
def test_standings_are_computed_once_for_each_scope_and_version(redis: RedisServer) -> None:
    computed: list[Standings] = []

    def count() -> Standings:
        computed.append(made_standings({1: [1] * (len(computed) + 1)}))
        return computed[-1]

    first = shared_standings("ide", "1", count)

    assert shared_standings("ide", "1", count) == first
    assert len(computed) == 1
    assert shared_standings("ide", "2", count) != first
    assert shared_standings("ide", "2", count).rows[0].tasks == 2
    assert len(computed) == 2


@pytest.mark.redis
@pytest.mark.django_db
def test_in_a_transaction_nothing_is_shared(redis: RedisServer) -> None:
    one, other = made_standings({1: [1]}), made_standings({1: [0]})

    assert shared_standings("ide", "1", lambda: one) is one
    assert shared_standings("ide", "1", lambda: other) is other
