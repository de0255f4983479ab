"""Runs made up for tests, with only what a test cares about."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

from runs.analysis.facts import Behaviour, RunFacts, ToolTotals, ToolUse
from runs.analysis.tools.use import OPENING, OPENING_LETTERS
from runs.analysis.trajectories.kinds import kind_of, phase_of


def use_of(*tools: str) -> ToolUse:
    """As `tool_use` counts these calls, one a step, each with a result after a second."""
    kinds = [kind_of(tool) for tool in tools]
    phases = [phase_of(kind, "acts", edited=False) for kind in kinds]
    return ToolUse(
        totals={tool: ToolTotals(count, 0, float(count), 0, count) for tool, count in Counter(tools).items()},
        bigrams=Counter(pairwise(tools)),
        trigrams=Counter(zip(tools, tools[1:], tools[2:], strict=False)),
        before_first_edit=kinds.index("edit") if "edit" in kinds else None,
        before_first_change=phases.index("implementation") if "implementation" in phases else None,
        parallel={1: len(tools)} if tools else {},
        phases=Counter(phases),
        opening="".join(OPENING_LETTERS[kind] for kind in kinds[:OPENING]),
    )


def acted(number: int, labels: str = "", agent: str = "alice", **more: Any) -> RunFacts:
    """A run with these labels; `tools` are its calls, `faults` its record's."""
    tools = more.pop("tools", ())
    behaviour = Behaviour(
        labels=labels,
        tools=tools if isinstance(tools, ToolUse) else use_of(*tools),
        faults=more.pop("faults", ()),
    )
    values = {
        "task": "harbour/tide",
        "repository": "harbour",
        "attempt": 1,
        "outcome": "resolved",
        "iterations": len(labels),
        "behaviour": behaviour,
        **more,
    }
    return RunFacts(run=number, agent=agent, **values)
