"""Values of the agents of a dataset that a process stores, and computes again only for agents that have changed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Generic, TypeVar

from django.db import connection

from runs.data.cells.open_cells import Group

MAX_STORED = 500  # filters
Value = TypeVar("Value")


class AgentValues(Generic[Value]):
    """Values of one kind, by agent. In a transaction nothing is stored, because it may be rolled back."""

    def __init__(self) -> None:
        self._stored: dict[object, Mapping[Group, Value]] = {}

    def read(
        self, name: object, groups: Collection[Group], make: Callable[[set[int]], Mapping[int, Value]]
    ) -> Mapping[int, Value]:
        """The values of these agents under a name; `make` computes those of the agents that have changed."""
        known = {} if connection.in_atomic_block else self._stored.get(name, {})
        changed = {group.agent for group in groups if group not in known}
        made = make(changed) if changed else {}
        now = {group: made[group.agent] if group.agent in changed else known[group] for group in groups}
        if not connection.in_atomic_block:
            if len(self._stored) >= MAX_STORED:
                self._stored = {}
            self._stored[name] = now
        return {group.agent: value for group, value in now.items()}
