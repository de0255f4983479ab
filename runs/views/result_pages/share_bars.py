"""How many tasks are solved by which share of the agents, as bars that filter a list of tasks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from django.urls import reverse

from runs.data.lists.task_list import SHARES, TaskListQuery

HEIGHT = 40.0
MIN_HEIGHT = 3.0  # of a bar, so that one task among thousands is seen
_SHORT = {
    "none": "no agent",
    "few": "under ¼",
    "some": "¼ to ½",
    "most": "½ to ¾",
    "nearly": "over ¾",
    "all": "every agent",
    "untried": "not tried",
    "hidden": "hidden",
}
"""SHARES, as the bars above the list have room for them."""


class ShareBar(NamedTuple):
    """How many tasks are solved by this share of the agents: a bar that filters the list."""

    value: str
    short: str
    text: str
    tasks: int
    height: str
    href: str
    chosen: bool


def share_bars(query: TaskListQuery, counts: Mapping[str, int]) -> list[ShareBar]:
    """A bar for each group of SHARES that has tasks; a click on the chosen one shows all again."""
    most = max(counts.values(), default=1)
    return [
        ShareBar(
            value,
            _SHORT[value],
            SHARES[value],
            count,
            f"{max(MIN_HEIGHT, HEIGHT * count / most):.1f}",
            f"{reverse('tasks')}?" + query.query(share="" if query.share == value else value),
            query.share == value,
        )
        for value, count in counts.items()
    ]
