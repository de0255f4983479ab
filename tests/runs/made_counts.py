"""Counts of trajectories that do not exist."""

from __future__ import annotations

import json

from runs.analysis import behaviour
from runs.analysis.facts import Behaviour, Exploit, Signs
from runs.models import Counts, Run

COUNTED = Behaviour(
    labels="ep",
    signs=Signs({"thrashing": (3, 4)}, {"wrong_location": "a patch cannot be read"}),
    features={"targets_named": 2.0},
    faults=("step 7 is missing",),
    exploits={"network": Exploit("attempt", (3,)), "grader": Exploit("success", (3, 4))},
)


def count(run: Run, found: Behaviour = COUNTED, version: int = behaviour.VERSION) -> Run:
    """Stores these counts of a run."""
    Counts.objects.create(run=run, version=version, behaviour=json.dumps(behaviour.to_json(found)))
    return run
