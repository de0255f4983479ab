"""The sentence above the leaderboard claims a lead only where it is more than chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from runs.leaderboard.headline import Headline, headline
from runs.queries.competitors import Competitor
from tests.runs.leaderboard.made_standings import made_standings, rows_of

ADA, BEN, CLEO = (Competitor(name.lower(), name, "ide") for name in ("Ada", "Ben", "Cleo"))
ORACLE = Competitor("oracle", "Oracle", "oracle")
AGENTS = {1: ADA, 2: BEN, 3: CLEO, 4: ORACLE}


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

    assert found == Headline(leader=BEN, rate=1.0, level=0, next=ADA, next_rate=0.0, ahead=True)
    assert found.points == 100.0


def test_a_lead_that_may_be_chance_is_level() -> None:
    # Three pairs: 3 · 2 · 2⁻⁸ < 0.05, so Cleo is worse than Ada; one task of eight says nothing about Ben.
    found = said({1: [1] * 8, 2: [1] * 7 + [0], 3: [0] * 8})

    assert found == Headline(leader=ADA, rate=1.0, level=1, next=BEN, next_rate=0.875, ahead=False)
    assert found.points == 12.5


def test_calibration_agents_do_not_compete() -> None:
    found = said({1: [1, 0], 4: [1, 1]})

    assert found == Headline(leader=ADA, rate=0.5, level=0, next=None, next_rate=0.0, ahead=False)


@pytest.mark.parametrize("resolved", [{}, {4: [1, 1]}])
def test_without_a_competitor_there_is_nothing_to_say(resolved: dict[int, list[int]]) -> None:
    assert said(resolved) is None
