"""Success of agents that look before they edit, and of those that do not."""

from __future__ import annotations

import pytest

from runs.analysis.estimate import Estimate
from runs.analysis.tools.preparation import preparation
from tests.runs.analysis.tools.made_calls import EDIT, READ, called


def test_agents_that_look_longer_are_set_against_those_that_do_not() -> None:
    runs = [
        *(called(n, *[READ] * 9, EDIT, agent="slow", resolved=n < 3) for n in range(4)),
        *(called(n, READ, EDIT, agent="quick", resolved=n < 5) for n in range(4, 8)),
        called(8, *[READ] * 5, EDIT, agent="between"),
        called(9, READ, agent="never"),
    ]
    found = preparation(runs)

    # slow: 9 calls before, 3 of 4 resolved; quick: 1 call before, 1 of 4. The others are in neither group.
    assert (found.deliberate.agents, found.deliberate.success) == (("slow",), Estimate(0.75, 4))
    assert (found.hasty.agents, found.hasty.success) == (("quick",), Estimate(0.25, 4))
    assert (found.difference, found.lift) == (Estimate(0.5, 8), Estimate(3, 8))


def test_a_published_comparison_of_preparation_comes_out() -> None:
    # Appendix D.5.1: 60.2 % against 6.9 % are +53.3 points and 8.7 times.
    runs = [
        *(called(n, *[READ] * 8, EDIT, agent="slow", resolved=n < 602) for n in range(1000)),
        *(called(n, READ, READ, READ, EDIT, agent="quick", resolved=n < 69) for n in range(1000)),
    ]
    found = preparation(runs)
    assert (round(found.difference.value or 0, 3), round(found.lift.value or 0, 1)) == (0.533, 8.7)


def test_a_comparison_needs_two_groups_and_a_success() -> None:
    slow = called(1, *[READ] * 9, EDIT, agent="slow")
    quick = called(2, EDIT, agent="quick", resolved=False)

    alone = preparation([slow])
    assert alone.hasty.success == Estimate.unknown("no agent is in this group")
    assert alone.difference == alone.lift == Estimate.unknown("one of the two groups has no agent", 1)
    assert preparation([slow, quick]).lift == Estimate.unknown("hasty agents resolved nothing", 2)
    with pytest.raises(ValueError, match="expected 0 ≤ few ≤ many"):
        preparation([slow], few=9, many=8)


def test_a_mean_at_the_lower_limit_is_not_hasty_and_one_at_the_upper_is_deliberate() -> None:
    four, eight = (
        called(number, *[READ] * looks, EDIT, agent=agent)
        for number, looks, agent in ((1, 4, "four"), (2, 8, "eight"))
    )
    found = preparation([four, eight])
    assert (found.few, found.many) == (4, 8)
    assert (found.hasty.agents, found.deliberate.agents) == ((), ("eight",))
    assert preparation([four], few=4.5).hasty.agents == ("four",)


def test_runs_without_an_edit_count_as_runs_but_not_in_the_mean() -> None:
    runs = [called(1, *[READ] * 9, EDIT), called(2, READ, resolved=False), called(3, READ, agent="bob")]
    found = preparation(runs)
    # Alice's mean is 9, of run 1; both of her runs count for her success. Bob never edits.
    assert (found.deliberate.agents, found.deliberate.success) == (("alice",), Estimate(0.5, 2))
    assert found.hasty.runs == 0
