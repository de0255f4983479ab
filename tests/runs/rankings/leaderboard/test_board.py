"""The sentence above the leaderboard claims a lead only where it is more than chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from runs.data.queries.competitors import Competitor
from runs.rankings.leaderboard.board import Headline, headline
from runs.rankings.leaderboard.column import BoardRow
from tests.runs.rankings.leaderboard.made_standings import made_standings, rows_of

ADA, BEN, CLEO = (Competitor(name.lower(), name, "ide") for name in ("Ada", "Ben", "Cleo"))
AGENTS = {1: ADA, 2: BEN, 3: CLEO}


def agents_of(rows: Sequence[BoardRow]) -> list[Competitor]:
    return [row.agent for row in rows]


def said(resolved: Mapping[int, Sequence[int]]) -> Headline | None:
    """The headline of agents that resolved these tasks; the order of the rows does not matter."""
    found = made_standings(resolved)
    rows = rows_of(found, AGENTS)
    one, other = headline(rows, found), headline(rows[::-1], found)
    assert one == other
    return one


def test_a_clear_lead_is_a_lead() -> None:
    # Two agents at eight tasks: p = 2 · 2⁻⁸ < 0.05.
    found = said({1: [0] * 8, 2: [1] * 8})

    assert found is not None
    assert (agents_of(found.top), agents_of(found.behind)) == ([BEN], [ADA])
    assert (found.rate, found.points, found.tied_behind.agents) == (1.0, 100.0, ())


def test_agents_that_cannot_be_told_apart_are_at_the_top_together() -> None:
    # Three pairs: 3 · 2 · 2⁻⁸ < 0.05, so Cleo is worse than Ada; one task of eight says nothing about Ben.
    found = said({1: [1] * 8, 2: [1] * 7 + [0], 3: [0] * 8})

    assert found is not None
    assert (agents_of(found.top), agents_of(found.behind)) == ([ADA, BEN], [CLEO])
    assert (agents_of(found.tied.named), found.tied.more) == ([BEN], 0)


def test_an_agent_alone_has_no_next() -> None:
    found = said({1: [1, 0]})

    assert found is not None
    assert (agents_of(found.top), found.rate, found.next) == ([ADA], 0.5, None)


def test_those_behind_a_clear_lead_that_tie_are_behind_it_together() -> None:
    # Three pairs: one task of twelve says nothing about Ben and Cleo.
    found = said({1: [1] * 12, 2: [1] + [0] * 11, 3: [0] * 12})

    assert found is not None
    assert (agents_of(found.top), agents_of(found.behind)) == ([ADA], [BEN, CLEO])
    assert found.points == pytest.approx(100 * 11 / 12)


def test_three_of_those_that_tie_are_named() -> None:
    agents = {number: Competitor(f"a{number}", f"A {number}", "ide") for number in range(7)}
    found = made_standings({number: [1, 0] for number in agents})

    one = headline(rows_of(found, agents), found)

    assert one is not None
    assert one.leader.agent.slug == "a0"
    assert ([row.agent.slug for row in one.tied.named], one.tied.more) == (["a1", "a2", "a3"], 3)


def test_without_a_competitor_there_is_nothing_to_say() -> None:
    assert said({}) is None
