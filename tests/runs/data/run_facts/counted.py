"""Runs with counted trajectories."""

from __future__ import annotations

import json

from runs.analysis import behaviour
from runs.analysis.facts import Behaviour, Signs
from runs.models import Counts, Run
from tests.runs.analysis.made_runs import use_of


def count(run: Run, *tools: str, signs: dict[str, tuple[int, ...]] | None = None) -> None:
    """Stores the counts of a trajectory with one productive iteration for each call."""
    Run.objects.filter(pk=run.pk).update(iterations=len(tools))
    found = Behaviour(labels="p" * len(tools), tools=use_of(*tools), signs=Signs(signs or {}))
    Counts.objects.create(run=run, version=behaviour.VERSION, behaviour=json.dumps(behaviour.to_json(found)))
