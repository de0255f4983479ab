"""Values of agents are computed again only for those that have changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from django.db import transaction

from runs.data.cells import agent_values
from runs.data.cells.agent_values import AgentValues
from runs.data.cells.open_cells import Group


def group(agent: int, revision: int) -> Group:
    return Group(agent, 1, "ports", agent, revision, 0, "")


class Made:
    """Makes values, and lists for whom."""

    def __init__(self) -> None:
        self.agents: list[set[int]] = []

    def __call__(self, agents: set[int]) -> Mapping[int, str]:
        self.agents.append(agents)
        return {agent: f"{agent}.{len(self.agents)}" for agent in agents}


@pytest.mark.django_db(transaction=True)
def test_an_agent_with_another_revision_is_computed_again() -> None:
    values, made = AgentValues[str](), Made()
    assert values.read("a", [group(1, 1), group(2, 1)], made) == {1: "1.1", 2: "2.1"}
    assert values.read("a", [group(1, 1), group(2, 2), group(3, 1)], made) == {1: "1.1", 2: "2.2", 3: "3.2"}
    assert values.read("a", [group(1, 1)], made) == {1: "1.1"}
    assert made.agents == [{1, 2}, {2, 3}]


@pytest.mark.django_db(transaction=True)
def test_in_a_transaction_nothing_is_stored() -> None:
    values, made = AgentValues[str](), Made()
    for _ in range(2):
        with transaction.atomic():
            values.read("a", [group(1, 1)], made)
    assert made.agents == [{1}, {1}]


@pytest.mark.django_db(transaction=True)
def test_with_too_many_names_the_stored_ones_go(monkeypatch: Any) -> None:
    monkeypatch.setattr(agent_values, "MAX_STORED", 1)
    values, made = AgentValues[str](), Made()
    for name in ("a", "b", "a"):
        values.read(name, [group(1, 1)], made)
    assert made.agents == [{1}] * 3
