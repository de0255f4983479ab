"""Which runs can be replayed here, which elsewhere, and which are reported only."""

from __future__ import annotations

from collections.abc import Mapping

from django.db.models import Q, QuerySet

from runs.data.cache.compiled_query import CompiledQuery
from runs.models import Agent, Run
from runs.models.open_rows import without_hidden

REPLAYS: Mapping[str, str] = {"here": "here", "elsewhere": "elsewhere", "none": "none: reported only"}
"""Where a run can be replayed: a value, and a text for pages."""


def with_replay(runs: QuerySet[Run], where: str) -> QuerySet[Run]:
    """Those of these runs that can be replayed there: a name of REPLAYS. With `none`, only runs that are over."""
    return runs.filter(replay_conditions()[where])


def replay_conditions() -> dict[str, Q]:
    """Which runs can be replayed where, by the names of REPLAYS.

    A query finds the agents whose source has their trajectories: they are few.
    """
    linked = Q(trajectory_url__gt="")
    if agents := [pk for (pk,) in _ADDRESSED.rows()]:
        linked |= Q(agent__in=agents)
    without = Q(directory="")
    return {
        "here": Q(directory__gt=""),
        "elsewhere": without & linked,
        "none": without & ~linked & Q(state=Run.State.FINISHED),
    }


_ADDRESSED = CompiledQuery(
    lambda: without_hidden(Agent.objects.filter(trajectories_url__gt="")).order_by("pk").values_list("pk")
)
