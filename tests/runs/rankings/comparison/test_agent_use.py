"""What two agents used on the runs that are paired."""

from __future__ import annotations

import pytest

from runs.data.run_facts.count_trajectory import recount
from runs.rankings.comparison.agent_use import TITLES, agent_use
from tests.runs.cast import Cast, record

pytestmark = pytest.mark.django_db


def test_quantities_and_tools_are_those_of_paired_open_runs() -> None:
    cast = Cast()
    alice, bob = cast.alice(), cast.bob()
    numbers = {"iterations": 6, "tool_calls": 5, "failed_calls": 1}
    for task in cast.add_tasks(2):
        for agent, seconds in ((alice, 10.0), (bob, 20.0)):
            record(cast.add_run(agent, task, act_seconds=seconds, **numbers))
    hidden = cast.add_hidden_task()
    for agent in (alice, bob):
        cast.add_run(agent, hidden, act_seconds=900.0)
    recount()

    found = agent_use(alice, bob)

    assert (found.pairs, found.cut) == (2, False)
    rows = {row.name: row for row in found.quantities}
    assert rows.keys() == TITLES.keys()
    assert (rows["seconds"].first.value, rows["seconds"].second.value) == (10.0, 20.0)
    assert rows["price"].p.value is None
    tools = {row.name: row for row in found.tools}
    assert (tools["read_file"].calls, tools["read_file"].first.value) == ((4, 4), 0.5)


def test_without_a_common_task_nothing_is_compared() -> None:
    cast = Cast()
    found = agent_use(cast.alice(), cast.bob())
    assert (found.pairs, found.tools) == (0, ())
