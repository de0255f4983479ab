"""Agents with the same model and other settings, compared over common tasks: what a setting changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from runs.analysis.outcomes.side_by_side import SideBySide, side_by_side
from runs.data.queries.filters import CellFilter
from runs.models import Agent
from runs.operations.evaluations.agent_settings import profile_of
from runs.presentation.formatting.text import one_line
from runs.rankings.comparison.agent_pairs import cells_by_agent

MAX_COUNT = 20  # agents with the same model
MAX_LENGTH = 80  # characters of a value
DEFAULT = "not set"
_EMPTY: tuple[object, ...] = (None, "", [], {})


@dataclass(frozen=True, slots=True)
class ChangedSetting:
    """A setting with other values: `here` that of the agent, `there` that of the other one."""

    name: str
    here: str
    there: str


@dataclass(frozen=True, slots=True)
class Variant:
    """An agent with the same model. `found` compares the agent (first) with it (second) over common tasks."""

    agent: Agent
    changed: tuple[ChangedSetting, ...]
    found: SideBySide


def variants(agent: Agent, offered: QuerySet[Agent], chosen: CellFilter | None = None) -> tuple[Variant, ...]:
    """The agents among `offered` with the same model and a common task, the largest difference of pass@1 first.

    `chosen`: which tasks count; None: all. At most MAX_COUNT agents, in the order of their names; none for an agent
    without a model.
    """
    if agent.model_id is None:
        return ()
    others = list(
        offered.filter(model=agent.model_id).exclude(pk=agent.pk).order_by("name", "pk")[:MAX_COUNT]
    )
    if not others:
        return ()
    cells = cells_by_agent([agent.pk, *(other.pk for other in others)], chosen or CellFilter())
    found = [
        Variant(
            other,
            changed_settings(agent, other),
            side_by_side(cells.get(agent.pk, []), cells.get(other.pk, [])),
        )
        for other in others
    ]
    common = [one for one in found if one.found.tasks]
    return tuple(sorted(common, key=lambda one: (-(one.found.difference.value or 0.0), one.agent.slug)))


def changed_settings(agent: Agent, other: Agent) -> tuple[ChangedSetting, ...]:
    """Kind and settings in effect that differ, by name."""
    here, there = _in_effect(agent), _in_effect(other)
    return tuple(_changes(here, there))


def _in_effect(agent: Agent) -> Mapping[str, Any]:
    return {"kind": agent.kind, **{each.name: each.value for each in profile_of(agent).settings}}


def _changes(here: Mapping[str, Any], there: Mapping[str, Any]) -> Iterator[ChangedSetting]:
    for name in sorted(here.keys() | there.keys()):
        one, other = (None if side.get(name) in _EMPTY else side[name] for side in (here, there))
        if one != other:
            yield ChangedSetting(one_line(name, MAX_LENGTH), _written(one), _written(other))


def _written(value: object) -> str:
    if value is None:
        return DEFAULT
    return one_line(
        ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value), MAX_LENGTH
    )
